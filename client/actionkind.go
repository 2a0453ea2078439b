package client

import (
	"context"
	"errors"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// kind defines one kind of action.
type kind struct {
	name market.Action
	// call builds the expected call, independently of the API's proposal.
	call func(*action) chain.Call
	// propose requests the call from the API. If stored is true, the API saves a record for it.
	propose func(context.Context, *action) (proposal, error)
	stored  bool
	// done reports whether the chain shows the action; the argument is the escrow's view of the
	// task.
	done func(context.Context, *action, contracts.IEscrowTaskView) (bool, error)
	// shows reports whether the API shows the action.
	shows func(context.Context, *action) (bool, error)
}

// Enum values from the contracts: Party.Agent (the agent opened the dispute) and StakeStatus.Ended
// (the stake was returned or forfeited).
const (
	disputedByAgent = 1
	stakeEnded      = 3
)

func acceptance() kind {
	return kind{
		name: market.ActionAccept,
		call: func(a *action) chain.Call {
			return a.deployment.calls.AcceptApplication(a.deployment.Escrow, a.escrowID, *a.stake)
		},
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.AcceptCalldata](a.client.api.AcceptApplicationWithResponse(idempotent(ctx), a.task, *a.application))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.AcceptApplicationCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, a *action, held contracts.IEscrowTaskView) (bool, error) {
			return held.ApplicationId.Cmp(bigID(*a.stake)) == 0, nil
		},
		shows: taskShows(func(t Task) bool { return t.Status != gen.TaskStatusNew && t.Status != gen.TaskStatusFunded }),
	}
}

func rejection() kind {
	return kind{
		name: market.ActionReject, stored: true,
		call:    func(a *action) chain.Call { return a.deployment.calls.RejectApplication(*a.stake) },
		propose: proposeRejection,
		done: func(ctx context.Context, a *action, _ contracts.IEscrowTaskView) (bool, error) {
			held, err := a.stakeView(ctx, *a.stake)
			if err != nil || held.Status != stakeEnded {
				return false, err
			}
			return showsRejected(ctx, a) // false if the stake ended because the human withdrew it
		},
		shows: showsRejected,
	}
}

// showsRejected reports whether the API shows the application as rejected.
func showsRejected(ctx context.Context, a *action) (bool, error) {
	if a.applied.Status == gen.ApplicationStatusRejected {
		return true, nil
	}
	now, err := a.client.application(ctx, a.task, *a.application)
	if err != nil {
		return false, err
	}
	a.applied = &now
	return now.Status == gen.ApplicationStatusRejected, nil
}

func proposeRejection(ctx context.Context, a *action) (proposal, error) {
	got, err := answer[gen.RejectCalldata](a.client.api.RejectApplicationWithResponse(idempotent(ctx), a.task, *a.application,
		gen.RejectApplicationRequest{Reason: given(a.reason)}))
	if err != nil {
		return proposal{}, err
	}
	if got.RejectApplicationCalldata == nil {
		a.applied = &got.Application
		return proposal{noCall: true}, nil
	}
	if got.To == nil || got.ChainID == nil || got.Value == nil {
		return proposal{}, errors.New("the API's proposal is incomplete; nothing was signed")
	}
	return proposal{
		to: *got.To, chainID: *got.ChainID, value: *got.Value, data: *got.RejectApplicationCalldata, done: isTrue(got.AlreadyDone),
	}, nil
}

func approval() kind {
	return kind{
		name: market.ActionApprove,
		call: func(a *action) chain.Call { return a.deployment.calls.ApproveTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.ApproveCalldata](a.client.api.ApproveTaskWithResponse(idempotent(ctx), a.task, gen.ApproveTaskRequest{}))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.ApproveTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, held contracts.IEscrowTaskView) (bool, error) {
			return held.AgentApproved, nil
		},
		shows: taskShows(func(t Task) bool { return t.AgentApprovedAt != nil }),
	}
}

func dispute() kind {
	return kind{
		name: market.ActionDispute, stored: true,
		call: func(a *action) chain.Call { return a.deployment.calls.DisputeTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.DisputeCalldata](a.client.api.DisputeTaskWithResponse(idempotent(ctx), a.task, nil, gen.DisputeTaskRequest{Reason: a.reason}))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.DisputeTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(ctx context.Context, a *action, _ contracts.IEscrowTaskView) (bool, error) {
			escrow := contracts.NewEscrow()
			by, err := node.View(ctx, a.node, "the party that opened the dispute", a.deployment.Escrow, escrow.PackDisputedBy(bigID(a.escrowID)), escrow.UnpackDisputedBy)
			return by == disputedByAgent, err
		},
		shows: taskShows(func(t Task) bool { return t.Status != gen.TaskStatusSubmitted }),
	}
}

func cancellation() kind {
	return kind{
		name: market.ActionCancel,
		call: func(a *action) chain.Call { return a.deployment.calls.CancelTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.CancelCalldata](a.client.api.CancelTaskWithResponse(idempotent(ctx), a.task))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.CancelTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, held contracts.IEscrowTaskView) (bool, error) {
			return market.ChainStatus(held.Status) == market.ChainCancelled, nil
		},
		shows: taskShows(func(t Task) bool { return t.Status == gen.TaskStatusCancelled }),
	}
}

// taskShows returns a function that reads the task's record from the API and checks it with fits.
func taskShows(fits func(Task) bool) func(context.Context, *action) (bool, error) {
	return func(ctx context.Context, a *action) (bool, error) {
		task, err := a.client.Task(ctx, a.task)
		return fits(task), err
	}
}

func isTrue(b *bool) bool { return b != nil && *b }
