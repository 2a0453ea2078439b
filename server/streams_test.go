package server

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// Exported for the tests that call the API.
const (
	MaxUploadsEach = maxUploadsEach
	EventPoll      = eventPoll
)

// MaxStreamsEach is exported for the tests that call the API.
var MaxStreamsEach = defaultStreamLimits.user

// streamUser returns a new user.
func streamUser(verified bool) market.Principal {
	return market.Principal{Kind: market.PrincipalHuman, ID: uuid.New(), Verified: verified}
}

// occupied are streams that users hold, in the order in which they were opened.
type occupied struct {
	t       *testing.T
	streams *streams
	opened  []*stream
}

func newOccupied(t *testing.T, total, unverified, network, each int) *occupied {
	t.Helper()
	s := newStreams(storetest.New(t), func() bool { return false }, func(int) {}, slog.New(slog.DiscardHandler))
	s.limits = streamLimits{total: total, unverified: unverified, network: network, user: each}
	return &occupied{t: t, streams: s}
}

// join opens n streams and returns the first error.
func (o *occupied) join(n int, who market.Principal, network string) error {
	o.t.Helper()
	for range n {
		opened, err := o.streams.join(who, network)
		if err != nil {
			return err
		}
		o.t.Cleanup(func() { o.streams.leave(opened) })
		o.opened = append(o.opened, opened)
	}
	return nil
}

// ended reports whether the stream was ended to make room for another.
func (s *stream) ended() bool {
	select {
	case <-s.evicted:
		return true
	default:
		return false
	}
}

// open returns the number of open streams.
func (o *occupied) open() int {
	open := 0
	for _, s := range o.opened {
		if !s.ended() {
			open++
		}
	}
	return open
}

// wantEvicted checks which streams were ended. It identifies a stream by its index in opened.
func (o *occupied) wantEvicted(want ...int) {
	o.t.Helper()
	var got []int
	for i, s := range o.opened {
		if s.ended() {
			got = append(got, i)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("evicted streams = %v, want %v", got, want)
	}
}

func joined(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func wantStreamError(t *testing.T, err error, want market.Kind) {
	t.Helper()
	if market.KindOf(err) != want {
		t.Errorf("join() = %v, want %s", err, want)
	}
}

// Unverified accounts, which cost nothing, can open only half of the streams, and cannot keep out accounts
// that have fewer streams.
func TestUnverifiedUsersHaveAShareOfTheStreams(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 40, 20, 40, 10)
	attack := func() {
		for i := range 4 { // the accounts of an attacker with many networks
			_ = o.join(10, streamUser(false), fmt.Sprint("attacker ", i))
		}
	}
	attack()
	if o.open() != 20 {
		t.Errorf("%d streams of unverified users, want 20", o.open())
	}
	first := len(o.opened)
	for i := range 20 {
		joined(t, o.join(1, streamUser(true), fmt.Sprint("agent ", i)))
	}
	joined(t, o.join(1, streamUser(false), "honest"))
	attack()
	for i, s := range o.opened[first : first+21] {
		if s.ended() {
			t.Errorf("stream %d of the honest users was ended", i)
		}
	}
	if o.open() != 40 {
		t.Errorf("%d streams, want 40", o.open())
	}
}

func TestStreamsOfTheLargestHolderEnd(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 4, 4, 4, 10)
	one, three := streamUser(true), streamUser(true)
	joined(t, o.join(1, one, "a"), o.join(3, three, "b"))
	joined(t, o.join(1, streamUser(true), "c"))
	o.wantEvicted(1)
	// No user has more than two streams now, so a third stream of a user with two is refused.
	wantStreamError(t, o.join(1, three, "b"), market.KindUnavailable)
	joined(t, o.join(1, streamUser(true), "d"))
	o.wantEvicted(1, 2)
	// All users and networks have one stream now, so a new user in a new network is refused.
	wantStreamError(t, o.join(1, streamUser(true), "e"), market.KindUnavailable)
}

func TestStreamsOfTheLargestNetworkEnd(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 4, 4, 4, 10)
	joined(t, o.join(1, streamUser(true), "a"))
	for range 3 {
		joined(t, o.join(1, streamUser(true), "crowd"))
	}
	joined(t, o.join(1, streamUser(true), "b"))
	o.wantEvicted(1)
	wantStreamError(t, o.join(1, streamUser(true), "crowd"), market.KindUnavailable)
}

// Accounts that cost nothing cannot keep a verified user out who has the same address.
func TestStreamsOfANetworkPreferVerifiedUsers(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 40, 20, 6, 3)
	joined(t, o.join(3, streamUser(false), "shared"))
	joined(t, o.join(3, streamUser(false), "shared"))
	wantStreamError(t, o.join(1, streamUser(false), "shared"), market.KindRateLimited)
	agent := streamUser(true)
	joined(t, o.join(3, agent, "shared"))
	o.wantEvicted(0, 1, 3)
	joined(t, o.join(3, streamUser(true), "shared"))
	o.wantEvicted(0, 1, 2, 3, 4, 5)
	wantStreamError(t, o.join(1, streamUser(true), "shared"), market.KindRateLimited)
	if o.open() != 6 {
		t.Errorf("%d streams, want 6", o.open())
	}
}

func TestStreamsOfANetworkAreLimited(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 10, 10, 3, 10)
	for range 3 {
		joined(t, o.join(1, streamUser(true), "a"))
	}
	wantStreamError(t, o.join(1, streamUser(true), "a"), market.KindRateLimited)
	joined(t, o.join(1, streamUser(true), "b"))
	o.wantEvicted()
}
