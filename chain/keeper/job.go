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
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

const (
	minRetryPause = 15 * time.Second // pause after the first failure; doubles with each attempt
	maxRetryPause = time.Hour

	// foreignReplaceFactor times ReplaceAfter is how long the keeper waits for another account's
	// transaction to be mined.
	foreignReplaceFactor = 10

	claimAttempts   = 12        // about five hours in total, after which the agent can claim again
	voucherLifetime = time.Hour // in chain time; after the expiry, another voucher is signed
)

// errUnknownKind is returned for a job of an unknown kind.
var errUnknownKind = errors.New("unknown kind of job")

// errFormerDistributor is returned for a claim from the distributor of an earlier deployment. A
// voucher for the current distributor would pay the same reward a second time. The agent can claim
// again, from the current distributor.
var errFormerDistributor = errors.New("the claim is for a former distributor")

// advance processes one job: it sends a job without a transaction and resolves one with a
// transaction.
func (k *Keeper) advance(ctx context.Context, job market.Job) error {
	if job.RawTx != nil {
		return k.resolve(ctx, job)
	}
	switch {
	case job.Kind == market.OutboxClaim && k.options.Vouchers == nil:
		return nil
	case job.Kind == market.OutboxCancel:
		return k.cancel(ctx, job)
	}
	call, gas, err := k.prepare(ctx, job)
	switch {
	case errors.Is(err, errUnknownKind), errors.Is(err, errFormerDistributor):
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, err.Error(), time.Time{})
	case err != nil:
		return k.recordRevert(ctx, job, err)
	}
	nonce, err := k.nextNonce(ctx)
	if err != nil {
		return err
	}
	sender, err := k.limitedSender(ctx, nonce, gas)
	if err != nil {
		return err
	}
	signed, err := k.dailyLimited(sender.Build(ctx, call, nonce))
	switch {
	case errors.Is(err, send.ErrTooMuchGas): // concerns only this job
		return k.postpone(ctx, job, err, limitPause)
	case errors.Is(err, errNotSigned): // a signer can refuse one kind of job
		return k.postpone(ctx, job, err, minRetryPause)
	case err != nil:
		return k.recordRevert(ctx, job, err)
	}
	return k.send(ctx, job, signed)
}

// postpone records why the job was not sent, and delays it.
func (k *Keeper) postpone(ctx context.Context, job market.Job, cause error, pause time.Duration) error {
	k.reasonAt[job.ID] = time.Now()
	return errors.Join(cause, k.store.JobPostponed(ctx, k.lease.Epoch, job.ID, cause.Error(), time.Now().Add(pause)))
}

// send records the transaction before it sends it. It renews the lease first, because an external
// signer can be slow. If another keeper led in the meantime, the nonce may be used, so the
// transaction is discarded.
func (k *Keeper) send(ctx context.Context, job market.Job, signed send.Signed) error {
	built := k.lease.Epoch
	if err := k.lead(ctx); err != nil {
		return err
	}
	if k.lease.Epoch != built {
		return market.ErrNotLeader
	}
	tx := market.Transaction{Sender: k.sender.Address(), Nonce: signed.Nonce, Hash: signed.Hash, Raw: signed.Raw, MaxCost: maxCost(signed)}
	err := k.store.JobSent(ctx, k.lease.Epoch, job.ID, tx)
	switch {
	case errors.Is(err, market.ErrNotLeader), market.KindOf(err) == market.KindNotFound:
		return err // not recorded
	case err != nil:
		return fmt.Errorf("%w %s: %w", errUnrecorded, signed.Hash, err)
	}
	if k.atLimit(signed) {
		k.reportLimit(ctx, job, fmt.Errorf("transaction %s offers the highest permitted fee or tip", signed.Hash))
	}
	k.sentAt[signed.Hash] = time.Now()
	delete(k.reasonAt, job.ID) // JobSent removed the reason
	return k.transmit(ctx, signed.Raw)
}

// errForeignPending is returned while a node reports pending transactions that no keeper recorded.
var errForeignPending = errors.New("every node reports pending transactions that no keeper recorded")

// nextNonce returns the first nonce above all nonces that are used, pending in the nodes, or
// recorded for an open job. The recorded ones count too, because a node may have lost a recorded
// transaction. It returns errForeignPending if every node reports pending transactions that are not
// recorded: they may not exist, and a transaction with a later nonce would then wait forever. Without
// records, the lowest number of used nonces counts, so that one node cannot make the keeper skip nonces; a
// dishonest node can then delay the first jobs.
//
// Example: nonces 0 to 6 are recorded. If one of two nodes reports 9 as the next nonce, the next nonce is
// 7. If both report 9, the job waits until 9 nonces are used, or until a node reports 7 again.
func (k *Keeper) nextNonce(ctx context.Context) (uint64, error) {
	used, low, high, err := k.sender.NonceBounds(ctx)
	if err != nil {
		return 0, err
	}
	_, recorded, err := k.store.RecordedNonces(ctx, k.sender.Address(), used, used)
	if err != nil {
		return 0, err
	}
	expected := max(used, recorded)
	if low > expected {
		return 0, fmt.Errorf("%w: nonces %d to %d; nothing was signed, and the keeper waits until they are mined; "+
			"see `taskmarketd keeper list`, and check with another provider whether they exist", errForeignPending, expected, low-1)
	}
	open, err := k.store.KeeperNonce(ctx, k.sender.Address())
	return max(open, min(high, expected)), err // a node that lags lacks transactions of closed jobs
}

// resolve checks the result of a job's transaction. A receipt counts only once all providers that respond
// count the nonce as used: otherwise, a provider with forged receipts and nonces could make the keeper send
// the job again and again, each time with another nonce.
//
//  1. Mined and successful: wait for the watcher to follow the logs. A mined cancellation is done.
//  2. Mined and failed: retry the job later.
//  3. Not mined, but the nonce is used: see nonceTaken.
//  4. Pending, sent by another keeper's account: see takeOver.
//  5. Pending, sent by this account: see rebroadcast, or resend if an operator requested it. If an
//     operator cancelled the transaction, wait for the outcome.
func (k *Keeper) resolve(ctx context.Context, job market.Job) error {
	hash := common.BytesToHash(job.TxHash)
	// Read the nonce before the receipt: otherwise, a transaction that is mined in between would have a
	// used nonce and no receipt, as if another transaction had used the nonce.
	used, err := k.sender.LeastUsedNoncesOf(ctx, job.Sender)
	if err != nil {
		return err
	}
	if job.Sender == k.sender.Address() {
		k.updateStatus(func(s *Status) { s.UsedNonces = used })
	}
	receipt, err := k.sender.Receipt(ctx, hash)
	switch {
	case err != nil:
		return err
	case receipt != nil && used <= job.Nonce:
		return nil // mined after the nonces were read, or forged
	case receipt != nil && job.Kind == market.OutboxCancel:
		return k.store.JobDone(ctx, k.lease.Epoch, job.ID)
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful:
		return k.removeReason(ctx, job) // the watcher closes the job when it follows the transaction's logs
	case receipt != nil:
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, "transaction "+hash.Hex()+" was mined but reverted", k.retryTime(job))
	case used > job.Nonce && time.Since(k.usedSince(hash)) < k.options.ReplaceAfter:
		return nil // a node may count the nonce before it has the receipt
	case used > job.Nonce:
		return k.nonceTaken(ctx, job, hash)
	case job.Sender != k.sender.Address():
		return k.takeOver(ctx, job, hash)
	case job.Kind != market.OutboxCancel && k.cancelled[job.Nonce] != nil:
		return nil // an operator cancelled the transaction; one of the two will be mined
	case job.Resend:
		return k.resend(ctx, job)
	}
	return k.rebroadcast(ctx, job, hash)
}

// nonceTaken handles a job whose nonce another transaction used: a version with lower fees, a
// cancellation, or a transaction of another program with the key. A cancellation fails. Any other job
// starts again; the next simulation shows whether it is done.
func (k *Keeper) nonceTaken(ctx context.Context, job market.Job, hash common.Hash) error {
	if job.Sender == k.sender.Address() {
		if err := k.checkVersions(ctx, job.Nonce); err != nil {
			return err
		}
	}
	if job.Kind == market.OutboxCancel {
		return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, "another transaction used the nonce first", time.Time{})
	}
	return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, "another transaction used the nonce of transaction "+hash.Hex(), time.Now())
}

// transmit sends a recorded transaction. Another transaction with its nonce is no error, because resolve
// finds out which one is mined: it can be an earlier version, with lower fees.
func (k *Keeper) transmit(ctx context.Context, raw []byte) error {
	err := k.sender.Broadcast(ctx, raw)
	if errors.Is(err, send.ErrNonceTaken) {
		return nil
	}
	return err
}

// broadcast sends the job's transaction unchanged. If transmit returns no error, broadcast removes the
// reason why the job did not advance.
func (k *Keeper) broadcast(ctx context.Context, job market.Job) error {
	if err := k.transmit(ctx, job.RawTx); err != nil {
		return err
	}
	return k.removeReason(ctx, job)
}

// takeOver broadcasts, unchanged, a transaction signed by a keeper with another key. This keeper
// cannot raise its fees. If the transaction is not mined in time, this keeper sends the job with a
// nonce of its own account. If both transactions are mined, the second one reverts and costs only
// its gas.
func (k *Keeper) takeOver(ctx context.Context, job market.Job, hash common.Hash) error {
	since, ok := k.sentAt[hash]
	if !ok {
		k.sentAt[hash] = time.Now()
		return k.broadcast(ctx, job)
	}
	if time.Since(since) < foreignReplaceFactor*k.options.ReplaceAfter {
		return nil
	}
	return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, fmt.Sprintf("transaction %s of account %s was not mined in time", hash, job.Sender), time.Now())
}

// usedSince returns when the nonce of a transaction without a receipt was first seen as used.
func (k *Keeper) usedSince(hash common.Hash) time.Time {
	if _, ok := k.usedAt[hash]; !ok {
		k.usedAt[hash] = time.Now()
	}
	return k.usedAt[hash]
}

// rebroadcast broadcasts a pending transaction that this process has not broadcast yet. After
// ReplaceAfter, it replaces the transaction if fees have risen, and otherwise broadcasts it again.
func (k *Keeper) rebroadcast(ctx context.Context, job market.Job, hash common.Hash) error {
	since, ok := k.sentAt[hash]
	if !ok {
		k.sentAt[hash] = time.Now()
		return k.broadcast(ctx, job)
	}
	if time.Since(since) < k.options.ReplaceAfter {
		return nil
	}
	if err := k.fillGap(ctx, job.Nonce); err != nil {
		return err
	}
	sender, err := k.limitedSender(ctx, job.Nonce, k.options.Limits.Gas)
	if err != nil {
		return err
	}
	signed, err := k.dailyLimited(sender.Replace(ctx, job.RawTx))
	if isLimit(err) || errors.Is(err, errNotSigned) { // fees may fall again, and the signer may recover
		return errors.Join(err, k.transmit(ctx, job.RawTx))
	}
	if err != nil {
		return err
	}
	if signed.Hash == hash {
		return k.broadcast(ctx, job)
	}
	return k.replace(ctx, job, signed)
}

// fillGap requests an empty transfer with the first unused nonce if no transaction has that nonce, because
// transactions with later nonces, up to the given one, wait for it. A gap arises if a reorganisation drops
// a transaction that the keeper does not send again: for example, one that reverted.
func (k *Keeper) fillGap(ctx context.Context, nonce uint64) error {
	if time.Since(k.gapCheckedAt) < k.options.ReplaceAfter {
		return nil
	}
	k.gapCheckedAt = time.Now()
	used, _, next, err := k.sender.NonceBounds(ctx)
	if err != nil || used >= nonce || next > used || k.cancelled[used] != nil {
		return err
	}
	return k.store.FillNonce(ctx, k.lease.Epoch, market.AccountNonce{Account: k.sender.Address(), Nonce: used})
}

func (k *Keeper) replace(ctx context.Context, job market.Job, signed send.Signed) error {
	k.updateStatus(func(s *Status) { s.Replacements++ })
	k.log.InfoContext(ctx, "replacing a transaction with higher fees",
		slog.String("old", common.BytesToHash(job.TxHash).Hex()), slog.String("new", signed.Hash.Hex()))
	return k.send(ctx, job, signed)
}

// recordRevert records that a job's call would revert. After claimAttempts, a claim fails
// permanently. Other jobs are retried: the watcher closes the jobs for a task when it follows the
// end of the task. An error that is not a revert is returned.
func (k *Keeper) recordRevert(ctx context.Context, job market.Job, err error) error {
	refusal, ok := errors.AsType[*rpc.RevertError](err)
	if !ok {
		return err
	}
	retryAt := k.retryTime(job)
	switch {
	case job.Kind == market.OutboxClaim && job.Attempts >= claimAttempts:
		retryAt = time.Time{}
	case taskEnded(refusal): // retry until the watcher follows the end of the task, or a reorg drops it
		retryAt = time.Now().Add(minRetryPause)
	}
	return k.store.JobFailed(ctx, k.lease.Epoch, job.ID, refusal.Error(), retryAt)
}

// taskEnded reports whether the contract reverted because the task has ended.
func taskEnded(refusal *rpc.RevertError) bool {
	status, ok := refusal.Args["status"].(uint8)
	return ok && refusal.Name == "WrongStatus" && market.ChainStatus(status).Ended()
}

func (k *Keeper) retryTime(job market.Job) time.Time {
	wait := maxRetryPause
	if job.Attempts < 8 { // avoids overflow: 15 s << 8 already exceeds the longest pause
		wait = minRetryPause << max(0, job.Attempts)
	}
	return time.Now().Add(wait)
}

// callOf returns the call of the job.
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
	case market.OutboxCancel: // an empty transfer; see cancel
	}
	return chain.Call{}, fmt.Errorf("%w %q", errUnknownKind, job.Kind)
}

// voucher signs a voucher for the reward. The voucher states the account's total, so several
// vouchers pay no more than the highest.
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
