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

const (
	// eventPoll is the maximum delay of an event when no notification arrives.
	eventPoll = time.Second
	// streamRetry is the Retry-After when a limit of open streams is reached.
	streamRetry = 15 * time.Second
)

// streams contains the open event streams, and wakes the streams of users with new events. While streams
// are open, one goroutine reads which users have new events in the log.
type streams struct {
	store    *store.Store
	stopping func() bool
	observe  func(open int)
	log      *slog.Logger
	limits   streamLimits

	mu         sync.Mutex
	users      map[uuid.UUID]map[*stream]bool
	networks   map[string]int // open streams by network
	open       int
	unverified int                // open streams of users without a verified account
	opened     uint64             // number of streams opened since the start
	stop       context.CancelFunc // stops the goroutine; nil while none runs
}

// stream is the event stream of one client.
type stream struct {
	user     uuid.UUID
	verified bool
	network  string        // the client's; see gate.CallerOf
	number   uint64        // streams are numbered in the order in which they were opened
	wake     chan struct{} // buffered; contains a value when there may be new events
	evicted  chan struct{} // closed when this stream ends to make room for another user's
}

func (s *stream) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func newStreams(events *store.Store, stopping func() bool, observe func(open int), log *slog.Logger) *streams {
	return &streams{
		store: events, stopping: stopping, observe: observe, log: log, limits: defaultStreamLimits,
		users: make(map[uuid.UUID]map[*stream]bool), networks: make(map[string]int),
	}
}

// join opens a stream for the user; the caller must call leave. It returns KindRateLimited above
// the limits of the user and of the network, and KindUnavailable during a shutdown, or if this server
// has too many open streams: see makeRoom.
func (s *streams) join(who market.Principal, network string) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	joined := &stream{
		user: who.ID, verified: who.Verified, network: network,
		wake: make(chan struct{}, 1), evicted: make(chan struct{}),
	}
	if err := s.makeRoom(joined); err != nil {
		return nil, err
	}
	if s.users[joined.user] == nil {
		s.users[joined.user] = make(map[*stream]bool)
	}
	s.opened++
	joined.number = s.opened
	s.users[joined.user][joined] = true
	s.count(joined, 1)
	if s.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		s.stop = stop
		go s.follow(ctx)
	}
	return joined, nil
}

// leave closes the stream, unless it was evicted.
func (s *streams) leave(left *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.users[left.user][left] {
		return
	}
	s.remove(left)
	if s.open == 0 {
		s.stop()
		s.stop = nil
	}
}

func (s *streams) remove(left *stream) {
	if delete(s.users[left.user], left); len(s.users[left.user]) == 0 {
		delete(s.users, left.user)
	}
	s.count(left, -1)
}

func (s *streams) count(changed *stream, by int) {
	s.open += by
	if !changed.verified {
		s.unverified += by
	}
	if s.networks[changed.network] += by; s.networks[changed.network] == 0 {
		delete(s.networks, changed.network)
	}
	s.observe(s.open)
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
			s.log.WarnContext(ctx, "reading events failed; will retry", slog.Any("err", err))
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
