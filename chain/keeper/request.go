package keeper

import (
	"context"
	"errors"
	"fmt"
	"time"

	"taskmarket/market"
)

// The keeper also carries out the requests that operators record in the store, so that only the process
// with the lease uses the account's nonces.

// findCancellations stores in cancelled the nonces of this account with an open cancellation, each with
// the recorded transaction that has the nonce, or an empty one. The keeper does not raise the fees of
// these transactions, because a replacement would also replace the cancellation.
func (k *Keeper) findCancellations(jobs []market.Job) {
	k.cancelled = make(map[uint64][]byte)
	for _, job := range jobs {
		if job.Kind == market.OutboxCancel && job.Cancels.Account == k.sender.Address() {
			k.cancelled[job.Cancels.Nonce] = []byte{}
		}
	}
	for _, job := range jobs {
		if job.Kind != market.OutboxCancel && job.RawTx != nil && job.Sender == k.sender.Address() && k.cancelled[job.Nonce] != nil {
			k.cancelled[job.Nonce] = job.RawTx
		}
	}
}

// cancel uses the nonce for an empty transfer of the account to itself. A nonce that no transaction has
// is rejected: there is nothing to cancel, and a nonce above the next one would leave a gap. The next one is
// that after all recorded transactions, or the lowest one that a node reports, because a node can report too
// many.
func (k *Keeper) cancel(ctx context.Context, job market.Job) error {
	nonce := job.Cancels.Nonce
	used, next, _, err := k.sender.NonceBounds(ctx)
	if err != nil {
		return err
	}
	open, err := k.store.KeeperNonce(ctx, k.sender.Address())
	if err != nil {
		return err
	}
	_, recorded, err := k.store.RecordedNonces(ctx, k.sender.Address(), used, used)
	if err != nil {
		return err
	}
	next = max(next, open, recorded)
	refuse := func(format string, args ...any) error {
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, fmt.Sprintf(format, args...), time.Time{})
	}
	switch {
	case job.Cancels.Account != k.sender.Address():
		return refuse("the cancellation is for account %s, but the keeper's account is %s", job.Cancels.Account, k.sender.Address())
	case nonce < used:
		return refuse("nonce %d is already used by a mined transaction: the next unused nonce is %d", nonce, used)
	case nonce >= next:
		return refuse("no transaction has nonce %d, so there is nothing to cancel: the next free nonce is %d", nonce, next)
	}
	sender, err := k.limitedSender(ctx, nonce, k.options.Limits.Gas)
	if err != nil {
		return err
	}
	var old []byte
	if raw := k.cancelled[nonce]; len(raw) > 0 {
		old = raw
	}
	signed, err := k.dailyLimited(sender.Cancel(ctx, nonce, old))
	if isLimit(err) || errors.Is(err, errNotSigned) {
		return k.postpone(ctx, job, err, minRetryPause)
	}
	if err != nil {
		return err
	}
	return k.send(ctx, job, signed)
}

// resend replaces a pending transaction with one that has higher fees, even if its fees are current. If a
// limit or the signer prevents this, the request ends, and the transaction is broadcast again.
func (k *Keeper) resend(ctx context.Context, job market.Job) error {
	sender, err := k.limitedSender(ctx, job.Nonce, k.options.Limits.Gas)
	if err != nil {
		return err
	}
	signed, err := k.dailyLimited(sender.Raise(ctx, job.RawTx))
	if isLimit(err) || errors.Is(err, errNotSigned) {
		return errors.Join(k.store.JobNotResent(ctx, k.lease.Epoch, job.ID, err.Error()), k.transmit(ctx, job.RawTx))
	}
	if err != nil {
		return err
	}
	return k.replace(ctx, job, signed)
}
