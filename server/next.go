package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// GetTaskNext returns the actions that are open to the caller on a task, and what happens if no
// party acts.
func (h *tasksHandler) GetTaskNext(ctx context.Context, request api.GetTaskNextRequestObject) (api.GetTaskNextResponseObject, error) {
	view, err := h.viewFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if view.role == market.RoleAgent {
		if err := h.involve(ctx, &view); err != nil {
			return nil, err
		}
	}
	now, err := h.chainTime(ctx)
	if err != nil {
		return nil, err
	}
	actions := mapAll(h.allowed(view, now), func(a market.AllowedAction) api.NextAction { return h.toAPINextAction(view, a) })
	return api.GetTaskNext200JSONResponse{Body: api.TaskNext{
		TaskID: view.ID, Status: api.TaskStatus(view.Status), Role: api.TaskRole(view.role), Actions: actions,
		IfNobodyActs: api.IfNobodyActs{Message: ifNobodyActs(view.Task), Turns: mapAll(view.Transitions(), toAPINextTransition)},
	}}, nil
}

// toAPINextAction converts an action, with its request or transaction.
func (h *tasksHandler) toAPINextAction(view taskView, o market.AllowedAction) api.NextAction {
	next := api.NextAction{Action: api.TaskAction(o.Action), OpensAt: instant(o.Opens), Deadline: instant(o.Closes)}
	if path := market.ActOf(o.Action).Path; path != "" {
		if o.Action == market.ActionWithdraw && view.application != nil {
			path = strings.Replace(path, "{appId}", view.application.String(), 1)
		}
		next.Request = &api.NextRequest{Method: http.MethodPost, Path: gate.BasePath + "/tasks/" + view.ID.String() + path}
	}
	if call, sent := h.nextCall(view.Task, o.Action); sent && h.checkFinality(view.Task) == nil {
		next.Transaction = &api.NextTransaction{
			To: call.To.Hex(), ChainID: signed(view.ChainID), Value: noValue, Data: hexutil.Encode(call.Data),
		}
	}
	return next
}

// nextCall returns the contract call for funding, resigning, settling and emergency release. For
// all other actions it returns false: if they have a call, their API operations return it.
func (h *tasksHandler) nextCall(task market.Task, action market.Action) (market.Call, bool) {
	switch {
	case action == market.ActionFund:
		return h.calls.PostTask(task.Amount, task.FeeBasisPoints, task.TermsHash), true
	case task.Escrow == nil:
		return market.Call{}, false
	case action == market.ActionResign:
		return h.calls.CancelTask(task.EscrowAddress, task.Escrow.ID), true
	case action == market.ActionSettle:
		return h.calls.Settle(task.EscrowAddress, task.Escrow.ID), true
	case action == market.ActionEmergency:
		return h.calls.EmergencyRelease(task.EscrowAddress, task.Escrow.ID), true
	}
	return market.Call{}, false
}

func toAPINextTransition(transition market.Transition) api.NextTurn {
	return api.NextTurn{
		At: market.TimeOf(transition.At), Status: api.TaskStatus(transition.Status),
		Payments: mapAll(transition.Payments, func(p market.Payment) api.NextPayment {
			return api.NextPayment{To: api.NextPaymentTo(p.To), Kind: api.NextPaymentKind(p.Kind), Amount: p.Amount.String()}
		}),
	}
}

// ifNobodyActs describes in one sentence what happens if no party acts in time.
func ifNobodyActs(task market.Task) string {
	switch task.Status {
	case market.StatusNew:
		return "No amount is locked until the agent funds the task."
	case market.StatusFunded, market.StatusActive:
		if task.Deadline == nil {
			return "The amount stays in the escrow until a party acts; a cancellation returns it to the agent."
		}
		return "The task expires at its deadline; the amount stays in the escrow until the agent cancels and gets all of it back, or an accepted human submits work."
	case market.StatusExpired:
		return "The amount stays in the escrow until the agent cancels and gets all of it back, or the human submits work."
	case market.StatusSubmitted, market.StatusValidating, market.StatusDisputed:
		return "If validators do not decide in time, the work counts as accepted and the payment is released automatically."
	case market.StatusApproved, market.StatusRejected, market.StatusCancelled:
		return "The task has ended."
	}
	return ""
}

// allowed returns the actions that the viewer can perform on the task at chain time now or later. It does no I/O,
// because lists call it for each of their tasks.
func (t *taskAccess) allowed(v taskView, now time.Time) []market.AllowedAction {
	actions := slices.DeleteFunc(v.AllowedActions(v.role, now), func(a market.AllowedAction) bool { return !t.meetsConditions(v, a.Action) })
	if v.involved.LostStake && !v.involved.Reviewed && v.role != market.RoleHuman {
		actions = append(actions, market.AllowedAction{Action: market.ActionReview})
	}
	return actions
}

// meetsConditions checks the conditions that the action table does not contain, such as an application to
// decide, a dispute to answer, or the current fee.
func (t *taskAccess) meetsConditions(v taskView, action market.Action) bool {
	switch action { //nolint:exhaustive // the other actions have no further conditions
	case market.ActionFund:
		return v.FeeBasisPoints == v.CurrentFee && v.EscrowAddress == t.deployment.Escrow
	case market.ActionApply:
		return v.byHuman() && !v.withdrawable() && !v.involved.AppliedTooOften && !v.involved.Validator &&
			t.checkApplying(v.Task, v.viewer, v.role) == nil
	case market.ActionWithdraw:
		return v.withdrawable()
	case market.ActionAccept:
		return v.involved.PendingApplications
	case market.ActionReject:
		return v.involved.NewApplications || v.involved.PendingApplications
	case market.ActionRespond:
		return !v.involved.Answered
	case market.ActionReview:
		return !v.involved.Reviewed
	case market.ActionVerdict:
		return !v.involved.Voted
	}
	return true
}

// withdrawable reports whether the viewer has an application to withdraw.
func (v taskView) withdrawable() bool {
	return v.involved.Application != nil && v.involved.Application.Withdrawable()
}

func toAPIAllowedAction(a market.AllowedAction) api.AllowedAction {
	return api.AllowedAction{Action: api.TaskAction(a.Action), OpensAt: instant(a.Opens), Deadline: instant(a.Closes)}
}
