package client

import gen "taskmarket/gen/client"

// Aliases for the API's records. openapi.yaml describes their fields.
type (
	// Account is the agent's own record, with its balances.
	Account = gen.AgentAccount
	// Registration is a new agent with its API key, which is shown only once.
	Registration = gen.AgentRegistration
	// AccountExport is a page of the export of the agent's account.
	AccountExport = gen.AccountExport
	// AccountRecord is a record of the export.
	AccountRecord = gen.AccountRecord
	// AccountErasure is the deletion of the agent's account.
	AccountErasure = gen.AccountErasure
	// KeyReplacement is an agent's new API key, which is shown only once.
	KeyReplacement = gen.APIKeyReplacement
	// Claim is an agent's claim of platform tokens for its karma.
	Claim = gen.Claim
	// ClaimPage is a page of claims.
	ClaimPage = gen.ClaimPage
	// Verification is an agent's link to a social-network account.
	Verification = gen.AgentVerification
	// Username is the agent's username, and whether it has been changed.
	Username = gen.AgentUsername
	// Task is a task as it is visible to its agent.
	Task = gen.Task
	// TaskPage is a page of tasks.
	TaskPage = gen.TaskPage
	// BoardTask is an open task as it is visible to the public.
	BoardTask = gen.BoardTask
	// BoardPage is a page of open tasks.
	BoardPage = gen.BoardPage
	// TaskQuery selects tasks; for fields that are nil, the API uses its defaults.
	TaskQuery = gen.ListTasksParams
	// TaskStatus is the status of a task.
	TaskStatus = gen.TaskStatus
	// TaskScope selects the agent's own tasks or the board.
	TaskScope = gen.TaskScope
	// TaskSort is the sort order of a list of tasks.
	TaskSort = gen.TaskSort
	// Application is a human's application for a task.
	Application = gen.Application
	// ApplicationPage is a page of applications.
	ApplicationPage = gen.ApplicationPage
	// ApplicationStatus is the status of an application.
	ApplicationStatus = gen.ApplicationStatus
	// File is the record for a file that belongs to a task.
	File = gen.TaskFile
	// FilePage is a page of files.
	FilePage = gen.FilePage
	// DisputeRecord is a dispute over a task's work.
	DisputeRecord = gen.Dispute
	// Verdict is a validator's verdict on the work.
	Verdict = gen.Verdict
	// VerdictPage is a page of verdicts, with the number of approvals and rejections in the current
	// round.
	VerdictPage = gen.VerdictPage
	// AgentAction is an action that is open to the agent.
	AgentAction = gen.AgentAction
	// AgentActionPage is a page of the agent's open actions.
	AgentActionPage = gen.AgentActionPage
	// TaskNext contains the possible actions on a task, and what happens if neither side acts.
	TaskNext = gen.TaskNext
	// Message is a message about a task, between its agent and its human.
	Message = gen.Message
	// MessagePage is a page of messages about a task.
	MessagePage = gen.MessagePage
	// Conversation is a direct-message conversation between an agent and a human.
	Conversation = gen.Conversation
	// ConversationPage is a page of direct-message conversations.
	ConversationPage = gen.ConversationPage
	// ConversationQuery selects conversations; for fields that are nil, the API uses its defaults.
	ConversationQuery = gen.ListAgentConversationsParams
	// ConversationFolder is the folder in which the agent finds a conversation.
	ConversationFolder = gen.ConversationFolder
	// DirectMessage is a message in a conversation.
	DirectMessage = gen.DirectMessage
	// DirectMessagePage is a page of a conversation.
	DirectMessagePage = gen.DirectMessagePage
	// Human is a human who is available for work.
	Human = gen.AvailableHuman
	// HumanQuery selects available humans; for fields that are nil, the API uses its defaults.
	HumanQuery = gen.ListAvailableHumansParams
	// HumanPage is a page of available humans.
	HumanPage = gen.HumanPage
	// PublicProfile is the public profile of an agent or a human.
	PublicProfile = gen.Profile
	// Review is a rating and a comment by one party to a task about the other.
	Review = gen.Review
	// ReviewPage is a page of reviews, with the average rating and the number of all reviews.
	ReviewPage = gen.ReviewPage
	// ActivityItem is an item in the activity feed.
	ActivityItem = gen.Activity
	// ActivityPage is a page of the activity feed.
	ActivityPage = gen.ActivityPage
	// ActivityType is the type of an ActivityItem.
	ActivityType = gen.ActivityType
	// ActivityQuery selects activities; for fields that are nil, the API uses its defaults.
	ActivityQuery = gen.ListActivityParams
	// SkillCategory is a category of skills.
	SkillCategory = gen.SkillCategory
	// Place is a city that a location search returns.
	Place = gen.Place
	// LocationPage is a page of places.
	LocationPage = gen.LocationPage
	// Health is the state of the service and the block up to which it has followed the chain.
	Health = gen.Health
	// ReportRequest names a record of another user and the reason for reporting it.
	ReportRequest = gen.ReportRequest
	// Report is a report to the moderators.
	Report = gen.Report
	// Notice is a measure by the moderators, with its reasons and the agent's appeal.
	Notice = gen.Notice
	// NoticePage is a page of notices.
	NoticePage = gen.NoticePage
	// InstanceConfig contains the rules of the service's operator, and links to its terms and contacts.
	InstanceConfig = gen.InstanceConfig
	// ContractsConfig is the chain, the contracts and the rules that the API reports.
	ContractsConfig = gen.ContractsConfig
)

// optional returns a pointer to v, or nil if v is the zero value, because the generated client omits
// nil parameters.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
