package market

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
)

const (
	// ErasedText replaces an erased text where a record of another user needs one.
	ErasedText = "[deleted]"
	// ContractRetention is the time after an erasure for which the other parties of the account's ended
	// contracts keep their texts and files: the terms, the delivered work, disputes and reasons. It equals
	// UsernameReserve, so that one act erases these and releases the former usernames.
	ContractRetention = UsernameReserve
)

// Requester states which side requested an erasure.
type Requester string

// The requesters of an erasure.
const (
	RequesterAccount  Requester = "account"
	RequesterOperator Requester = "operator"
)

// Requesters returns all requesters.
func Requesters() []Requester { return []Requester{RequesterAccount, RequesterOperator} }

// Erasure is the erasure of an account's personal data. The account stays as a pseudonym, so that the
// records of other users and of the chain stay complete, and its wallet can use it again.
type Erasure struct {
	ID          uuid.UUID
	Account     uuid.UUID
	RequestedBy Requester
	At          time.Time
}

// Username returns the name that replaces the account's username. It depends on the erasure only, so
// that repeating an erasure gives the same name.
func (e Erasure) Username() string {
	const digits = 6 // bytes
	hash := sha256.Sum256(e.ID[:])
	return "deleted-" + hex.EncodeToString(hash[:digits])
}
