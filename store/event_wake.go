package store

import (
	"context"
	"sync"
	"time"

	"github.com/lib/pq"
)

// eventChannel is where servers tell each other that there may be new events.
// A message is only a wake-up and may get lost: the log is the truth.
const eventChannel = "taskmarket_events"

// Told one by one, commits would wait for each other: a transaction that notifies
// holds a lock of all databases while it commits.
const (
	announceInterval = 50 * time.Millisecond
	announceDeadline = 2 * time.Second
	reconnectFirst   = 100 * time.Millisecond
	reconnectMost    = 10 * time.Second
)

// herald tells other servers of commits, many at a time.
type herald struct {
	mu    sync.Mutex
	busy  bool
	again bool // there was a commit since
}

// announce tells pg.NoScope who listens, soon, that something was committed. It
// does not wait for that.
func (s *Store) announce() {
	s.herald.mu.Lock()
	defer s.herald.mu.Unlock()
	if s.herald.busy {
		s.herald.again = true
		return
	}
	s.herald.busy = true
	go s.tellAll()
}

func (s *Store) tellAll() {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), announceDeadline)
		_, _ = s.db.Pool.ExecContext(ctx, `NOTIFY `+eventChannel) // without it, others look a second later
		cancel()
		time.Sleep(announceInterval)
		s.herald.mu.Lock()
		if !s.herald.again {
			s.herald.busy = false
			s.herald.mu.Unlock()
			return
		}
		s.herald.again = false
		s.herald.mu.Unlock()
	}
}

// ListenEvents returns a channel that receives when there may be new events, on
// a connection of its own until ctx ends. It also receives whenever the
// connection begins to listen, because commits before that were not announced to
// it. Wake-ups may be missed, and come together.
func (s *Store) ListenEvents(ctx context.Context) <-chan struct{} {
	listener, wakes := pq.NewListener(s.db.DSN, reconnectFirst, reconnectMost, nil), make(chan struct{}, 1)
	wake := func() {
		select {
		case wakes <- struct{}{}:
		default:
		}
	}
	go func() {
		if listener.Listen(eventChannel) == nil { // waits for a connection, or for Close
			wake()
		}
	}()
	go func() {
		defer listener.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case <-listener.NotificationChannel(): // also when it listens again after a loss
				wake()
			}
		}
	}()
	return wakes
}
