package client

import gen "taskmarket/gen/client"

// The API's records, as openapi.yaml describes them.
type (
	Account         = gen.AgentAccount
	Registration    = gen.AgentRegistration
	Verification    = gen.AgentVerification
	Task            = gen.Task
	TaskPage        = gen.TaskPage
	TaskQuery       = gen.ListTasksParams
	TaskStatus      = gen.TaskStatus
	Application     = gen.Application
	ApplicationPage = gen.ApplicationPage
	File            = gen.File
	FilePage        = gen.FilePage
	DisputeRecord   = gen.Dispute
	ActivityPage    = gen.ActivityPage
	ActivityQuery   = gen.ListActivityParams
	ContractsConfig = gen.ContractsConfig
)

// PageQuery asks for a part of a list: by Cursor, as the page before answered
// it, else by Page from 1. Zero members take the API's defaults.
type PageQuery struct {
	Page     int
	PageSize int
	Cursor   string
}

// given returns a pointer to v, or nil when v is the zero value: the generated
// client leaves nil parameters out.
func given[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
