package market

import (
	"time"

	"github.com/google/uuid"
)

// ChoreKind is the kind of a pending action of an agent.
type ChoreKind string

// The kinds of pending actions.
const (
	ChoreReviewApplication ChoreKind = "review_application" // it is staked: accept or reject it
	ChoreReviewSubmission  ChoreKind = "review_submission"  // approve or dispute the work
	ChoreAnswerDispute     ChoreKind = "answer_dispute"     // the human's
	ChoreCancelExpired     ChoreKind = "cancel_expired"     // a task past its deadline: the amount is still locked
	ChoreCancelPosting     ChoreKind = "cancel_posting"     // a posting that funds no task
	ChoreLeaveReview       ChoreKind = "leave_review"       // of the human, after the task's end
)

// Chore is a pending action of an agent.
type Chore struct {
	Kind          ChoreKind
	ID            uuid.UUID  // only orders the list
	TaskID        *uuid.UUID // of a posting: the task whose terms it names
	TaskTitle     string     // empty without TaskID
	ApplicationID *uuid.UUID
	CreatedAt     time.Time  // when the action became possible
	Deadline      *time.Time // chain time; nil without a deadline
	EscrowTask    EscrowTask // to be cancelled: ChainID, Escrow and ID; otherwise zero
	Finality      Finality
}
