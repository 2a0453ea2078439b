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

// kind is what one kind of action does.
type kind struct {
	name market.Action
	// call makes the call that is wanted, whatever the API proposes.
	call func(*action) chain.Call
	// propose asks the API for its call; keeps: that leaves a record there.
	propose func(context.Context, *action) (proposal, error)
	keeps   bool
	// done reports whether the escrow's task shows the action.
	done func(context.Context, *action, contracts.IEscrowTaskView) (bool, error)
	// shows reports whether the API shows the action.
	shows       func(context.Context, *action) (bool, error)
	consequence string
}

// The contracts' numbers for a dispute by the agent, and for a stake that went
// back or was forfeited.
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
			got, err := answer[gen.AcceptCalldata](a.client.api.AcceptApplicationWithResponse(harmless(ctx), a.task, *a.application))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.AcceptApplicationCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, a *action, held contracts.IEscrowTaskView) (bool, error) {
			return held.ApplicationId.Cmp(bigID(*a.stake)) == 0, nil
		},
		shows: taskShows(func(t Task) bool { return t.Status != gen.TaskStatusNew && t.Status != gen.TaskStatusFunded }),
		consequence: "The task is given to this human, who may cancel it until work is submitted; " +
			"the other applicants' stakes are free to go.",
	}
}

func rejection() kind {
	return kind{
		name: market.ActionReject, keeps: true,
		call:    func(a *action) chain.Call { return a.deployment.calls.RejectApplication(*a.stake) },
		propose: proposeRejection,
		done: func(ctx context.Context, a *action, _ contracts.IEscrowTaskView) (bool, error) {
			held, err := a.heldStake(ctx, *a.stake)
			if err != nil || held.Status != stakeEnded {
				return false, err
			}
			return showsRejected(ctx, a) // else the human took the stake back
		},
		shows:       showsRejected,
		consequence: "The application is turned down and its stake is forfeited to the treasury; it cannot be taken back.",
	}
}

// showsRejected asks for the application's record until it is rejected.
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
	got, err := answer[gen.RejectCalldata](a.client.api.RejectApplicationWithResponse(harmless(ctx), a.task, *a.application,
		gen.RejectApplicationRequest{Reason: given(a.reason)}))
	if err != nil {
		return proposal{}, err
	}
	if got.RejectApplicationCalldata == nil {
		a.applied = &got.Application
		return proposal{nothing: true}, nil
	}
	if got.To == nil || got.ChainID == nil || got.Value == nil {
		return proposal{}, errors.New("the API proposed half a call")
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
			got, err := answer[gen.ApproveCalldata](a.client.api.ApproveTaskWithResponse(harmless(ctx), a.task, gen.ApproveTaskRequest{}))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.ApproveTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, held contracts.IEscrowTaskView) (bool, error) {
			return held.AgentApproved, nil
		},
		shows: taskShows(func(t Task) bool { return t.AgentApprovedAt != nil }),
		consequence: "The work counts as good: the validators release the escrow to the human, or time does after " + market.FormatDuration(market.ApprovedReview) + "; " +
			"it cannot be taken back.",
	}
}

func dispute() kind {
	return kind{
		name: market.ActionDispute, keeps: true,
		call: func(a *action) chain.Call { return a.deployment.calls.DisputeTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.DisputeCalldata](a.client.api.DisputeTaskWithResponse(harmless(ctx), a.task, gen.DisputeTaskRequest{Reason: a.reason}))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.DisputeTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(ctx context.Context, a *action, _ contracts.IEscrowTaskView) (bool, error) {
			escrow := contracts.NewEscrow()
			by, err := node.View(ctx, a.node, "who disputed", a.deployment.Escrow, escrow.PackDisputedBy(bigID(a.escrowID)), escrow.UnpackDisputedBy)
			return by == disputedByAgent, err
		},
		shows: taskShows(func(t Task) bool { return t.Status != gen.TaskStatusSubmitted }),
		consequence: "The validators decide about the work: the human is paid, or the amount comes back and the human's stake is lost; " +
			"if they stay silent for 120 hours, the human can be paid.",
	}
}

func cancellation() kind {
	return kind{
		name: market.ActionCancel,
		call: func(a *action) chain.Call { return a.deployment.calls.CancelTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := answer[gen.CancelCalldata](a.client.api.CancelTaskWithResponse(harmless(ctx), a.task))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.CancelTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, held contracts.IEscrowTaskView) (bool, error) {
			return market.ChainStatus(held.Status) == market.ChainCancelled, nil
		},
		shows:       taskShows(func(t Task) bool { return t.Status == gen.TaskStatusCancelled }),
		consequence: "The task ends for good: the amount comes back to the wallet, and stakes to the applicants.",
	}
}

// taskShows asks for the task's record until it fits.
func taskShows(fits func(Task) bool) func(context.Context, *action) (bool, error) {
	return func(ctx context.Context, a *action) (bool, error) {
		task, err := a.client.Task(ctx, a.task)
		return fits(task), err
	}
}

func isTrue(b *bool) bool { return b != nil && *b }
