package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Transaction is a transaction that a keeper signed for a job.
type Transaction struct {
	Sender  common.Address
	Nonce   uint64 // of the sender
	Hash    common.Hash
	Raw     []byte   // signed, in its wire form
	MaxCost *big.Int // maximum cost in wei: gas limit times fee cap
}

// KeeperStatus is the state of the keeper's work in the database.
type KeeperStatus struct {
	Absent  bool // no process has held the keeper's lease recently
	Limited bool // the keeper has reached a spending limit in the last minutes
	Overdue bool // a task has been due for too long
}

// Reasons returns the reasons why the service is degraded.
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
