package market

import (
	"time"
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
