package market

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Cursor is how far the chain was followed.
type Cursor struct {
	Block     Block  // the last block followed; its Number is start−1 and its Hash zero before the first
	Safe      uint64 // highest block number known to be safe, finalized
	Finalized uint64
	Epoch     int64 // fencing: raised whenever another watcher takes the lead
}

// FinalityOf returns how deep a block lies.
func (c Cursor) FinalityOf(block uint64) Finality {
	switch {
	case block <= c.Finalized:
		return FinalityFinal
	case block <= c.Safe:
		return FinalitySafe
	}
	return FinalitySeen
}

// Step is what one commit of the watcher adds: consecutive blocks in order
// (behind finality only those with logs and the last one) and the logs in them.
type Step struct {
	Blocks    []Block
	Logs      []Log
	Safe      uint64
	Finalized uint64
}

// ErrNotLeader is returned when another watcher or keeper holds the lease, or
// another watcher moved the cursor: the caller must read the cursor again.
var ErrNotLeader = errors.New("another process holds the lease")

// ErrFinalityViolated is returned when a reorganisation reaches below a
// finalized block. The watcher stops; an operator decides.
var ErrFinalityViolated = errors.New("the chain reorganised below a finalized block")

// Lease is the right to follow the chain, or to keep it, until Until.
type Lease struct {
	Holder string
	Epoch  int64
	Until  time.Time
}

// OutboxKind is what the keeper does on the chain.
type OutboxKind string

// The keeper's kinds of work.
const (
	OutboxVerdicts OutboxKind = "verdicts" // relay a full set of verdicts
	OutboxSettle   OutboxKind = "settle"   // a time-out is due
	OutboxClaim    OutboxKind = "claim"    // a reward is owed
)

// Job is one piece of the keeper's work: anyone may do it, nobody must.
type Job struct {
	ID       int64
	Kind     OutboxKind
	TaskID   uint64 // the escrow's id; 0 for rewards
	Approved bool   // of verdicts
	Verdicts []Verdict
	Reward   Reward         // of claims
	TxHash   []byte         // of the last transaction sent, nil for none
	RawTx    []byte         // the same, signed: it can be sent again without doing the work twice
	Sender   common.Address // of that transaction
	Nonce    uint64         // of the sender
	Attempts int
}

// String names the job, for the log.
func (j Job) String() string {
	if j.Kind == OutboxClaim {
		return fmt.Sprintf("%s of %s", j.Kind, j.Reward.Account)
	}
	return fmt.Sprintf("%s of task %d", j.Kind, j.TaskID)
}
