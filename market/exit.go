package market

// Exit is an action that requires only the contracts and not the service. The rescue command and
// the rescue page use the same table. The page has a button for each exit with a Button, and
// separate forms for verdicts and stakes.
type Exit struct {
	Name     string        // name of the subcommand of the rescue command
	Parties  []Role        // the parties that get the button on the page; empty if there is no button
	From     []ChainStatus // contract states in which the page shows the button
	Function string        // signature of the escrow contract's function; empty if there is no button
	WorkHash bool          // whether the function also takes the work hash as an argument
	Summary  string        // one-line description for a list of exits
	Button   string        // label of the button on the page, addressed to the party as "you"; empty if there is no button
	Effect   string        // explanation next to the button; {amount}, {payout}, {fee} and {stake} are replaced with the task's values
}

// Exits returns all exits. The contracts determine whether an exit is currently possible.
func Exits() []Exit {
	both, underReview := []Role{RoleAgent, RoleHuman}, []ChainStatus{ChainSubmitted, ChainDisputed}
	settles, approved := FormatDuration(SettleDelay), FormatDuration(ApprovedReview)
	return []Exit{
		{
			Name: "cancel", Parties: []Role{RoleAgent}, From: []ChainStatus{ChainPosted, ChainActive}, Function: "cancelTask(uint256)",
			Summary: "End a task without a submission; its amount is returned to the agent", Button: "Cancel",
			Effect: "The task ends: {amount} come back to you. An accepted human’s stake is returned; other applicants can withdraw theirs.",
		},
		{
			Name: "resign", Parties: []Role{RoleHuman}, From: []ChainStatus{ChainActive}, Function: "cancelTask(uint256)",
			Summary: "Give up a task as its human; the stake is returned", Button: "Give the task up",
			Effect: "The task ends: {amount} go back to the agent, and your stake of {stake} comes back to you.",
		},
		{
			Name: "submit", Parties: []Role{RoleHuman}, From: []ChainStatus{ChainActive}, Function: "submitTask(uint256,bytes32)",
			WorkHash: true, Summary: "Submit the hash of the work as the task's human", Button: "Deliver",
			Effect: "The hash of your work is stored on the chain. If the agent does nothing and the validators do not decide, anyone can pay you " +
				settles + " from now. If the validators reject the work, you are not paid and lose your stake of {stake}.",
		},
		{
			Name: "approve", Parties: []Role{RoleAgent}, From: underReview, Function: "agentApproveTask(uint256)",
			Summary: "Approve the work as the agent; " + approved + " later anyone can pay it out", Button: "Approve",
			Effect: "The human is paid {payout}: by the validators, or " + approved + " from now by anyone. This cannot be undone.",
		},
		{
			Name: "dispute", Parties: both, From: []ChainStatus{ChainSubmitted}, Function: "disputeTask(uint256)",
			Summary: "Dispute the work; the validators decide", Button: "Dispute",
			Effect: "The validators decide. If they reject the work, {amount} go back to the agent and the human’s stake of {stake} is lost. " +
				"If they do not decide, anyone can pay the human: after the agent’s dispute in " + FormatDuration(DisputedReview) +
				", after the human’s in " + settles + ".",
		},
		{
			Name: "settle", Parties: both, From: underReview, Function: "settle(uint256)",
			Summary: "Pay the human when the time for a decision is over", Button: "Settle",
			Effect: "The time for a decision is over: the human is paid {payout}, and gets the stake of {stake} back. The fee is {fee}.",
		},
		{
			Name: "emergency-release", Parties: []Role{RoleHuman}, From: underReview, Function: "emergencyRelease(uint256)",
			Summary: "Pay the human, on the human's request, after " + FormatDuration(EmergencyDelay) + " without activity",
			Button:  "Release in an emergency",
			Effect: "Nothing has happened for " + FormatDuration(EmergencyDelay) +
				": you are paid {payout}, and get your stake of {stake} back. The fee is {fee}.",
		},
		{Name: "approve-submission", Summary: "Submit a signed verdict to pay the human"},
		{Name: "reject-submission", Summary: "Submit a signed verdict to refund the agent"},
		{Name: "reject", Summary: "Reject an application as the task's agent; its stake goes to the treasury"},
		{Name: "withdraw", Summary: "Withdraw an application and its stake"},
		{Name: "withdraw-credit", Summary: "Withdraw payments whose transfer failed when they were due"},
	}
}
