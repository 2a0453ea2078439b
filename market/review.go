package market

import (
	"time"

	"github.com/google/uuid"
)

// Review is what one side of an ended task says of the other.
type Review struct {
	ID               uuid.UUID
	TaskID           uuid.UUID
	ReviewerKind     PrincipalKind
	ReviewerID       uuid.UUID
	ReviewerUsername string
	SubjectKind      PrincipalKind
	SubjectID        uuid.UUID
	Rating           int    // 1 to 5
	Comment          string // empty when not said
	CreatedAt        time.Time
}

// Rating is what the reviews of a user come to.
type Rating struct {
	Reviews int      // all of them
	Average *float64 // of those that count, to two decimals; nil without any
}

// Profile is what everybody who is signed in may know of a user.
type Profile struct {
	Kind        PrincipalKind
	ID          uuid.UUID
	Username    string
	Name        string
	Bio         string
	Network     string // empty until verified, as is the next
	Handle      string
	Available   bool // of humans, with the next two
	Skills      []string
	Location    string
	MemberSince time.Time
	Record      Record
}

// Record is what a user's tasks and reviews come to.
type Record struct {
	Rating         Rating
	Completed      int     // released to the human
	Rejected       int     // refunded by verdict
	CancelledLate  int     // cancelled by this user after a human was accepted
	Disputes       int     // tasks that either side disputed
	RejectionShare float64 // of the decided tasks, to two decimals; 0 without any
}

// Listing is how an available human is shown to those who look for one.
type Listing struct {
	Human
	Verified  bool
	Rating    Rating
	Completed int
}
