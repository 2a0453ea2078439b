package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// ApplicationStatus is the status of an application in the API.
type ApplicationStatus string

// The statuses of an application.
const (
	ApplicationNew       ApplicationStatus = "new"      // recorded, but no stake is on the chain yet
	ApplicationPending   ApplicationStatus = "pending"  // staked, waiting for the agent
	ApplicationAccepted  ApplicationStatus = "accepted" // the human was accepted and is assigned to the task
	ApplicationRejected  ApplicationStatus = "rejected"
	ApplicationWithdrawn ApplicationStatus = "withdrawn" // withdrawn by the human
	ApplicationExpired   ApplicationStatus = "expired"   // the stake's time limit passed before a decision
	ApplicationReleased  ApplicationStatus = "released"  // another human was accepted, or the task ended
)

// ApplicationStatuses lists every status in life-cycle order.
func ApplicationStatuses() []ApplicationStatus {
	return []ApplicationStatus{
		ApplicationNew, ApplicationPending, ApplicationAccepted, ApplicationRejected,
		ApplicationWithdrawn, ApplicationExpired, ApplicationReleased,
	}
}

// Application is a human's offer to do a task. Once a stake is on the chain, Status is derived from
// it.
type Application struct {
	ID            uuid.UUID
	TaskID        uuid.UUID
	HumanID       uuid.UUID
	HumanUsername string
	HumanWallet   common.Address
	HumanVerified bool
	Message       string
	StakeAmount   *big.Int // stake in wei that the contract requires for this task
	Status        ApplicationStatus
	Stake         *Stake            // nil until a stake is linked
	Decision      ApplicationStatus // rejection or withdrawal recorded before a stake was linked; otherwise empty
	// RejectionReason is the agent's message to the human; it can be empty. Until the application
	// is rejected, only the agent can read it.
	RejectionReason string
	CreatedAt       time.Time
}

// ApplicationStatusAt returns the status of an application at chain time now. decision is the
// Decision of the application. task is the escrow record of the application's task; nil if no
// posting is linked.
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

// LinkStake links a stake and sets the application's status at chain time now.
func (a *Application) LinkStake(s *Stake, task *EscrowTask, now time.Time) {
	a.Stake = s
	a.Status = ApplicationStatusAt(a.Decision, s, task, now)
}

// Reject records a rejection. It returns KindWrongStatus for an application with a stake, which
// must be rejected on the chain so that the stake is forfeited.
func (a *Application) Reject() error { return a.decide(ApplicationRejected) }

// Withdraw records a withdrawal. It returns KindWrongStatus for an application with a stake, which
// must be withdrawn on the chain so that the stake is returned.
func (a *Application) Withdraw() error { return a.decide(ApplicationWithdrawn) }

func (a *Application) decide(as ApplicationStatus) error {
	if a.Stake != nil || a.Status != ApplicationNew {
		return Errorf(KindWrongStatus, "the application is %s; only a new application without a stake can be rejected or withdrawn without a transaction", a.Status)
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
// decisions require such an application.
func (a *Application) CheckLive() error {
	if a.Status != ApplicationPending {
		return Errorf(KindWrongStatus, "the application is %s; only a pending application with a locked stake can be accepted or rejected", a.Status)
	}
	return nil
}
