package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Transaction is a transaction that the keeper has signed for a job.
type Transaction struct {
	Sender  common.Address
	Nonce   uint64 // nonce of the sending account
	Hash    common.Hash
	Raw     []byte   // the signed transaction in its binary encoding
	MaxCost *big.Int // maximum cost in wei, which is the gas limit times the fee cap
}

// KeeperStatus is the keeper's status according to the database.
type KeeperStatus struct {
	Absent  bool // whether no process has recently held the keeper's lease
	Limited bool // whether the keeper reached a spending limit within the last few minutes
	Overdue bool // whether a task was not settled in time
}

// Reasons returns the reasons for which the service is degraded.
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
