package market

import (
	"time"

	"github.com/google/uuid"
)

// Review is one party's review of the other after a task has ended.
type Review struct {
	ID               uuid.UUID
	TaskID           uuid.UUID
	ReviewerKind     PrincipalKind
	ReviewerID       uuid.UUID
	ReviewerUsername string
	SubjectKind      PrincipalKind
	SubjectID        uuid.UUID
	Rating           int    // 1 to 5 stars
	Comment          string // can be empty
	AfterRejection   bool   // whether the reviewer was not hired and lost the stake because the agent rejected the application
	CreatedAt        time.Time
}

// Rating summarises a user's reviews.
type Rating struct {
	Reviews int      // number of all reviews
	Average *float64 // average of the ratings that count by the rules of karma, to two decimals; nil if there are none
}

// Profile is the part of a user's data that every signed-in user can read.
type Profile struct {
	Kind            PrincipalKind
	ID              uuid.UUID
	Username        string
	UsernameChanged bool // whether the username was changed; only for agents
	Name            string
	Bio             string
	Network         string // Network and Handle are empty until verified
	Handle          string
	Available       bool // Available and the next two fields are only set for humans
	Skills          []string
	Location        string
	MemberSince     time.Time
	Record          Record
	State           AccountState // empty means AccountGood
}

// Record summarises a user's tasks and reviews.
type Record struct {
	Rating        Rating
	CancelledLate int // tasks that this user cancelled after a human had been accepted
	Disputes      int // tasks that either side disputed
	Rejections    int // staked applications that the agent rejected; 0 for humans
}

// Listing is an available human in the directory of humans.
type Listing struct {
	Human
	Verified bool
	Rating   Rating
	Standing Standing // only Completed and Counterparties are set
}
