package market

import (
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Cursor is the watcher's position on the chain.
type Cursor struct {
	Block     Block  // the last followed block; before the first one, Number is the start block minus 1 and Hash is zero
	Safe      uint64 // number of the highest safe block
	Finalized uint64
	Epoch     int64 // fencing token, incremented whenever another watcher becomes the leader
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

// Step is one commit by the watcher. It contains consecutive blocks in order, with their logs.
// Finalized blocks without logs are omitted, except for the last block. Safe and Finalized
// do not exceed the last block, unless they are the same as in the cursor.
type Step struct {
	Blocks    []Block
	Logs      []Log
	Safe      uint64
	Finalized uint64
}

// ErrNotLeader is returned if another watcher or keeper holds the lease, or another watcher moved
// the cursor. The caller must then read the cursor again.
var ErrNotLeader = errors.New("another process holds the lease")

// ErrFinalityViolated is returned if a reorganisation removes a finalized block. The watcher stops
// until an operator acts.
var ErrFinalityViolated = errors.New("the chain was reorganized below a finalized block")

// Lease is the exclusive right to follow the chain or to run the keeper. It is valid until Until.
type Lease struct {
	Holder string
	Epoch  int64
	Until  time.Time
}

// OutboxKind is the kind of a keeper job.
type OutboxKind string

// The kinds of keeper jobs.
const (
	OutboxVerdicts OutboxKind = "verdicts" // relay the verdicts of a complete quorum
	OutboxSettle   OutboxKind = "settle"   // release the payment for a task after its timeout
	OutboxClaim    OutboxKind = "claim"    // pay a reward
	OutboxCancel   OutboxKind = "cancel"   // use a nonce for an empty transfer, to cancel a transaction or to fill a gap
)

// OutboxKinds lists every kind of keeper job.
func OutboxKinds() []OutboxKind {
	return []OutboxKind{OutboxVerdicts, OutboxSettle, OutboxClaim, OutboxCancel}
}

// Job is a transaction that the keeper must send. Except for a cancellation, any other account could
// send it instead.
type Job struct {
	ID       int64
	Kind     OutboxKind
	TaskID   uint64 // the task's id in the escrow contract; 0 for claims
	Approved bool   // the decision; only for verdicts
	Verdicts []Verdict
	Reward   Reward         // the reward to pay; only for claims
	Cancels  AccountNonce   // the nonce to use; only for cancellations
	Resend   bool           // whether an operator requests higher fees for the last transaction
	TxHash   []byte         // hash of the last transaction sent; nil if none was sent
	RawTx    []byte         // the last transaction in signed form; it can safely be sent again
	Sender   common.Address // the account that signed the last transaction
	Nonce    uint64         // nonce of the last transaction
	Attempts int
	Error    string // why the job does not advance, or its last failure; cleared when a transaction is recorded
}

// AccountNonce is a nonce of an account. At most one transaction of the account can use it.
type AccountNonce struct {
	Account common.Address
	Nonce   uint64
}

// String formats the job for the log.
func (j Job) String() string {
	switch j.Kind {
	case OutboxClaim:
		return fmt.Sprintf("%s of %s", j.Kind, j.Reward.Account)
	case OutboxCancel:
		return fmt.Sprintf("%s of nonce %d", j.Kind, j.Cancels.Nonce)
	case OutboxVerdicts, OutboxSettle:
	}
	return fmt.Sprintf("%s of task %d", j.Kind, j.TaskID)
}

// Transaction is a transaction that the keeper has signed for a job.
type Transaction struct {
	Sender  common.Address
	Nonce   uint64 // nonce of the sending account
	Hash    common.Hash
	Raw     []byte   // the signed transaction in its binary encoding
	MaxCost *big.Int // maximum cost in wei, which is the gas limit times the fee cap
}
