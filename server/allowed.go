package server

import (
	"slices"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// allowed returns the actions that the viewer can perform on the task at chain time now or later. It does no I/O,
// because lists call it for each of their tasks.
func (t *taskAccess) allowed(v taskView, now time.Time) []market.AllowedAction {
	actions := slices.DeleteFunc(v.AllowedActions(v.role, now), func(a market.AllowedAction) bool { return !t.fits(v, a.Action) })
	if v.involved.LostStake && !v.involved.Reviewed && v.role != market.RoleHuman {
		actions = append(actions, market.AllowedAction{Action: market.ActionReview})
	}
	return actions
}

// fits checks the conditions that the action table does not contain, such as an application to
// decide, a dispute to answer, or the current fee.
func (t *taskAccess) fits(v taskView, action market.Action) bool {
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
