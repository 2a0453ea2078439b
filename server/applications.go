package server

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// ListTaskApplications answers the applications for a task to its agent.
func (s *Server) ListTaskApplications(ctx context.Context, request api.ListTaskApplicationsRequestObject) (api.ListTaskApplicationsResponseObject, error) {
	task, err := s.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	query := pageQuery(request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	page, err := s.store.Applications(ctx, task.ID, query)
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
		HumanWalletAddress: a.HumanWallet.Hex(), HumanIsVerified: a.HumanVerified, Message: a.Message,
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

// applicationTo returns an application to one of the calling agent's tasks.
func (s *Server) applicationTo(ctx context.Context, taskID, id uuid.UUID) (market.Task, market.Application, error) {
	task, err := s.taskOf(ctx, taskID)
	if err != nil {
		return task, market.Application{}, err
	}
	application, err := s.store.Application(ctx, task.ID, id)
	return task, application, err
}

// AcceptApplication answers the call that gives the task to the applicant.
func (s *Server) AcceptApplication(ctx context.Context, request api.AcceptApplicationRequestObject) (api.AcceptApplicationResponseObject, error) {
	task, application, err := s.applicationTo(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	p, err := s.acceptCall(ctx, task, application)
	if err != nil {
		return nil, err
	}
	return api.AcceptApplication200JSONResponse{Body: api.AcceptCalldata{
		Message: p.say("Sign and send this call to give the task to this human, then confirm it with POST /tasks/{id}/confirm.",
			"The chain shows that this application is accepted already."),
		TaskID: task.ID, ApplicationID: application.ID,
		OnchainApplicationID: strconv.FormatUint(application.Stake.ID, 10), EscrowTaskID: strconv.FormatUint(task.Escrow.ID, 10),
		ContractAddress: p.to(), AcceptApplicationCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (s *Server) acceptCall(ctx context.Context, task market.Task, a market.Application) (prepared, error) {
	call := func() market.Call {
		return s.calls.AcceptApplication(task.EscrowAddress, task.Escrow.ID, a.Stake.ID)
	}
	if task.Escrow != nil && a.Stake != nil && a.Stake.Accepted {
		return s.repeat(call()), nil
	}
	if err := s.allow(ctx, task, market.ActionAccept, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	if err := a.CheckLive(); err != nil {
		return prepared{}, err
	}
	return s.prepare(ctx, call())
}

// RejectApplication rejects an application without a stake at once. One with a
// stake is rejected on the chain, where the stake is forfeited; it answers that
// call. It keeps the reason before the human is told.
func (s *Server) RejectApplication(ctx context.Context, request api.RejectApplicationRequestObject) (api.RejectApplicationResponseObject, error) {
	task, application, err := s.applicationTo(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	if application.Stake == nil {
		return s.rejectAtOnce(ctx, request, task)
	}
	p, err := s.rejectCall(ctx, task, application)
	if err != nil {
		return nil, err
	}
	application, err = s.explainRejection(ctx, request, task)
	if err != nil {
		return nil, err
	}
	return api.RejectApplication200JSONResponse{Body: api.RejectCalldata{
		Message: p.say("Sign and send this call to reject the application; its stake is then forfeited to the treasury.",
			"The chain shows that this application is rejected already."),
		Application: toAPIApplication(application), RejectApplicationCalldata: new(p.data()),
		To: new(p.to()), ChainID: &p.chainID, Value: new(noValue), Simulated: &p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (s *Server) rejectAtOnce(ctx context.Context, request api.RejectApplicationRequestObject, task market.Task) (api.RejectApplicationResponseObject, error) {
	if _, err := s.explainRejection(ctx, request, task); err != nil {
		return nil, err
	}
	application, err := s.store.UpdateApplication(ctx, task.ID, request.AppID, decide((*market.Application).Reject, market.ApplicationRejected))
	if err != nil {
		return nil, err
	}
	return api.RejectApplication200JSONResponse{Body: api.RejectCalldata{
		Message: "The application is rejected; it had no stake.", Application: toAPIApplication(application),
	}}, nil
}

func (s *Server) explainRejection(ctx context.Context, request api.RejectApplicationRequestObject, task market.Task) (market.Application, error) {
	reason := ""
	if request.Body != nil {
		reason = deref(request.Body.Reason)
	}
	return s.store.ExplainRejection(ctx, gate.PrincipalOf(ctx).ID, task.ID, request.AppID, reason)
}

// decide makes a decision that was taken already a success.
func decide(act func(*market.Application) error, as market.ApplicationStatus) func(*market.Application) error {
	return func(a *market.Application) error {
		if a.Stake == nil && a.Decision == as {
			return nil
		}
		return act(a)
	}
}

func (s *Server) rejectCall(ctx context.Context, task market.Task, a market.Application) (prepared, error) {
	if err := s.checkStaking(task); err != nil {
		return prepared{}, err
	}
	call := s.calls.RejectApplication(a.Stake.ID)
	if a.Stake.Rejected {
		return s.repeat(call), nil
	}
	if err := s.allow(ctx, task, market.ActionReject, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	if err := a.CheckLive(); err != nil {
		return prepared{}, err
	}
	return s.prepare(ctx, call)
}

// WithdrawApplication takes back an application without a stake at once. For
// one with a stake it answers the call that brings the stake back.
func (s *Server) WithdrawApplication(ctx context.Context, request api.WithdrawApplicationRequestObject) (api.WithdrawApplicationResponseObject, error) {
	task, application, err := s.ownApplication(ctx, request.ID, request.AppID)
	if err != nil {
		return nil, err
	}
	if application.Stake == nil {
		application, err = s.store.UpdateApplication(ctx, task.ID, application.ID, decide((*market.Application).Withdraw, market.ApplicationWithdrawn))
		if err != nil {
			return nil, err
		}
		return api.WithdrawApplication200JSONResponse{Body: api.WithdrawCalldata{
			Message: "The application is withdrawn; it had no stake.", Application: toAPIApplication(application),
		}}, nil
	}
	p, err := s.withdrawCall(ctx, task, application)
	if err != nil {
		return nil, err
	}
	return api.WithdrawApplication200JSONResponse{Body: api.WithdrawCalldata{
		Message:     p.say("Sign and send this call to get the stake back.", "The chain shows that the stake is back already."),
		Application: toAPIApplication(application), WithdrawStakeCalldata: new(p.data()),
		To: new(p.to()), ChainID: &p.chainID, Value: new(noValue), Simulated: &p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

// ownApplication returns the calling human's application.
func (s *Server) ownApplication(ctx context.Context, taskID, id uuid.UUID) (market.Task, market.Application, error) {
	task, err := s.store.Task(ctx, taskID)
	if err != nil {
		return task, market.Application{}, err
	}
	application, err := s.store.Application(ctx, task.ID, id)
	if err == nil && application.HumanID != gate.PrincipalOf(ctx).ID {
		err = market.Errorf(market.KindForbidden, "this application is another human's")
	}
	return task, application, err
}

func (s *Server) withdrawCall(ctx context.Context, task market.Task, a market.Application) (prepared, error) {
	if err := s.checkStaking(task); err != nil {
		return prepared{}, err
	}
	call := s.calls.WithdrawStake(a.Stake.ID)
	switch a.Stake.Status {
	case market.StakeReturned:
		return s.repeat(call), nil
	case market.StakeActivated, market.StakeForfeited:
		return prepared{}, market.Errorf(market.KindWrongStatus,
			"the application is %s; a stake can be withdrawn only while no decision was made", a.Status)
	case market.StakeLive:
	}
	if err := s.checkDepth(task); err != nil {
		return prepared{}, err
	}
	return s.prepare(ctx, call)
}
