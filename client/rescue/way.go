package rescue

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

// Way describes an exit for all tasks.
type Way struct {
	Name    string
	Subject Subject
	Needs   Need
	Action  market.Action // of market's table of who may do what, and when; "" where it has none
	Short   string        // what it does
	call    func(c *chain.Contracts, d market.Deployment, o Order) chain.Call
	effect  func(p *Plan, e *market.EscrowTask, role market.Role) // of an exit of a task, on its plan
}

// Ways lists every exit.
func Ways() []Way {
	ways := append(taskWays(), otherWays()...)
	for _, exit := range market.Exits() {
		i := slices.IndexFunc(ways, func(w Way) bool { return w.Action == exit.Action })
		ways[i].Short = exit.Summary
	}
	return ways
}

func taskWays() []Way {
	cancel := onTask((*chain.Contracts).CancelTask)
	return []Way{
		{
			Name: ExitCancel, Subject: SubjectTask, Action: market.ActionCancel, call: cancel,
			effect: refunds("The task ends, and its amount comes back to this wallet; applicants get their stakes back."),
		},
		{
			Name: ExitResign, Subject: SubjectTask, Action: market.ActionResign, call: cancel,
			effect: resigns,
		},
		{
			Name: ExitSubmit, Subject: SubjectTask, Action: market.ActionSubmit, Needs: NeedWorkHash,
			call: func(c *chain.Contracts, d market.Deployment, o Order) chain.Call {
				return c.SubmitTask(d.Escrow, o.ID, o.WorkHash)
			},
			effect: says("The work is delivered, and time runs: if the agent neither approves nor disputes it, anyone can pay it out " + market.FormatDuration(market.SettleDelay) + " from now."),
		},
		{
			Name: ExitApprove, Subject: SubjectTask, Action: market.ActionApprove, call: onTask((*chain.Contracts).ApproveTask),
			effect: says("The human is paid: by the validators, or " + market.FormatDuration(market.ApprovedReview) + " from now by anyone. It cannot be taken back."),
		},
		{
			Name: ExitDispute, Subject: SubjectTask, Action: market.ActionDispute, call: onTask((*chain.Contracts).DisputeTask),
			effect: says("The validators decide. If they do not, anyone can pay the human: after the agent's dispute " + market.FormatDuration(market.DisputedReview) +
				" from now, after the human's " + market.FormatDuration(market.SettleDelay) + "."),
		},
		{
			Name: ExitSettle, Subject: SubjectTask, Action: market.ActionSettle, call: onTask((*chain.Contracts).Settle),
			effect: pays,
		},
		{
			Name: ExitEmergencyRelease, Subject: SubjectTask, Action: market.ActionEmergency,
			call:   onTask((*chain.Contracts).EmergencyRelease),
			effect: pays,
		},
		{
			Name: ExitApproveSubmission, Subject: SubjectTask, Action: market.ActionVerdict, Needs: NeedSignatures,
			call:   byVerdict((*chain.Contracts).ApproveSubmission),
			Short:  "Pay the human by the validators' verdict",
			effect: pays,
		},
		{
			Name: ExitRejectSubmission, Subject: SubjectTask, Action: market.ActionVerdict, Needs: NeedSignatures,
			call:   byVerdict((*chain.Contracts).RejectSubmission),
			Short:  "Bring the amount back to the agent by the validators' verdict",
			effect: refunds("The amount goes back to the agent, and the human's stake to the treasury."),
		},
	}
}

func otherWays() []Way {
	return []Way{
		{
			Name: ExitReject, Subject: SubjectApplication, Action: market.ActionReject,
			call:  onStake((*chain.Contracts).RejectApplication),
			Short: "Reject an application as the task's agent; its stake goes to the treasury",
		},
		{
			Name: ExitWithdraw, Subject: SubjectApplication, Action: market.ActionWithdraw,
			call:  onStake((*chain.Contracts).WithdrawStake),
			Short: "Take an application back with its stake",
		},
		{
			Name: ExitWithdrawCredit, Subject: SubjectWallet,
			call: func(c *chain.Contracts, _ market.Deployment, o Order) chain.Call {
				return c.WithdrawCredit(o.contract, o.Wallet)
			},
			Short: "Fetch payments that the token refused when they were due",
		},
	}
}

type caller = func(*chain.Contracts, market.Deployment, Order) chain.Call

func onTask(call func(c *chain.Contracts, escrow common.Address, id uint64) chain.Call) caller {
	return func(c *chain.Contracts, d market.Deployment, o Order) chain.Call { return call(c, d.Escrow, o.ID) }
}

func byVerdict(call func(c *chain.Contracts, escrow common.Address, id uint64, signatures [][]byte) chain.Call) caller {
	return func(c *chain.Contracts, d market.Deployment, o Order) chain.Call {
		return call(c, d.Escrow, o.ID, o.Signatures)
	}
}

func onStake(call func(c *chain.Contracts, id uint64) chain.Call) caller {
	return func(c *chain.Contracts, _ market.Deployment, o Order) chain.Call { return call(c, o.ID) }
}

// says makes an effect that moves no money of the wallet's at once.
func says(consequence string) func(*Plan, *market.EscrowTask, market.Role) {
	return func(p *Plan, _ *market.EscrowTask, _ market.Role) { p.Consequence = consequence }
}

// refunds makes an effect that brings the amount back to the agent.
func refunds(consequence string) func(*Plan, *market.EscrowTask, market.Role) {
	return func(p *Plan, e *market.EscrowTask, role market.Role) {
		p.Consequence = consequence
		if role == market.RoleAgent {
			p.Receives = e.Amount
		}
	}
}

// pays is the effect of a release: the human gets the amount without the fee,
// and the stake back.
func pays(p *Plan, e *market.EscrowTask, role market.Role) {
	p.Consequence = "The human is paid the amount without the fee, and gets the stake back."
	p.Fee, p.Payout = market.Fee(e.Amount, e.FeeBasisPoints), market.Payout(e.Amount, e.FeeBasisPoints)
	if role != market.RoleHuman {
		return
	}
	p.Receives = new(big.Int).Add(p.Payout, market.RequiredStake(e.Amount))
}

// resigns is the effect of the human's cancellation.
func resigns(p *Plan, e *market.EscrowTask, _ market.Role) {
	p.Consequence = "The task ends: its amount goes back to the agent, and the stake comes back to this wallet."
	p.Receives = market.RequiredStake(e.Amount)
}
