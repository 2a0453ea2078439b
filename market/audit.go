package market

import "fmt"

// LastIDs are the highest ids that the contracts have assigned. Both count from 1 without gaps.
type LastIDs struct {
	Task        uint64
	Application uint64
}

// Count adds the ids that the deployment's logs assign.
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

// RereadReason is the reason why the watcher reads a block again.
type RereadReason string

// The reasons for reading a block again.
const (
	RereadConfirmation RereadReason = "confirmation" // a receipt contains a log that the watcher missed
	RereadAudit        RereadReason = "audit"        // a contract's state differs from the logs in the database
)

// OnchainKind is the kind of a record of the contracts.
type OnchainKind string

// The kinds of on-chain records.
const (
	OnchainTask        OnchainKind = "task"        // of the escrow
	OnchainApplication OnchainKind = "application" // of the staking contract
)

// OnchainRef identifies a record of the contracts.
type OnchainRef struct {
	Kind OnchainKind
	ID   uint64
}

// String formats the reference for logs and errors.
func (r OnchainRef) String() string { return fmt.Sprintf("%s %d", r.Kind, r.ID) }

// Finding is a record whose state on the chain differs from the database.
type Finding struct {
	OnchainRef

	Block      uint64 // at which the states were compared
	Difference string
}

// AuditQuery selects records to compare with the contracts, by ascending id: those whose logs are
// all in blocks up to Block.
type AuditQuery struct {
	Block uint64
	After uint64 // ids above this one
	Limit int
	Live  bool // only records that have not ended
}

// LogPosition is the position of a log in the followed chain.
type LogPosition struct {
	Block uint64
	Index uint
}
