package market

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Operations is the state of one deployment according to the database, for operators. Ages are
// measured with the database's clock.
type Operations struct {
	Followed  Level // the last followed block
	Safe      Level
	Finalized Level

	Watcher       LeaseState
	Keeper        LeaseState
	KeeperAccount common.Address // account of the last keeper; zero if there was none
	KeeperSpent   *big.Int       // wei that all keepers signed for in the last 24 hours, or in open transactions

	Findings int // differences between the records and the contracts
	Rereads  int // blocks that the watcher must read again

	Jobs []Backlog
}

// Level is the last block that the watcher followed, or the highest one that is safe or finalized. Time is
// zero before the first block.
type Level struct {
	Number uint64
	Time   time.Time
}

// LeaseState describes a lease. Holder is empty if no process ever held the lease.
type LeaseState struct {
	Holder string
	Epoch  int64
	// Left is the time until the lease expires. It is negative if the lease has expired.
	Left time.Duration
}

// Backlog describes the open keeper jobs of one kind in one state.
type Backlog struct {
	Kind   OutboxKind
	Sent   bool // whether the jobs have a transaction
	Count  int
	Oldest time.Duration // longest time since a job was opened, or, if Sent, since its first transaction was sent
	Nonce  *uint64       // lowest nonce of the current keeper's transactions; nil if there are none

	Stalled int    // jobs that do not advance
	Reason  string // why the oldest of these does not advance
}

// Holdings is the money that the contracts must hold according to the followed logs up to Block.
type Holdings struct {
	Block  Block
	Tasks  []Holding // tasks that have not ended, by status
	Stakes []Holding // stakes that have not ended, by status
}

// Holding is the money in records of one status.
type Holding struct {
	Status string
	Count  int
	Amount *big.Int // wei
}

// Total returns the sum of the amounts in wei.
func Total(holdings []Holding) *big.Int {
	sum := new(big.Int)
	for _, h := range holdings {
		sum.Add(sum, h.Amount)
	}
	return sum
}
