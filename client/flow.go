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
	// ErrOtherRequest is returned when a flow's key was used before for a task
	// with other contents, another wallet or other contracts.
	ErrOtherRequest = errors.New("this key belongs to another task")
	// ErrUnderWay is returned when another action of the same kind on the same
	// task is signed and not finished. Nothing was signed; Resume that one first.
	ErrUnderWay = tx.ErrUnderWay
	// ErrEnded is returned when what was to be gone on with is not under way any
	// more, because another program has ended it. Nothing was signed, and nothing
	// is begun in its place.
	ErrEnded = errors.New("another program has ended it meanwhile; nothing new was signed")
)

// Flow is how far an action has come: the creation of a task, or one call about
// a task. It is saved before each step that has an effect outside, so it may be
// ahead of the world by one step and never behind.
//
// An action is planned, then signed, sent, mined, and seen by the API. A flow
// without Transactions is only planned: nobody has paid or sent anything. From
// the first of Transactions on the world may know them, and they are sent again
// until one is mined, none can be any more, or the task does not allow the call
// any more. Then the flow is removed; that of a creation is Done, and stays until
// Client.Delivered, or for good if it has a key of its caller's.
type Flow struct {
	Key     string         `json:"key"`
	Action  market.Action  `json:"action"`
	ChainID uint64         `json:"chain_id"`
	Wallet  common.Address `json:"wallet"`
	Request common.Hash    `json:"request"` // fingerprint of what was asked for
	Begun   time.Time      `json:"begun,omitzero"`
	// Task is what CreateTask was asked for, Attempt how many records were made
	// for it, and IdempotencyKey that of the last.
	Task           *TaskRequest `json:"task,omitempty"`
	Attempt        int          `json:"attempt,omitempty"`
	IdempotencyKey string       `json:"idempotency_key,omitempty"`
	TaskID         *uuid.UUID   `json:"task_id,omitempty"`
	ApplicationID  *uuid.UUID   `json:"application_id,omitempty"`
	Reason         string       `json:"reason,omitempty"`
	// Transactions are the signed ones, oldest first, all of the same call. They
	// have one nonce, so that at most one of them can be mined; others have
	// those only whose nonce turned out to lie beyond a gap. The contracts
	// refuse the call a second time.
	Transactions []hexutil.Bytes `json:"transactions,omitempty"`
	// Permit is the number of the permit in the first of the Transactions of a
	// creation. One that takes their place after they were given up has the same, so
	// that at most one of all can ever pay, whatever a node says of the others.
	Permit *hexutil.Big `json:"permit,omitempty"`
	// Agreed: what a creation signs has passed its review, and may have been given
	// to a wallet elsewhere.
	Agreed bool `json:"agreed,omitempty"`
	// Paid is a mined payment that was found without a journal.
	Paid *common.Hash `json:"paid,omitempty"`
	Done bool         `json:"done,omitempty"`
}

// FlowStore keeps flows. What it saved it must still have after a crash, and it
// must not show it to other users: a signed transaction is as good as sent.
//
// Programs that send for one wallet must share one store: its locks keep them
// from choosing the same nonce.
type FlowStore interface {
	// Lock makes the caller the only one that holds the key, in this and every
	// other process, until it calls unlock. A key is a flow's, or a wallet's.
	Lock(ctx context.Context, key string) (unlock func(), err error)
	// Load returns the flow, nil when there is none.
	Load(ctx context.Context, key string) (*Flow, error)
	// Save writes the flow whole or not at all.
	Save(ctx context.Context, flow *Flow) error
	// Remove forgets the flow.
	Remove(ctx context.Context, key string) error
	// List returns all flows, in no order.
	List(ctx context.Context) ([]Flow, error)
}

// memoryFlows keep flows for as long as the process lives.
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
