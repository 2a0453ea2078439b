package rescue

import (
	"slices"
	"time"

	"taskmarket/market"
)

// Subject is the kind of record that the ID in an exit identifies.
type Subject string

// The possible values of Subject.
const (
	SubjectTask        Subject = "task"
	SubjectApplication Subject = "application"
	SubjectWallet      Subject = "wallet"
)

// Need is an input that an exit requires in addition to an ID.
type Need string

// The possible values of Need.
const (
	NeedNothing    Need = ""
	NeedWorkHash   Need = "work_hash"
	NeedSignatures Need = "signatures" // signatures by a quorum of validators over Verdict.Data
)

// The names of the exits that are not market.Act.Exit.
const (
	ExitApproveSubmission = "approve-submission"
	ExitRejectSubmission  = "reject-submission"
	ExitWithdrawCredit    = "withdraw-credit"
)

// Exit is an exit that is open to a wallet now or will be later.
type Exit struct {
	Name   string
	ID     uint64    // ID of the task or the application; 0 for a credit
	Opens  time.Time // when the exit opens; zero: already open
	Closes time.Time // when the exit closes; zero: unknown
	Needs  Need
}

// exitNamed returns the exit with the name.
func exitNamed(name string) (ExitType, error) {
	ways := ExitTypes()
	i := slices.IndexFunc(ways, func(w ExitType) bool { return w.Name == name })
	if i < 0 {
		return ExitType{}, market.Errorf(market.KindInvalid, "unknown exit %q", name)
	}
	return ways[i], nil
}

// roleFor returns the role with which the rules are checked for a wallet with the given role. For a
// verdict it is always the validator's role, because anyone with the validators' signatures may
// submit it.
func (w ExitType) roleFor(role market.Role) market.Role {
	if w.Needs == NeedSignatures {
		return market.RoleValidator
	}
	return role
}

// noEffect reports whether the contract rejects the exit for a reason that package market does not
// check: once the agent has approved the work, no verdict can reject it.
func (w ExitType) noEffect(e *market.EscrowTask) bool {
	return w.Name == ExitRejectSubmission && e.AgentApproved
}

// taskExits returns the task's exits that are open to the role now or will be later.
func taskExits(t *market.Task, role market.Role, now time.Time) []Exit {
	var exits []Exit
	for _, exit := range ExitTypes() {
		if exit.Subject != SubjectTask || exit.noEffect(t.Escrow) {
			continue
		}
		for _, option := range t.AllowedActions(exit.roleFor(role), now) {
			if option.Action == exit.Act.Action {
				exits = append(exits, exit.exit(t.Escrow.ID, option))
			}
		}
	}
	return exits
}

// stakeExits returns the exits for a locked stake that are open to the role.
func stakeExits(s *market.Stake, status market.ApplicationStatus, t *market.Task, role market.Role, now time.Time) []Exit {
	var exits []Exit
	for _, exit := range ExitTypes() {
		if exit.Subject != SubjectApplication || exit.Act.Money == market.MoneyForfeited && status != market.ApplicationPending {
			continue
		}
		for _, option := range t.AllowedActions(role, now) {
			if option.Action != exit.Act.Action {
				continue
			}
			if exit.Act.Money == market.MoneyForfeited {
				option.Closes = s.ExpiresAt
			}
			exits = append(exits, exit.exit(s.ID, option))
		}
	}
	return exits
}

func (w ExitType) exit(id uint64, option market.AllowedAction) Exit {
	return Exit{Name: w.Name, ID: id, Opens: option.Opens, Closes: option.Closes, Needs: w.Needs}
}
