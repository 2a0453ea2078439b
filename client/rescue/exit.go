package rescue

import (
	"slices"
	"time"

	"taskmarket/market"
)

// Subject is what an exit is about: what its id counts.
type Subject string

// The subjects.
const (
	SubjectTask        Subject = "task"
	SubjectApplication Subject = "application"
	SubjectWallet      Subject = "wallet"
)

// Need is what an exit takes besides an id.
type Need string

// The needs.
const (
	NeedNothing    Need = ""
	NeedWorkHash   Need = "work_hash"
	NeedSignatures Need = "signatures" // of a quorum of the validators, over VerdictData
)

// The exits.
const (
	ExitCancel            = "cancel"
	ExitResign            = "resign"
	ExitSubmit            = "submit"
	ExitApprove           = "approve"
	ExitDispute           = "dispute"
	ExitSettle            = "settle"
	ExitEmergencyRelease  = "emergency-release"
	ExitApproveSubmission = "approve-submission"
	ExitRejectSubmission  = "reject-submission"
	ExitReject            = "reject"
	ExitWithdraw          = "withdraw"
	ExitWithdrawCredit    = "withdraw-credit"
)

// Exit is a way out that is open to a wallet, or will be.
type Exit struct {
	Name   string
	ID     uint64    // of the task or the application
	Opens  time.Time // zero: it is open
	Closes time.Time // zero: no end is known
	Needs  Need
}

// wayNamed returns the exit of the name.
func wayNamed(name string) (Way, error) {
	ways := Ways()
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Name == name })
	if i < 0 {
		return Way{}, market.Errorf(market.KindInvalid, "unknown exit %q", name)
	}
	return ways[i], nil
}

// actsAs is in whose role a wallet that has the given one takes the exit. A
// verdict needs the validators' signatures, and whoever has them may send them.
func (w Way) actsAs(role market.Role) market.Role {
	if w.Action == market.ActionVerdict {
		return market.RoleValidator
	}
	return role
}

// pointless reports whether the contract refuses the exit for a reason that the
// table of actions leaves to it: after the agent's approval no verdict rejects.
func (w Way) pointless(e *market.EscrowTask) bool {
	return w.Name == ExitRejectSubmission && e.AgentApproved
}

// taskExits lists the exits of a task that are or become open to the role.
func taskExits(t *market.Task, role market.Role, now time.Time) []Exit {
	var exits []Exit
	for _, way := range Ways() {
		if way.Subject != SubjectTask || way.pointless(t.Escrow) {
			continue
		}
		for _, option := range t.Options(way.actsAs(role), now) {
			if option.Action == way.Action {
				exits = append(exits, way.exit(t.Escrow.ID, option))
			}
		}
	}
	return exits
}

// stakeExits lists the exits of a live stake that are open to the role.
func stakeExits(s *market.Stake, status market.ApplicationStatus, t *market.Task, role market.Role, now time.Time) []Exit {
	var exits []Exit
	for _, way := range Ways() {
		if way.Subject != SubjectApplication || way.Action == market.ActionReject && status != market.ApplicationPending {
			continue
		}
		for _, option := range t.Options(role, now) {
			if option.Action != way.Action {
				continue
			}
			if way.Action == market.ActionReject {
				option.Closes = s.ExpiresAt
			}
			exits = append(exits, way.exit(s.ID, option))
		}
	}
	return exits
}

func (w Way) exit(id uint64, option market.Option) Exit {
	return Exit{Name: w.Name, ID: id, Opens: option.Opens, Closes: option.Closes, Needs: w.Needs}
}
