package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// ApplicationStatus is the status of an application, as the API shows it.
type ApplicationStatus string

// The statuses of an application.
const (
	ApplicationNew       ApplicationStatus = "new"      // recorded, no stake seen
	ApplicationPending   ApplicationStatus = "pending"  // staked, waiting for the agent
	ApplicationAccepted  ApplicationStatus = "accepted" // this human has the task
	ApplicationRejected  ApplicationStatus = "rejected"
	ApplicationWithdrawn ApplicationStatus = "withdrawn" // by the human
	ApplicationExpired   ApplicationStatus = "expired"   // not decided in time
	ApplicationReleased  ApplicationStatus = "released"  // another was accepted, or the task ended
)

// ApplicationStatuses lists every status in life-cycle order.
func ApplicationStatuses() []ApplicationStatus {
	return []ApplicationStatus{
		ApplicationNew, ApplicationPending, ApplicationAccepted, ApplicationRejected,
		ApplicationWithdrawn, ApplicationExpired, ApplicationReleased,
	}
}

// Application is a human's offer to do a task. The human writes Message; Stake and Status are
// derived from the chain once a stake is seen.
type Application struct {
	ID            uuid.UUID
	TaskID        uuid.UUID
	HumanID       uuid.UUID
	HumanUsername string
	HumanWallet   common.Address
	HumanVerified bool
	Message       string
	StakeAmount   *big.Int // what the contract requires for this task
	Status        ApplicationStatus
	Stake         *Stake            // nil until a stake is linked
	Decision      ApplicationStatus // rejected or withdrawn without a stake; empty for none
	// RejectionReason is the agent's message to the human; may be empty. Only the agent sees it
	// before the application is rejected.
	RejectionReason string
	CreatedAt       time.Time
}

// ApplicationStatusAt returns the status of an application at chain time now. decision is the
// decision that was recorded in the database while no stake was seen; task is the escrow record of
// the application's task, or nil.
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

// LinkStake sets the application's stake and status from the chain's state at chain time now.
func (a *Application) LinkStake(s *Stake, task *EscrowTask, now time.Time) {
	a.Stake = s
	a.Status = ApplicationStatusAt(a.Decision, s, task, now)
}

// Reject records a rejection in the database. An application with a stake returns KindWrongStatus:
// it must be rejected on the chain, where the stake is forfeited.
func (a *Application) Reject() error { return a.decide(ApplicationRejected) }

// Withdraw records a withdrawal in the database. An application with a stake returns
// KindWrongStatus: it must be withdrawn on the chain, which returns the stake.
func (a *Application) Withdraw() error { return a.decide(ApplicationWithdrawn) }

func (a *Application) decide(as ApplicationStatus) error {
	if a.Stake != nil || a.Status != ApplicationNew {
		return Errorf(KindWrongStatus, "the application is %s; only a new one without a stake is decided without a transaction", a.Status)
	}
	a.Decision, a.Status = as, as
	return nil
}

// Withdrawable reports whether the human can withdraw the application or its locked stake.
func (a *Application) Withdrawable() bool {
	if a.Stake == nil {
		return a.Status == ApplicationNew
	}
	return a.Stake.Status == StakeLive
}

// CheckLive returns KindWrongStatus unless the application is pending with a stake. On-chain
// decisions require it.
func (a *Application) CheckLive() error {
	if a.Status != ApplicationPending {
		return Errorf(KindWrongStatus, "the application is %s; only a pending one, whose stake is locked, can be decided", a.Status)
	}
	return nil
}
