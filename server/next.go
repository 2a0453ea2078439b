package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

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
	now, err := h.chainTime(ctx)
	if err != nil {
		return nil, err
	}
	actions := []api.NextAction{}
	for _, option := range view.AllowedActions(view.role, now) {
		next, served := h.toAPINextAction(view, option)
		if !served {
			continue
		}
		fits, err := h.fits(ctx, view, option.Action)
		if err != nil {
			return nil, err
		}
		if fits {
			actions = append(actions, next)
		}
	}
	reviews, err := h.reviewsRejection(ctx, view)
	if err != nil {
		return nil, err
	}
	if reviews {
		next, _ := h.toAPINextAction(view, market.AllowedAction{Action: market.ActionReview})
		actions = append(actions, next)
	}
	return api.GetTaskNext200JSONResponse{Body: api.TaskNext{
		TaskID: view.ID, Status: api.TaskStatus(view.Status), Role: api.TaskRole(view.role), Actions: actions,
		IfNobodyActs: api.IfNobodyActs{Message: ifNobodyActs(view.Task), Turns: mapAll(view.Transitions(), toAPINextTransition)},
	}}, nil
}

// reviewsRejection reports whether the caller is a human who lost a stake through a final rejection and
// has not reviewed the agent.
func (h *tasksHandler) reviewsRejection(ctx context.Context, view taskView) (bool, error) {
	if !view.human || view.application == nil || view.role == market.RoleHuman {
		return false, nil
	}
	rejection, err := h.store.RejectionReview(ctx, view.ID, gate.PrincipalOf(ctx).ID)
	if err != nil || !rejection.Final {
		return false, err
	}
	reviewed, err := h.store.HasReviewed(ctx, view.ID, gate.PrincipalOf(ctx).ID)
	return !reviewed, err
}

// toAPINextAction converts an action, with its request or transaction. It returns false for an
// action that is neither an API operation nor a contract call.
func (h *tasksHandler) toAPINextAction(view taskView, o market.AllowedAction) (api.NextAction, bool) {
	next := api.NextAction{Action: api.TaskAction(o.Action), OpensAt: instant(o.Opens), Deadline: instant(o.Closes)}
	path := market.ActOf(o.Action).Path
	if path != "" {
		if o.Action == market.ActionWithdraw && view.application != nil {
			path = strings.Replace(path, "{appId}", view.application.String(), 1)
		}
		next.Request = &api.NextRequest{Method: http.MethodPost, Path: gate.BasePath + "/tasks/" + view.ID.String() + path}
	}
	call, sent := h.nextCall(view.Task, o.Action)
	if sent && h.checkFinality(view.Task) == nil {
		next.Transaction = &api.NextTransaction{
			To: call.To.Hex(), ChainID: signed(view.ChainID), Value: noValue, Data: hexutil.Encode(call.Data),
		}
	}
	return next, path != "" || sent
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

// fits checks the conditions that the action table does not contain, such as an application to
// decide, a dispute to answer, or the current fee.
func (h *tasksHandler) fits(ctx context.Context, view taskView, action market.Action) (bool, error) {
	switch action { //nolint:exhaustive // the other actions have no further conditions
	case market.ActionFund:
		return view.FeeBasisPoints == view.CurrentFee && view.EscrowAddress == h.deployment.Escrow, nil
	case market.ActionApply:
		return h.fitsApplying(ctx, view)
	case market.ActionWithdraw:
		return h.withdrawable(ctx, view)
	case market.ActionAccept:
		return h.store.HasApplication(ctx, view.ID, market.ApplicationPending)
	case market.ActionReject:
		return h.store.HasApplication(ctx, view.ID, market.ApplicationNew, market.ApplicationPending)
	case market.ActionRespond:
		dispute, err := h.store.Dispute(ctx, view.ID, "")
		if market.KindOf(err) == market.KindNotFound {
			return true, nil // the dispute was opened directly in the contract
		}
		return dispute.Response == "", err
	case market.ActionReview:
		reviewed, err := h.store.HasReviewed(ctx, view.ID, gate.PrincipalOf(ctx).ID)
		return !reviewed, err
	case market.ActionVerdict:
		voted, err := h.voted(ctx, view.Task)
		return !voted, err
	}
	return true, nil
}

// fitsApplying reports whether the caller can apply: the caller must be a human, must have no open
// application for the task, must not have applied for it too often, and must pass allowApplying.
func (h *tasksHandler) fitsApplying(ctx context.Context, view taskView) (bool, error) {
	if !view.human {
		return false, nil
	}
	waits, err := h.withdrawable(ctx, view)
	if err != nil || waits {
		return false, err
	}
	if view.application != nil {
		often, err := h.store.AppliedTooOften(ctx, view.ID, gate.PrincipalOf(ctx).ID)
		if err != nil || often {
			return false, err
		}
	}
	err = h.allowApplying(ctx, view.Task, view.role)
	refusals := []market.Kind{market.KindInvalid, market.KindWrongStatus, market.KindForbidden, market.KindChainUnavailable}
	if slices.Contains(refusals, market.KindOf(err)) {
		return false, nil
	}
	return err == nil, err
}

// withdrawable reports whether the calling human has an application to withdraw.
func (h *tasksHandler) withdrawable(ctx context.Context, view taskView) (bool, error) {
	if !view.human || view.application == nil {
		return false, nil
	}
	application, err := h.store.Application(ctx, view.ID, *view.application)
	return err == nil && application.Withdrawable(), err
}

// voted reports whether the caller has submitted a verdict on the task's work in its current round.
func (h *tasksHandler) voted(ctx context.Context, task market.Task) (bool, error) {
	verdicts, err := h.store.Verdicts(ctx, task.ID)
	for _, v := range verdicts {
		if v.HumanID == gate.PrincipalOf(ctx).ID && v.Round == task.Escrow.Round().Number && v.WorkHash == task.Escrow.WorkHash {
			return true, err
		}
	}
	return false, err
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
