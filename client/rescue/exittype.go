package rescue

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

// ExitType describes one kind of exit.
type ExitType struct {
	Name    string
	Subject Subject
	Needs   Need
	Short   string     // short description for lists
	Act     market.Act // the zero value if package market has no action for the exit
	call    caller
	moves   func(p *Plan, e *market.EscrowTask, role market.Role) // completes the amounts of the plan for a task; nil if none move
	effect  string                                                // if empty, the effect of the action
}

// effectFor returns what the exit does, addressed to the party that performs it.
func (x ExitType) effectFor(role market.Role) string {
	if x.effect == "" {
		return x.Act.EffectInWords(role)
	}
	return x.effect
}

// ExitTypes returns all exits, those of tasks first: the acts with an exit, the verdicts, and the withdrawal of a
// credit.
func ExitTypes() []ExitType {
	var exits []ExitType
	for _, act := range market.Acts() {
		if act.Exit != "" {
			exits = append(exits, exitOf(act))
		}
	}
	exits = append(exits, otherExitTypes()...)
	subjects := []Subject{SubjectTask, SubjectApplication, SubjectWallet}
	slices.SortStableFunc(exits, func(a, b ExitType) int {
		return cmp.Compare(slices.Index(subjects, a.Subject), slices.Index(subjects, b.Subject))
	})
	return exits
}

// exitOf returns the exit for an act.
func exitOf(act market.Act) ExitType {
	x := ExitType{
		Name: act.Exit, Subject: SubjectTask, Act: act, call: calls[act.Exit], Short: strings.ToUpper(act.Does[:1]) + act.Does[1:],
	}
	if act.OnApplication() {
		x.Subject = SubjectApplication
	}
	if strings.Contains(act.Function, "bytes32") {
		x.Needs = NeedWorkHash
	}
	switch act.Money { //nolint:exhaustive // the others move no money at once, or a stake: see planStake
	case market.MoneyRefunded:
		x.moves = refunds
	case market.MoneyPaid:
		x.moves = pays
	}
	return x
}

// calls contains the call of each act's exit.
var calls = map[string]caller{
	"cancel":  onTask((*chain.Contracts).CancelTask),
	"resign":  onTask((*chain.Contracts).CancelTask),
	"approve": onTask((*chain.Contracts).ApproveTask),
	"dispute": onTask((*chain.Contracts).DisputeTask),
	"settle":  onTask((*chain.Contracts).Settle),
	"submit": func(c *chain.Contracts, d market.Deployment, o Request) chain.Call {
		return c.SubmitTask(d.Escrow, o.ID, o.WorkHash)
	},
	"emergency-release": onTask((*chain.Contracts).EmergencyRelease),
	"reject":            onStake((*chain.Contracts).RejectApplication),
	"withdraw":          onStake((*chain.Contracts).WithdrawStake),
}

// otherExitTypes returns the exits that are not the act of one party: anyone with the validators' signatures can
// submit a verdict, and a credit belongs to a wallet.
func otherExitTypes() []ExitType {
	verdict := market.ActOf(market.ActionVerdict)
	return []ExitType{
		{
			Name: ExitApproveSubmission, Subject: SubjectTask, Act: verdict, Needs: NeedSignatures,
			Short: "Pay the human, with the signatures of enough validators",
			call:  byVerdict((*chain.Contracts).ApproveSubmission), moves: pays,
			effect: "The human receives the amount minus the fee, and gets the stake back.",
		},
		{
			Name: ExitRejectSubmission, Subject: SubjectTask, Act: verdict, Needs: NeedSignatures,
			Short: "Refund the agent, with the signatures of enough validators",
			call:  byVerdict((*chain.Contracts).RejectSubmission), moves: takesBack,
			effect: "The agent gets the amount back. The human loses the stake to the treasury.",
		},
		{
			Name: ExitWithdrawCredit, Subject: SubjectWallet, Short: "Withdraw a payment whose transfer to you failed",
			call: func(c *chain.Contracts, _ market.Deployment, o Request) chain.Call {
				return c.WithdrawCredit(o.contract, o.Wallet)
			},
			effect: "The payment that the token rejected earlier is sent to this wallet.",
		},
	}
}

type caller = func(*chain.Contracts, market.Deployment, Request) chain.Call

func onTask(call func(c *chain.Contracts, escrow common.Address, id uint64) chain.Call) caller {
	return func(c *chain.Contracts, d market.Deployment, o Request) chain.Call { return call(c, d.Escrow, o.ID) }
}

func byVerdict(call func(c *chain.Contracts, escrow common.Address, id uint64, signatures [][]byte) chain.Call) caller {
	return func(c *chain.Contracts, d market.Deployment, o Request) chain.Call {
		return call(c, d.Escrow, o.ID, o.Signatures)
	}
}

func onStake(call func(c *chain.Contracts, id uint64) chain.Call) caller {
	return func(c *chain.Contracts, _ market.Deployment, o Request) chain.Call { return call(c, o.ID) }
}

// takesBack completes the plan for an exit that returns the amount to the agent.
func takesBack(p *Plan, e *market.EscrowTask, role market.Role) {
	if role == market.RoleAgent {
		p.Receives = e.Amount
	}
}

// refunds completes the plan for an exit that returns the amount to the agent, and an accepted human's stake.
func refunds(p *Plan, e *market.EscrowTask, role market.Role) {
	takesBack(p, e, role)
	if role == market.RoleHuman {
		p.Receives = market.RequiredStake(e.Amount)
	}
}

// pays completes the plan for a release: the human receives the stake and the amount minus the fee.
func pays(p *Plan, e *market.EscrowTask, role market.Role) {
	p.Fee, p.Payout = market.Fee(e.Amount, e.FeeBasisPoints), market.Payout(e.Amount, e.FeeBasisPoints)
	if role == market.RoleHuman {
		p.Receives = new(big.Int).Add(p.Payout, market.RequiredStake(e.Amount))
	}
}
