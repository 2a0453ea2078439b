package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/client/internal/tx"
	"taskmarket/market"
)

var (
	// ErrOtherRequest is returned when the key was already used for a task with other contents,
	// another wallet or other contracts.
	ErrOtherRequest = errors.New("this key was already used for a task with other contents, another wallet or other contracts")
	// ErrUnderWay is returned when an earlier signed action must be finished first: an acceptance of
	// another application for the same task, or an action whose transaction has the wallet's next nonce
	// and is not accepted by the node. Nothing was signed; call Resume for that action first.
	ErrUnderWay = tx.ErrUnderWay
	// ErrEnded is returned when the action is not in the journal, or is done there. Usually another
	// program has finished it. Nothing was signed.
	ErrEnded = errors.New("the journal has no such unfinished operation; another process may have finished it; nothing was signed")
)

// Flow is the saved progress of an operation: the creation of a task, or one call about a task. It is
// saved before each step that has an external effect. It can therefore be one step ahead of the
// actual state, but never behind.
//
// An operation is planned, then signed, sent, mined, and shown by the API. A flow with neither
// Transactions nor Paid is only planned: it has no signed transaction that can be mined. The
// Transactions of a signed flow may already have reached a node. They are sent again until one of them
// is mined or none can be mined any more, unless the task no longer allows the call. The flow is then
// removed, except for the flow of a task creation: after a successful payment it becomes Done,
// otherwise it is only planned again. A Done flow stays, so that its key creates no second task, until
// Client.Forget removes it. The methods sign, abandon, pay, finish and reopen are the transitions.
type Flow struct {
	Key     string         `json:"key"`
	Action  market.Action  `json:"action"`
	ChainID uint64         `json:"chain_id"`
	Wallet  common.Address `json:"wallet"`
	Request common.Hash    `json:"request"` // fingerprint of the request to create a task
	Begun   time.Time      `json:"begun,omitzero"`
	// Task is the task to create. Attempt is the number of API records that were requested
	// for it, and IdempotencyKey is the idempotency key for the latest one.
	Task           *TaskRequest `json:"task,omitempty"`
	Attempt        int          `json:"attempt,omitempty"`
	IdempotencyKey string       `json:"idempotency_key,omitempty"`
	TaskID         *uuid.UUID   `json:"task_id,omitempty"`
	ApplicationID  *uuid.UUID   `json:"application_id,omitempty"`
	Reason         string       `json:"reason,omitempty"`
	// Transactions are the signed transactions, oldest first, all for the same call. They normally
	// have the same nonce, so at most one of them can be mined. Only a transaction that replaces
	// one beyond a nonce gap has a different nonce. In that case, the contracts reject the second
	// call.
	Transactions []hexutil.Bytes `json:"transactions,omitempty"`
	// Permit is the nonce in the permit that the Transactions of a task creation use. If these are
	// abandoned, their replacement uses the same permit nonce, so that at most one payment
	// succeeds.
	Permit *hexutil.Big `json:"permit,omitempty"`
	// PermitDeadline is the deadline of the permit that was last agreed to. The next permit keeps it
	// while it is valid, because another program may be signing that permit.
	PermitDeadline *time.Time `json:"permit_deadline,omitempty"`
	// Agreed means that a task creation has passed its review. Its payment may have been passed to
	// another program for signing.
	Agreed bool `json:"agreed,omitempty"`
	// Paid is the hash of a mined payment that is not one of the Transactions. It was found on the
	// chain, or passed to Client.Confirm.
	Paid *common.Hash `json:"paid,omitempty"`
	Done bool         `json:"done,omitempty"`
}

// Signed reports whether the operation may take effect without another signature: a transaction was signed, or a
// payment was found.
func (f *Flow) Signed() bool { return f.signed() || f.Paid != nil }

// signed reports whether a transaction was signed for the flow.
func (f *Flow) signed() bool { return len(f.Transactions) > 0 }

// sign adds a signed transaction, which may be sent as soon as the flow is saved.
func (f *Flow) sign(raw []byte) error {
	if f.Done || f.Paid != nil {
		return fmt.Errorf("operation %q is already finished; the signed transaction is not sent", f.Key)
	}
	f.Transactions = append(f.Transactions, raw)
	return nil
}

// abandon removes the transactions. The caller must be certain that none of them can take effect any more.
func (f *Flow) abandon() error {
	if f.Done || f.Paid != nil {
		return fmt.Errorf("operation %q is already finished", f.Key)
	}
	f.Transactions = nil
	return nil
}

// pay records a mined payment that is not one of the transactions.
func (f *Flow) pay(tx common.Hash) { f.Paid = &tx }

// finish marks a task creation that was paid for as done.
func (f *Flow) finish() error {
	if !f.Signed() {
		return fmt.Errorf("operation %q has no payment", f.Key)
	}
	f.Done = true
	return nil
}

// reopen continues a finished task creation whose payment was dropped by a reorganisation: the same transactions
// are sent again.
func (f *Flow) reopen() { f.Done, f.Paid = false, nil }

// since returns the earliest time of a payment for the task: the start of the operation, or when the API created the
// task. A later time from the API is not trusted, because it could hide an earlier payment.
func (f *Flow) since(task Task) time.Time {
	if !f.Begun.IsZero() && f.Begun.Before(task.CreatedAt.Time) {
		return f.Begun
	}
	return task.CreatedAt.Time
}

// FlowStore stores flows. A saved flow must survive a crash and must not be readable by other
// users, because anyone who can read a signed transaction can send it.
//
// All programs that send transactions from one wallet must share one store, because its locks
// prevent them from choosing the same nonce.
type FlowStore interface {
	// Lock locks the key for the caller, across all processes, until unlock is called. The key
	// identifies a flow or a wallet. If ctx is done, Lock does not wait, but still takes a free lock.
	Lock(ctx context.Context, key string) (unlock func(), err error)
	// Load returns the flow with the key, or nil if there is none.
	Load(ctx context.Context, key string) (*Flow, error)
	// Save writes the flow atomically.
	Save(ctx context.Context, flow *Flow) error
	// Remove deletes the flow with the key.
	Remove(ctx context.Context, key string) error
	// List returns all flows in any order.
	List(ctx context.Context) ([]Flow, error)
}

// memoryFlows stores flows in memory.
type memoryFlows struct {
	mu    sync.Mutex
	flows map[string]Flow
	locks map[string]chan struct{}
}

func newMemoryFlows() *memoryFlows {
	return &memoryFlows{flows: map[string]Flow{}, locks: map[string]chan struct{}{}}
}

func (m *memoryFlows) Lock(ctx context.Context, key string) (func(), error) {
	m.mu.Lock()
	lock, ok := m.locks[key]
	if !ok {
		lock = make(chan struct{}, 1)
		m.locks[key] = lock
	}
	m.mu.Unlock()
	unlock := func() { <-lock }
	select {
	case lock <- struct{}{}:
		return unlock, nil
	default:
	}
	select {
	case lock <- struct{}{}:
		return unlock, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memoryFlows) Load(_ context.Context, key string) (*Flow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	flow, ok := m.flows[key]
	if !ok {
		return nil, nil
	}
	return &flow, nil
}

func (m *memoryFlows) Save(_ context.Context, flow *Flow) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.flows[flow.Key] = *flow
	return nil
}

func (m *memoryFlows) Remove(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.flows, key)
	return nil
}

func (m *memoryFlows) List(context.Context) ([]Flow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.flows)), nil
}
