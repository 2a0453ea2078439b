package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// turnPatience is how long a transaction waits for its turn: as long as one that
// has it waits for a lock.
const turnPatience = lockTimeout

// turns lets one transaction after the other at a record. They would wait for
// each other's locks anyway; waiting here, they hold no connection, which those
// who need other records could do with.
type turns struct {
	mu     sync.Mutex
	queues map[uuid.UUID]*queue
}

// queue is those who want one record.
type queue struct {
	turn    chan struct{} // holds one while somebody has the turn
	members int
}

// await returns when it is the caller's turn, which ends with the call of done.
func (t *turns) await(ctx context.Context, record uuid.UUID) (done func(), err error) {
	q := t.join(record)
	patience := time.NewTimer(turnPatience)
	defer patience.Stop()
	select {
	case q.turn <- struct{}{}:
		return func() { <-q.turn; t.leave(record, q) }, nil
	case <-ctx.Done():
		err = fmt.Errorf("wait for a turn at record %s: %w", record, ctx.Err())
	case <-patience.C:
		err = busy(fmt.Errorf("no turn at record %s in %s", record, turnPatience))
	}
	t.leave(record, q)
	return nil, err
}

func (t *turns) join(record uuid.UUID) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[record]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		t.queues[record] = q
	}
	q.members++
	return q
}

func (t *turns) leave(record uuid.UUID, q *queue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.members--; q.members == 0 {
		delete(t.queues, record)
	}
}

// txOf is tx for a transaction that locks the record, or adds to it: a task, a
// conversation or an agent.
func (s *Store) txOf(ctx context.Context, record uuid.UUID, fn func(*sqlx.Tx) error) error {
	done, err := s.turns.await(ctx, record)
	if err != nil {
		return err
	}
	defer done()
	return s.tx(ctx, fn)
}
