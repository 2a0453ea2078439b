package client

import (
	"context"
	"errors"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"
)

// ErrOtherRequest is returned when a flow's key was used before for a task with
// other contents, another wallet or other contracts.
var ErrOtherRequest = errors.New("this key belongs to another task")

// Flow is how far the creation of one task has come. It is saved before each
// step that has an effect outside, so it may be ahead of the world by one step
// and never behind.
type Flow struct {
	Key            string      `json:"key"`
	Request        common.Hash `json:"request"` // fingerprint of what was asked for
	IdempotencyKey string      `json:"idempotency_key"`
	TaskID         *uuid.UUID  `json:"task_id,omitempty"`
	// Transactions are the signed funding transactions, oldest first. All have
	// one nonce, so at most one of them can ever be mined.
	Transactions []hexutil.Bytes `json:"transactions,omitempty"`
	Done         bool            `json:"done,omitempty"`
}

// FlowStore keeps flows. What it saved it must still have after a crash, and it
// must not show it to other users: a signed transaction is as good as sent.
type FlowStore interface {
	// Lock makes the caller the only one that works on the flow, in this and
	// every other process, until it calls unlock.
	Lock(ctx context.Context, key string) (unlock func(), err error)
	// Load returns the flow, nil when there is none.
	Load(ctx context.Context, key string) (*Flow, error)
	// Save writes the flow whole or not at all.
	Save(ctx context.Context, flow *Flow) error
	// Remove forgets the flow.
	Remove(ctx context.Context, key string) error
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
