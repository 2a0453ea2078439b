package server

import (
	"cmp"
	"context"
	"fmt"
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
func (s *streams) join(principal market.Principal, network string) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	joined := &stream{
		user: principal.ID, verified: principal.Verified, network: network,
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

// streamLimits are the maximum numbers of open event streams of this server. Users without a verified account
// share a lower limit, because such accounts cost nothing. The rest is reserved for verified users.
type streamLimits struct {
	total      int
	unverified int // of all users without a verified account together
	network    int // of one client network
	user       int
}

var defaultStreamLimits = streamLimits{total: 2_000, unverified: 1_000, network: 500, user: 10}

// makeRoom returns KindRateLimited at the limit of the user or of the network, and KindUnavailable during a
// shutdown. At the limit of a network, a verified user takes the place of a user of that network without a
// verified account, because such accounts cost nothing. At the limit of all streams, or of the streams of users without a verified account, it ends the
// stream that largest returns, whose client then reconnects. It returns KindUnavailable instead if, with the
// new stream, the newcomer would hold at least as many streams as the holder of that stream (see
// compareHolders).
func (s *streams) makeRoom(newcomer *stream) error {
	unavailable := &market.Error{
		Kind: market.KindUnavailable, Message: "this server cannot open more event streams at the moment", RetryAfter: streamRetry,
	}
	switch {
	case s.stopping():
		return unavailable
	case len(s.users[newcomer.user]) >= s.limits.user:
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you can have at most %d open event streams on this server", s.limits.user),
			Hint: "close another stream first", RetryAfter: streamRetry,
		}
	case s.networks[newcomer.network] >= s.limits.network:
		neighbour := func(one *stream) bool { return one.network == newcomer.network && !one.verified }
		if largest := s.largest(neighbour); newcomer.verified && largest != nil {
			s.evict(largest)
			return nil
		}
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("your network can have at most %d open event streams on this server", s.limits.network),
			Hint: "close another stream first, or connect from another network", RetryAfter: streamRetry,
		}
	}
	shareFull := !newcomer.verified && s.unverified >= s.limits.unverified
	if s.open < s.limits.total && !shareFull {
		return nil
	}
	largest := s.largest(func(one *stream) bool { return !shareFull || !one.verified })
	if s.compareHolders(newcomer, 1, largest) >= 0 {
		return unavailable
	}
	s.evict(largest)
	return nil
}

// evict ends a stream to make room for another.
func (s *streams) evict(one *stream) {
	s.remove(one)
	close(one.evicted)
}

// largest returns the eligible stream of the user with the most streams. Ties are broken by the network with
// the most streams, and then by age: the oldest stream. It returns nil if no stream is eligible.
func (s *streams) largest(eligible func(*stream) bool) *stream {
	var found *stream
	for _, each := range s.users {
		for one := range each {
			if !eligible(one) {
				continue
			}
			if found == nil || cmp.Or(s.compareHolders(one, 0, found), cmp.Compare(found.number, one.number)) > 0 {
				found = one
			}
		}
	}
	return found
}

// compareHolders compares how many streams the users of a and b have, and if they have equally many, how many
// streams their networks have. It adds addition to the counts for a.
func (s *streams) compareHolders(a *stream, addition int, b *stream) int {
	return cmp.Or(
		cmp.Compare(len(s.users[a.user])+addition, len(s.users[b.user])),
		cmp.Compare(s.networks[a.network]+addition, s.networks[b.network]),
	)
}
