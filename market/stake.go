package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// StakeStatus is the state of an application's stake in the staking contract.
type StakeStatus string

// The states of a stake.
const (
	StakeLive      StakeStatus = "live"
	StakeActivated StakeStatus = "activated" // the application was accepted
	StakeReturned  StakeStatus = "returned"
	StakeForfeited StakeStatus = "forfeited"
)

// StakeStatuses lists every state of a stake.
func StakeStatuses() []StakeStatus {
	return []StakeStatus{StakeLive, StakeActivated, StakeReturned, StakeForfeited}
}

// Stake is an application in the staking contract, computed by folding the contract's logs for one
// id.
type Stake struct {
	ChainID  uint64
	Contract common.Address
	ID       uint64 // the application's on-chain id

	TaskID    uint64 // the id of the task in the escrow
	Human     common.Address
	Agent     common.Address
	Amount    *big.Int
	ExpiresAt time.Time
	Status    StakeStatus
	Accepted  bool // whether the application was ever accepted, even if the stake has ended since
	Rejected  bool
	Withdrawn bool // whether the human withdrew the application before a decision

	LockedAt time.Time
	EndedAt  time.Time
	Locked   Posting
}

// FoldStake folds the logs for one application, in chain order. It returns nil if there are no
// logs.
func FoldStake(logs []Log) (*Stake, error) {
	if len(logs) == 0 {
		return nil, nil
	}
	s := &Stake{ChainID: logs[0].ChainID, Contract: logs[0].Address, ID: logs[0].Event.ApplicationID}
	for _, log := range logs {
		if err := s.Apply(log); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Apply folds one log. It rejects a log that the contract cannot emit in the stake's state. The
// contract emits ApplicationRejected and ApplicationWithdrawn in the same transaction as the event
// that ends the stake, in either order.
func (s *Stake) Apply(log Log) error {
	ev, at := log.Event, log.Block.Time
	if ev.ApplicationID != s.ID {
		return Errorf(KindInvalid, "log of application %d applied to application %d", ev.ApplicationID, s.ID)
	}
	if (s.Status == "") != (ev.Kind == EventStakeLocked) {
		return s.rejectEvent(ev.Kind)
	}
	switch ev.Kind {
	case EventStakeLocked:
		s.Status, s.Human, s.Agent, s.Amount, s.ExpiresAt = StakeLive, ev.Human, ev.Agent, ev.Amount, ev.ExpiresAt
		s.LockedAt = at
		s.Locked = Posting{TxHash: log.TxHash, Block: log.Block.Number, Index: log.Index}
	case EventApplicationForTask:
		s.TaskID = ev.TaskID
	case EventStakeActivated:
		if s.Status != StakeLive {
			return s.rejectEvent(ev.Kind)
		}
		s.Status, s.Accepted = StakeActivated, true
	case EventApplicationRejected:
		s.Rejected = true
	case EventApplicationWithdrawn:
		s.Withdrawn = true
		return s.end(ev.Kind, StakeReturned, at)
	case EventStakeReturned:
		return s.end(ev.Kind, StakeReturned, at)
	case EventStakeForfeited:
		return s.end(ev.Kind, StakeForfeited, at)
	default:
		return s.rejectEvent(ev.Kind)
	}
	return nil
}

// end ends the stake. A withdrawal can emit two events in one transaction, so a stake can end twice
// in the same way at the same time.
func (s *Stake) end(kind EventKind, to StakeStatus, at time.Time) error {
	ended := s.Status == StakeReturned || s.Status == StakeForfeited
	if ended && (s.Status != to || !s.EndedAt.Equal(at)) {
		return s.rejectEvent(kind)
	}
	s.Status, s.EndedAt = to, at
	return nil
}

func (s *Stake) rejectEvent(kind EventKind) error {
	return Errorf(KindWrongStatus, "event %s is invalid: the stake of application %d is %q", kind, s.ID, s.Status)
}
