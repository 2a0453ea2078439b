package contracts_test

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

func (w *world) apply(by common.Address, taskID uint64, stake *big.Int, p *permit) *outcome {
	o, e, id := &outcome{}, w.escrow(taskID), uint64(len(w.stakes)+1)
	earlier := w.latest(taskID, by)
	switch required := market.RequiredStake(e.Amount); {
	case w.parameters.Paused:
		o.refuse(escrowABI, "EnforcedPause")
	case w.isValidator(by):
		o.refuse(escrowABI, "ValidatorIsParty", by)
	case e.Status != market.ChainPosted:
		return o.refuse(stakingABI, "TaskNotOpen", taskID)
	case by == e.Agent:
		o.refuse(stakingABI, "AgentCannotApply", by)
	case stake.Cmp(required) != 0:
		o.refuse(stakingABI, "StakeMismatch", stake, required)
	case earlier != nil && earlier.Status == market.StakeLive: // even if it has expired
		o.refuse(stakingABI, "AlreadyApplied", earlier.ID)
	}
	o.emit(w.d.Staking, stakingABI, "ApplicationStakeLocked", id, by, e.Agent, stake, w.now.Add(market.StakeLifetime))
	o.emit(w.d.Staking, stakingABI, "ApplicationForTask", id, taskID)
	w.charge(o, by, w.d.Staking, stake, p)
	return o
}

func (w *world) rejectApplication(by common.Address, applicationID uint64) *outcome {
	o, s := &outcome{}, w.stake(applicationID)
	switch e := w.escrow(s.TaskID); {
	case s.Status != market.StakeLive:
		return o.refuse(stakingABI, "StakeNotLocked", applicationID, stakeStatus(s))
	case by != e.Agent:
		o.refuse(stakingABI, "NotTheIntendedAgent", applicationID, by)
	case e.Status != market.ChainPosted:
		o.refuse(stakingABI, "TaskNotOpen", s.TaskID)
	case !w.now.Before(s.ExpiresAt):
		o.refuse(stakingABI, "ApplicationExpired", applicationID, s.ExpiresAt)
	}
	o.emit(w.d.Staking, stakingABI, "ApplicationRejected", applicationID, by)
	o.emit(w.d.Staking, stakingABI, "ApplicationStakeForfeited", applicationID, s.Human, s.Amount)
	w.pay(o, w.d.Staking, w.d.Treasury, s.Amount)
	return o
}

func (w *world) withdrawStake(by common.Address, applicationID uint64) *outcome {
	o, s := &outcome{}, w.stake(applicationID)
	if s.Status != market.StakeLive {
		return o.refuse(stakingABI, "StakeNotLocked", applicationID, stakeStatus(s))
	}
	said := "ApplicationStakeReturned"
	if w.pending(s) {
		said = "ApplicationWithdrawn"
		if by != s.Human {
			o.refuse(stakingABI, "NotTheApplicant", applicationID, by)
		}
	}
	o.emit(w.d.Staking, stakingABI, said, applicationID, s.Human, s.Amount)
	w.pay(o, w.d.Staking, s.Human, s.Amount)
	return o
}

// requiredStake returns the stake for an application; 0 while the task accepts none.
func (w *world) requiredStake(e *market.EscrowTask) *big.Int {
	if e.Status != market.ChainPosted {
		return new(big.Int)
	}
	return market.RequiredStake(e.Amount)
}

// pending reports whether the application is undecided.
func (w *world) pending(s *market.Stake) bool {
	return market.ApplicationStatusAt("", s, w.escrow(s.TaskID), w.now) == market.ApplicationPending
}

// latest returns the human's last application for the task; nil if there is none.
func (w *world) latest(taskID uint64, human common.Address) *market.Stake {
	return latestOf(w.stakes, taskID, human)
}

func latestOf(stakes []*market.Stake, taskID uint64, human common.Address) *market.Stake {
	var last *market.Stake
	for _, s := range stakes {
		if s.TaskID == taskID && s.Human == human {
			last = s
		}
	}
	return last
}

// stakeStatus returns the contract's number for the status.
func stakeStatus(s *market.Stake) uint8 {
	switch s.Status {
	case market.StakeLive:
		return 1
	case market.StakeActivated:
		return 2
	case market.StakeReturned, market.StakeForfeited:
		return 3
	}
	return 0
}
