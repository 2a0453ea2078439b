package market

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Transaction is a transaction that a keeper has signed for a job.
type Transaction struct {
	Sender  common.Address
	Nonce   uint64 // the sender's nonce
	Hash    common.Hash
	Raw     []byte   // the signed transaction in its wire format
	MaxCost *big.Int // maximum cost in wei: gas limit times fee cap
}

// KeeperStatus is the status of the keeper according to the database.
type KeeperStatus struct {
	Absent  bool // no process holds or recently held the keeper's lease
	Limited bool // the keeper has reached a spending limit within the last few minutes
	Overdue bool // a task was not settled in time
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
