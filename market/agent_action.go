package market

import (
	"time"

	"github.com/google/uuid"
)

// AgentActionKind is the kind of a pending action of an agent.
type AgentActionKind string

// The kinds of pending actions.
const (
	AgentActionReviewApplication AgentActionKind = "review_application" // it is staked: accept or reject it
	AgentActionReviewSubmission  AgentActionKind = "review_submission"  // approve or dispute the work
	AgentActionAnswerDispute     AgentActionKind = "answer_dispute"     // the human's
	AgentActionCancelExpired     AgentActionKind = "cancel_expired"     // a task past its deadline: the amount is still locked
	AgentActionCancelPosting     AgentActionKind = "cancel_posting"     // a posting that funds no task
	AgentActionLeaveReview       AgentActionKind = "leave_review"       // of the human, after the task's end
)

// AgentAction is a pending action of an agent.
type AgentAction struct {
	Kind          AgentActionKind
	ID            uuid.UUID  // only orders the list
	TaskID        *uuid.UUID // of a posting: the task whose terms it names
	TaskTitle     string     // empty without TaskID
	ApplicationID *uuid.UUID
	CreatedAt     time.Time  // when the action became possible
	Deadline      *time.Time // chain time; nil without a deadline
	EscrowTask    EscrowTask // to be cancelled: ChainID, Escrow and ID; otherwise zero
	Finality      Finality
}
