package market

import "fmt"

// LastIDs contains the highest task id and the highest application id that the contracts have
// assigned. Both count from 1 without gaps.
type LastIDs struct {
	Task        uint64
	Application uint64
}

// Count returns l increased by the number of ids that the deployment's contracts assigned in the
// logs.
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

// RereadReason explains why the watcher reads a block again.
type RereadReason string

// The reasons for reading a block again.
const (
	RereadConfirmation RereadReason = "confirmation" // a receipt contains a log that the watcher missed
	RereadAudit        RereadReason = "audit"        // a contract's state differs from the logs stored in the database
)

// OnchainKind is the kind of an on-chain record.
type OnchainKind string

// The kinds of on-chain records.
const (
	OnchainTask        OnchainKind = "task"        // a task in the escrow contract
	OnchainApplication OnchainKind = "application" // an application in the staking contract
)

// OnchainRef identifies an on-chain record.
type OnchainRef struct {
	Kind OnchainKind
	ID   uint64
}

// String formats the reference for logs and errors.
func (r OnchainRef) String() string { return fmt.Sprintf("%s %d", r.Kind, r.ID) }

// Finding is a record whose on-chain state differs from the database.
type Finding struct {
	OnchainRef

	Block      uint64 // number of the block at which the states were compared
	Difference string
}

// AuditQuery selects records to compare with the contracts, in ascending order of their ids. It
// selects only records whose logs are all in blocks up to Block.
type AuditQuery struct {
	Block uint64
	After uint64 // selects only ids greater than this one
	Limit int
	Live  bool // selects only records that have not ended
}

// LogPosition is a log's position in the followed chain.
type LogPosition struct {
	Block uint64
	Index uint
}
