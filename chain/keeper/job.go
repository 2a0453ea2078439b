package keeper

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

const (
	retryFirst = 15 * time.Second // after a refusal; doubles with each attempt
	retryLast  = time.Hour

	// foreignPatience is how many times ReplaceAfter a transaction of another
	// account is waited for.
	foreignPatience = 10

	claimAttempts   = 12        // about five hours; then the agent may claim anew
	voucherLifetime = time.Hour // in chain time; a later attempt signs another
)

// errUnknownWork is a kind of job that this program does not know.
var errUnknownWork = errors.New("there is no work of kind")

// errFormerDistributor is a claim whose voucher would be for contracts that are
// served no more. Made out to another distributor, it would pay once more what
// the former one has paid. The agent claims again, from the one that is served.
var errFormerDistributor = errors.New("the claim was made to a former distributor")

// work takes one job a step further: it sends what was not sent, and finds out
// what became of what was.
func (k *Keeper) work(ctx context.Context, job market.Job) error {
	if job.RawTx != nil {
		return k.resolve(ctx, job)
	}
	if job.Kind == market.OutboxClaim && k.options.Vouchers == nil {
		return nil
	}
	call, gas, err := k.try(ctx, job)
	switch {
	case errors.Is(err, errUnknownWork), errors.Is(err, errFormerDistributor):
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, err.Error(), time.Time{})
	case err != nil:
		return k.refused(ctx, job, err)
	}
	nonce, err := k.nextNonce(ctx)
	if err != nil {
		return err
	}
	sender, err := k.within(ctx, nonce, gas)
	if err != nil {
		return err
	}
	signed, err := sender.Build(ctx, call, nonce)
	if errors.Is(err, chain.ErrTooMuchGas) { // its own fault, so the jobs behind it come first
		return errors.Join(err, k.store.JobPostponed(ctx, k.lease.Epoch, job.ID, err.Error(), time.Now().Add(limitPause)))
	}
	if err != nil {
		return k.refused(ctx, job, err)
	}
	return k.send(ctx, job, signed)
}

// send records the transaction and then sends it.
func (k *Keeper) send(ctx context.Context, job market.Job, signed chain.Signed) error {
	tx := market.Transaction{Sender: k.sender.Address(), Nonce: signed.Nonce, Hash: signed.Hash, Raw: signed.Raw, Most: mostCost(signed)}
	err := k.store.JobSent(ctx, k.lease.Epoch, job.ID, tx)
	switch {
	case errors.Is(err, market.ErrNotLeader), market.KindOf(err) == market.KindNotFound:
		return err // it was not recorded
	case err != nil:
		return fmt.Errorf("%w %s: %w", errUnrecorded, signed.Hash, err)
	}
	if k.atLimit(signed) {
		k.limited(ctx, job, fmt.Errorf("%w: transaction %s offers no more", chain.ErrGasLimit, signed.Hash))
	}
	k.sentAt[signed.Hash] = time.Now()
	return k.sender.Broadcast(ctx, signed.Raw)
}

// nextNonce returns the nonce after those used, those that the node knows of,
// and those recorded that a node may have lost.
func (k *Keeper) nextNonce(ctx context.Context) (uint64, error) {
	known, err := k.sender.NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	recorded, err := k.store.KeeperNonce(ctx, k.sender.Address())
	return max(known, recorded), err
}

// resolve finds out what became of a transaction.
func (k *Keeper) resolve(ctx context.Context, job market.Job) error {
	hash := common.BytesToHash(job.TxHash)
	// The count before the receipt: a nonce that is used up and has no receipt
	// afterwards was used by another transaction.
	used, err := k.sender.UsedNoncesOf(ctx, job.Sender)
	if err != nil {
		return err
	}
	receipt, err := k.sender.Receipt(ctx, hash)
	switch {
	case err != nil:
		return err
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful:
		return nil // the watcher closes the job when it follows the transaction's logs
	case receipt != nil:
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, "transaction "+hash.Hex()+" was mined, but failed", k.later(job))
	case used > job.Nonce && time.Since(k.usedSince(hash)) < k.options.ReplaceAfter:
		return nil // a node can know of the nonce before it finds the receipt
	case used > job.Nonce:
		// One of its predecessors was mined, or another program sent with this key.
		// Simulating the call again shows whether the work is done.
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, "another transaction used nonce of "+hash.Hex(), time.Now())
	case job.Sender != k.sender.Address():
		return k.takeOver(ctx, job, hash)
	}
	return k.push(ctx, job, hash)
}

// takeOver sends the transaction of a former keeper with another key as it is.
// This keeper cannot raise its fees: when it is not mined for long, the job
// starts again with a nonce of this keeper's. Should both be mined in the end,
// the contract refuses the second, which costs its gas.
func (k *Keeper) takeOver(ctx context.Context, job market.Job, hash common.Hash) error {
	since, known := k.sentAt[hash]
	if !known {
		k.sentAt[hash] = time.Now()
		return k.sender.Broadcast(ctx, job.RawTx)
	}
	if time.Since(since) < foreignPatience*k.options.ReplaceAfter {
		return nil
	}
	return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, fmt.Sprintf("transaction %s of %s was not mined", hash, job.Sender), time.Now())
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
func (k *Keeper) push(ctx context.Context, job market.Job, hash common.Hash) error {
	since, known := k.sentAt[hash]
	if !known {
		k.sentAt[hash] = time.Now()
		return k.sender.Broadcast(ctx, job.RawTx)
	}
	if time.Since(since) < k.options.ReplaceAfter {
		return nil
	}
	sender, err := k.within(ctx, job.Nonce, k.options.Limits.Gas)
	if err != nil {
		return err
	}
	signed, err := sender.Replace(ctx, job.RawTx)
	if isLimit(err) { // fees may fall again
		return errors.Join(err, k.sender.Broadcast(ctx, job.RawTx))
	}
	if err != nil {
		return err
	}
	if signed.Hash == hash {
		return k.sender.Broadcast(ctx, job.RawTx)
	}
	k.log.InfoContext(ctx, "raising a transaction's fees", slog.String("old", hash.Hex()), slog.String("new", signed.Hash.Hex()))
	return k.send(ctx, job, signed)
}

// refused records why a job cannot be done now. Only a claim ends for good: for
// the jobs of a task the followed chain decides.
func (k *Keeper) refused(ctx context.Context, job market.Job, err error) error {
	refusal, ok := errors.AsType[*chain.RevertError](err)
	if !ok {
		return err
	}
	retryAt := k.later(job)
	switch {
	case job.Kind == market.OutboxClaim && job.Attempts >= claimAttempts:
		retryAt = time.Time{}
	case ended(refusal): // until the watcher sees it too, or a reorganisation drops it
		retryAt = time.Now().Add(retryFirst)
	}
	return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, refusal.Error(), retryAt)
}

// ended reports whether the contract refuses because the task has ended.
func ended(refusal *chain.RevertError) bool {
	status, ok := refusal.Args["status"].(uint8)
	return ok && refusal.Name == "WrongStatus" && market.ChainStatus(status).Ended()
}

func (k *Keeper) later(job market.Job) time.Time {
	wait := retryLast
	if job.Attempts < 8 { // 15 s << 8 would pass the last
		wait = retryFirst << max(0, job.Attempts)
	}
	return time.Now().Add(wait)
}

// callOf returns the call that does the job.
func (k *Keeper) callOf(ctx context.Context, job market.Job) (chain.Call, error) {
	d := k.contracts.Deployment()
	switch job.Kind {
	case market.OutboxClaim:
		return k.voucher(ctx, job.Reward)
	case market.OutboxSettle:
		return k.contracts.Settle(d.Escrow, job.TaskID), nil
	case market.OutboxVerdicts:
		signatures, err := chain.SignaturesOf(d.Escrow, d.ChainID, job.TaskID, job.Verdicts)
		if err != nil {
			return chain.Call{}, err
		}
		if job.Approved {
			return k.contracts.ApproveSubmission(d.Escrow, job.TaskID, signatures), nil
		}
		return k.contracts.RejectSubmission(d.Escrow, job.TaskID, signatures), nil
	}
	return chain.Call{}, fmt.Errorf("%w %q", errUnknownWork, job.Kind)
}

// voucher signs that the reward is owed. It names what the account has been
// paid in all afterwards, so any number of vouchers pay no more than the last.
func (k *Keeper) voucher(ctx context.Context, r market.Reward) (chain.Call, error) {
	if r.Distributor != k.contracts.Deployment().Distributor {
		return chain.Call{}, fmt.Errorf("%w, %s", errFormerDistributor, r.Distributor)
	}
	head, err := k.reader.Head(ctx)
	if err != nil {
		return chain.Call{}, err
	}
	d, deadline := k.contracts.Deployment(), big.NewInt(head.Time.Add(voucherLifetime).Unix())
	signature, err := k.options.Vouchers.SignTypedData(ctx, chain.VoucherTypedData(d.Distributor, d.ChainID, r.Account, r.Cumulative, deadline))
	if err != nil {
		return chain.Call{}, fmt.Errorf("sign a voucher: %w", err)
	}
	return k.contracts.ClaimReward(r.Account, r.Cumulative, deadline, signature), nil
}
