package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// EventKind is the name of a contract event.
type EventKind string

// The events of the escrow.
const (
	EventTaskPosted                 EventKind = "TaskPosted"
	EventTaskTerms                  EventKind = "TaskTerms"
	EventTaskCreated                EventKind = "TaskCreated"
	EventTaskCreatedWithApplication EventKind = "TaskCreatedWithApplication"
	EventTaskSubmitted              EventKind = "TaskSubmitted"
	EventWorkCommitted              EventKind = "WorkCommitted"
	EventTaskDisputed               EventKind = "TaskDisputed"
	EventAgentApproved              EventKind = "AgentApproved"
	EventSubmissionApproved         EventKind = "SubmissionApproved"
	EventSubmissionRejected         EventKind = "SubmissionRejected"
	EventTaskReleased               EventKind = "TaskReleased"
	EventTaskRefunded               EventKind = "TaskRefunded"
	EventTaskCancelled              EventKind = "TaskCancelled"
)

// The events of the staking contract.
const (
	EventStakeLocked          EventKind = "ApplicationStakeLocked"
	EventApplicationForTask   EventKind = "ApplicationForTask"
	EventStakeActivated       EventKind = "ApplicationStakeActivated"
	EventStakeReturned        EventKind = "ApplicationStakeReturned"
	EventStakeForfeited       EventKind = "ApplicationStakeForfeited"
	EventApplicationWithdrawn EventKind = "ApplicationWithdrawn"
	EventApplicationRejected  EventKind = "ApplicationRejected"
)

// The administration events of the escrow, and the events of the other contracts.
const (
	EventFeeChanged       EventKind = "FeeChanged"
	EventValidatorAdded   EventKind = "ValidatorAdded"
	EventValidatorRemoved EventKind = "ValidatorRemoved"
	EventQuorumChanged    EventKind = "QuorumChanged"
	EventPaused           EventKind = "Paused"
	EventUnpaused         EventKind = "Unpaused"
	// EventClaimed is the only event of the reward distributor that changes a record.
	EventClaimed EventKind = "Claimed"
	// EventOther is a known event that does not change a record, such as a transfer of ownership, a
	// withdrawal of credits, or an event from the treasury.
	EventOther EventKind = "Other"
)

// Event is a decoded log. Only the fields that belong to its kind are set. The contracts count ids
// from 1, so 0 means that an id is not set.
type Event struct {
	Kind           EventKind      `json:"kind"`
	TaskID         uint64         `json:"task_id,omitempty"`
	ApplicationID  uint64         `json:"application_id,omitempty"`
	Agent          common.Address `json:"agent,omitzero"` // in EventClaimed, the account that received the reward
	Human          common.Address `json:"human,omitzero"`
	Caller         common.Address `json:"caller,omitzero"` // the party that disputed or cancelled; in administration events, a validator
	Amount         *big.Int       `json:"amount,omitempty"`
	Fee            *big.Int       `json:"fee,omitempty"`
	Cumulative     *big.Int       `json:"cumulative,omitempty"` // total that the distributor has paid to the account, including this payment
	FeeBasisPoints uint16         `json:"fee_basis_points,omitempty"`
	Hash           common.Hash    `json:"hash,omitzero"` // terms hash or work hash, depending on the kind
	ExpiresAt      time.Time      `json:"expires_at,omitzero"`
	Panel          uint64         `json:"panel,omitempty"`
	Quorum         uint8          `json:"quorum,omitempty"`
}

// SetsPanel reports whether the event gives its task the panel that is in force at that moment.
func (e Event) SetsPanel() bool { return e.Kind == EventTaskCreated }

// OfTask reports whether the event concerns a task in the escrow.
func (e Event) OfTask() bool {
	switch e.Kind {
	case EventTaskPosted, EventTaskTerms, EventTaskCreated, EventTaskCreatedWithApplication,
		EventTaskSubmitted, EventWorkCommitted, EventTaskDisputed, EventAgentApproved,
		EventSubmissionApproved, EventSubmissionRejected, EventTaskReleased,
		EventTaskRefunded, EventTaskCancelled:
		return true
	default:
		return false
	}
}

// OfStake reports whether the event concerns an application's stake.
func (e Event) OfStake() bool {
	switch e.Kind {
	case EventStakeLocked, EventApplicationForTask, EventStakeActivated, EventStakeReturned,
		EventStakeForfeited, EventApplicationWithdrawn, EventApplicationRejected:
		return true
	default:
		return false
	}
}

// OfParameters reports whether the event changes the fee, a panel or a quorum, or pauses or
// unpauses the escrow.
func (e Event) OfParameters() bool {
	switch e.Kind {
	case EventFeeChanged, EventValidatorAdded, EventValidatorRemoved, EventQuorumChanged,
		EventPaused, EventUnpaused:
		return true
	default:
		return false
	}
}

// OfReward reports whether the event is the payment of a reward.
func (e Event) OfReward() bool { return e.Kind == EventClaimed }

// Block identifies a block. Two blocks are equal if and only if their hashes are equal.
type Block struct {
	Number uint64
	Hash   common.Hash
	Parent common.Hash
	Time   time.Time
}

// Log is a log from one of the deployment's contracts with its position on the chain. The chain id,
// the block hash and the index together identify it.
type Log struct {
	ChainID uint64
	Address common.Address // the contract that emitted it
	Block   Block
	TxHash  common.Hash
	TxIndex uint
	Index   uint // position of the log in the block
	Topics  []common.Hash
	Data    []byte
	Event   Event
}

// Before reports whether l precedes other on the same chain.
func (l Log) Before(other Log) bool {
	if l.Block.Number != other.Block.Number {
		return l.Block.Number < other.Block.Number
	}
	return l.Index < other.Index
}
