package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
)

// Limits for the open event streams of this server.
const (
	maxStreams     = 2_000
	maxStreamsEach = 10 // maximum number of streams per user
)

const (
	// eventPoll is the maximum delay of an event when no notification arrives.
	eventPoll = time.Second
	// streamRetry is the Retry-After when the limit of open streams is reached.
	streamRetry = 15 * time.Second
)

// streams wakes clients when there are new events for them. While streams are open, one goroutine
// reads which users have new events in the log.
type streams struct {
	store    *store.Store
	stopping func() bool
	log      *slog.Logger

	mu    sync.Mutex
	users map[uuid.UUID]map[*stream]bool
	open  int
	stop  context.CancelFunc // stops the goroutine; nil while none runs
}

// stream is the event stream of one client.
type stream struct {
	user uuid.UUID
	wake chan struct{} // buffered; contains a value when there may be new events
}

func (s *stream) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func newStreams(events *store.Store, stopping func() bool, log *slog.Logger) *streams {
	return &streams{store: events, stopping: stopping, log: log, users: make(map[uuid.UUID]map[*stream]bool)}
}

// join opens a stream for the user; the caller must call leave. It returns KindRateLimited above
// the limit per user, and KindUnavailable above the server's limit or during a shutdown.
func (s *streams) join(user uuid.UUID) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.users[user]) >= maxStreamsEach:
		return nil, &market.Error{
			Kind: market.KindRateLimited, Message: "you have too many open event streams",
			Hint: "close another stream first", RetryAfter: streamRetry,
		}
	case s.open >= maxStreams || s.stopping():
		return nil, &market.Error{
			Kind: market.KindUnavailable, Message: "this server cannot open more event streams at the moment", RetryAfter: streamRetry,
		}
	}
	joined := &stream{user: user, wake: make(chan struct{}, 1)}
	if s.users[user] == nil {
		s.users[user] = make(map[*stream]bool)
	}
	s.users[user][joined] = true
	if s.open++; s.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		s.stop = stop
		go s.follow(ctx)
	}
	return joined, nil
}

func (s *streams) leave(left *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.users[left.user], left); len(s.users[left.user]) == 0 {
		delete(s.users, left.user)
	}
	if s.open--; s.open == 0 {
		s.stop()
		s.stop = nil
	}
}

// follow reads the log until ctx ends, and wakes the streams of users with new events. During a
// shutdown it wakes all streams, so that they end.
func (s *streams) follow(ctx context.Context) {
	wakes, ticker := s.store.ListenEvents(ctx), time.NewTicker(eventPoll)
	defer ticker.Stop()
	var at store.EventPosition
	for {
		at = s.look(ctx, at)
		select {
		case <-ctx.Done():
			return
		case <-wakes:
		case <-ticker.C:
		}
		if s.stopping() {
			s.rouseAll()
		}
	}
}

// look wakes the streams of users with events after the position and returns the next position.
// With the zero position, or after a reset of the log, it wakes all streams.
func (s *streams) look(ctx context.Context, at store.EventPosition) store.EventPosition {
	for {
		users, next, more, err := s.store.EventAudiences(ctx, at)
		switch {
		case err != nil && ctx.Err() == nil:
			s.log.WarnContext(ctx, "read events failed; will retry", slog.Any("err", err))
			return at
		case err != nil:
			return at
		case at == (store.EventPosition{}) || next.Before(at):
			s.rouseAll()
		default:
			s.rouse(users)
		}
		if at = next; !more {
			return at
		}
	}
}

// rouse wakes the streams of the listed users only.
func (s *streams) rouse(users []uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, user := range users {
		for one := range s.users[user] {
			one.rouse()
		}
	}
}

func (s *streams) rouseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, each := range s.users {
		for one := range each {
			one.rouse()
		}
	}
}
