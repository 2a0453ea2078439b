package server

import (
	"context"
	"math/big"
	"strconv"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// permitLifetime is the validity period of a stake permit.
const permitLifetime = time.Hour

// ApplyForTask records an application and returns the permit and the call that lock its stake.
func (h *applicationsHandler) ApplyForTask(ctx context.Context, request api.ApplyForTaskRequestObject) (api.ApplyForTaskResponseObject, error) {
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if err := h.allowApplying(ctx, task, role); err != nil {
		return nil, err
	}
	if err := h.checkApplicant(ctx); err != nil {
		return nil, err
	}
	stake := market.RequiredStake(task.Amount)
	permit, err := h.stakePermit(ctx, stake)
	if err != nil {
		return nil, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	application, err := h.store.CreateApplication(ctx, market.Application{
		ID: id, TaskID: task.ID, HumanID: gate.PrincipalOf(ctx).ID, Message: request.Body.ApplicationMessage, StakeAmount: stake,
	})
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: application.ID, title: "application", texts: []string{application.Message}})
	return api.ApplyForTask201JSONResponse{Body: h.toAPIApplicationCreated(task, application, permit)}, nil
}

// checkApplicant returns an error if the operator's rules do not permit the human to apply.
func (h *applicationsHandler) checkApplicant(ctx context.Context) error {
	principal := gate.PrincipalOf(ctx)
	if err := h.screen.CheckWallet(principal.Wallet); err != nil {
		return err
	}
	instance := h.screen.Instance()
	if instance.MinimumAge == 0 && len(instance.Countries) == 0 {
		return nil
	}
	human, err := h.store.Human(ctx, principal.ID)
	if err != nil {
		return err
	}
	if err := instance.CheckResidence(human.Location); err != nil { // the profile may be older than the rule
		return err
	}
	return instance.CheckApplicant(human.AdultAt != nil)
}

// allowApplying checks that the caller can apply for the task. Validators cannot.
func (t *taskAccess) allowApplying(ctx context.Context, task market.Task, role market.Role) error {
	principal := gate.PrincipalOf(ctx)
	if err := t.checkApplying(task, principal, role); err != nil {
		return err
	}
	parameters, err := t.parameters(ctx)
	if err != nil {
		return err
	}
	if parameters.ValidatorIn(principal.Wallet, parameters.Panel) {
		return market.Errorf(market.KindInvalid, "your wallet is a validator's, and validators cannot apply for tasks")
	}
	return nil
}

// checkApplying applies the action table, and the checks that depend on the wallet and on the contracts: the
// task's own agent cannot apply, and the task must use the staking contract of this deployment.
func (t *taskAccess) checkApplying(task market.Task, principal market.Principal, role market.Role) error {
	if principal.Wallet == task.AgentWallet {
		return market.Errorf(market.KindInvalid, "this task belongs to your own wallet; you cannot apply for it")
	}
	if err := task.Allow(market.ActionApply, role, time.Time{}); err != nil { // does not depend on the time
		return err
	}
	if err := t.checkFinality(task); err != nil {
		return err
	}
	return t.checkStaking(task)
}

// stakePermit returns the permit that lets the staking contract transfer the stake.
func (h *applicationsHandler) stakePermit(ctx context.Context, stake *big.Int) (api.TypedData, error) {
	token, err := h.token.read(ctx, h.reader)
	if err != nil {
		return api.TypedData{}, err
	}
	wallet := gate.PrincipalOf(ctx).Wallet
	nonce, err := h.reader.PermitNonce(ctx, wallet)
	if err != nil {
		return api.TypedData{}, err
	}
	now, err := h.chainTime(ctx)
	if err != nil {
		return api.TypedData{}, err
	}
	deadline := big.NewInt(now.Add(permitLifetime).Unix())
	return toAPITypedData(h.calls.StakePermit(token, wallet, stake, nonce, deadline)), nil
}

func (h *applicationsHandler) toAPIApplicationCreated(task market.Task, a market.Application, permit api.TypedData) api.ApplicationCreated {
	stake := a.StakeAmount
	approve := prepared{call: h.calls.ApproveToken(h.deployment.Staking, stake)}
	lock := prepared{call: h.calls.LockStake(task.Escrow.ID, stake)}
	return api.ApplicationCreated{
		Message:     "Lock the stake next: sign the permit and send lockApplicationStakeWithPermit, or send approve_calldata and then lock_calldata.",
		Application: toAPIApplication(a), ChainID: signed(h.deployment.ChainID),
		TokenAddress: h.deployment.Token.Hex(), StakingAddress: h.deployment.Staking.Hex(),
		EscrowTaskID: strconv.FormatUint(task.Escrow.ID, 10), RequiredStake: stake.String(),
		Permit: permit, ApproveCalldata: approve.data(), LockCalldata: lock.data(),
	}
}
