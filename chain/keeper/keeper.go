package keeper

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

const (
	jobsAtOnce     = 32
	balancePoll    = time.Minute
	reconcilePause = time.Minute
	unpaidAtOnce   = 100
	releaseTimeout = 2 * time.Second
)

// DefaultLease is how long a keeper's lease lasts without renewal by default.
const DefaultLease = 15 * time.Second

// errUnrecorded leaves open whether a transaction was written down.
var errUnrecorded = errors.New("record transaction")

// Store is what the keepers of a chain share: the lease, the jobs and what
// was spent. A write whose epoch is over returns market.ErrNotLeader.
type Store interface {
	// LeadKeeper acquires or renews the lease for the account. It returns
	// market.ErrNotLeader while another holder's lease runs.
	LeadKeeper(ctx context.Context, holder string, account common.Address, life time.Duration) (market.Lease, error)
	// ReleaseKeeper ends the lease, so that another keeper can acquire it at once.
	ReleaseKeeper(ctx context.Context, epoch int64) error

	// OpenJobs returns jobs that are due: those sent and not resolved, and those
	// to send.
	OpenJobs(ctx context.Context, limit int) ([]market.Job, error)
	// JobSent records what is about to be sent, and what it may cost. It returns
	// market.KindNotFound for a job that was closed meanwhile, as do the next two.
	JobSent(ctx context.Context, epoch, id int64, tx market.Transaction) error
	// JobFailed records a refusal. The job is open again at retryAt, and without
	// the transaction it had; a zero retryAt ends it.
	JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error
	// JobPostponed makes a job that was not sent wait, which is no failed attempt.
	JobPostponed(ctx context.Context, epoch, id int64, reason string, until time.Time) error

	// KeeperNonce returns the nonce after those of the account's open transactions.
	KeeperNonce(ctx context.Context, account common.Address) (uint64, error)
	// KeeperSpent returns the wei spent in the last 24 hours, without the nonce's.
	KeeperSpent(ctx context.Context, account common.Address, nonce uint64) (*big.Int, error)
	// UnpaidTransactions returns transactions whose cost is not known.
	UnpaidTransactions(ctx context.Context, limit int) ([]market.Transaction, error)
	// TransactionPaid records what a transaction has cost, in wei.
	TransactionPaid(ctx context.Context, epoch int64, tx market.Transaction, cost *big.Int) error
	// KeeperLimited records that a spending limit was reached.
	KeeperLimited(ctx context.Context, epoch int64) error
}

// Options tune a keeper. The zero value is right for most chains.
type Options struct {
	Holder       string        // names this process in the lease; "keeper" if empty
	Lease        time.Duration // how long the lease lasts without renewal; DefaultLease if zero
	Poll         time.Duration // between two looks at the jobs; 2 s if zero
	ReplaceAfter time.Duration // for a transaction to be mined, or its receipt found, before another is made; 30 s if zero
	LowBalance   *big.Int      // of gas money, in wei, below which an operator is told; 0.01 ether if nil
	Limits       Limits        // on what it signs; zero members are the chain's defaults
	Vouchers     chain.Signer  // the distributor's; without, rewards wait for a keeper that has it
}

func (o Options) complete(chainID uint64) Options {
	// Two processes of the same name must not share a lease.
	o.Holder = cmp.Or(o.Holder, "keeper") + "/" + rand.Text()
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	o.Poll = cmp.Or(o.Poll, 2*time.Second)
	o.ReplaceAfter = cmp.Or(o.ReplaceAfter, 30*time.Second)
	if o.LowBalance == nil {
		o.LowBalance = big.NewInt(10_000_000_000_000_000)
	}
	o.Limits = o.Limits.complete(chainID)
	return o
}

// Keeper does on the chain what anyone may do: it relays full sets of verdicts,
// settles what is due, and hands in vouchers for rewards. It pays gas and can do
// nothing else; the vouchers' key is another one. Any number of keepers may run
// against one store, with one key or several: the holder of the lease works, the
// others stand by.
//
// A transaction is recorded before it is sent. Until its nonce is used up the
// same work is never sent under another nonce of the account, only the same
// nonce again with higher fees; and the contract does each job at most once,
// whichever account sends it. A receipt does not close a job, because a
// reorganisation can drop it: the watcher does when it follows the logs.
type Keeper struct {
	sender    *chain.Sender
	reader    *chain.Reader
	verifier  *chain.Verifier
	contracts *chain.Contracts
	store     Store
	options   Options
	log       *slog.Logger

	// Of the one goroutine that steps.
	lease      market.Lease
	renewed    time.Time
	alarmed    time.Time                 // see limited
	reconciled time.Time                 // see reconcile
	sentAt     map[common.Hash]time.Time // when this process first saw the transaction
	usedAt     map[common.Hash]time.Time // see usedSince
}

// New returns a keeper that pays as the signer.
func New(node *chain.Node, signer chain.Signer, contracts *chain.Contracts, store Store, options Options, log *slog.Logger) *Keeper {
	return &Keeper{
		sender: chain.NewSender(node, signer), reader: chain.NewReader(node, contracts), verifier: chain.NewVerifier(node), contracts: contracts,
		store: store, options: options.complete(contracts.Deployment().ChainID), log: log,
		sentAt: make(map[common.Hash]time.Time), usedAt: make(map[common.Hash]time.Time),
	}
}

// Run works until ctx ends. Then it releases its lease and returns nil.
func (k *Keeper) Run(ctx context.Context) error {
	defer k.release(ctx)
	ticker, balance := time.NewTicker(k.options.Poll), time.NewTicker(balancePoll)
	defer ticker.Stop()
	defer balance.Stop()
	k.step(ctx)
	k.checkBalance(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-balance.C:
			k.checkBalance(ctx)
		case <-ticker.C:
			k.step(ctx)
		}
	}
}

func (k *Keeper) step(ctx context.Context) {
	if err := k.Step(ctx); err != nil && ctx.Err() == nil {
		k.log.WarnContext(ctx, "keeper step failed; will retry", slog.Any("err", err))
	}
}

// checkBalance warns when the keeper's gas balance is low.
func (k *Keeper) checkBalance(ctx context.Context) {
	_, gas, err := k.reader.Balances(ctx, k.sender.Address())
	if err == nil && gas.Cmp(k.options.LowBalance) < 0 {
		k.log.ErrorContext(ctx, "the keeper's wallet needs gas money",
			slog.String("wallet", k.sender.Address().Hex()), slog.String("balance_wei", gas.String()))
	}
}

// lead acquires the lease, and renews it every third of its life.
func (k *Keeper) lead(ctx context.Context) error {
	if k.lease.Epoch > 0 && time.Since(k.renewed) < k.options.Lease/3 {
		return nil
	}
	asked := time.Now()
	lease, err := k.store.LeadKeeper(ctx, k.options.Holder, k.sender.Address(), k.options.Lease)
	if err != nil {
		return fmt.Errorf("acquire the keeper's lease: %w", err)
	}
	if lease.Epoch != k.lease.Epoch {
		k.log.InfoContext(ctx, "keeper leads", slog.Int64("epoch", lease.Epoch), slog.String("account", k.sender.Address().Hex()))
	}
	k.lease, k.renewed = lease, asked
	return nil
}

// release gives the lease up, also when ctx has ended.
func (k *Keeper) release(ctx context.Context) {
	if k.lease.Epoch == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := k.store.ReleaseKeeper(ctx, k.lease.Epoch); err != nil {
		k.log.WarnContext(ctx, "the keeper's lease was not released; it runs out by itself", slog.Any("err", err))
	}
	k.lease = market.Lease{}
}

// Step takes each open job a step further, if this keeper holds the lease. One
// job's error does not keep it from the others. It is not safe for concurrent
// use.
func (k *Keeper) Step(ctx context.Context) error {
	err := k.workAll(ctx)
	if errors.Is(err, market.ErrNotLeader) {
		k.lease = market.Lease{}
		return nil
	}
	return err
}

func (k *Keeper) workAll(ctx context.Context) error {
	if err := k.lead(ctx); err != nil {
		return err
	}
	jobs, err := k.store.OpenJobs(ctx, jobsAtOnce)
	if err != nil {
		return fmt.Errorf("read the keeper's jobs: %w", err)
	}
	k.forget(jobs)
	failed := k.reconcile(ctx)
	for _, job := range jobs {
		if err := k.lead(ctx); err != nil { // one job can take as long as a lease
			return err
		}
		err := k.work(ctx, job)
		switch {
		case errors.Is(err, market.ErrNotLeader):
			return err
		case err == nil, market.KindOf(err) == market.KindNotFound: // the watcher has closed the job meanwhile
		case isLimit(err):
			k.limited(ctx, job, err)
		case errors.Is(err, errUnrecorded):
			return err // the next job must not get a nonce that may be recorded for this one
		default:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", job, err))
		}
	}
	return failed
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
