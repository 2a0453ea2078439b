package client

import (
	"context"
	"errors"
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
	// ErrOtherRequest is returned when the key was used before for a task with other contents,
	// another wallet or other contracts.
	ErrOtherRequest = errors.New("this key was used for another task")
	// ErrUnderWay is returned when another action of the same kind on the same task is signed and
	// not finished. Nothing was signed; call Resume for that one first.
	ErrUnderWay = tx.ErrUnderWay
	// ErrEnded is returned when the action to resume is no longer under way because another program
	// has finished it. Nothing was signed.
	ErrEnded = errors.New("another program has already finished it; nothing was signed")
)

// Flow is the saved progress of an action: the creation of a task, or one call about a task. It is
// saved before each step that has an external effect, so it may be one step ahead of the actual
// state and never behind.
//
// An action is planned, then signed, sent, mined, and shown by the API. A flow without Transactions
// is only planned: nothing was signed or paid. Once it has Transactions, they may be known to
// others. They are sent again until one is mined, none can be mined any more, or the task no longer
// allows the call. Then the flow is removed. The flow of a creation becomes Done instead. It stays
// until Client.Delivered is called, or for good if the caller chose its key.
type Flow struct {
	Key     string         `json:"key"`
	Action  market.Action  `json:"action"`
	ChainID uint64         `json:"chain_id"`
	Wallet  common.Address `json:"wallet"`
	Request common.Hash    `json:"request"` // fingerprint of the request
	Begun   time.Time      `json:"begun,omitzero"`
	// Task is the request of CreateTask, Attempt the number of records that were created for it,
	// and IdempotencyKey the key of the last one.
	Task           *TaskRequest `json:"task,omitempty"`
	Attempt        int          `json:"attempt,omitempty"`
	IdempotencyKey string       `json:"idempotency_key,omitempty"`
	TaskID         *uuid.UUID   `json:"task_id,omitempty"`
	ApplicationID  *uuid.UUID   `json:"application_id,omitempty"`
	Reason         string       `json:"reason,omitempty"`
	// Transactions are the signed ones, oldest first, all for the same call. They have the same
	// nonce, so at most one of them can be mined. Only a transaction that replaces one beyond a
	// nonce gap has another nonce. The contracts reject the call a second time.
	Transactions []hexutil.Bytes `json:"transactions,omitempty"`
	// Permit is the nonce of the permit in the Transactions of a creation. After they were
	// abandoned, their successor has the same permit nonce, so at most one of all can ever pay.
	Permit *hexutil.Big `json:"permit,omitempty"`
	// Agreed means that a creation has passed its review, and may have been passed to another
	// wallet.
	Agreed bool `json:"agreed,omitempty"`
	// Paid is a mined payment that was found without a journal.
	Paid *common.Hash `json:"paid,omitempty"`
	Done bool         `json:"done,omitempty"`
}

// FlowStore stores flows. A saved flow must survive a crash, and must not be readable by other
// users: anyone who reads a signed transaction can send it.
//
// Programs that send for one wallet must share one store: its locks prevent them from choosing the
// same nonce.
type FlowStore interface {
	// Lock locks the key for the caller, in this and all other processes, until it calls unlock. A
	// key is a flow's or a wallet's.
	Lock(ctx context.Context, key string) (unlock func(), err error)
	// Load returns the flow, nil when there is none.
	Load(ctx context.Context, key string) (*Flow, error)
	// Save writes the flow atomically.
	Save(ctx context.Context, flow *Flow) error
	// Remove deletes the flow.
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
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
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
