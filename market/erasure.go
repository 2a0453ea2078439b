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
	// ContractRetention is the time after an erasure for which the other parties to the account's ended
	// tasks can still read the texts and files of these tasks: the terms, the delivered work, disputes
	// and reasons. It equals UsernameReserve, so the former usernames become available at the same time.
	ContractRetention = UsernameReserve
	// ErasureInterval is the minimum time between two erasures that an account requests. It limits the
	// records of erasures, which are never deleted.
	ErasureInterval = 24 * time.Hour
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

// Erasure is the erasure of an account's personal data. The account remains under a neutral name, so
// that the records of other users and of the chain stay complete. Its wallet can use the account again.
type Erasure struct {
	ID          uuid.UUID
	Account     uuid.UUID
	RequestedBy Requester
	At          time.Time
}

// Username returns the name that replaces the account's username. It depends only on the erasure's id,
// so that repeating an erasure gives the same name.
func (e Erasure) Username() string {
	const digits = 6 // in bytes; each is formatted as two hexadecimal digits
	hash := sha256.Sum256(e.ID[:])
	return "deleted-" + hex.EncodeToString(hash[:digits])
}
