// Package keeper sends the calls that need no user: verdicts, due settlements and reward claims.
// See Keeper.
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
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

const (
	maxJobs        = 32
	balancePoll    = time.Minute
	reconcilePause = time.Minute
	reasonPause    = time.Minute
	maxUnpaid      = 100
	releaseTimeout = 2 * time.Second
)

// DefaultLease is the default lifetime of a keeper's lease without renewal.
const DefaultLease = 15 * time.Second

// errUnrecorded is returned if it is unknown whether a transaction was recorded.
var errUnrecorded = errors.New("record transaction")

// Store stores the state that the keepers of a chain share: the lease, the jobs and the spending. A
// write with an old epoch returns market.ErrNotLeader.
type Store interface {
	// LeadKeeper acquires or renews the lease for the account. It returns market.ErrNotLeader while
	// another holder has the lease.
	LeadKeeper(ctx context.Context, holder string, account common.Address, life time.Duration) (market.Lease, error)
	// ReleaseKeeper ends the lease, so that another keeper can acquire it at once.
	ReleaseKeeper(ctx context.Context, epoch int64) error

	// OpenJobs returns the jobs that are due: sent and not resolved, or not sent.
	OpenJobs(ctx context.Context, limit int) ([]market.Job, error)
	// JobSent records a transaction before it is sent, with its highest cost. It returns
	// market.KindNotFound for a job that has been closed, as do JobFailed and JobPostponed.
	JobSent(ctx context.Context, epoch, id int64, tx market.Transaction) error
	// JobFailed records a failure. The job loses its transaction and is due again at retryAt; a zero
	// retryAt closes it.
	JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error
	// JobPostponed delays a job that was not sent, without counting an attempt.
	JobPostponed(ctx context.Context, epoch, id int64, reason string, until time.Time) error

	// JobStalled records why a job does not advance; "" removes the reason. JobSent also removes it, and
	// JobFailed replaces it.
	JobStalled(ctx context.Context, epoch, id int64, reason string) error

	// JobNotResent records why a job's transaction was not sent again at an operator's request.
	JobNotResent(ctx context.Context, epoch, id int64, reason string) error
	// JobDone closes a cancellation, which has no effect on the contracts.
	JobDone(ctx context.Context, epoch, id int64) error

	// KeeperNonce returns the nonce after those of the account's open transactions.
	KeeperNonce(ctx context.Context, account common.Address) (uint64, error)
	// FillNonce requests a cancellation of the nonce, unless an open transaction or request has it.
	FillNonce(ctx context.Context, epoch int64, n market.AccountNonce) error
	// KeeperSpent returns the wei that all keepers spent in the last 24 hours, including older
	// transactions that are still open, and excluding the account's transaction with the nonce.
	KeeperSpent(ctx context.Context, account common.Address, nonce uint64) (*big.Int, error)
	// KeeperVersions returns the hashes of the recorded transactions with the nonce. complete reports
	// whether there were no others.
	KeeperVersions(ctx context.Context, n market.AccountNonce) (hashes []common.Hash, complete bool, err error)
	// RecordedNonces returns how many of the account's nonces from first to end-1 have a recorded
	// transaction, and the nonce after the highest recorded one, or 0 if none is recorded.
	RecordedNonces(ctx context.Context, account common.Address, first, end uint64) (count, next uint64, err error)
	// UnpaidTransactions returns recent transactions whose actual cost is not recorded.
	UnpaidTransactions(ctx context.Context, limit int) ([]market.Transaction, error)
	// TransactionPaid records the actual cost of a transaction, in wei.
	TransactionPaid(ctx context.Context, epoch int64, tx market.Transaction, cost *big.Int) error
	// KeeperLimited records that a spending limit was reached.
	KeeperLimited(ctx context.Context, epoch int64) error
}

// DefaultLowBalance is the balance of the account, in wei, below which operators should act: 0.01 of
// the chain's currency.
const DefaultLowBalance = 10_000_000_000_000_000

// Options configures a keeper. The zero value suits most chains.
type Options struct {
	Holder       string        // identifies this process in the lease; "keeper" if empty
	Lease        time.Duration // lifetime of the lease without renewal; DefaultLease if zero
	Poll         time.Duration // pause between two reads of the jobs; 2 s if zero
	ReplaceAfter time.Duration // time for a transaction to be mined, or its receipt to be found, before it is replaced; 30 s if zero
	LowBalance   *big.Int      // balance in wei below which an error is logged; DefaultLowBalance if nil
	Limits       Limits        // limits for signed transactions; zero fields select the chain's defaults
	Vouchers     chain.Signer  // the distributor's signer; if nil, rewards wait for a keeper that has one
	Trace        chain.Trace   // begins a trace for each step; optional
}

func (o Options) complete(chainID uint64) Options {
	// Two processes with the same name must not share a lease.
	o.Holder = cmp.Or(o.Holder, "keeper") + "/" + rand.Text()
	o.Lease = cmp.Or(o.Lease, DefaultLease)
	o.Poll = cmp.Or(o.Poll, 2*time.Second)
	o.ReplaceAfter = cmp.Or(o.ReplaceAfter, 30*time.Second)
	o.LowBalance = cmp.Or(o.LowBalance, big.NewInt(DefaultLowBalance))
	o.Limits = o.Limits.complete(chainID)
	if o.Trace == nil {
		o.Trace = chain.NoTrace
	}
	return o
}

// Instance returns the name of a lease's holder as configured in Options, without the random suffix that
// New adds.
func Instance(holder string) string {
	if i := strings.LastIndexByte(holder, '/'); i >= 0 && len(holder)-i-1 == len(rand.Text()) {
		return holder[:i]
	}
	return holder
}

// Keeper sends the calls that any account is permitted to send: it relays complete sets of
// verdicts, settles due tasks, and claims rewards with vouchers. It pays the gas and has no other
// rights; vouchers are signed with another key. Any number of keepers can use one store, with the
// same key or different ones. Only the keeper that has the lease sends transactions.
//
// A transaction is recorded before it is sent. Until its nonce is used, the job is not sent with
// another nonce of the same account; the transaction can only be replaced by one with the same nonce
// and higher fees. The contract executes each job at most once, regardless of which account sends it. A
// receipt does not close a job, because a reorg can drop the transaction: the watcher closes the
// job when it follows the logs.
type Keeper struct {
	sender    *send.Sender
	reader    *chain.Reader
	verifier  *chain.Verifier
	contracts *chain.Contracts
	store     Store
	options   Options
	log       *slog.Logger

	// Used only by the goroutine that calls Step.
	lease           market.Lease
	leadsSince      time.Time // when this keeper acquired the lease
	renewedAt       time.Time
	limitReportedAt time.Time                 // last alarm about a limit; see reportLimit
	reconciledAt    time.Time                 // last run of reconcile
	sentAt          map[common.Hash]time.Time // when this process first saw the transaction
	usedAt          map[common.Hash]time.Time // when each nonce was first seen as used; see usedSince
	cancelled       map[uint64][]byte         // this account's nonces with an open cancellation; see findCancellations
	reasonAt        map[int64]time.Time       // when the reason of a job, by id, was recorded; see recordReason
	checkedNonces   *uint64                   // nonces below are checked in this epoch; see checkNonces
	gapCheckedAt    time.Time                 // last run of fillGap

	mu     sync.Mutex
	status Status
}

// Status is a keeper's state, for metrics.
type Status struct {
	Account       common.Address
	Leading       bool
	Since         time.Time // when this keeper last acquired the lease
	Balance       *big.Int  // the account's balance in wei; nil until it has been read
	UsedNonces    uint64    // number of used nonces; read every minute and in each step with open transactions
	Replacements  uint64    // transactions replaced by this process
	SignerFailing bool      // whether the signer failed to sign the last transaction
	ForeignAt     time.Time // when a mined transaction of another program was last found; zero if none was
	Err           error     // error of the last step; nil if it succeeded
	At            time.Time
}

// Status returns the keeper's state after the last step.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.status
}

func (k *Keeper) updateStatus(change func(*Status)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change(&k.status)
}

// New returns a keeper that sends from the signer's account.
func New(node *rpc.Node, signer chain.Signer, contracts *chain.Contracts, store Store, options Options, log *slog.Logger) *Keeper {
	k := &Keeper{
		reader: chain.NewReader(node, contracts), verifier: chain.NewVerifier(node), contracts: contracts,
		store: store, options: options.complete(contracts.Deployment().ChainID), log: log,
		sentAt: make(map[common.Hash]time.Time), usedAt: make(map[common.Hash]time.Time), reasonAt: make(map[int64]time.Time),
		status: Status{Account: signer.Address()},
	}
	k.sender = send.NewSender(node, markedSigner{signer, k})
	return k
}

// errNotSigned is returned when the signer did not sign a transaction. Nothing was sent.
var errNotSigned = errors.New("the transaction was not signed")

// markedSigner marks a signer's errors with errNotSigned and updates Status.SignerFailing.
type markedSigner struct {
	chain.Signer
	keeper *Keeper
}

// SignTx implements chain.Signer.
func (s markedSigner) SignTx(ctx context.Context, tx *types.Transaction, chainID uint64) (*types.Transaction, error) {
	signed, err := s.Signer.SignTx(ctx, tx, chainID)
	s.keeper.updateStatus(func(status *Status) { status.SignerFailing = err != nil })
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotSigned, err)
	}
	return signed, nil
}

// Run calls Step repeatedly until ctx ends, then releases the lease and returns nil.
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
	ctx, end := k.options.Trace(ctx)
	err := k.Step(ctx)
	end(err)
	if err != nil && ctx.Err() == nil {
		k.log.WarnContext(ctx, "keeper step failed; will retry", slog.Any("err", err))
	}
}

// checkBalance logs an error when the keeper's gas balance is low.
func (k *Keeper) checkBalance(ctx context.Context) {
	_, gas, err := k.reader.Balances(ctx, k.sender.Address())
	used, nonceErr := k.sender.UsedNonces(ctx)
	if err == nil && nonceErr == nil {
		k.updateStatus(func(s *Status) { s.Balance, s.UsedNonces = gas, used })
	}
	if err == nil && gas.Cmp(k.options.LowBalance) < 0 {
		k.log.ErrorContext(ctx, "the keeper's gas balance is low",
			slog.String("wallet", k.sender.Address().Hex()), slog.String("balance_wei", gas.String()))
	}
}

// lead acquires the lease, and renews it after a third of its lifetime.
func (k *Keeper) lead(ctx context.Context) error {
	if k.lease.Epoch > 0 && time.Since(k.renewedAt) < k.options.Lease/3 {
		return nil
	}
	requestedAt := time.Now()
	lease, err := k.store.LeadKeeper(ctx, k.options.Holder, k.sender.Address(), k.options.Lease)
	if err != nil {
		return fmt.Errorf("acquire the keeper's lease: %w", err)
	}
	if lease.Epoch != k.lease.Epoch {
		k.log.InfoContext(ctx, "acquired the keeper's lease", slog.Int64("epoch", lease.Epoch), slog.String("account", k.sender.Address().Hex()))
		k.leadsSince, k.checkedNonces = requestedAt, nil
	}
	k.lease, k.renewedAt = lease, requestedAt
	return nil
}

// release releases the lease, even after ctx has ended.
func (k *Keeper) release(ctx context.Context) {
	if k.lease.Epoch == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := k.store.ReleaseKeeper(ctx, k.lease.Epoch); err != nil {
		k.log.WarnContext(ctx, "releasing the keeper's lease failed; it expires by itself", slog.Any("err", err))
	}
	k.lease = market.Lease{}
}

// Step advances each open job if this keeper has the lease. An error in one job does not stop the
// others, unless the lease is lost or it is unknown whether a transaction was recorded. Step is not
// safe for concurrent use.
func (k *Keeper) Step(ctx context.Context) error {
	err := k.advanceAll(ctx)
	if errors.Is(err, market.ErrNotLeader) {
		k.lease = market.Lease{}
		err = nil
	}
	k.updateStatus(func(s *Status) { s.Leading, s.Since, s.Err, s.At = k.lease.Epoch > 0, k.leadsSince, err, time.Now() })
	return err
}

func (k *Keeper) advanceAll(ctx context.Context) error {
	if err := k.lead(ctx); err != nil {
		return err
	}
	epoch := k.lease.Epoch
	jobs, err := k.store.OpenJobs(ctx, maxJobs)
	if err != nil {
		return fmt.Errorf("read the keeper's jobs: %w", err)
	}
	k.dropClosed(jobs)
	k.findCancellations(jobs)
	failed := k.reconcile(ctx)
	for _, job := range jobs {
		if err := k.lead(ctx); err != nil { // renew the lease, because a single job can take as long as the lease
			return err
		}
		if k.lease.Epoch != epoch {
			return failed // another keeper led in the meantime, and may have sent the remaining jobs
		}
		err := k.advance(ctx, job)
		switch {
		case errors.Is(err, market.ErrNotLeader):
			return err
		case err == nil, market.KindOf(err) == market.KindNotFound: // KindNotFound: the job is closed
			continue
		case isLimit(err):
			k.reportLimit(ctx, job, err)
		case errors.Is(err, errUnrecorded):
			return err // stop, because the next job must not reuse a nonce that may be recorded for this one
		default:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", job, err))
		}
		if failed = errors.Join(failed, k.recordReason(ctx, job, err)); errors.Is(failed, market.ErrNotLeader) {
			return failed
		}
	}
	return failed
}

// recordReason records why the job does not advance, at most once a minute, because the text can
// differ in each step.
func (k *Keeper) recordReason(ctx context.Context, job market.Job, cause error) error {
	if time.Since(k.reasonAt[job.ID]) < reasonPause {
		return nil
	}
	err := k.store.JobStalled(ctx, k.lease.Epoch, job.ID, cause.Error())
	if err == nil {
		k.reasonAt[job.ID] = time.Now()
	}
	if market.KindOf(err) == market.KindNotFound { // the job is closed
		err = nil
	}
	return err
}

// removeReason removes the reason why the job did not advance.
func (k *Keeper) removeReason(ctx context.Context, job market.Job) error {
	delete(k.reasonAt, job.ID)
	if job.Error == "" {
		return nil
	}
	return k.store.JobStalled(ctx, k.lease.Epoch, job.ID, "")
}

// dropClosed removes the times of jobs that are closed, and of their transactions.
func (k *Keeper) dropClosed(jobs []market.Job) {
	open, ids := make(map[common.Hash]bool, len(jobs)), make(map[int64]bool, len(jobs))
	for _, job := range jobs {
		open[common.BytesToHash(job.TxHash)], ids[job.ID] = true, true
	}
	maps.DeleteFunc(k.reasonAt, func(id int64, _ time.Time) bool { return !ids[id] })
	closed := func(hash common.Hash, _ time.Time) bool { return !open[hash] }
	maps.DeleteFunc(k.sentAt, closed)
	maps.DeleteFunc(k.usedAt, closed)
}
