package rescue

import (
	"math/big"
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
	Action  market.Action // the action in package market; "" if that package has no action for the exit
	Short   string        // short description for lists
	call    func(c *chain.Contracts, d market.Deployment, o Request) chain.Call
	moves   func(p *Plan, e *market.EscrowTask, role market.Role) // completes the amounts of the plan for a task; nil if none move
	effect  string                                                // if empty, the effect of the action
}

// effectFor returns what the exit does, addressed to the party that performs it.
func (x ExitType) effectFor(role market.Role) string {
	if x.effect == "" {
		return market.ActOf(x.Action).EffectInWords(role)
	}
	return x.effect
}

// ExitTypes returns all exits.
func ExitTypes() []ExitType {
	exits := append(taskExitTypes(), otherExitTypes()...)
	for i := range exits {
		if exits[i].Short == "" {
			does := market.ActOf(exits[i].Action).Does
			exits[i].Short = strings.ToUpper(does[:1]) + does[1:]
		}
	}
	return exits
}

func taskExitTypes() []ExitType {
	cancel := onTask((*chain.Contracts).CancelTask)
	return []ExitType{
		{Name: ExitCancel, Subject: SubjectTask, Action: market.ActionCancel, call: cancel, moves: refunds},
		{Name: ExitResign, Subject: SubjectTask, Action: market.ActionResign, call: cancel, moves: returnsStake},
		{
			Name: ExitSubmit, Subject: SubjectTask, Action: market.ActionSubmit, Needs: NeedWorkHash,
			call: func(c *chain.Contracts, d market.Deployment, o Request) chain.Call {
				return c.SubmitTask(d.Escrow, o.ID, o.WorkHash)
			},
		},
		{Name: ExitApprove, Subject: SubjectTask, Action: market.ActionApprove, call: onTask((*chain.Contracts).ApproveTask)},
		{Name: ExitDispute, Subject: SubjectTask, Action: market.ActionDispute, call: onTask((*chain.Contracts).DisputeTask)},
		{Name: ExitSettle, Subject: SubjectTask, Action: market.ActionSettle, call: onTask((*chain.Contracts).Settle), moves: pays},
		{
			Name: ExitEmergencyRelease, Subject: SubjectTask, Action: market.ActionEmergency,
			call: onTask((*chain.Contracts).EmergencyRelease), moves: pays,
		},
		{
			Name: ExitApproveSubmission, Subject: SubjectTask, Action: market.ActionVerdict, Needs: NeedSignatures,
			Short: "Pay the human, with the signatures of enough validators",
			call:  byVerdict((*chain.Contracts).ApproveSubmission), moves: pays,
			effect: "The human receives the amount minus the fee, and gets the stake back.",
		},
		{
			Name: ExitRejectSubmission, Subject: SubjectTask, Action: market.ActionVerdict, Needs: NeedSignatures,
			Short: "Refund the agent, with the signatures of enough validators",
			call:  byVerdict((*chain.Contracts).RejectSubmission), moves: refunds,
			effect: "The agent gets the amount back. The human loses the stake to the treasury.",
		},
	}
}

func otherExitTypes() []ExitType {
	return []ExitType{
		{
			Name: ExitReject, Subject: SubjectApplication, Action: market.ActionReject,
			call: onStake((*chain.Contracts).RejectApplication),
		},
		{
			Name: ExitWithdraw, Subject: SubjectApplication, Action: market.ActionWithdraw,
			call: onStake((*chain.Contracts).WithdrawStake),
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

// refunds completes the plan for an exit that returns the amount to the agent.
func refunds(p *Plan, e *market.EscrowTask, role market.Role) {
	if role == market.RoleAgent {
		p.Receives = e.Amount
	}
}

// returnsStake completes the plan for a cancellation by the human.
func returnsStake(p *Plan, e *market.EscrowTask, _ market.Role) {
	p.Receives = market.RequiredStake(e.Amount)
}

// pays completes the plan for a release: the human receives the stake and the amount minus the fee.
func pays(p *Plan, e *market.EscrowTask, role market.Role) {
	p.Fee, p.Payout = market.Fee(e.Amount, e.FeeBasisPoints), market.Payout(e.Amount, e.FeeBasisPoints)
	if role == market.RoleHuman {
		p.Receives = new(big.Int).Add(p.Payout, market.RequiredStake(e.Amount))
	}
}
