package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/poll"
	"taskmarket/client/internal/tx"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// ErrOtherTerms is returned when the API's record of a task differs from the request, or when its
// terms hash does not match its text. The record is checked before anything is signed, and again
// after a payment.
var ErrOtherTerms = errors.New("the API's record does not match the terms of the task")

// check compares the API's record with the request.
func (r *creation) check(task Task) error {
	fee, err := basisPoints(task.FeeBasisPoints)
	if err != nil {
		return err
	}
	want := r.request.body()
	terms := market.Terms{
		TaskID: task.ID, Agent: r.signer.Address(), Amount: r.request.Amount, FeeBasisPoints: fee,
		Deadline: want.Deadline.Optional(), Title: want.Title, Description: want.Description,
	}
	switch {
	case *r.flow.TaskID != task.ID:
		return fmt.Errorf("%w: its id is %s, not %s", ErrOtherTerms, task.ID, r.flow.TaskID)
	case task.EscrowAmount != want.EscrowAmount:
		return fmt.Errorf("%w: its amount is %s wei, not %s", ErrOtherTerms, task.EscrowAmount, want.EscrowAmount)
	case uint64(max(0, task.ChainID)) != r.deployment.ChainID || common.HexToAddress(task.EscrowAddress) != r.deployment.Escrow:
		return fmt.Errorf("%w: the task's escrow is %s on chain %d", ErrOtherContracts, task.EscrowAddress, task.ChainID)
	case common.HexToHash(task.TermsHash) != terms.Hash():
		return fmt.Errorf("%w: its terms hash is %s, not %s", ErrOtherTerms, task.TermsHash, terms.Hash())
	}
	return r.withinLimit(fee)
}

// ErrFeeLimit is returned when the platform's fee is above TaskRequest.MaxFeeBasisPoints. The fee
// is checked before anything is signed.
var ErrFeeLimit = errors.New("the platform's fee is above the limit")

func (r *creation) withinLimit(fee uint16) error {
	limit := r.request.MaxFeeBasisPoints
	if limit != nil && fee > *limit {
		return fmt.Errorf("%w: the fee is %s%%, but the limit is %s%%", ErrFeeLimit, market.FeePercent(fee), market.FeePercent(*limit))
	}
	return nil
}

func basisPoints(n int) (uint16, error) {
	if n < 0 || n > 10_000 {
		return 0, fmt.Errorf("the API returned an invalid fee of %d basis points: it must be from 0 to 10000", n)
	}
	return uint16(n), nil
}

// posting builds the call that locks the amount, with a new permit.
func (r *creation) posting(ctx context.Context, task Task) (chain.Call, error) {
	fee, err := basisPoints(task.FeeBasisPoints)
	if err != nil {
		return chain.Call{}, err
	}
	permit, expires, err := r.permit(ctx)
	if err != nil {
		return chain.Call{}, err
	}
	signature, err := r.signer.SignTypedData(ctx, permit)
	if err != nil && r.late != nil {
		err = fmt.Errorf("%w at %s and was replaced by a new one: %w", ErrPermitExpired, market.FormatTime(*r.late), err)
	}
	if err != nil {
		return chain.Call{}, fmt.Errorf("sign permit: %w", err)
	}
	r.flow.Permit = (*hexutil.Big)(r.number)
	return r.deployment.calls.PostTaskWithPermit(r.request.Amount, fee, common.HexToHash(task.TermsHash), expires, signature)
}

// fund pays for the task, waits until the API shows the payment, and returns the API's record,
// which must still match the request.
func (r *creation) fund(ctx context.Context, task Task) (Task, error) {
	funded, err := r.payAndConfirm(ctx, task)
	if err != nil {
		return Task{}, err
	}
	return funded, r.check(funded)
}

// payAndConfirm pays for the task and waits until the API shows the payment. If a reorganisation
// drops the payment in between, it waits for the same transaction again.
func (r *creation) payAndConfirm(ctx context.Context, task Task) (Task, error) {
	if paid := r.flow.Paid; paid != nil {
		return r.client.ConfirmFunding(ctx, task.ID, *paid)
	}
	deadline := time.Now().Add(r.wallet.MineTimeout)
	for {
		paid, err := r.pay(ctx, task)
		if err != nil {
			return Task{}, err
		}
		confirmed, err := r.client.ConfirmFunding(ctx, task.ID, paid)
		if err == nil || !apiLags(err) || time.Now().After(deadline) {
			return confirmed, err
		}
		if err := poll.Pause(ctx, poll.Longest/2); err != nil {
			return Task{}, err
		}
	}
}

// ConfirmFunding sends the hash of the transaction that paid for the task to the API and returns
// the funded task. Execute does this itself. Call it for a payment that another program sent.
func (c *Client) ConfirmFunding(ctx context.Context, task uuid.UUID, tx common.Hash) (_ Task, err error) {
	defer wrap(&err, "confirm payment %s of task %s", tx, task)
	return resultOf[Task](c.api.ConfirmTaskFundingWithResponse(idempotent(ctx), task, gen.ConfirmRequest{TxHash: tx.Hex()}))
}

// pay signs and sends the payment, unless a signed payment can still be mined, and waits until it is mined. It
// returns the hash of the transaction that paid.
func (r *creation) pay(ctx context.Context, task Task) (common.Hash, error) {
	unlock, err := r.wallet.LockPermits(ctx)
	if err != nil {
		return common.Hash{}, err
	}
	defer unlock()
	if !r.live() {
		if err := r.wallet.AwaitPostings(ctx, r.flow.Key); err != nil {
			return common.Hash{}, err
		}
		if err := r.sendPosting(ctx, task); err != nil {
			return common.Hash{}, err
		}
	}
	receipt, err := r.mined(ctx)
	if err != nil {
		return common.Hash{}, r.dropTransactions(ctx, err, errors.Is(err, tx.ErrReplaced))
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		err := fmt.Errorf("%w: %s did not pay", ErrFailed, receipt.TxHash)
		return common.Hash{}, r.dropTransactions(ctx, err, r.wallet.Final(ctx, receipt))
	}
	return receipt.TxHash, nil
}

// sendPosting signs and sends the payment. It saves the permit's nonce together with the
// transaction.
func (r *creation) sendPosting(ctx context.Context, task Task) error {
	before, count := r.flow.Permit, len(r.flow.Transactions)
	err := r.send(ctx, func() (chain.Call, error) { return r.posting(ctx, task) })
	if len(r.flow.Transactions) == count {
		r.flow.Permit = before
	}
	return err
}

// apiLags reports whether the error means that the API is behind our node or cannot reach its own.
func apiLags(err error) bool {
	code := CodeOf(err)
	return code == market.KindTxNotFound || code == market.KindChainUnavailable
}

// dropTransactions removes the transactions from the flow if it is certain that none of them can
// pay any more. Otherwise, signing another payment could pay twice. It returns cause, with advice
// if the transactions were removed.
func (r *creation) dropTransactions(ctx context.Context, cause error, certain bool) error {
	if !certain {
		return cause
	}
	if err := r.flow.abandon(); err != nil {
		return errors.Join(cause, err)
	}
	if err := r.save(ctx); err != nil {
		return errors.Join(cause, err)
	}
	return fmt.Errorf("%w; try again to pay with a new transaction", cause)
}
