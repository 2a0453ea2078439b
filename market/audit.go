package market

import "fmt"

// LastIDs are the highest ids that the contracts have given out; both count
// from 1 without gaps.
type LastIDs struct {
	Task        uint64
	Application uint64
}

// Count adds the ids that the deployment's logs open.
func (l LastIDs) Count(logs []Log, d Deployment) LastIDs {
	for _, log := range logs {
		switch {
		case log.Address == d.Escrow && log.Event.Kind == EventTaskPosted:
			l.Task++
		case log.Address == d.Staking && log.Event.Kind == EventStakeLocked:
			l.Application++
		}
	}
	return l
}

// RereadReason is why a followed block is read again.
type RereadReason string

// The reasons for which a block is read again.
const (
	RereadConfirmation RereadReason = "confirmation" // a receipt proves a log that was not followed
	RereadAudit        RereadReason = "audit"        // a contract's state differs from the logs that were followed
)

// OnchainKind is what an id of the contracts names.
type OnchainKind string

// The records of the contracts.
const (
	OnchainTask        OnchainKind = "task"        // of the escrow
	OnchainApplication OnchainKind = "application" // of the staking contract
)

// OnchainRef names a record of the contracts.
type OnchainRef struct {
	Kind OnchainKind
	ID   uint64
}

// String names the record, for logs and errors.
func (r OnchainRef) String() string { return fmt.Sprintf("%s %d", r.Kind, r.ID) }

// Finding is a record for which the contracts differ from the database.
type Finding struct {
	OnchainRef

	Block      uint64 // at which they were compared
	Difference string
}

// AuditQuery selects folded records to compare with the contracts: those whose
// logs are all in blocks up to Block, by ascending id.
type AuditQuery struct {
	Block uint64
	After uint64 // ids above this one
	Limit int
	Live  bool // only records that have not ended
}

// LogPlace is where a log stands in the chain that is followed.
type LogPlace struct {
	Block uint64
	Index uint
}
