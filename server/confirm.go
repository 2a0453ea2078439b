package server

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// Only the watcher writes chain facts, so a confirmation does not record the transaction that a caller names.
// It waits until the watcher has followed the transaction's block. If the task then does not show the effect,
// the confirmation makes the watcher reread the block.
const (
	confirmPatience = 5 * time.Second       // maximum time that a confirmation waits for the watcher
	confirmPoll     = 20 * time.Millisecond // interval between two checks of the watcher's progress
)

// confirmations extends taskAccess with methods that wait until the watcher has recorded a transaction.
type confirmations struct {
	*taskAccess

	wake     func()
	followed progress
}

// ConfirmTaskFunding checks the funding transaction that the agent names and returns the task once
// the funding is recorded.
func (h *tasksHandler) ConfirmTaskFunding(ctx context.Context, request api.ConfirmTaskFundingRequestObject) (api.ConfirmTaskFundingResponseObject, error) {
	tx, err := market.ParseHash("tx_hash", request.Body.TxHash)
	if err != nil {
		return nil, err
	}
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if !fundedBy(task, tx) {
		if task, err = h.confirmFunding(ctx, task, tx); err != nil {
			return nil, err
		}
	}
	view, err := h.viewFor(ctx, task.ID)
	if err != nil {
		return nil, err
	}
	return api.ConfirmTaskFunding200JSONResponse{Body: toAPITask(view)}, nil
}

func fundedBy(task market.Task, tx common.Hash) bool {
	return task.Escrow != nil && task.Escrow.Posted.TxHash == tx
}

// confirmFunding checks that the transaction contains a posting of the task, links a posting
// without terms to the task, and waits for the watcher. If another transaction has already funded the
// task, it returns the error of doublePosting.
func (h *tasksHandler) confirmFunding(ctx context.Context, task market.Task, tx common.Hash) (market.Task, error) {
	proof, err := h.reader.ProveFunding(ctx, tx, &task)
	if err != nil {
		return task, err
	}
	if task.Escrow != nil {
		return task, h.doublePosting(task, proof)
	}
	if !proof.HasTerms {
		if err := h.linkFunding(ctx, task.ID, proof); err != nil {
			return task, err
		}
	}
	return h.await(ctx, task.ID, proof.Block, func(t market.Task) bool { return fundedBy(t, tx) })
}

// linkFunding links the task to the first posting in the proof that does not fund another task.
func (h *tasksHandler) linkFunding(ctx context.Context, task uuid.UUID, proof market.Proof) error {
	err := h.store.LinkFunding(ctx, task, proof.Posting)
	for _, twin := range proof.Alternatives {
		if market.KindOf(err) != market.KindTxAlreadyUsed {
			break
		}
		err = h.store.LinkFunding(ctx, task, twin)
	}
	return err
}

// doublePosting returns the error for a second posting for a task that is already funded. A posting
// with the task's terms cannot fund another task, so the error contains the call that refunds it to the
// agent, at once: if a reorganisation changed the posting's number, the call would fail, or refund another
// posting of the agent. A posting without terms can still fund another task.
func (h *tasksHandler) doublePosting(task market.Task, proof market.Proof) error {
	err := market.Errorf(market.KindTxMismatch, "the task is funded by another transaction, %s", task.Escrow.Posted.TxHash)
	if !proof.HasTerms {
		return err.WithHint("if this posting funds no other task, send the call of the action cancel_posting in GET " +
			gate.BasePath + "/agents/me/actions to get its tokens back")
	}
	if h.halted() {
		return h.checkFinality(task) // the chain's state is in doubt
	}
	cancel := h.calls.CancelTask(task.EscrowAddress, proof.EscrowTaskID)
	err = err.WithHint("this posting locked tokens a second time, as escrow task " + strconv.FormatUint(proof.EscrowTaskID, 10) +
		"; to get them back, send a transaction with the data `cancel_task_calldata` to the contract `to`; both are in `details`")
	err.Details = []market.Detail{
		{Field: "to", Code: "double_posting", Message: cancel.To.Hex()},
		{Field: "cancel_task_calldata", Code: "double_posting", Message: hexutil.Encode(cancel.Data)},
	}
	return err
}

// ConfirmApplication checks the transaction that assigned the task to a human and returns the task
// once the assignment is recorded.
func (h *applicationsHandler) ConfirmApplication(ctx context.Context, request api.ConfirmApplicationRequestObject) (api.ConfirmApplicationResponseObject, error) {
	tx, err := market.ParseHash("tx_hash", request.Body.TxHash)
	if err != nil {
		return nil, err
	}
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if !boundBy(task, tx) {
		block, err := h.reader.ProveBinding(ctx, tx, &task)
		if err != nil {
			return nil, err
		}
		if task, err = h.await(ctx, task.ID, block, func(t market.Task) bool { return boundBy(t, tx) }); err != nil {
			return nil, err
		}
	}
	view, err := h.viewFor(ctx, task.ID)
	if err != nil {
		return nil, err
	}
	return api.ConfirmApplication200JSONResponse{Body: toAPITask(view)}, nil
}

func boundBy(task market.Task, tx common.Hash) bool {
	return task.Escrow != nil && task.Escrow.AcceptTx == tx
}

// await waits until the watcher has followed the block and the task shows the effect of the block.
// After confirmPatience it returns 503: the proof is valid, and the caller should retry.
func (c *confirmations) await(ctx context.Context, id uuid.UUID, block uint64, applied func(market.Task) bool) (market.Task, error) {
	c.wake()
	ctx, cancel := context.WithTimeout(ctx, confirmPatience)
	defer cancel()
	ticker := time.NewTicker(confirmPoll)
	defer ticker.Stop()
	for requested := false; ; {
		followed, err := c.followed.block(ctx)
		if err != nil {
			return market.Task{}, notFollowed(ctx, err)
		}
		if followed >= block {
			task, err := c.store.Task(ctx, id)
			if err != nil || applied(task) {
				return task, notFollowed(ctx, err)
			}
			if !requested {
				requested = true
				if err := c.reread(ctx, block); err != nil {
					return market.Task{}, notFollowed(ctx, err)
				}
			}
		}
		select {
		case <-ctx.Done():
			return market.Task{}, notFollowed(ctx, ctx.Err())
		case <-ticker.C:
		}
	}
}

// reread makes the watcher read a block again. It is called when a receipt proves an event that the
// watcher did not find in the block.
func (c *confirmations) reread(ctx context.Context, block uint64) error {
	if err := c.store.Journal.RequestReread(ctx, block, market.RereadConfirmation); err != nil {
		return err
	}
	c.wake()
	return nil
}

// progress reports the watcher's progress to all waiting confirmations, with one database query for
// all of them. Only source must be set.
type progress struct {
	source func(context.Context) (market.Cursor, error)

	mu       sync.Mutex
	followed uint64 // number of the last followed block
	at       time.Time
}

// block returns the number of the last followed block. The value is at most confirmPoll old.
func (p *progress) block(ctx context.Context) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) < confirmPoll {
		return p.followed, nil
	}
	head, err := p.source(ctx)
	if err != nil {
		return 0, err
	}
	p.followed, p.at = head.Block.Number, time.Now()
	return p.followed, nil
}

// notFollowed replaces any error after the timeout with an error that reports the timeout.
func notFollowed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &market.Error{
		Kind: market.KindChainUnavailable, Message: "the transaction is valid, but the service has not recorded its effect yet",
		Hint: "send the same request again", RetryAfter: time.Second, Cause: err,
	}
}
