package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// File is a file that belongs to a task. The blob store contains its bytes under its id.
type File struct {
	ID           uuid.UUID
	TaskID       uuid.UUID
	Filename     string
	ContentType  string // as declared by the uploader; never used to serve the file
	Size         int64
	SHA256       common.Hash
	UploaderKind PrincipalKind
	UploaderID   uuid.UUID
	Submitted    bool // whether the file is part of the on-chain submission
	Shared       bool // whether users other than the uploader can read the file
	CreatedAt    time.Time
}

// Submission is work that a human has prepared. It takes effect when its hash is stored on the
// chain.
type Submission struct {
	ID        uuid.UUID
	TaskID    uuid.UUID
	HumanID   uuid.UUID
	Note      string
	ProofURL  string
	FileIDs   []uuid.UUID
	WorkHash  common.Hash
	CreatedAt time.Time
}

// DisputeStatus is the status of a dispute.
type DisputeStatus string

// The statuses of a dispute.
const (
	DisputeDraft        DisputeStatus = "draft"         // recorded, but no transaction is on the chain yet
	DisputeOpen         DisputeStatus = "open"          // waiting for the other side's response
	DisputeVoting       DisputeStatus = "voting"        // the validators are voting
	DisputeEscalated    DisputeStatus = "escalated"     // the voting window has passed without a decision
	DisputeAutoResolved DisputeStatus = "auto_resolved" // the payment was released after a timeout
	DisputeResolved     DisputeStatus = "resolved"      // decided by a verdict
)

// DisputeStatuses lists every status in life-cycle order.
func DisputeStatuses() []DisputeStatus {
	return []DisputeStatus{
		DisputeDraft, DisputeOpen, DisputeVoting, DisputeEscalated, DisputeAutoResolved, DisputeResolved,
	}
}

// Dispute is one party's objection to a submission.
type Dispute struct {
	ID          uuid.UUID
	TaskID      uuid.UUID
	FiledBy     PrincipalKind
	Reason      string
	Response    string
	RespondedAt *time.Time
	CreatedAt   time.Time
}

// StatusAt returns the status of the dispute at chain time now. e is the escrow record of the
// disputed task.
func (d *Dispute) StatusAt(e *EscrowTask, now time.Time) DisputeStatus {
	switch {
	case e == nil || e.DisputedAt.IsZero():
		return DisputeDraft
	case e.Status.Ended() && e.Verdict != nil:
		return DisputeResolved
	case e.Status.Ended():
		return DisputeAutoResolved
	case d.Response == "" && now.Before(e.DisputedAt.Add(ResponseWindow)):
		return DisputeOpen
	case now.Before(e.DisputedAt.Add(VotingWindow)):
		return DisputeVoting
	}
	return DisputeEscalated
}

// Verdict is a validator's signed decision on a task.
type Verdict struct {
	ID        uuid.UUID
	TaskID    uuid.UUID
	Round     uint8
	Validator common.Address
	HumanID   uuid.UUID
	Approved  bool
	Reason    string
	WorkHash  common.Hash
	Signature []byte
	CreatedAt time.Time
}

// ActivityType groups the items of the activity feed.
type ActivityType string

// The types of activity items.
const (
	ActivityTask        ActivityType = "task"
	ActivityApplication ActivityType = "application"
	ActivityPayout      ActivityType = "payout"
	ActivityDispute     ActivityType = "dispute"
	ActivityReview      ActivityType = "review"
	ActivityClaim       ActivityType = "claim"
	ActivityMessage     ActivityType = "message"
	ActivityDM          ActivityType = "dm"
)

// ActivityTypes lists every type.
func ActivityTypes() []ActivityType {
	return []ActivityType{
		ActivityTask, ActivityApplication, ActivityPayout, ActivityDispute,
		ActivityReview, ActivityClaim, ActivityMessage, ActivityDM,
	}
}

// ActivityStatus is the finality of an item in the activity feed.
type ActivityStatus string

// The statuses of an activity item.
const (
	ActivityPending   ActivityStatus = "pending"   // on the chain, but not finalized
	ActivityConfirmed ActivityStatus = "confirmed" // finalized, or not an on-chain event
	ActivityReverted  ActivityStatus = "reverted"  // dropped by a reorganisation
)

// Activity is an item in one party's feed.
type Activity struct {
	ID         uuid.UUID
	Audience   PrincipalKind
	AudienceID uuid.UUID
	Type       ActivityType
	Content    ActivityContent
	TaskID     *uuid.UUID   // nil if the item is not about a task
	TaskTitle  string       // title written by the agent; empty if the item is not about a task
	OtherName  string       // name of the other party; empty if the item is not about one
	Amount     *big.Int     // nil if the item is not about money
	TxHash     *common.Hash // nil if the item is not about a transaction
	RelatedID  *uuid.UUID
	Status     ActivityStatus
	CreatedAt  time.Time

	OtherUsername string // empty if the item is not about another party
}
