package server

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// applicationsHandler handles the operations with the tag "applications".
type applicationsHandler struct {
	*confirmations
}

// ListTaskApplications returns the applications for a task to its agent.
func (h *applicationsHandler) ListTaskApplications(ctx context.Context, request api.ListTaskApplicationsRequestObject) (api.ListTaskApplicationsResponseObject, error) {
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	query := pageQuery(request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	statuses := mapAll(deref(request.Params.Status), func(status api.ApplicationStatus) market.ApplicationStatus {
		return market.ApplicationStatus(status)
	})
	page, err := h.store.Applications(ctx, task.ID, query, statuses...)
	if err != nil {
		return nil, err
	}
	return api.ListTaskApplications200JSONResponse{Body: api.ApplicationPage{
		Applications: mapAll(page.Items, toAPIApplication),
		Total:        int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func toAPIApplication(a market.Application) api.Application {
	out := api.Application{
		ID: a.ID, TaskID: a.TaskID, HumanID: a.HumanID, HumanUsername: a.HumanUsername,
		HumanWallet: a.HumanWallet.Hex(), HumanIsVerified: a.HumanVerified, ApplicationMessage: a.Message,
		StakeAmount: a.StakeAmount.String(), Status: api.ApplicationStatus(a.Status),
		RejectionReason: optional(a.RejectionReason), CreatedAt: market.TimeOf(a.CreatedAt),
	}
	if a.Stake != nil {
		out.OnchainApplicationID = new(strconv.FormatUint(a.Stake.ID, 10))
		out.StakeTxHash = txHash(a.Stake.Locked.TxHash)
		out.ExpiresAt = instant(a.Stake.ExpiresAt)
	}
	return out
}

// applicationTo returns one of the calling agent's tasks and an application for it.
func (h *applicationsHandler) applicationTo(ctx context.Context, taskID, id uuid.UUID) (market.Task, market.Application, error) {
	task, err := h.taskOf(ctx, taskID)
	if err != nil {
		return task, market.Application{}, err
	}
	application, err := h.store.Application(ctx, task.ID, id)
	return task, application, err
}

// AcceptApplication returns the call that assigns the task to the applicant.
func (h *applicationsHandler) AcceptApplication(ctx context.Context, request api.AcceptApplicationRequestObject) (api.AcceptApplicationResponseObject, error) {
	task, application, err := h.applicationTo(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	p, err := h.acceptCall(ctx, task, application)
	if err != nil {
		return nil, err
	}
	return api.AcceptApplication200JSONResponse{Body: api.AcceptCalldata{
		Message: p.say("Sign and send this call to assign the task to this human, then confirm it with POST /tasks/{id}/confirm.",
			"This application has already been accepted on-chain."),
		TaskID: task.ID, ApplicationID: application.ID,
		OnchainApplicationID: strconv.FormatUint(application.Stake.ID, 10), EscrowTaskID: strconv.FormatUint(task.Escrow.ID, 10),
		ContractAddress: p.to(), AcceptApplicationCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *applicationsHandler) acceptCall(ctx context.Context, task market.Task, a market.Application) (prepared, error) {
	call := func() market.Call {
		return h.calls.AcceptApplication(task.EscrowAddress, task.Escrow.ID, a.Stake.ID)
	}
	if task.Escrow != nil && a.Stake != nil && a.Stake.Accepted {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionAccept, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	if err := a.CheckLive(); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}

// RejectApplication rejects an application without a stake immediately. For an application with a
// stake, it returns the call that rejects the application and forfeits the stake. The reason is stored
// before the rejection takes effect, so that the human can read it once notified. A stored reason counts
// against the limits on rejections, because the agent has the call and can send it at any time.
func (h *applicationsHandler) RejectApplication(ctx context.Context, request api.RejectApplicationRequestObject) (api.RejectApplicationResponseObject, error) {
	task, application, err := h.applicationTo(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	if application.Stake == nil {
		return h.rejectAtOnce(ctx, request, task)
	}
	p, err := h.rejectCall(ctx, task, application, rejectionReason(request))
	if err != nil {
		return nil, err
	}
	application, err = h.explainRejection(ctx, request, task)
	if err != nil {
		return nil, err
	}
	return api.RejectApplication200JSONResponse{Body: api.RejectCalldata{
		Message: p.say("The application is not rejected yet. Sign and send this call to reject it; its stake is then forfeited to the treasury.",
			"This application has already been rejected on-chain."),
		Application: toAPIApplication(application), RejectApplicationCalldata: new(p.data()),
		To: new(p.to()), ChainID: &p.chainID, Value: new(noValue), Simulated: &p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *applicationsHandler) rejectAtOnce(ctx context.Context, request api.RejectApplicationRequestObject, task market.Task) (api.RejectApplicationResponseObject, error) {
	if _, err := h.explainRejection(ctx, request, task); err != nil {
		return nil, err
	}
	application, err := h.store.UpdateApplication(ctx, task.ID, request.AppID, decide((*market.Application).Reject, market.ApplicationRejected))
	if err != nil {
		return nil, err
	}
	return api.RejectApplication200JSONResponse{Body: api.RejectCalldata{
		Message: "The application is rejected; it had no stake.", Application: toAPIApplication(application),
	}}, nil
}

func (h *applicationsHandler) explainRejection(ctx context.Context, request api.RejectApplicationRequestObject, task market.Task) (market.Application, error) {
	application, err := h.store.ExplainRejection(ctx, gate.PrincipalOf(ctx), task.ID, request.AppID, rejectionReason(request))
	if err == nil {
		h.screenText(ctx, writing{record: application.ID, title: "reason of a rejection", texts: []string{application.RejectionReason}})
	}
	return application, err
}

func rejectionReason(request api.RejectApplicationRequestObject) string {
	if request.Body == nil {
		return ""
	}
	reason := deref(request.Body.Reason)
	if market.CheckText("reason", reason) != nil {
		return "" // a blank reason counts as missing
	}
	return reason
}

// decide makes act idempotent: repeating the same decision succeeds and changes nothing.
func decide(act func(*market.Application) error, as market.ApplicationStatus) func(*market.Application) error {
	return func(a *market.Application) error {
		if a.Stake == nil && a.Decision == as {
			return nil
		}
		return act(a)
	}
}

func (h *applicationsHandler) rejectCall(ctx context.Context, task market.Task, a market.Application, reason string) (prepared, error) {
	if err := h.checkStaking(task); err != nil {
		return prepared{}, err
	}
	call := h.calls.RejectApplication(a.Stake.ID)
	if a.Stake.Rejected {
		return h.repeat(call), nil
	}
	if err := h.allow(ctx, task, market.ActionReject, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	if err := a.CheckLive(); err != nil {
		return prepared{}, err
	}
	if reason == "" {
		return prepared{}, market.Errorf(market.KindReasonRequired, "this rejection forfeits a stake and needs a reason").
			WithHint("send the request again with a reason; the human can read it")
	}
	return h.prepare(ctx, call)
}

// WithdrawApplication withdraws an application without a stake immediately. For an application with
// a stake it returns the call that releases the stake.
func (h *applicationsHandler) WithdrawApplication(ctx context.Context, request api.WithdrawApplicationRequestObject) (api.WithdrawApplicationResponseObject, error) {
	task, application, err := h.callersApplication(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	if application.Stake == nil {
		application, err = h.store.UpdateApplication(ctx, task.ID, application.ID, decide((*market.Application).Withdraw, market.ApplicationWithdrawn))
		if err != nil {
			return nil, err
		}
		return api.WithdrawApplication200JSONResponse{Body: api.WithdrawCalldata{
			Message: "The application is withdrawn; it had no stake.", Application: toAPIApplication(application),
		}}, nil
	}
	p, err := h.withdrawCall(ctx, task, application)
	if err != nil {
		return nil, err
	}
	return api.WithdrawApplication200JSONResponse{Body: api.WithdrawCalldata{
		Message:     p.say("Sign and send this call to get the stake back.", "The stake has already been returned on-chain."),
		Application: toAPIApplication(application), WithdrawStakeCalldata: new(p.data()),
		To: new(p.to()), ChainID: &p.chainID, Value: new(noValue), Simulated: &p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

// callersApplication returns a task and the calling human's application for it.
func (h *applicationsHandler) callersApplication(ctx context.Context, taskID, id uuid.UUID) (market.Task, market.Application, error) {
	task, err := h.store.Task(ctx, taskID)
	if err != nil {
		return task, market.Application{}, err
	}
	application, err := h.store.Application(ctx, task.ID, id)
	if err == nil && application.HumanID != gate.PrincipalOf(ctx).ID {
		err = market.Errorf(market.KindForbidden, "this application belongs to another human")
	}
	return task, application, err
}

func (h *applicationsHandler) withdrawCall(ctx context.Context, task market.Task, a market.Application) (prepared, error) {
	if err := h.checkStaking(task); err != nil {
		return prepared{}, err
	}
	call := h.calls.WithdrawStake(a.Stake.ID)
	switch a.Stake.Status {
	case market.StakeReturned:
		return h.repeat(call), nil
	case market.StakeActivated, market.StakeForfeited:
		return prepared{}, market.Errorf(market.KindWrongStatus,
			"the application is %s; the stake of an accepted or rejected application cannot be withdrawn", a.Status)
	case market.StakeLive:
	}
	if err := h.checkFinality(task); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call)
}
