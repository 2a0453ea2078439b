package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

const (
	jobsAtOnce  = 32
	balancePoll = time.Minute
)

// errUnrecorded leaves open whether a transaction was written down.
var errUnrecorded = errors.New("record transaction")

// Jobs is where a keeper's work comes from and where it is written down. The
// epoch is the watcher's: whoever lost the lead gets market.ErrNotLeader.
type Jobs interface {
	// OpenJobs returns jobs that are due: those sent and not resolved, and those
	// to send.
	OpenJobs(ctx context.Context, limit int) ([]market.Job, error)
	// JobSent records what is about to be sent.
	JobSent(ctx context.Context, epoch, id int64, nonce uint64, txHash common.Hash, raw []byte) error
	// JobDone records that the work is done.
	JobDone(ctx context.Context, epoch, id int64) error
	// JobFailed records a refusal. The job is open again at retryAt, and without
	// the transaction it had; a zero retryAt ends it.
	JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error
}

// KeeperOptions tune a keeper. The zero value is right for most chains.
type KeeperOptions struct {
	Poll         time.Duration // between two looks at the jobs; 2 s if zero
	ReplaceAfter time.Duration // for a transaction to be mined, or its receipt found, before another is made; 30 s if zero
	LowBalance   *big.Int      // of gas money, in wei, below which an operator is told; 0.01 ether if nil
	Vouchers     Signer        // the distributor's; without, rewards wait for a keeper that has it
}

// Keeper does on the chain what anyone may do: it relays full sets of verdicts,
// settles what is due, and hands in vouchers for rewards. It pays gas and can do
// nothing else; the vouchers' key is another one.
//
// A transaction is written down before it is sent. Until its nonce is used up
// the same work is never sent under another nonce, only the same nonce again
// with higher fees; and the contract does each job at most once, whoever sends it.
type Keeper struct {
	sender    *Sender
	reader    *Reader
	verifier  *Verifier
	contracts *Contracts
	jobs      Jobs
	leads     func() (epoch int64, ok bool)
	options   KeeperOptions
	log       *slog.Logger
	sentAt    map[common.Hash]time.Time // when this process first saw the transaction
	usedAt    map[common.Hash]time.Time // see usedSince
}

// NewKeeper returns a keeper that pays as the signer. It works only while leads
// says so: Watcher.Leads of the same process.
func NewKeeper(
	node *Node, signer Signer, contracts *Contracts, jobs Jobs,
	leads func() (epoch int64, ok bool), options KeeperOptions, log *slog.Logger,
) *Keeper {
	if options.Poll == 0 {
		options.Poll = 2 * time.Second
	}
	if options.ReplaceAfter == 0 {
		options.ReplaceAfter = 30 * time.Second
	}
	if options.LowBalance == nil {
		options.LowBalance = big.NewInt(10_000_000_000_000_000)
	}
	return &Keeper{
		sender: NewSender(node, signer), reader: NewReader(node, contracts), verifier: NewVerifier(node), contracts: contracts,
		jobs: jobs, leads: leads, options: options, log: log,
		sentAt: make(map[common.Hash]time.Time), usedAt: make(map[common.Hash]time.Time),
	}
}

// Run works until ctx ends, and then returns nil.
func (k *Keeper) Run(ctx context.Context) error {
	ticker, counting := time.NewTicker(k.options.Poll), time.NewTicker(balancePoll)
	defer ticker.Stop()
	defer counting.Stop()
	k.countMoney(ctx)
	for {
		if _, err := k.Step(ctx); err != nil && ctx.Err() == nil {
			k.log.WarnContext(ctx, "keeper step failed; will retry", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-counting.C:
			k.countMoney(ctx)
		case <-ticker.C:
		}
	}
}

// countMoney tells an operator in time that the gas money runs out.
func (k *Keeper) countMoney(ctx context.Context) {
	_, gas, err := k.reader.Balances(ctx, k.sender.Address())
	if err == nil && gas.Cmp(k.options.LowBalance) < 0 {
		k.log.ErrorContext(ctx, "the keeper's wallet needs gas money",
			slog.String("wallet", k.sender.Address().Hex()), slog.String("balance_wei", gas.String()))
	}
}

// Step looks at each open job once and returns how many were resolved. One
// job's error does not keep it from the others.
func (k *Keeper) Step(ctx context.Context) (resolved int, err error) {
	epoch, ok := k.leads()
	if !ok {
		return 0, nil
	}
	jobs, err := k.jobs.OpenJobs(ctx, jobsAtOnce)
	if err != nil {
		return 0, fmt.Errorf("read the keeper's jobs: %w", err)
	}
	k.forget(jobs)
	var failed error
	for _, job := range jobs {
		done, err := k.work(ctx, epoch, job, jobs)
		if errors.Is(err, market.ErrNotLeader) {
			return resolved, nil
		}
		if errors.Is(err, errUnrecorded) {
			return resolved, err // the next job must not get a nonce that may be written down for this one
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", job, err))
		}
		if done {
			resolved++
		}
	}
	return resolved, failed
}

// forget drops what is remembered of transactions that are open no more.
func (k *Keeper) forget(jobs []market.Job) {
	open := make(map[common.Hash]bool, len(jobs))
	for _, job := range jobs {
		open[common.BytesToHash(job.TxHash)] = true
	}
	closed := func(hash common.Hash, _ time.Time) bool { return !open[hash] }
	maps.DeleteFunc(k.sentAt, closed)
	maps.DeleteFunc(k.usedAt, closed)
}
