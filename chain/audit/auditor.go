// Package audit compares the records made from the followed logs with the state of the contracts.
// See Auditor.
package audit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Records is the part of the watcher's journal that the auditor uses: it returns the records to
// compare with the contracts, and stores the findings.
type Records interface {
	Cursor(ctx context.Context) (market.Cursor, error)
	CanonicalBlock(ctx context.Context, atOrBelow uint64) (market.Block, error)
	LastIDs(ctx context.Context, atOrBelow uint64) (market.LastIDs, error)
	// AuditTasks and AuditStakes return folded records, by ascending id.
	AuditTasks(ctx context.Context, q market.AuditQuery) ([]*market.EscrowTask, error)
	AuditStakes(ctx context.Context, q market.AuditQuery) ([]*market.Stake, error)
	// LogPositions returns the positions of the followed logs that belong to a record.
	LogPositions(ctx context.Context, r market.OnchainRef) ([]market.LogPosition, error)
	Findings(ctx context.Context, limit int) ([]market.Finding, error)
	SaveFinding(ctx context.Context, f market.Finding) error
	DeleteFinding(ctx context.Context, r market.OnchainRef) error
	// RequestReread requests that the watcher read a block again, with its receipts.
	RequestReread(ctx context.Context, number uint64, reason market.RereadReason) error
}

// Options configures an auditor. The zero value suits most chains.
type Options struct {
	Interval time.Duration // pause between two rounds; 10 s if zero
	Batch    int           // records per comparison; a round makes two comparisons for each kind; 100 if zero
	Trace    chain.Trace   // begins a trace for each round; optional
}

// Auditor compares the followed records with the state of the contracts, to detect a log that every
// check of the watcher missed. A round:
//
//  1. Selects a block: in turn the finalized one and the last followed one. If no node has the
//     finalized block's state, it selects the last followed one.
//  2. Compares the number of tasks, and checks whether the staking contract has an application
//     after the last followed one.
//  3. Compares, for each kind, the next Batch records that have not ended, and the next Batch of
//     all records, so that the rounds cover all records repeatedly.
//  4. Compares each difference again, logs it as an error and stores it as a finding.
//  5. Requests the record's logs from every provider, and requests that the watcher read the blocks again
//     in which they differ from the journal's.
//
// Every provider's state is compared. A record differs if it differs from any of them, because a single provider could
// return the state that fits the records. A finding is deleted once all providers that reported it agree
// with the records; until then, a reporter that does not respond keeps it.
//
// Example: with 250 tasks and a batch of 100, the rounds compare tasks 1 to 100, 101 to 200, 201 to
// 250, and 1 to 100 again.
type Auditor struct {
	node       *rpc.Node
	records    Records
	deployment market.Deployment
	escrow     *contracts.Escrow
	staking    *contracts.ApplicationStaking
	leads      func() (epoch int64, ok bool)
	options    Options
	log        *slog.Logger

	// Used only by the goroutine that audits. live and all are the ids after which the next round
	// continues.
	live, all map[market.OnchainKind]uint64
	rounds    int
	blind     bool // set while no node has the state, so that this is logged only once
	// reporters contains, for each record, the providers whose last response differed from it.
	reporters map[market.OnchainRef]map[string]bool

	mu     sync.Mutex
	status Status
}

// Status is an auditor's state, for metrics.
type Status struct {
	At  time.Time // time of the last round that compared records; zero if there was none
	Err error     // error of the last round; nil if it succeeded
}

// Status returns the auditor's state after the last round.
func (a *Auditor) Status() Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.status
}

// New returns an auditor. It audits only while leads returns true, because one process is enough.
func New(
	node *rpc.Node, records Records, deployment market.Deployment, leads func() (epoch int64, ok bool), options Options, log *slog.Logger,
) *Auditor {
	if options.Interval == 0 {
		options.Interval = 10 * time.Second
	}
	if options.Batch == 0 {
		options.Batch = 100
	}
	if options.Trace == nil {
		options.Trace = chain.NoTrace
	}
	return &Auditor{
		node: node, records: records, deployment: deployment,
		escrow: contracts.NewEscrow(), staking: contracts.NewApplicationStaking(), leads: leads, options: options, log: log,
		live: make(map[market.OnchainKind]uint64), all: make(map[market.OnchainKind]uint64),
		reporters: make(map[market.OnchainRef]map[string]bool),
	}
}

// Run audits until ctx ends, and then returns nil.
func (a *Auditor) Run(ctx context.Context) error {
	ticker := time.NewTicker(a.options.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if _, ok := a.leads(); !ok {
			continue
		}
		a.tracedRound(ctx)
	}
}

// tracedRound calls Round in a trace and logs its error.
func (a *Auditor) tracedRound(ctx context.Context) {
	ctx, end := a.options.Trace(ctx)
	err := a.Round(ctx)
	end(err)
	if err != nil && ctx.Err() == nil {
		a.log.WarnContext(ctx, "audit round failed; will retry", slog.Any("err", err))
	}
}

// Round compares the next records with the contracts.
func (a *Auditor) Round(ctx context.Context) error {
	at, counts, err := a.state(ctx)
	hasBlock := at.Hash != common.Hash{}
	if err == nil && hasBlock {
		err = a.round(ctx, at, counts)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status.Err = err
	if err == nil && hasBlock {
		a.status.At = time.Now()
	}
	return err
}

func (a *Auditor) round(ctx context.Context, at market.Block, counts contractIDs) error {
	suspects, err := a.uncounted(ctx, at, counts)
	if err != nil {
		return err
	}
	for _, kind := range []market.OnchainKind{market.OnchainTask, market.OnchainApplication} {
		for _, walk := range []struct {
			after map[market.OnchainKind]uint64
			live  bool
		}{{a.live, true}, {a.all, false}} {
			q := market.AuditQuery{Block: at.Number, After: walk.after[kind], Limit: a.options.Batch, Live: walk.live}
			found, last, err := a.compare(ctx, kind, q, at.Hash)
			if err != nil {
				return err
			}
			suspects = append(suspects, found...)
			walk.after[kind] = last
		}
	}
	return a.examineAll(ctx, at, suspects)
}

// state returns the block at which to compare, and the ids that the contracts had assigned there.
// It returns no block if no block has been followed or no node has the state.
func (a *Auditor) state(ctx context.Context) (market.Block, contractIDs, error) {
	cursor, err := a.records.Cursor(ctx)
	if err != nil || cursor.Block.Hash == (common.Hash{}) {
		return market.Block{}, contractIDs{}, err
	}
	blocks := []market.Block{cursor.Block}
	a.rounds++
	final, err := a.records.CanonicalBlock(ctx, min(cursor.Finalized, cursor.Block.Number))
	switch {
	case err == nil && a.rounds%2 == 1:
		blocks = []market.Block{final, cursor.Block}
	case err != nil && market.KindOf(err) != market.KindNotFound:
		return market.Block{}, contractIDs{}, err
	}
	for _, block := range blocks {
		last, err := a.records.LastIDs(ctx, block.Number)
		if err != nil {
			return market.Block{}, contractIDs{}, err
		}
		ids, err := a.idsAt(ctx, block.Hash, last)
		if err == nil {
			a.blind = false
			return block, ids, nil
		}
		if !errors.Is(err, rpc.ErrNoState) {
			return market.Block{}, contractIDs{}, err
		}
	}
	if !a.blind {
		a.blind = true
		a.log.WarnContext(ctx, "no node has the state of a followed block; the contracts cannot be audited",
			slog.Uint64("finalized", final.Number), slog.Uint64("followed", cursor.Block.Number))
	}
	return market.Block{}, contractIDs{}, nil
}

// examineAll compares the suspects and the records of stored findings again. It stores a finding
// for each record that still differs, and deletes the finding of a record that no longer differs
// according to all its reporters. A record with logs after the block is skipped.
func (a *Auditor) examineAll(ctx context.Context, at market.Block, suspects []market.OnchainRef) error {
	findings, err := a.records.Findings(ctx, a.options.Batch)
	if err != nil {
		return err
	}
	was := make(map[market.OnchainRef]bool, len(findings))
	for _, f := range findings {
		was[f.OnchainRef] = true
		suspects = append(suspects, f.OnchainRef)
	}
	seen := make(map[market.OnchainRef]bool, len(suspects))
	for _, r := range suspects {
		if seen[r] {
			continue
		}
		seen[r] = true
		difference, stable, err := a.examine(ctx, at, r)
		switch {
		case err != nil || !stable:
		case difference != "":
			err = a.recordFinding(ctx, at, market.Finding{OnchainRef: r, Block: at.Number, Difference: difference})
		case was[r] && len(a.reporters[r]) == 0:
			err = a.records.DeleteFinding(ctx, r)
		}
		if err != nil {
			return fmt.Errorf("examine %s: %w", r, err)
		}
	}
	maps.DeleteFunc(a.reporters, func(r market.OnchainRef, providers map[string]bool) bool { return !seen[r] || len(providers) == 0 })
	return nil
}

// recordFinding stores a difference and requests another read of the blocks whose logs may explain it.
func (a *Auditor) recordFinding(ctx context.Context, at market.Block, f market.Finding) error {
	if block, err := a.records.CanonicalBlock(ctx, at.Number); err != nil || block.Hash != at.Hash {
		return err // a reorg happened between the two reads, so the difference is not reliable
	}
	if err := a.records.SaveFinding(ctx, f); err != nil {
		return err
	}
	blocks, err := a.search(ctx, at, f.OnchainRef)
	attributes := []any{slog.String("record", f.String()), slog.String("difference", f.Difference), slog.Uint64("compared_at", at.Number)}
	if len(blocks) == 0 && err == nil { // the nodes omit a log
		a.log.ErrorContext(ctx, "the contracts differ from the database, and the nodes returned no log that explains it; use another provider", attributes...)
	} else {
		a.log.ErrorContext(ctx, "the contracts differ from the database; the listed blocks will be read again", append(attributes, slog.Any("blocks", blocks))...)
	}
	for _, number := range blocks {
		err = errors.Join(err, a.records.RequestReread(ctx, number, market.RereadAudit))
	}
	return err
}
