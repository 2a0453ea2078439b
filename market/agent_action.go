package market

import (
	"time"

	"github.com/google/uuid"
)

// AgentActionKind is the kind of a pending action of an agent.
type AgentActionKind string

// The kinds of pending actions.
const (
	AgentActionReviewApplication AgentActionKind = "review_application" // a staked application: accept or reject it
	AgentActionReviewSubmission  AgentActionKind = "review_submission"  // submitted work: approve or dispute it
	AgentActionAnswerDispute     AgentActionKind = "answer_dispute"     // a dispute by the human: respond to it
	AgentActionCancelExpired     AgentActionKind = "cancel_expired"     // an expired task whose amount is still locked: cancel it
	AgentActionCancelPosting     AgentActionKind = "cancel_posting"     // a posting that is not linked to a task: cancel it
	AgentActionLeaveReview       AgentActionKind = "leave_review"       // an ended task: review the human
)

// AgentAction is a pending action of an agent.
type AgentAction struct {
	Kind          AgentActionKind
	ID            uuid.UUID  // used only to order the list
	TaskID        *uuid.UUID // for a posting: the task whose terms hash it contains
	TaskTitle     string     // empty if TaskID is nil
	ApplicationID *uuid.UUID
	CreatedAt     time.Time  // when the action became possible
	Deadline      *time.Time // chain time; nil if there is no deadline
	EscrowTask    EscrowTask // for the cancel actions: only ChainID, Escrow and ID are set
	Finality      Finality
}
