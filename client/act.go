package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ActionRequest is an action that the agent requests.
type ActionRequest struct {
	Action      market.Action
	TaskID      uuid.UUID    // zero for the creation of a task
	Application uuid.UUID    // the application to accept or reject; zero for other actions
	Reason      string       // the reason for a rejection or a dispute
	Task        *TaskRequest // the task to create; nil for other actions
}

// String returns the action and its subject, for error messages.
func (o ActionRequest) String() string {
	switch {
	case o.Task != nil:
		return "create task"
	case o.Application != uuid.Nil:
		return fmt.Sprintf("%s application %s", o.Action, o.Application)
	}
	return fmt.Sprintf("%s task %s", o.Action, o.TaskID)
}

// Fund requests the creation of a task and the payment of its amount into the escrow.
func Fund(task TaskRequest) ActionRequest {
	return ActionRequest{Action: market.ActionFund, Task: &task}
}

// Accept requests that the task is assigned to the applicant. The stake on the chain must belong to the applicant
// and to this task.
func Accept(task, application uuid.UUID) ActionRequest {
	return ActionRequest{Action: market.ActionAccept, TaskID: task, Application: application}
}

// Reject requests that the applicant is rejected. If the application has a stake, the stake is forfeited to the
// treasury. To choose another applicant, accept that one instead.
func Reject(task, application uuid.UUID, reason string) ActionRequest {
	return ActionRequest{Action: market.ActionReject, TaskID: task, Application: application, Reason: reason}
}

// Approve requests the approval of the submitted work. The validators then release the escrow, or anyone can after
// 72 hours. An approval cannot be undone.
func Approve(task uuid.UUID) ActionRequest {
	return ActionRequest{Action: market.ActionApprove, TaskID: task}
}

// Dispute requests that the validators decide about the submitted work, within 24 hours of the submission.
func Dispute(task uuid.UUID, reason string) ActionRequest {
	return ActionRequest{Action: market.ActionDispute, TaskID: task, Reason: reason}
}

// Cancel requests the end of a task for which no work was submitted, which returns the amount to the wallet.
func Cancel(task uuid.UUID) ActionRequest {
	return ActionRequest{Action: market.ActionCancel, TaskID: task}
}

// kind is how the client performs an action that is a call about a task.
type kind struct {
	// call builds the expected call, independently of the API's proposal.
	call func(*action) chain.Call
	// propose requests the call from the API.
	propose func(context.Context, *action) (proposal, error)
	// done reports whether the chain shows the action; the argument is the escrow's view of the
	// task.
	done func(context.Context, *action, contracts.IEscrowTaskView) (bool, error)
	// shows reports whether the API shows the action.
	shows func(context.Context, *action) (bool, error)
	// confirm sends the hash of the mined transaction to the API. If nil, the API finds the transaction itself.
	confirm func(c *Client, ctx context.Context, task uuid.UUID, tx common.Hash) (Task, error)
	// work means that the action is a decision about the submitted work, so that a plan covers the work.
	work bool
}

// kindOf returns how the client performs the action, and whether it can.
func kindOf(action market.Action) (kind, bool) {
	of, ok := map[market.Action]func() kind{
		market.ActionAccept: acceptance, market.ActionReject: rejection, market.ActionApprove: approval,
		market.ActionDispute: dispute, market.ActionCancel: cancellation,
	}[action]
	if !ok {
		return kind{}, false
	}
	return of(), true
}

// Enum values from the contracts: Party.Agent (the agent opened the dispute) and StakeStatus.Ended
// (the stake was returned or forfeited).
const (
	disputedByAgent = 1
	stakeEnded      = 3
)

func acceptance() kind {
	return kind{
		call: func(a *action) chain.Call {
			return a.deployment.calls.AcceptApplication(a.deployment.Escrow, a.escrowID, *a.stake)
		},
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := resultOf[gen.AcceptCalldata](a.client.api.AcceptApplicationWithResponse(idempotent(ctx), a.request.TaskID, a.request.Application))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.AcceptApplicationCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, a *action, task contracts.IEscrowTaskView) (bool, error) {
			return task.ApplicationId.Cmp(bigID(*a.stake)) == 0, nil
		},
		shows:   taskShows(func(t Task) bool { return t.Status != gen.TaskStatusNew && t.Status != gen.TaskStatusFunded }),
		confirm: (*Client).ConfirmAcceptance,
	}
}

func rejection() kind {
	return kind{
		call:    func(a *action) chain.Call { return a.deployment.calls.RejectApplication(*a.stake) },
		propose: proposeRejection,
		done: func(ctx context.Context, a *action, _ contracts.IEscrowTaskView) (bool, error) {
			stake, err := a.stakeView(ctx, *a.stake)
			if err != nil || stake.Status != stakeEnded {
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
	now, err := a.client.application(ctx, a.request.TaskID, a.request.Application)
	if err != nil {
		return false, err
	}
	a.applied = &now
	return now.Status == gen.ApplicationStatusRejected, nil
}

func proposeRejection(ctx context.Context, a *action) (proposal, error) {
	got, err := resultOf[gen.RejectCalldata](a.client.api.RejectApplicationWithResponse(idempotent(ctx), a.request.TaskID, a.request.Application,
		gen.RejectApplicationRequest{Reason: optional(a.request.Reason)}))
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
		call: func(a *action) chain.Call { return a.deployment.calls.ApproveTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := resultOf[gen.ApproveCalldata](a.client.api.ApproveTaskWithResponse(idempotent(ctx), a.request.TaskID, gen.ApproveTaskRequest{}))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.ApproveTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, task contracts.IEscrowTaskView) (bool, error) {
			return task.AgentApproved, nil
		},
		shows: taskShows(func(t Task) bool { return t.AgentApprovedAt != nil }),
		work:  true,
	}
}

func dispute() kind {
	return kind{
		call: func(a *action) chain.Call { return a.deployment.calls.DisputeTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := resultOf[gen.DisputeCalldata](a.client.api.DisputeTaskWithResponse(idempotent(ctx), a.request.TaskID, nil, gen.DisputeTaskRequest{Reason: a.request.Reason}))
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
		call: func(a *action) chain.Call { return a.deployment.calls.CancelTask(a.deployment.Escrow, a.escrowID) },
		propose: func(ctx context.Context, a *action) (proposal, error) {
			got, err := resultOf[gen.CancelCalldata](a.client.api.CancelTaskWithResponse(idempotent(ctx), a.request.TaskID))
			return proposal{to: got.To, chainID: got.ChainID, value: got.Value, data: got.CancelTaskCalldata, done: isTrue(got.AlreadyDone)}, err
		},
		done: func(_ context.Context, _ *action, task contracts.IEscrowTaskView) (bool, error) {
			return market.ChainStatus(task.Status) == market.ChainCancelled, nil
		},
		shows: taskShows(func(t Task) bool { return t.Status == gen.TaskStatusCancelled }),
	}
}

// taskShows returns a function that reads the task's record from the API and checks it with matches.
func taskShows(matches func(Task) bool) func(context.Context, *action) (bool, error) {
	return func(ctx context.Context, a *action) (bool, error) {
		task, err := a.client.Task(ctx, a.request.TaskID)
		return matches(task), err
	}
}

func isTrue(b *bool) bool { return b != nil && *b }
