package server_test

import (
	"testing"

	"taskmarket/market"
)

// The limits in openapi.yaml equal those in package market, so that a request that passes
// validation is not refused later because of a limit.
func TestDocumentHasTheMarketsLimits(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatalf("read openapi.yaml: %v", err)
	}
	for _, field := range []struct {
		schema, member string
		most           uint64
	}{
		{"Username", "", market.MaxUsername},
		{"Skill", "", market.MaxSkill},
		{"Location", "", market.MaxLocation},
		{"HttpUrl", "", market.MaxURL},
		{"RegisterAgentRequest", "name", market.MaxName},
		{"RegisterAgentRequest", "bio", market.MaxBio},
		{"ChangeHumanRequest", "display_name", market.MaxName},
		{"ChangeHumanRequest", "bio", market.MaxBio},
		{"ChangeHumanRequest", "location", market.MaxLocation},
		{"ChangeHumanRequest", "skills", market.MaxSkills},
		{"CreateTaskRequest", "title", market.MaxTitle},
		{"CreateTaskRequest", "description", market.MaxDescription},
		{"CreateTaskRequest", "skills", market.MaxSkills},
		{"ApplyForTaskRequest", "application_message", market.MaxApplication},
		{"RejectApplicationRequest", "reason", market.MaxRejection},
		{"Application", "rejection_reason", market.MaxRejection},
		{"SubmitWorkRequest", "note", market.MaxNote},
		{"SubmitWorkRequest", "file_ids", market.MaxFilesPerTask},
		{"DisputeTaskRequest", "reason", market.MaxReason},
		{"AnswerDisputeRequest", "response", market.MaxReason},
		{"PostVerdictRequest", "reason", market.MaxReason},
		{"ReviewRequest", "comment", market.MaxReviewComment},
		{"MessageRequest", "content", market.MaxMessage},
		{"StartConversationRequest", "content", market.MaxMessage},
	} {
		schema := spec.Components.Schemas[field.schema].Value
		if field.member != "" {
			schema = schema.Properties[field.member].Value
		}
		most := schema.MaxLength
		if schema.Type.Is("array") {
			most = schema.MaxItems
		}
		if most == nil {
			t.Errorf("%s %s has no limit, want %d", field.schema, field.member, field.most)
		} else if *most != field.most {
			t.Errorf("%s %s allows at most %d, want %d", field.schema, field.member, *most, field.most)
		}
	}
}
