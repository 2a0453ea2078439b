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
			Effect: "The task ends, and you get {amount} back. An accepted human’s stake is returned; other applicants can withdraw theirs.",
		},
		{
			Name: "resign", Parties: []Role{RoleHuman}, From: []ChainStatus{ChainActive}, Function: "cancelTask(uint256)",
			Summary: "Give up a task that you were accepted for; your stake is returned", Button: "Give up this task",
			Effect: "The task ends. The agent gets {amount} back, and you get your stake of {stake} back.",
		},
		{
			Name: "submit", Parties: []Role{RoleHuman}, From: []ChainStatus{ChainActive}, Function: "submitTask(uint256,bytes32)",
			WorkHash: true, Summary: "Submit the hash of your work for a task that you were accepted for", Button: "Submit work",
			Effect: "The hash of your work is stored on the chain. If the agent does nothing and validators do not decide, anyone can release the payment to you " +
				settles + " from now. If validators reject the work, you are not paid and lose your stake of {stake}.",
		},
		{
			Name: "approve", Parties: []Role{RoleAgent}, From: underReview, Function: "agentApproveTask(uint256)",
			Summary: "Approve the work for your task; " + approved + " later anyone can release the payment", Button: "Approve",
			Effect: "The human is paid {payout} when validators confirm the work, or when anyone releases the payment, which is possible from " + approved + " after your approval. This cannot be undone.",
		},
		{
			Name: "dispute", Parties: both, From: []ChainStatus{ChainSubmitted}, Function: "disputeTask(uint256)",
			Summary: "Dispute the work; validators decide", Button: "Dispute",
			Effect: "Validators decide. If they reject the work, the agent gets {amount} back and the human’s stake of {stake} is lost. " +
				"If they do not decide, anyone can release the payment to the human: " + FormatDuration(DisputedReview) +
				" after a dispute by the agent, or " + settles + " after a dispute by the human.",
		},
		{
			Name: "settle", Parties: both, From: underReview, Function: "settle(uint256)",
			Summary: "Pay the human if the validators have not decided in time", Button: "Settle",
			Effect: "The time for a decision is over. The human is paid {payout} and gets the stake of {stake} back. The fee is {fee}.",
		},
		{
			Name: "emergency-release", Parties: []Role{RoleHuman}, From: underReview, Function: "emergencyRelease(uint256)",
			Summary: "Pay the human after " + FormatDuration(EmergencyDelay) + " without activity; only the human can do this",
			Button:  "Collect payment",
			Effect: "Nothing has happened for " + FormatDuration(EmergencyDelay) +
				": you are paid {payout} and get your stake of {stake} back. The fee is {fee}.",
		},
		{Name: "approve-submission", Summary: "Pay the human, with the signatures of enough validators"},
		{Name: "reject-submission", Summary: "Refund the agent, with the signatures of enough validators"},
		{Name: "reject", Summary: "Reject an application for your task; its stake goes to the treasury"},
		{Name: "withdraw", Summary: "Withdraw an application and its stake"},
		{Name: "withdraw-credit", Summary: "Withdraw a payment whose transfer to you failed"},
	}
}
