package client

import gen "taskmarket/gen/client"

// The API's records. openapi.yaml describes their fields.
type (
	// Account is the agent's own record, with its balances.
	Account = gen.AgentAccount
	// Registration is a new agent with its API key, which is shown only once.
	Registration = gen.AgentRegistration
	// KeyReplacement is an agent's new API key, which is shown only once.
	KeyReplacement = gen.APIKeyReplacement
	// Claim is a claim of platform tokens for karma.
	Claim = gen.Claim
	// ClaimPage is a page of claims.
	ClaimPage = gen.ClaimPage
	// Verification is an agent's link to a social-network account.
	Verification = gen.AgentVerification
	// Username is the agent's username, and whether it was changed.
	Username = gen.AgentUsername
	// Task is a task as its agent sees it.
	Task = gen.Task
	// TaskPage is a page of tasks.
	TaskPage = gen.TaskPage
	// BoardTask is an open task as the public sees it.
	BoardTask = gen.BoardTask
	// BoardPage is a page of the board.
	BoardPage = gen.BoardPage
	// TaskQuery selects tasks; nil fields take the API's defaults.
	TaskQuery = gen.ListTasksParams
	// TaskStatus is the status of a task.
	TaskStatus = gen.TaskStatus
	// TaskScope selects the agent's own tasks or the board.
	TaskScope = gen.TaskScope
	// TaskSort is the order of a list of tasks.
	TaskSort = gen.TaskSort
	// Application is a human's application for a task.
	Application = gen.Application
	// ApplicationPage is a page of applications.
	ApplicationPage = gen.ApplicationPage
	// File is the record of a file of a task.
	File = gen.TaskFile
	// FilePage is a page of files.
	FilePage = gen.FilePage
	// DisputeRecord is a dispute about a task's work.
	DisputeRecord = gen.Dispute
	// Verdict is one validator's verdict on the work.
	Verdict = gen.Verdict
	// VerdictPage is a page of verdicts, with the total counts.
	VerdictPage = gen.VerdictPage
	// AgentAction is one open action of the agent.
	AgentAction = gen.AgentAction
	// AgentActionPage is a page of the agent's open actions.
	AgentActionPage = gen.AgentActionPage
	// TaskNext is the possible actions on a task, and what happens without them.
	TaskNext = gen.TaskNext
	// Message is a message between the agent and the human of a task.
	Message = gen.Message
	// MessagePage is a page of messages about a task.
	MessagePage = gen.MessagePage
	// Conversation is the direct messages of an agent and a human.
	Conversation = gen.Conversation
	// ConversationPage is a page of direct-message conversations.
	ConversationPage = gen.ConversationPage
	// DirectMessage is a message in a conversation.
	DirectMessage = gen.DirectMessage
	// DirectMessagePage is a page of a conversation.
	DirectMessagePage = gen.DirectMessagePage
	// Human is a human who is available for work.
	Human = gen.AvailableHuman
	// HumanQuery selects available humans; nil fields take the API's defaults.
	HumanQuery = gen.ListAvailableHumansParams
	// HumanPage is a page of available humans.
	HumanPage = gen.HumanPage
	// PublicProfile is the public profile of an agent or a human.
	PublicProfile = gen.Profile
	// Review is one side's review of the other after a task.
	Review = gen.Review
	// ReviewPage is a page of reviews, with the average of all.
	ReviewPage = gen.ReviewPage
	// ActivityItem is one item of the activity feed.
	ActivityItem = gen.Activity
	// ActivityPage is a page of the activity feed.
	ActivityPage = gen.ActivityPage
	// ActivityType is the type of an ActivityItem.
	ActivityType = gen.ActivityType
	// ActivityQuery selects activities; nil fields take the API's defaults.
	ActivityQuery = gen.ListActivityParams
	// SkillCategory is a category of skills.
	SkillCategory = gen.SkillCategory
	// Place is a city.
	Place = gen.Place
	// LocationPage is a page of places.
	LocationPage = gen.LocationPage
	// Health is the state of the service and its position on the chain.
	Health = gen.Health
	// ContractsConfig is the chain, the contracts and the rules that the API reports.
	ContractsConfig = gen.ContractsConfig
)

// given returns a pointer to v, or nil when v is the zero value: the generated client omits nil
// parameters.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
