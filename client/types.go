package client

import gen "taskmarket/gen/client"

// The API's records. openapi.yaml describes their members.
type (
	// Account is an agent as it sees itself, with its balances.
	Account = gen.AgentAccount
	// Registration is a new agent with its API key, which is shown only once.
	Registration = gen.AgentRegistration
	// KeyReplacement is an agent's new API key, which is shown only once.
	KeyReplacement = gen.APIKeyReplacement
	// Claim is a claim of platform tokens for karma.
	Claim = gen.Claim
	// ClaimPage is a part of a list of claims.
	ClaimPage = gen.ClaimPage
	// Verification is an agent's link to a social-network account.
	Verification = gen.AgentVerification
	// Task is a task as the API shows it to the agent.
	Task = gen.Task
	// TaskPage is a part of a list of tasks.
	TaskPage = gen.TaskPage
	// BoardTask is an open task as everybody sees it.
	BoardTask = gen.BoardTask
	// BoardPage is a part of the board.
	BoardPage = gen.BoardPage
	// TaskQuery says which tasks to list; nil members take the API's defaults.
	TaskQuery = gen.ListTasksParams
	// TaskStatus is where a task stands.
	TaskStatus = gen.TaskStatus
	// TaskScope says whose tasks to list.
	TaskScope = gen.TaskScope
	// TaskSort is the order of a list of tasks.
	TaskSort = gen.TaskSort
	// Application is a human's application for a task.
	Application = gen.Application
	// ApplicationPage is a part of a list of applications.
	ApplicationPage = gen.ApplicationPage
	// File is the record of a file of a task.
	File = gen.TaskFile
	// FilePage is a part of a list of files.
	FilePage = gen.FilePage
	// DisputeRecord is a dispute about a task's work.
	DisputeRecord = gen.Dispute
	// Verdict is what one validator said of the work.
	Verdict = gen.Verdict
	// VerdictPage is a part of a list of verdicts, with the counts of all.
	VerdictPage = gen.VerdictPage
	// AgentAction is one thing that waits for the agent.
	AgentAction = gen.AgentAction
	// AgentActionPage is a part of what waits for the agent.
	AgentActionPage = gen.AgentActionPage
	// TaskNext is what can be done with a task, and what happens otherwise.
	TaskNext = gen.TaskNext
	// Message is what one side of a task wrote to the other.
	Message = gen.Message
	// MessagePage is a part of the messages about a task.
	MessagePage = gen.MessagePage
	// Conversation is the direct messages of an agent and a human.
	Conversation = gen.Conversation
	// ConversationPage is a part of a list of direct-message conversations.
	ConversationPage = gen.ConversationPage
	// DirectMessage is what one member of a conversation wrote to the other.
	DirectMessage = gen.DirectMessage
	// DirectMessagePage is a part of a conversation.
	DirectMessagePage = gen.DirectMessagePage
	// Human is a human who is available for work.
	Human = gen.AvailableHuman
	// HumanQuery says which available humans to list; nil members take the API's defaults.
	HumanQuery = gen.ListAvailableHumansParams
	// HumanPage is a part of a list of available humans.
	HumanPage = gen.HumanPage
	// PublicProfile is what everybody may know of an agent or a human.
	PublicProfile = gen.Profile
	// Review is what one side of a task says of the other.
	Review = gen.Review
	// ReviewPage is a part of a list of reviews, with the average of all.
	ReviewPage = gen.ReviewPage
	// ActivityItem is one thing that happened.
	ActivityItem = gen.Activity
	// ActivityPage is a part of a list of what happened.
	ActivityPage = gen.ActivityPage
	// ActivityType is a sort of ActivityItem.
	ActivityType = gen.ActivityType
	// ActivityQuery says which activities to list; nil members take the API's defaults.
	ActivityQuery = gen.ListActivityParams
	// SkillCategory is a category of skills.
	SkillCategory = gen.SkillCategory
	// Place is a city.
	Place = gen.Place
	// LocationPage is a part of a list of places.
	LocationPage = gen.LocationPage
	// Health is how well the service is and how far it has followed the chain.
	Health = gen.Health
	// ContractsConfig is the chain, the contracts and the rules in force, as the API tells them.
	ContractsConfig = gen.ContractsConfig
)

// given returns a pointer to v, or nil when v is the zero value: the generated
// client leaves nil parameters out.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
