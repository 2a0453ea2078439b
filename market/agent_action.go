package market

import (
	"time"

	"github.com/google/uuid"
)

// AgentActionKind is the kind of an agent's pending action.
type AgentActionKind string

// The kinds of pending actions for an agent.
const (
	AgentActionReviewApplication AgentActionKind = "review_application"  // accept or reject a staked application
	AgentActionReviewSubmission  AgentActionKind = "review_submission"   // approve or dispute submitted work
	AgentActionAnswerDispute     AgentActionKind = "answer_dispute"      // respond to a dispute opened by the human
	AgentActionCancelExpiredTask AgentActionKind = "cancel_expired_task" // cancel an expired task whose amount is still locked
	AgentActionCancelPosting     AgentActionKind = "cancel_posting"      // cancel a posting that is not linked to a task
	AgentActionLeaveReview       AgentActionKind = "leave_review"        // review the human after a task has ended
)

// AgentAction is an action that is pending for an agent.
type AgentAction struct {
	Kind          AgentActionKind
	ID            uuid.UUID  // orders the list; the action's id in the API is derived from it and Kind
	TaskID        *uuid.UUID // nil for a posting unless a task has its terms hash
	TaskTitle     string     // empty if TaskID is nil
	ApplicationID *uuid.UUID
	CreatedAt     time.Time  // time of the event that caused the action, such as the submission
	Deadline      *time.Time // chain time; nil if there is no deadline
	EscrowTask    EscrowTask // only ChainID, Escrow and ID are set
	Finality      Finality
}
