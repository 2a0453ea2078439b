package pg

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
)

// queueTimeout limits how long a caller waits in a queue. It equals the time for which the
// transaction ahead can wait for a lock.
const queueTimeout = lockTimeout

// recordQueues serializes the transactions that lock the same record. They would wait for each
// other's locks anyway. A transaction that waits here does not use a connection, so transactions on
// other records can use it.
type recordQueues struct {
	mu       sync.Mutex
	byRecord map[uuid.UUID]*recordQueue
}

// recordQueue is the queue for one record. It is removed when it is empty.
type recordQueue struct {
	running chan struct{} // contains one element while a transaction runs
	members int
}

// await returns when the caller is at the head of the record's queue. The caller must call done to
// leave the queue.
func (r *recordQueues) await(ctx context.Context, record uuid.UUID) (done func(), err error) {
	q := r.join(record)
	timeout := time.NewTimer(queueTimeout)
	defer timeout.Stop()
	select {
	case q.running <- struct{}{}:
		return func() { <-q.running; r.release(record, q) }, nil
	case <-ctx.Done():
		err = fmt.Errorf("queue for record %s: %w", record, ctx.Err())
	case <-timeout.C:
		err = Busy(fmt.Errorf("queue for record %s: timed out after %s", record, queueTimeout))
	}
	r.release(record, q)
	return nil, err
}

func (r *recordQueues) join(record uuid.UUID) *recordQueue {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.byRecord[record]
	if q == nil {
		q = &recordQueue{running: make(chan struct{}, 1)}
		r.byRecord[record] = q
	}
	q.members++
	return q
}

func (r *recordQueues) release(record uuid.UUID, q *recordQueue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.members--; q.members == 0 {
		delete(r.byRecord, record)
	}
}
