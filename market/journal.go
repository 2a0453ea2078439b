package market

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Cursor is the watcher's position on the chain.
type Cursor struct {
	Block     Block  // the last block followed; before the first, its Number is start−1 and its Hash zero
	Safe      uint64 // highest block number that is safe, finalized
	Finalized uint64
	Epoch     int64 // fencing token: incremented whenever another watcher takes the lead
}

// FinalityOf returns the finality of a block.
func (c Cursor) FinalityOf(block uint64) Finality {
	switch {
	case block <= c.Finalized:
		return FinalityFinal
	case block <= c.Safe:
		return FinalitySafe
	}
	return FinalitySeen
}

// Step is one commit of the watcher: consecutive blocks in order (below finality, only those with
// logs and the last one) and their logs.
type Step struct {
	Blocks    []Block
	Logs      []Log
	Safe      uint64
	Finalized uint64
}

// ErrNotLeader is returned if another watcher or keeper holds the lease, or another watcher moved
// the cursor: the caller must read the cursor again.
var ErrNotLeader = errors.New("another process holds the lease")

// ErrFinalityViolated is returned if a reorganisation removes a finalized block. The watcher stops
// until an operator acts.
var ErrFinalityViolated = errors.New("the chain reorganised below a finalized block")

// Lease is the right to follow the chain, or to run the keeper, until Until.
type Lease struct {
	Holder string
	Epoch  int64
	Until  time.Time
}

// OutboxKind is the kind of a keeper job.
type OutboxKind string

// The kinds of keeper jobs.
const (
	OutboxVerdicts OutboxKind = "verdicts" // relay a full set of verdicts
	OutboxSettle   OutboxKind = "settle"   // a time-out is due
	OutboxClaim    OutboxKind = "claim"    // a reward is owed
)

// Job is a transaction for the keeper to send. Any other account may send it too.
type Job struct {
	ID       int64
	Kind     OutboxKind
	TaskID   uint64 // the escrow's id; 0 for claims
	Approved bool   // for verdicts
	Verdicts []Verdict
	Reward   Reward         // for claims
	TxHash   []byte         // hash of the last transaction sent; nil before the first
	RawTx    []byte         // that transaction, signed: resending it cannot repeat its effect
	Sender   common.Address // sender of that transaction
	Nonce    uint64         // the sender's nonce
	Attempts int
}

// String formats the job for the log.
func (j Job) String() string {
	if j.Kind == OutboxClaim {
		return fmt.Sprintf("%s of %s", j.Kind, j.Reward.Account)
	}
	return fmt.Sprintf("%s of task %d", j.Kind, j.TaskID)
}
