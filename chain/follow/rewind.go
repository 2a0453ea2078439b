package follow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

var zeroTime time.Time

// diverged handles a provider that does not have the cursor's block at the cursor's number:
//
//  1. Check that the provider still serves the right chain.
//  2. Find the last common block (see commonBlock).
//  3. If the head is below the cursor on the same branch, wait (see waitBelow).
//  4. If the common block is below the finalized block, report a violation (see violated).
//  5. If not, rewind the journal to the common block. The next steps follow the new branch.
//
// Example: the journal holds 98, 99 and 100. A reorg replaces 99 and 100. The provider returns
// other hashes for 100 and 99, and the same hash for 98: the journal is rewound to 98, and the next
// step follows the new 99.
func (w *Watcher) diverged(ctx context.Context, p *rpc.Provider, cursor market.Cursor, v rpc.View) (Outcome, error) {
	// A provider of another chain does not have the followed blocks either, so check the chain
	// before dropping blocks.
	if err := w.node.Recheck(ctx, p); err != nil {
		return Outcome{}, err
	}
	fork, reorged, err := w.commonBlock(ctx, p, min(cursor.Block.Number, v.Latest))
	if err != nil {
		return Outcome{}, err
	}
	if v.Cursor == nil && !reorged {
		if wait, err := w.waitBelow(p, cursor, v); wait || err != nil {
			return Outcome{Progress: CaughtUp, Head: v.Latest, Block: cursor.Block}, err
		}
	}
	w.belowSince = zeroTime
	if fork.Number < cursor.Finalized {
		return Outcome{}, w.violated(ctx, p, cursor, fork)
	}
	w.forkSince = zeroTime
	if err := w.journal.Rewind(ctx, cursor, fork); err != nil {
		return Outcome{}, fmt.Errorf("rewind from block %d to %d: %w", cursor.Block.Number, fork.Number, err)
	}
	w.options.Reorged(cursor.Block.Number - fork.Number)
	w.log.InfoContext(ctx, "rewound after a reorg", slog.Uint64("from", cursor.Block.Number), slog.Uint64("to", fork.Number))
	return Outcome{Progress: Rewound, Head: v.Latest, Block: fork}, nil
}

// waitBelow decides whether to wait while the head is below the cursor on the followed branch. In
// most cases, only this provider lags. After Doubt has elapsed, the chain is assumed to have become
// shorter; a head below the finalized block is then an error.
func (w *Watcher) waitBelow(p *rpc.Provider, cursor market.Cursor, v rpc.View) (wait bool, err error) {
	now := time.Now()
	if w.belowSince.IsZero() {
		w.belowSince = now
	}
	if now.Sub(w.belowSince) < w.options.Doubt {
		w.fail(p, nil) // another provider may have a higher head
		return true, nil
	}
	if v.Latest < cursor.Finalized {
		return false, p.Errorf("head %d is below the finalized block %d", v.Latest, cursor.Finalized)
	}
	return false, nil
}

// commonBlock walks back from the number to the last block that both the journal and the provider
// have, and reports whether it passed a block that differs. If there is no common block, it returns
// the number before the deployment's first block, without a hash.
func (w *Watcher) commonBlock(ctx context.Context, p *rpc.Provider, number uint64) (fork market.Block, reorged bool, err error) {
	start := max(w.contracts.Deployment().StartBlock, 1)
	for number >= start {
		ours, err := w.journal.CanonicalBlock(ctx, number)
		if market.KindOf(err) == market.KindNotFound {
			break
		}
		if err != nil {
			return market.Block{}, false, fmt.Errorf("read the block at or below %d: %w", number, err)
		}
		theirs, err := p.HeaderAt(ctx, ours.Number)
		if err != nil {
			return market.Block{}, false, err
		}
		if theirs.Hash() == ours.Hash {
			return ours, reorged, nil
		}
		reorged = true
		number = ours.Number - 1 // a followed block is at least start, so its number is not 0
	}
	return market.Block{Number: start - 1}, reorged, nil
}

// violated handles a chain that forks below the finalized block. If another provider still has the
// followed block at its number, this provider is at fault. If no provider has it there, the cause is
// presumed to be a temporary fault until repeated checks have agreed for the duration of Doubt.
func (w *Watcher) violated(ctx context.Context, p *rpc.Provider, cursor market.Cursor, fork market.Block) error {
	if w.node.AnyOtherFollows(ctx, p, cursor.Block) {
		return p.Contradictionf("the provider does not have block %d, which another provider has", cursor.Block.Number)
	}
	now := time.Now()
	if w.forkSince.IsZero() {
		w.forkSince = now
	}
	if left := w.options.Doubt - now.Sub(w.forkSince); left > 0 {
		return p.Contradictionf("the provider does not have the finalized block %d; its chain forks after block %d; checking for another %s",
			cursor.Finalized, fork.Number, left.Round(time.Second))
	}
	return fmt.Errorf("%w: block %d is finalized, but the chain forks after block %d; if all nodes and an explorer agree on the new chain, "+
		"stop all replicas and run: taskmarketd reindex --from %d (runbook, TaskmarketWatcherStopped)",
		market.ErrFinalityViolated, cursor.Finalized, fork.Number, fork.Number+1)
}

// halt releases the lease, because another process may have a provider on the right chain.
func (w *Watcher) halt(ctx context.Context, violation error) {
	w.prefetched.drop()
	w.Release(ctx)
	if w.halted == nil {
		w.log.ErrorContext(ctx, "the watcher has stopped: the nodes no longer have a followed block that was finalized; it resumes when they have it again",
			slog.Any("err", violation))
	}
	w.halted = violation
}

// resume checks, after a declared violation of finality, whether the chain again contains the
// followed blocks up to the finalized one. It returns nil if it does, or if no violation was declared. One provider is
// enough here, because following verifies every block.
func (w *Watcher) resume(ctx context.Context) error {
	if w.halted == nil {
		return nil
	}
	cursor, err := w.journal.Cursor(ctx)
	if err != nil {
		return fmt.Errorf("read the cursor: %w", err)
	}
	p, err := w.provider(ctx, cursor)
	if err != nil {
		return err
	}
	fork := cursor.Block
	v, err := p.ReadView(ctx, cursor.Block.Number)
	if err == nil && (v.Cursor == nil || v.Cursor.Hash() != cursor.Block.Hash) {
		fork, _, err = w.commonBlock(ctx, p, min(cursor.Block.Number, v.Latest))
	}
	if err != nil || fork.Number < min(cursor.Finalized, cursor.Block.Number) {
		w.fail(p, err) // the next check uses another provider
		return errors.Join(err, w.halted)
	}
	w.halted, w.forkSince = nil, zeroTime
	w.log.InfoContext(ctx, "the nodes have the finalized block again; the watcher resumes", slog.Uint64("block", fork.Number))
	return nil
}
