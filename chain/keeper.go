package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

const (
	jobsAtOnce = 32
	retryFirst = 15 * time.Second // after a refusal; doubles with each attempt
	retryLast  = time.Hour
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
	ReplaceAfter time.Duration // for a transaction to be mined, before its fees are raised; 30 s if zero
}

// Keeper does on the chain what anyone may do: it relays full sets of verdicts
// and settles what is due. It pays gas and can do nothing else.
//
// A transaction is written down before it is sent. Until its nonce is used up
// the same work is never sent under another nonce, only the same nonce again
// with higher fees; and the contract does each job at most once, whoever sends it.
type Keeper struct {
	sender    *Sender
	reader    *Reader
	contracts *Contracts
	jobs      Jobs
	leads     func() (epoch int64, ok bool)
	options   KeeperOptions
	log       *slog.Logger
	sentAt    map[common.Hash]time.Time // when this process first saw the transaction
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
	return &Keeper{
		sender: NewSender(node, signer), reader: NewReader(node, contracts), contracts: contracts,
		jobs: jobs, leads: leads, options: options, log: log, sentAt: make(map[common.Hash]time.Time),
	}
}

// Run works until ctx ends, and then returns nil.
func (k *Keeper) Run(ctx context.Context) error {
	ticker := time.NewTicker(k.options.Poll)
	defer ticker.Stop()
	for {
		if _, err := k.Step(ctx); err != nil && ctx.Err() == nil {
			k.log.WarnContext(ctx, "keeper step failed; will retry", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
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
			failed = errors.Join(failed, fmt.Errorf("%s of task %d: %w", job.Kind, job.TaskID, err))
		}
		if done {
			resolved++
		}
	}
	return resolved, failed
}

// forget drops what is remembered of transactions that are open no more.
func (k *Keeper) forget(jobs []market.Job) {
	open := make(map[common.Hash]time.Time, len(jobs))
	for _, job := range jobs {
		hash := common.BytesToHash(job.TxHash)
		if at, known := k.sentAt[hash]; known {
			open[hash] = at
		}
	}
	k.sentAt = open
}

func (k *Keeper) work(ctx context.Context, epoch int64, job market.Job, jobs []market.Job) (done bool, err error) {
	if job.RawTx != nil {
		return k.resolve(ctx, epoch, job)
	}
	call, err := k.callOf(job)
	if err != nil {
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, err.Error(), time.Time{})
	}
	if err := k.reader.Simulate(ctx, k.sender.Address(), call); err != nil {
		return k.refused(ctx, epoch, job, err)
	}
	nonce, err := k.nextNonce(ctx, jobs)
	if err != nil {
		return false, err
	}
	signed, err := k.sender.Build(ctx, call, nonce)
	if err != nil {
		return k.refused(ctx, epoch, job, err)
	}
	return false, k.send(ctx, epoch, job, jobs, signed)
}

// send writes the transaction down and then sends it.
func (k *Keeper) send(ctx context.Context, epoch int64, job market.Job, jobs []market.Job, signed Signed) error {
	if err := k.jobs.JobSent(ctx, epoch, job.ID, signed.Nonce, signed.Hash, signed.Raw); err != nil {
		return fmt.Errorf("%w %s: %w", errUnrecorded, signed.Hash, err)
	}
	for i := range jobs {
		if jobs[i].ID == job.ID { // so that the next job takes the next nonce
			jobs[i].Nonce, jobs[i].RawTx, jobs[i].TxHash = signed.Nonce, signed.Raw, signed.Hash.Bytes()
		}
	}
	k.sentAt[signed.Hash] = time.Now()
	return k.sender.Broadcast(ctx, signed.Raw)
}

// nextNonce returns the nonce after those used, those that the node knows of,
// and those written down that a node may have forgotten.
func (k *Keeper) nextNonce(ctx context.Context, jobs []market.Job) (uint64, error) {
	nonce, err := k.sender.NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	for _, job := range jobs {
		if job.RawTx != nil {
			nonce = max(nonce, job.Nonce+1)
		}
	}
	return nonce, nil
}

// resolve finds out what became of a transaction.
func (k *Keeper) resolve(ctx context.Context, epoch int64, job market.Job) (done bool, err error) {
	hash := common.BytesToHash(job.TxHash)
	// The count before the receipt: a nonce that is used up and has no receipt
	// afterwards was used by another transaction.
	used, err := k.sender.UsedNonces(ctx)
	if err != nil {
		return false, err
	}
	receipt, err := k.sender.Receipt(ctx, hash)
	switch {
	case err != nil:
		return false, err
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful:
		return true, k.jobs.JobDone(ctx, epoch, job.ID)
	case receipt != nil:
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, "transaction "+hash.Hex()+" was mined, but failed", k.later(job))
	case used > job.Nonce:
		// One of its predecessors was mined, or somebody else sent with this key.
		// Simulating the call again tells whether the work is done.
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, "another transaction used nonce of "+hash.Hex(), time.Now())
	}
	return false, k.push(ctx, epoch, job, hash)
}

// push sends a transaction that is not mined once more, for higher fees when it
// has waited long.
func (k *Keeper) push(ctx context.Context, epoch int64, job market.Job, hash common.Hash) error {
	since, known := k.sentAt[hash]
	if !known {
		k.sentAt[hash] = time.Now()
		return k.sender.Broadcast(ctx, job.RawTx)
	}
	if time.Since(since) < k.options.ReplaceAfter {
		return nil
	}
	signed, err := k.sender.Replace(ctx, job.RawTx)
	if err != nil {
		return err
	}
	if signed.Hash == hash {
		return k.sender.Broadcast(ctx, job.RawTx)
	}
	k.log.InfoContext(ctx, "raising a transaction's fees", slog.String("old", hash.Hex()), slog.String("new", signed.Hash.Hex()))
	return k.send(ctx, epoch, job, nil, signed)
}

// refused records why a job cannot be done now, or ever.
func (k *Keeper) refused(ctx context.Context, epoch int64, job market.Job, err error) (done bool, _ error) {
	refusal, ok := errors.AsType[*RevertError](err)
	if !ok {
		return false, err
	}
	if over(refusal) {
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, refusal.Error(), time.Time{})
	}
	return false, k.jobs.JobFailed(ctx, epoch, job.ID, refusal.Error(), k.later(job))
}

// over reports whether the task will never allow the job again.
func over(refusal *RevertError) bool {
	switch refusal.Name {
	case "AgentHasApproved", "ReviewClosed":
		return true
	case "WrongStatus":
		status, ok := refusal.Args["status"].(uint8)
		return ok && market.ChainStatus(status).Ended()
	}
	return false
}

func (k *Keeper) later(job market.Job) time.Time {
	wait := retryLast
	if job.Attempts < 8 { // 15 s << 8 would pass the last
		wait = retryFirst << max(0, job.Attempts)
	}
	return time.Now().Add(wait)
}

// callOf returns the call that does the job.
func (k *Keeper) callOf(job market.Job) (Call, error) {
	d := k.contracts.deployment
	switch job.Kind {
	case market.OutboxSettle:
		return k.contracts.Settle(d.Escrow, job.TaskID), nil
	case market.OutboxVerdicts:
		verdicts := slices.SortedFunc(slices.Values(job.Verdicts), func(a, b market.Verdict) int {
			return bytes.Compare(a.Validator[:], b.Validator[:])
		})
		signatures, err := SignaturesOf(d.Escrow, d.ChainID, job.TaskID, verdicts)
		if err != nil {
			return Call{}, err
		}
		if job.Approved {
			return k.contracts.ApproveSubmission(d.Escrow, job.TaskID, signatures), nil
		}
		return k.contracts.RejectSubmission(d.Escrow, job.TaskID, signatures), nil
	}
	return Call{}, fmt.Errorf("there is no work of kind %q", job.Kind)
}
