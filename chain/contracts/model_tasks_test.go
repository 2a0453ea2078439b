package contracts_test

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

func (w *world) post(by common.Address, amount *big.Int, fee uint16, terms common.Hash, p *permit) *outcome {
	o, id := &outcome{}, uint64(len(w.tasks)+1)
	switch {
	case w.parameters.Paused:
		o.refuse(escrowABI, "EnforcedPause")
	case amount.Cmp(market.MinimumEscrow()) < 0:
		o.refuse(escrowABI, "AmountBelowMinimum", amount, market.MinimumEscrow())
	case fee != w.parameters.FeeBasisPoints:
		o.refuse(escrowABI, "FeeMismatch", fee, w.parameters.FeeBasisPoints)
	case w.isValidator(by):
		o.refuse(escrowABI, "ValidatorIsParty", by)
	case amount.Cmp(market.MaximumEscrow()) > 0:
		o.refuse(escrowABI, "SafeCastOverflowedUintDowncast", uint8(96), amount)
	}
	o.emit(w.d.Escrow, escrowABI, "TaskPosted", id, by, amount, fee)
	if terms != (common.Hash{}) {
		o.emit(w.d.Escrow, escrowABI, "TaskTerms", id, terms)
	}
	w.charge(o, by, w.d.Escrow, amount, p)
	return o
}

func (w *world) accept(by common.Address, taskID, applicationID uint64) *outcome {
	o, e, s := &outcome{}, w.escrow(taskID), w.stake(applicationID)
	switch {
	case by != e.Agent:
		o.refuse(escrowABI, "NotTheAgent", taskID, by)
	case e.Status != market.ChainPosted:
		return o.wrongStatus(e)
	case w.isValidator(by):
		o.refuse(escrowABI, "ValidatorIsParty", by)
	case w.isValidator(s.Human):
		o.refuse(escrowABI, "ValidatorIsParty", s.Human)
	case s.Status != market.StakeLive:
		o.refuse(stakingABI, "StakeNotLocked", applicationID, stakeStatus(s))
	case s.TaskID != taskID:
		o.refuse(stakingABI, "ApplicationForOtherTask", applicationID, taskID)
	case !w.now.Before(s.ExpiresAt):
		o.refuse(stakingABI, "ApplicationExpired", applicationID, s.ExpiresAt)
	}
	o.emit(w.d.Escrow, escrowABI, "TaskCreated", taskID, by, s.Human, e.Amount, e.FeeBasisPoints)
	o.emit(w.d.Escrow, escrowABI, "TaskCreatedWithApplication", taskID, applicationID, by)
	o.emit(w.d.Staking, stakingABI, "ApplicationStakeActivated", applicationID, taskID)
	return o
}

func (w *world) submit(by common.Address, taskID uint64, work common.Hash) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	switch {
	case e.Status != market.ChainActive:
		return o.wrongStatus(e)
	case by != e.Human:
		o.refuse(escrowABI, "NotTheHuman", taskID, by)
	case work == common.Hash{}:
		o.refuse(escrowABI, "EmptyWorkHash", taskID)
	}
	o.emit(w.d.Escrow, escrowABI, "TaskSubmitted", taskID, by, e.Agent, w.now)
	o.emit(w.d.Escrow, escrowABI, "WorkCommitted", taskID, work)
	return o
}

func (w *world) approve(by common.Address, taskID uint64) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	switch {
	case by != e.Agent:
		o.refuse(escrowABI, "NotTheAgent", taskID, by)
	case !delivered(e):
		return o.wrongStatus(e)
	case e.AgentApproved:
		o.refuse(escrowABI, "AgentHasApproved", taskID)
	}
	o.emit(w.d.Escrow, escrowABI, "AgentApproved", taskID, e.Agent, e.Human)
	return o
}

func (w *world) dispute(by common.Address, taskID uint64) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	switch {
	case !party(e, by):
		o.refuse(escrowABI, "NotAParty", taskID, by)
	case e.Status != market.ChainSubmitted:
		return o.wrongStatus(e)
	case e.AgentApproved:
		o.refuse(escrowABI, "AgentHasApproved", taskID)
	case !w.now.Before(e.DisputeDeadline()):
		o.refuse(escrowABI, "DisputeWindowClosed", taskID, e.DisputeDeadline())
	}
	o.emit(w.d.Escrow, escrowABI, "TaskDisputed", taskID, by, e.Agent, w.now)
	return o
}

func (w *world) cancel(by common.Address, taskID uint64) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	if e.Status != market.ChainPosted && e.Status != market.ChainActive {
		return o.wrongStatus(e)
	}
	if !party(e, by) {
		o.refuse(escrowABI, "NotAParty", taskID, by)
	}
	o.emit(w.d.Escrow, escrowABI, "TaskCancelled", taskID, e.Agent, e.Human, e.Amount, 0)
	if e.Status == market.ChainActive {
		w.giveBack(o, e)
	}
	w.pay(o, w.d.Escrow, e.Agent, e.Amount)
	return o
}

func (w *world) settle(taskID uint64) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	if !delivered(e) {
		return o.wrongStatus(e)
	}
	return w.release(o.notBefore(e, e.SettleAt(), w.now), e)
}

func (w *world) emergency(by common.Address, taskID uint64) *outcome {
	o, e := &outcome{}, w.escrow(taskID)
	if !delivered(e) {
		return o.wrongStatus(e)
	}
	if by != e.Human {
		o.refuse(escrowABI, "NotTheHuman", taskID, by)
	}
	return w.release(o.notBefore(e, e.EmergencyAt(), w.now), e)
}

// release pays the human and the treasury, and returns the stake.
func (w *world) release(o *outcome, e *market.EscrowTask) *outcome {
	payout, fee := market.Payout(e.Amount, e.FeeBasisPoints), market.Fee(e.Amount, e.FeeBasisPoints)
	o.emit(w.d.Escrow, escrowABI, "TaskReleased", e.ID, e.Human, e.Agent, payout, fee)
	w.giveBack(o, e)
	w.pay(o, w.d.Escrow, e.Human, payout)
	w.pay(o, w.d.Escrow, w.d.Treasury, fee)
	return o
}

// refund pays the agent, and forfeits the stake.
func (w *world) refund(o *outcome, e *market.EscrowTask) *outcome {
	stake := w.stake(e.ApplicationID)
	o.emit(w.d.Escrow, escrowABI, "TaskRefunded", e.ID, e.Agent, e.Human, e.Amount)
	o.emit(w.d.Staking, stakingABI, "ApplicationStakeForfeited", stake.ID, stake.Human, stake.Amount)
	w.pay(o, w.d.Staking, w.d.Treasury, stake.Amount)
	w.pay(o, w.d.Escrow, e.Agent, e.Amount)
	return o
}

func (w *world) giveBack(o *outcome, e *market.EscrowTask) {
	stake := w.stake(e.ApplicationID)
	o.emit(w.d.Staking, stakingABI, "ApplicationStakeReturned", stake.ID, stake.Human, stake.Amount)
	w.pay(o, w.d.Staking, stake.Human, stake.Amount)
}

func (o *outcome) wrongStatus(e *market.EscrowTask) *outcome {
	return o.refuse(escrowABI, "WrongStatus", e.ID, uint8(e.Status))
}

func (o *outcome) notBefore(e *market.EscrowTask, due, now time.Time) *outcome {
	if now.Before(due) {
		o.refuse(escrowABI, "NotDue", e.ID, due)
	}
	return o
}

func delivered(e *market.EscrowTask) bool {
	return e.Status == market.ChainSubmitted || e.Status == market.ChainDisputed
}

func party(e *market.EscrowTask, account common.Address) bool {
	return account == e.Agent || account == e.Human
}
