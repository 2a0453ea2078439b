package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// ApplicationStatus is what an application is for the people who use it.
type ApplicationStatus string

// The statuses of an application.
const (
	ApplicationNew       ApplicationStatus = "new"      // recorded, no stake seen
	ApplicationPending   ApplicationStatus = "pending"  // staked, waiting for the agent
	ApplicationAccepted  ApplicationStatus = "accepted" // this human has the task
	ApplicationRejected  ApplicationStatus = "rejected"
	ApplicationWithdrawn ApplicationStatus = "withdrawn" // by the human
	ApplicationExpired   ApplicationStatus = "expired"   // nobody decided in time
	ApplicationReleased  ApplicationStatus = "released"  // another was accepted, or the task ended
)

// ApplicationStatuses lists every status in life-cycle order.
func ApplicationStatuses() []ApplicationStatus {
	return []ApplicationStatus{
		ApplicationNew, ApplicationPending, ApplicationAccepted, ApplicationRejected,
		ApplicationWithdrawn, ApplicationExpired, ApplicationReleased,
	}
}

// Application is a human's offer to do a task. Message is theirs; Stake and
// Status follow the chain once a stake is seen.
type Application struct {
	ID            uuid.UUID
	TaskID        uuid.UUID
	HumanID       uuid.UUID
	HumanUsername string
	HumanWallet   common.Address
	HumanVerified bool
	Message       string
	StakeAmount   *big.Int // what the contract asks for this task
	Status        ApplicationStatus
	Stake         *Stake            // nil while none is linked
	Decision      ApplicationStatus // rejected or withdrawn without a stake; empty for none
	// RejectionReason is what the agent says to the human; empty for nothing, and,
	// but for the agent, until the application is rejected.
	RejectionReason string
	CreatedAt       time.Time
}

// ApplicationStatusAt returns what an application is at chain time now.
// decision is what was decided in the database alone while no stake was seen;
// task is the escrow record of the application's task, nil for none.
func ApplicationStatusAt(decision ApplicationStatus, s *Stake, task *EscrowTask, now time.Time) ApplicationStatus {
	open := task == nil || task.Status == ChainPosted
	switch {
	case s == nil && decision != "":
		return decision
	case s == nil && open:
		return ApplicationNew
	case s == nil:
		return ApplicationReleased
	case s.Accepted:
		return ApplicationAccepted
	case s.Rejected:
		return ApplicationRejected
	case s.Withdrawn:
		return ApplicationWithdrawn
	case s.Status == StakeReturned && !s.EndedAt.Before(s.ExpiresAt):
		return ApplicationExpired
	case s.Status == StakeReturned, !open:
		return ApplicationReleased
	case !now.Before(s.ExpiresAt):
		return ApplicationExpired
	}
	return ApplicationPending
}

// Follow makes the application what the chain says at chain time now.
func (a *Application) Follow(s *Stake, task *EscrowTask, now time.Time) {
	a.Stake = s
	a.Status = ApplicationStatusAt(a.Decision, s, task, now)
}

// Reject decides an application in the database alone. It refuses one with a
// stake, with KindWrongStatus: that is rejected on the chain, where the stake is
// forfeited.
func (a *Application) Reject() error { return a.decide(ApplicationRejected) }

// Withdraw takes an application back in the database alone. It refuses one
// with a stake, with KindWrongStatus: that is withdrawn on the chain, which pays
// the stake back.
func (a *Application) Withdraw() error { return a.decide(ApplicationWithdrawn) }

func (a *Application) decide(as ApplicationStatus) error {
	if a.Stake != nil || a.Status != ApplicationNew {
		return Errorf(KindWrongStatus, "the application is %s; only one without a stake is decided here", a.Status)
	}
	a.Decision, a.Status = as, as
	return nil
}

// Withdrawable reports whether the human can take the application back, or what
// is left of it: a stake that is still locked.
func (a *Application) Withdrawable() bool {
	if a.Stake == nil {
		return a.Status == ApplicationNew
	}
	return a.Stake.Status == StakeLive
}

// CheckLive refuses an application that was decided or whose stake is missing,
// with KindWrongStatus, for acts that happen on the chain.
func (a *Application) CheckLive() error {
	if a.Status != ApplicationPending {
		return Errorf(KindWrongStatus, "the application is %s; only a pending one, whose stake the chain holds, can be decided", a.Status)
	}
	return nil
}
