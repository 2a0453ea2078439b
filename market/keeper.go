package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Transaction is one that a keeper signed for a job.
type Transaction struct {
	Sender common.Address
	Nonce  uint64 // of the sender
	Hash   common.Hash
	Raw    []byte   // signed, in its wire form
	Most   *big.Int // what it may cost, in wei: its gas limit at its fee cap
}

// KeeperStatus is what the database shows about the keeper's work.
type KeeperStatus struct {
	Absent  bool // no process has held the keeper's lease for a while
	Limited bool // the keeper has reached a spending limit in the last minutes
	Overdue bool // a task is due and not settled for too long
}

// Reasons returns the causes for which the service is degraded.
func (s KeeperStatus) Reasons() []HealthReason {
	var reasons []HealthReason
	if s.Absent {
		reasons = append(reasons, ReasonKeeperAbsent)
	}
	if s.Limited {
		reasons = append(reasons, ReasonKeeperLimit)
	}
	if s.Overdue {
		reasons = append(reasons, ReasonSettlementOverdue)
	}
	return reasons
}
