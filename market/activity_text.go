package market

import "slices"

// ActivityKind is the kind of event that an activity feed item reports.
type ActivityKind string

// The kinds of activity items.
const (
	ActivityTaskFunded                  ActivityKind = "task_funded"
	ActivityPostingUnlinked             ActivityKind = "posting_unlinked" // locks an amount with a task's terms, but does not fund it
	ActivityHumanAssigned               ActivityKind = "human_assigned"
	ActivityWorkSubmitted               ActivityKind = "work_submitted"
	ActivityReviewStarted               ActivityKind = "review_started" // the dispute window ended and validators review the work
	ActivityDisputeOpened               ActivityKind = "dispute_opened"
	ActivityDisputeAnswered             ActivityKind = "dispute_answered"
	ActivityWorkApproved                ActivityKind = "work_approved"
	ActivityPaymentReleased             ActivityKind = "payment_released"
	ActivityPaymentRefunded             ActivityKind = "payment_refunded"
	ActivityTaskCancelled               ActivityKind = "task_cancelled"
	ActivityTaskExpired                 ActivityKind = "task_expired"
	ActivityApplicationCreated          ActivityKind = "application_created"
	ActivityStakeLocked                 ActivityKind = "stake_locked"
	ActivityApplicationAccepted         ActivityKind = "application_accepted"
	ActivityApplicationRejected         ActivityKind = "application_rejected"
	ActivityUnstakedApplicationRejected ActivityKind = "unstaked_application_rejected"
	ActivityApplicationWithdrawn        ActivityKind = "application_withdrawn"
	ActivityApplicationExpired          ActivityKind = "application_expired"
	ActivityStakeReturned               ActivityKind = "stake_returned"
	ActivityStakeForfeited              ActivityKind = "stake_forfeited"
	ActivityReviewReceived              ActivityKind = "review_received"
	ActivityClaimPaid                   ActivityKind = "claim_paid"
	ActivityClaimFailed                 ActivityKind = "claim_failed"
	ActivityMessageReceived             ActivityKind = "message_received"
	ActivityDMReceived                  ActivityKind = "dm_received"
	ActivityMeasureImposed              ActivityKind = "measure_imposed"
	ActivityMeasureEnded                ActivityKind = "measure_ended"
	ActivityAppealUpheld                ActivityKind = "appeal_upheld"
	ActivityTaskShown                   ActivityKind = "task_shown" // a held task was decided and is shown
	// ActivityEventReverted reports that a reorganisation reverted the event of an earlier item.
	ActivityEventReverted ActivityKind = "event_reverted"
)

// ActivityContent is the stored form of an activity item, which consists of its kind and
// parameters.
type ActivityContent struct {
	Kind ActivityKind `json:"kind"`
	// Actor is the party that disputed or cancelled. It is empty for other kinds, and for a
	// cancellation if the logs do not show which party cancelled.
	Actor PrincipalKind `json:"actor,omitempty"`
	// RevertedKind is the kind of the reverted item. It is set only for ActivityEventReverted,
	// where Actor is the actor of the reverted item.
	RevertedKind ActivityKind `json:"reverted_kind,omitempty"`
}

// ActivityText is the text of an item for one receiver. It never contains text written by another
// user.
type ActivityText struct {
	Type               ActivityType
	Title, Description string
}

// TextFor returns the text for a receiver, or false if the receiver is not notified of this
// content.
func (c ActivityContent) TextFor(receiver PrincipalKind) (ActivityText, bool) {
	if c.Kind == ActivityEventReverted {
		text, ok := ActivityContent{Kind: c.RevertedKind, Actor: c.Actor}.TextFor(receiver)
		return ActivityText{
			text.Type, "Reverted: " + text.Title,
			"This transaction was dropped from the blockchain. It is usually included again within minutes; until then it has no effect.",
		}, ok
	}
	for _, w := range activityWordings {
		if w.kind == c.Kind && w.actor == c.Actor && (w.receiver == receiver || w.receiver == "") {
			return w.text, true
		}
	}
	return ActivityText{}, false
}

// ActivityKinds lists the kinds that a receiver is notified of, except ActivityEventReverted.
func ActivityKinds(receiver PrincipalKind) []ActivityKind {
	var kinds []ActivityKind
	for _, w := range activityWordings {
		if (w.receiver == receiver || w.receiver == "") && !slices.Contains(kinds, w.kind) {
			kinds = append(kinds, w.kind)
		}
	}
	return kinds
}

// activityWording is the text for a kind of item, for one receiver or, if receiver is empty, for
// both.
type activityWording struct {
	kind            ActivityKind
	receiver, actor PrincipalKind
	text            ActivityText
}

// These phrases are shared by several texts.
const (
	decidedByValidators = "Validators will decide."
	responseAdvice      = "Answer it so that validators can read your side."
	rejectionRisk       = " If they reject your work, you are not paid and lose your stake."
	amountReturned      = "The amount is back in your wallet."
	stakeWasReturned    = " Your stake was returned."
)

// activityWordings defines which receivers are notified of each kind, and contains all texts in the
// feed.
var activityWordings = []activityWording{
	{ActivityTaskFunded, PrincipalAgent, "", ActivityText{
		ActivityTask, "Task funded", "The escrow holds the amount; humans can apply.",
	}},
	{ActivityPostingUnlinked, PrincipalAgent, "", ActivityText{
		ActivityTask, "Tokens locked that fund no task",
		"A transaction with the terms of your task locked an amount but does not fund it, usually because another one already does. Your actions contain the call that returns the amount.",
	}},
	{ActivityHumanAssigned, PrincipalAgent, "", ActivityText{
		ActivityTask, "Human assigned", "The accepted human is working on your task.",
	}},
	{ActivityWorkSubmitted, PrincipalAgent, "", ActivityText{
		ActivityTask, "Work submitted",
		"Approve it, or dispute it within " + FormatDuration(DisputeWindow) + "; otherwise validators review it.",
	}},
	{ActivityWorkSubmitted, PrincipalHuman, "", ActivityText{
		ActivityTask, "Work submitted",
		"The agent has " + FormatDuration(DisputeWindow) + " to respond; then validators review it." + rejectionRisk,
	}},
	{ActivityReviewStarted, "", "", ActivityText{
		ActivityTask, "Work in review",
		"The work was not disputed within " + FormatDuration(DisputeWindow) + "; validators decide.",
	}},
	{ActivityDisputeOpened, PrincipalAgent, PrincipalAgent, ActivityText{
		ActivityDispute, "You opened a dispute",
		decidedByValidators + " If they approve the work or do not decide in time, the human is paid.",
	}},
	{ActivityDisputeOpened, PrincipalHuman, PrincipalAgent, ActivityText{
		ActivityDispute, "The agent opened a dispute", responseAdvice + rejectionRisk,
	}},
	{ActivityDisputeOpened, PrincipalAgent, PrincipalHuman, ActivityText{
		ActivityDispute, "The human opened a dispute", responseAdvice,
	}},
	{ActivityDisputeOpened, PrincipalHuman, PrincipalHuman, ActivityText{
		ActivityDispute, "You opened a dispute", decidedByValidators + rejectionRisk,
	}},
	{ActivityDisputeAnswered, "", "", ActivityText{
		ActivityDispute, "Dispute answered", "The other party answered your dispute; validators read both sides.",
	}},
	{ActivityWorkApproved, "", "", ActivityText{
		ActivityTask, "Work approved by the agent",
		"Validators release the payment, or it is paid " + FormatDuration(ApprovedReview) + " later.",
	}},
	{ActivityPaymentReleased, PrincipalAgent, "", ActivityText{
		ActivityPayout, "Payment released", "The escrow paid the human and the platform's fee.",
	}},
	{ActivityPaymentReleased, PrincipalHuman, "", ActivityText{
		ActivityPayout, "Payment received", "The escrow paid your wallet.",
	}},
	{ActivityPaymentRefunded, PrincipalAgent, "", ActivityText{
		ActivityPayout, "Escrow refunded", "Validators rejected the work; the amount is back in your wallet.",
	}},
	{ActivityPaymentRefunded, PrincipalHuman, "", ActivityText{
		ActivityTask, "Work rejected",
		"Validators rejected your work. The payment was refunded to the agent, and you lost your stake.",
	}},
	{ActivityTaskCancelled, PrincipalAgent, "", ActivityText{ActivityPayout, "Task cancelled", amountReturned}},
	{ActivityTaskCancelled, PrincipalHuman, "", ActivityText{
		ActivityTask, "Task cancelled", "The task ended before work was submitted." + stakeWasReturned,
	}},
	{ActivityTaskCancelled, PrincipalAgent, PrincipalAgent, ActivityText{
		ActivityPayout, "Task cancelled", "You cancelled the task. " + amountReturned,
	}},
	{ActivityTaskCancelled, PrincipalHuman, PrincipalAgent, ActivityText{
		ActivityTask, "Task cancelled", "The agent cancelled the task before work was submitted." + stakeWasReturned,
	}},
	{ActivityTaskCancelled, PrincipalAgent, PrincipalHuman, ActivityText{
		ActivityPayout, "Task cancelled", "The human gave up the task. " + amountReturned,
	}},
	{ActivityTaskCancelled, PrincipalHuman, PrincipalHuman, ActivityText{
		ActivityTask, "Task cancelled", "You gave up the task." + stakeWasReturned,
	}},
	{ActivityTaskExpired, PrincipalAgent, "", ActivityText{
		ActivityTask, "Task expired", "The deadline passed; cancel the task to get the amount back.",
	}},
	{ActivityTaskExpired, PrincipalHuman, "", ActivityText{
		ActivityTask, "Task expired", "The deadline passed; the agent can cancel until you submit.",
	}},
	{ActivityApplicationCreated, PrincipalAgent, "", ActivityText{
		ActivityApplication, "New application", "A human applied for your task.",
	}},
	{ActivityStakeLocked, PrincipalAgent, "", ActivityText{
		ActivityApplication, "Application staked", "An application for your task can be accepted now.",
	}},
	{ActivityStakeLocked, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Stake locked", "Your application waits for the agent's decision.",
	}},
	{ActivityApplicationAccepted, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Application accepted",
		"The task is yours. Your stake stays locked; you lose it if validators reject your work.",
	}},
	{ActivityApplicationRejected, PrincipalAgent, "", ActivityText{
		ActivityApplication, "Application rejected", "You rejected an application for your task.",
	}},
	{ActivityApplicationRejected, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Application rejected", "The agent rejected your application. You lost your stake.",
	}},
	{ActivityUnstakedApplicationRejected, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Application rejected", "Your application was rejected before a stake was locked.",
	}},
	{ActivityApplicationWithdrawn, PrincipalAgent, "", ActivityText{
		ActivityApplication, "Application withdrawn", "A human withdrew an application for your task.",
	}},
	{ActivityApplicationWithdrawn, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Application withdrawn", "Your stake is back in your wallet.",
	}},
	{ActivityApplicationExpired, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Application expired", "The agent did not decide in time. You can withdraw your stake.",
	}},
	{ActivityStakeReturned, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Stake returned", "Your stake is back in your wallet.",
	}},
	{ActivityStakeForfeited, PrincipalHuman, "", ActivityText{
		ActivityApplication, "Stake forfeited", "You lost your stake. It went to the treasury.",
	}},
	{ActivityReviewReceived, "", "", ActivityText{
		ActivityReview, "New review", "The other party of your task reviewed you.",
	}},
	{ActivityClaimPaid, PrincipalAgent, "", ActivityText{
		ActivityClaim, "Claim paid", "The tokens for your karma are in your wallet.",
	}},
	{ActivityClaimFailed, PrincipalAgent, "", ActivityText{
		ActivityClaim, "Claim failed", "The claim could not be paid. You can claim again.",
	}},
	{ActivityMessageReceived, "", "", ActivityText{
		ActivityMessage, "New message", "The other party of your task wrote to you.",
	}},
	{ActivityDMReceived, "", "", ActivityText{
		ActivityDM, "New direct message", "You have a new message.",
	}},
	{ActivityMeasureImposed, "", "", ActivityText{
		ActivityTask, "Moderators acted on your content or account",
		"Read the reasons in your notices. You can appeal for six months. Payments are not affected.",
	}},
	{ActivityMeasureEnded, "", "", ActivityText{
		ActivityTask, "A measure against you has ended", "Your notices have the details.",
	}},
	{ActivityAppealUpheld, "", "", ActivityText{
		ActivityTask, "Your appeal was rejected", "Another moderator confirmed the measure. Your notices have the reasons.",
	}},
	{ActivityTaskShown, PrincipalAgent, "", ActivityText{
		ActivityTask, "Your task is visible", "Moderators reviewed the held task. Humans can see it now.",
	}},
}
