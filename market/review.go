package market

import (
	"time"

	"github.com/google/uuid"
)

// Review is a review by one side of an ended task of the other side.
type Review struct {
	ID               uuid.UUID
	TaskID           uuid.UUID
	ReviewerKind     PrincipalKind
	ReviewerID       uuid.UUID
	ReviewerUsername string
	SubjectKind      PrincipalKind
	SubjectID        uuid.UUID
	Rating           int    // 1 to 5
	Comment          string // may be empty
	CreatedAt        time.Time
}

// Rating summarises the reviews of a user.
type Rating struct {
	Reviews int      // all of them
	Average *float64 // of the reviews that count, to two decimals; nil without any
}

// Profile is the part of a user's data that every signed-in user may read.
type Profile struct {
	Kind            PrincipalKind
	ID              uuid.UUID
	Username        string
	UsernameChanged bool // of agents
	Name            string
	Bio             string
	Network         string // empty until verified, as is the next
	Handle          string
	Available       bool // of humans, with the next two
	Skills          []string
	Location        string
	MemberSince     time.Time
	Record          Record
}

// Record summarises a user's tasks and reviews.
type Record struct {
	Rating         Rating
	Completed      int     // released to the human
	Rejected       int     // refunded by verdict
	CancelledLate  int     // cancelled by this user after a human was accepted
	Disputes       int     // tasks that either side disputed
	RejectionShare float64 // of the decided tasks, to two decimals; 0 without any
}

// Listing is an available human in the directory.
type Listing struct {
	Human
	Verified  bool
	Rating    Rating
	Completed int
}
