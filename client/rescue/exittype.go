package rescue

import (
	"math/big"
	"slices"

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
	effect  func(p *Plan, e *market.EscrowTask, role market.Role) // completes the plan for an exit that concerns a task
}

// ExitTypes returns all exits.
func ExitTypes() []ExitType {
	exits := append(taskExitTypes(), otherExitTypes()...)
	for _, exit := range market.Exits() {
		i := slices.IndexFunc(exits, func(w ExitType) bool { return w.Name == exit.Name })
		exits[i].Short = exit.Summary
	}
	return exits
}

func taskExitTypes() []ExitType {
	cancel := onTask((*chain.Contracts).CancelTask)
	return []ExitType{
		{
			Name: ExitCancel, Subject: SubjectTask, Action: market.ActionCancel, call: cancel,
			effect: refunds("The task ends. Its amount is refunded to this wallet. An accepted human's stake is returned; other applicants can withdraw theirs."),
		},
		{
			Name: ExitResign, Subject: SubjectTask, Action: market.ActionResign, call: cancel,
			effect: resigns,
		},
		{
			Name: ExitSubmit, Subject: SubjectTask, Action: market.ActionSubmit, Needs: NeedWorkHash,
			call: func(c *chain.Contracts, d market.Deployment, o Request) chain.Call {
				return c.SubmitTask(d.Escrow, o.ID, o.WorkHash)
			},
			effect: states("The work is submitted. If the agent neither approves nor disputes it and the validators do not decide, anyone can release the payment " +
				market.FormatDuration(market.SettleDelay) + " from now. If the validators reject the work, this wallet is not paid and loses its stake."),
		},
		{
			Name: ExitApprove, Subject: SubjectTask, Action: market.ActionApprove, call: onTask((*chain.Contracts).ApproveTask),
			effect: states("The work is approved, and this cannot be undone. The validators release the payment, or anyone can " + market.FormatDuration(market.ApprovedReview) + " from now."),
		},
		{
			Name: ExitDispute, Subject: SubjectTask, Action: market.ActionDispute, call: onTask((*chain.Contracts).DisputeTask),
			effect: states("The validators decide. If they reject the work, the amount is refunded to the agent and the human loses the stake. " +
				"If they do not decide, anyone can release the payment to the human: " + market.FormatDuration(market.DisputedReview) +
				" from now if the agent disputes, or " + market.FormatDuration(market.SettleDelay) + " from now if the human does."),
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
			effect: pays,
		},
		{
			Name: ExitRejectSubmission, Subject: SubjectTask, Action: market.ActionVerdict, Needs: NeedSignatures,
			call:   byVerdict((*chain.Contracts).RejectSubmission),
			effect: refunds("The amount is refunded to the agent. The human's stake goes to the treasury."),
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
			Name: ExitWithdrawCredit, Subject: SubjectWallet,
			call: func(c *chain.Contracts, _ market.Deployment, o Request) chain.Call {
				return c.WithdrawCredit(o.contract, o.Wallet)
			},
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

// states returns an effect that only sets the plan's consequence, for an exit that moves no money
// at once.
func states(consequence string) func(*Plan, *market.EscrowTask, market.Role) {
	return func(p *Plan, _ *market.EscrowTask, _ market.Role) { p.Consequence = consequence }
}

// refunds returns an effect that completes the plan for an exit that returns the amount to the
// agent.
func refunds(consequence string) func(*Plan, *market.EscrowTask, market.Role) {
	return func(p *Plan, e *market.EscrowTask, role market.Role) {
		p.Consequence = consequence
		if role == market.RoleAgent {
			p.Receives = e.Amount
		}
	}
}

// pays completes the plan for a release: the human receives the stake and the amount minus the fee.
func pays(p *Plan, e *market.EscrowTask, role market.Role) {
	p.Consequence = "The human receives the amount minus the fee, and gets the stake back."
	p.Fee, p.Payout = market.Fee(e.Amount, e.FeeBasisPoints), market.Payout(e.Amount, e.FeeBasisPoints)
	if role != market.RoleHuman {
		return
	}
	p.Receives = new(big.Int).Add(p.Payout, market.RequiredStake(e.Amount))
}

// resigns completes the plan for a cancellation by the human.
func resigns(p *Plan, e *market.EscrowTask, _ market.Role) {
	p.Consequence = "The task ends. Its amount is refunded to the agent, and the stake is returned to this wallet."
	p.Receives = market.RequiredStake(e.Amount)
}
