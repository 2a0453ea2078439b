package server_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// streamUser returns a new user.
func streamUser(verified bool) market.Principal {
	return market.Principal{Kind: market.PrincipalHuman, ID: uuid.New(), Verified: verified}
}

// occupied are streams that users hold, in the order in which they were opened.
type occupied struct {
	t       *testing.T
	streams server.Streams
	evicted []func() bool
}

func newOccupied(t *testing.T, total, unverified, network, each int) *occupied {
	t.Helper()
	return &occupied{t: t, streams: server.NewStreams(storetest.New(t), total, unverified, network, each)}
}

// join opens n streams and returns the first error.
func (o *occupied) join(n int, who market.Principal, network string) error {
	o.t.Helper()
	for range n {
		evicted, leave, err := o.streams.Join(who, network)
		if err != nil {
			return err
		}
		o.t.Cleanup(leave)
		o.evicted = append(o.evicted, evicted)
	}
	return nil
}

// open returns the number of open streams.
func (o *occupied) open() int {
	open := 0
	for _, evicted := range o.evicted {
		if !evicted() {
			open++
		}
	}
	return open
}

// wantEvicted checks which streams were ended. It identifies a stream by its index in evicted.
func (o *occupied) wantEvicted(want ...int) {
	o.t.Helper()
	var got []int
	for i, evicted := range o.evicted {
		if evicted() {
			got = append(got, i)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("evicted streams = %v, want %v", got, want)
	}
}

func must(t *testing.T, errs ...error) {
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
	first := len(o.evicted)
	for i := range 20 {
		must(t, o.join(1, streamUser(true), fmt.Sprint("agent ", i)))
	}
	must(t, o.join(1, streamUser(false), "honest"))
	attack()
	for i, evicted := range o.evicted[first : first+21] {
		if evicted() {
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
	must(t, o.join(1, one, "a"), o.join(3, three, "b"))
	must(t, o.join(1, streamUser(true), "c"))
	o.wantEvicted(1)
	// No user has more than two streams now, so a third stream of a user with two is refused.
	wantStreamError(t, o.join(1, three, "b"), market.KindUnavailable)
	must(t, o.join(1, streamUser(true), "d"))
	o.wantEvicted(1, 2)
	// All users and networks have one stream now, so a new user in a new network is refused.
	wantStreamError(t, o.join(1, streamUser(true), "e"), market.KindUnavailable)
}

func TestStreamsOfTheLargestNetworkEnd(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 4, 4, 4, 10)
	must(t, o.join(1, streamUser(true), "a"))
	for range 3 {
		must(t, o.join(1, streamUser(true), "crowd"))
	}
	must(t, o.join(1, streamUser(true), "b"))
	o.wantEvicted(1)
	wantStreamError(t, o.join(1, streamUser(true), "crowd"), market.KindUnavailable)
}

// Accounts that cost nothing cannot keep a verified user out who has the same address.
func TestStreamsOfANetworkPreferVerifiedUsers(t *testing.T) {
	t.Parallel()
	o := newOccupied(t, 40, 20, 6, 3)
	must(t, o.join(3, streamUser(false), "shared"))
	must(t, o.join(3, streamUser(false), "shared"))
	wantStreamError(t, o.join(1, streamUser(false), "shared"), market.KindRateLimited)
	agent := streamUser(true)
	must(t, o.join(3, agent, "shared"))
	o.wantEvicted(0, 1, 3)
	must(t, o.join(3, streamUser(true), "shared"))
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
		must(t, o.join(1, streamUser(true), "a"))
	}
	wantStreamError(t, o.join(1, streamUser(true), "a"), market.KindRateLimited)
	must(t, o.join(1, streamUser(true), "b"))
	o.wantEvicted()
}
