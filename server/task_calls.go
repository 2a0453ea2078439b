package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// ApproveTask returns the call that approves the work. If the request has a transaction hash, it
// first confirms that transaction.
func (h *tasksHandler) ApproveTask(ctx context.Context, request api.ApproveTaskRequestObject) (api.ApproveTaskResponseObject, error) {
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if request.Body != nil && request.Body.TxHash != nil {
		if task, err = h.awaitApproval(ctx, task, *request.Body.TxHash); err != nil {
			return nil, err
		}
	}
	p, err := h.approveCall(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.ApproveTask200JSONResponse{Body: api.ApproveCalldata{
		Message:             p.say("Sign and send this call to approve the work.", "Your approval is already on-chain."),
		ApproveTaskCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *tasksHandler) awaitApproval(ctx context.Context, task market.Task, text string) (market.Task, error) {
	tx, err := market.ParseHash("tx_hash", text)
	if err != nil || approvedIn(task) {
		return task, err
	}
	block, err := h.reader.ProveTx(ctx, tx, market.EventAgentApproved, &task)
	if err != nil {
		return task, err
	}
	return h.await(ctx, task.ID, block, approvedIn)
}

func approvedIn(task market.Task) bool { return task.Escrow != nil && task.Escrow.AgentApproved }

func (h *tasksHandler) approveCall(ctx context.Context, task market.Task) (prepared, error) {
	call := func() market.Call { return h.calls.ApproveTask(task.EscrowAddress, task.Escrow.ID) }
	if approvedIn(task) {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionApprove, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}

// CancelTask returns the call that cancels the task and refunds its amount to the agent.
func (h *tasksHandler) CancelTask(ctx context.Context, request api.CancelTaskRequestObject) (api.CancelTaskResponseObject, error) {
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	p, err := h.cancelCall(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.CancelTask200JSONResponse{Body: api.CancelCalldata{
		Message:            p.say("Sign and send this call to cancel the task and get the locked amount back.", "The task has already been cancelled on-chain."),
		CancelTaskCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *tasksHandler) cancelCall(ctx context.Context, task market.Task) (prepared, error) {
	call := func() market.Call { return h.calls.CancelTask(task.EscrowAddress, task.Escrow.ID) }
	if task.Status == market.StatusCancelled {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionCancel, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}
