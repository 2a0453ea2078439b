package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

const (
	retryFirst = 15 * time.Second // after a refusal; doubles with each attempt
	retryLast  = time.Hour

	claimAttempts   = 12        // about five hours; then the agent may claim anew
	voucherLifetime = time.Hour // in chain time; a later attempt signs another
)

// errUnknownWork is a kind of job that this program does not know.
var errUnknownWork = errors.New("there is no work of kind")

// errFormerDistributor is a claim whose voucher would be for contracts that are
// served no more. Made out to another distributor, it would pay once more what
// the former one has paid. The agent claims again, from the one that is served.
var errFormerDistributor = errors.New("the claim was made to a former distributor")

// work takes one job a step further: it sends what was not sent, and resolves
// what was.
func (k *Keeper) work(ctx context.Context, epoch int64, job market.Job, jobs []market.Job) (done bool, err error) {
	if job.RawTx != nil {
		return k.resolve(ctx, epoch, job)
	}
	if job.Kind == market.OutboxClaim && k.options.Vouchers == nil {
		return false, nil
	}
	call, err := k.try(ctx, job)
	switch {
	case errors.Is(err, errUnknownWork), errors.Is(err, errFormerDistributor):
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, err.Error(), time.Time{})
	case err != nil:
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
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful && job.Kind == market.OutboxClaim:
		return false, nil // the watcher closes it by the payment's log, and no reorganisation can hide that
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful:
		return true, k.jobs.JobDone(ctx, epoch, job.ID)
	case receipt != nil:
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, "transaction "+hash.Hex()+" was mined, but failed", k.later(job))
	case used > job.Nonce && time.Since(k.usedSince(hash)) < k.options.ReplaceAfter:
		return false, nil // a node can know of the nonce before it finds the receipt
	case used > job.Nonce:
		// One of its predecessors was mined, or somebody else sent with this key.
		// Simulating the call again tells whether the work is done.
		return true, k.jobs.JobFailed(ctx, epoch, job.ID, "another transaction used nonce of "+hash.Hex(), time.Now())
	}
	return false, k.push(ctx, epoch, job, hash)
}

// usedSince returns when the nonce of a transaction without receipt was first
// seen to be used up.
func (k *Keeper) usedSince(hash common.Hash) time.Time {
	if _, known := k.usedAt[hash]; !known {
		k.usedAt[hash] = time.Now()
	}
	return k.usedAt[hash]
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
	if over(refusal) || job.Kind == market.OutboxClaim && job.Attempts >= claimAttempts {
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
func (k *Keeper) callOf(ctx context.Context, job market.Job) (Call, error) {
	d := k.contracts.deployment
	switch job.Kind {
	case market.OutboxClaim:
		return k.voucher(ctx, job.Reward)
	case market.OutboxSettle:
		return k.contracts.Settle(d.Escrow, job.TaskID), nil
	case market.OutboxVerdicts:
		signatures, err := SignaturesOf(d.Escrow, d.ChainID, job.TaskID, job.Verdicts)
		if err != nil {
			return Call{}, err
		}
		if job.Approved {
			return k.contracts.ApproveSubmission(d.Escrow, job.TaskID, signatures), nil
		}
		return k.contracts.RejectSubmission(d.Escrow, job.TaskID, signatures), nil
	}
	return Call{}, fmt.Errorf("%w %q", errUnknownWork, job.Kind)
}

// voucher signs that the reward is owed. It names what the account has been
// paid in all afterwards, so any number of vouchers pay no more than the last.
func (k *Keeper) voucher(ctx context.Context, r market.Reward) (Call, error) {
	if r.Distributor != k.contracts.deployment.Distributor {
		return Call{}, fmt.Errorf("%w, %s", errFormerDistributor, r.Distributor)
	}
	head, err := k.reader.Head(ctx)
	if err != nil {
		return Call{}, err
	}
	d, deadline := k.contracts.deployment, big.NewInt(head.Time.Add(voucherLifetime).Unix())
	signature, err := k.options.Vouchers.SignTypedData(ctx, VoucherTypedData(d.Distributor, d.ChainID, r.Account, r.Cumulative, deadline))
	if err != nil {
		return Call{}, fmt.Errorf("sign a voucher: %w", err)
	}
	return k.contracts.ClaimReward(r.Account, r.Cumulative, deadline, signature), nil
}
