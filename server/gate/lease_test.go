package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"taskmarket/store"
)

// memoryBucket leases the slots of one bucket like store.LeaseSlots. A test in package store checks
// LeaseSlots against the same model.
type memoryBucket struct {
	mu   sync.Mutex
	tat  time.Time
	asks int
	fail bool // whether the answer of the next lease is lost
}

var errLost = errors.New("the answer was lost")

func (m *memoryBucket) lease(_ context.Context, _ string, interval time.Duration, burst, most int, unused store.Slots, now time.Time) (store.Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asks++
	start := m.tat
	if !m.tat.IsZero() && m.tat.Equal(unused.End) {
		start = unused.Next
	}
	answer := store.Lease{Start: later(start, now), Now: now}
	room := now.Add(interval * time.Duration(burst)).Sub(answer.Start)
	if n := min(int64(most), int64(room/interval)); room >= interval {
		m.tat = answer.Start.Add(time.Duration(n) * interval)
		answer.Slots = store.Slots{Next: answer.Start, End: m.tat}
	}
	if m.fail {
		return store.Lease{}, errLost
	}
	return answer, nil
}

// history is a random sequence of requests with one limit to servers that share a bucket.
type history struct {
	interval time.Duration
	burst    int
	now      time.Time
	bucket   *memoryBucket
	servers  []*leases
}

func newHistory(t *rapid.T, servers int) *history {
	h := &history{
		interval: time.Duration(rapid.IntRange(1, 60_000_000).Draw(t, "interval")) * time.Microsecond,
		burst:    rapid.IntRange(1, 40).Draw(t, "burst"), now: time.Unix(1_700_000_000, 0).UTC(), bucket: &memoryBucket{},
	}
	for range servers {
		h.servers = append(h.servers, newLeases(h.bucket.lease, func() time.Time { return h.now }))
	}
	return h
}

// wait advances the clock by a random time, often by zero.
func (h *history) wait(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "waits") == 0 {
		h.now = h.now.Add(time.Duration(rapid.Int64Range(0, 3*int64(h.interval)).Draw(t, "wait")).Truncate(time.Microsecond))
	}
}

func (h *history) take(server int) (store.Bucket, error) {
	return h.servers[server].take(context.Background(), "k", h.interval, h.burst)
}

// A single server answers each request exactly as it would without leases.
func TestLeaseOfOneServerEqualsExactLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, tat := newHistory(t, 1), time.Time{}
		for i := range rapid.IntRange(1, 120).Draw(t, "requests") {
			h.wait(t)
			var want store.Bucket
			want, tat = bucketAfter(tat, h.now, h.interval, h.burst)
			if got, err := h.take(0); err != nil || got != want {
				t.Fatalf("request %d at %s = %+v, %v, want %+v", i, h.now, got, err, want)
			}
		}
	})
}

// Servers together never admit a request that would be refused without leases, even if answers of the
// database are lost. Without losses, they refuse a request early only if it would also be refused without
// leases after each server had used up one more lease.
func TestLeasesOfServersStayWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h, tat := newHistory(t, rapid.IntRange(2, 5).Draw(t, "servers")), time.Time{}
		loses := rapid.Bool().Draw(t, "loses")
		reserve := h.interval * time.Duration(max(1, h.burst/leaseShare)*len(h.servers))
		for i := range rapid.IntRange(1, 160).Draw(t, "requests") {
			h.wait(t)
			h.bucket.fail = loses && rapid.IntRange(0, 9).Draw(t, "loss") == 0
			got, err := h.take(rapid.IntRange(0, len(h.servers)-1).Draw(t, "server"))
			if err != nil {
				continue
			}
			exact, next := bucketAfter(tat, h.now, h.interval, h.burst)
			switch {
			case got.Allowed && !exact.Allowed:
				t.Fatalf("request %d at %s was admitted above the limit", i, h.now)
			case got.Allowed:
				tat = next
			case !loses:
				late := later(tat, h.now).Add(reserve)
				if allowed, _ := bucketAfter(late, h.now, h.interval, h.burst); allowed.Allowed {
					t.Fatalf("request %d at %s was refused too early: %+v", i, h.now, got)
				}
			}
			if !got.Allowed && got.RetryAfter <= 0 {
				t.Fatalf("request %d at %s was refused with RetryAfter %s", i, h.now, got.RetryAfter)
			}
		}
	})
}

// A server asks the database once for each lease, and not again while the bucket cannot have room.
func TestLeaseSavesStatements(t *testing.T) {
	t.Parallel()
	now, bucket := time.Unix(1_700_000_000, 0).UTC(), &memoryBucket{}
	server := newLeases(bucket.lease, func() time.Time { return now })
	for i := range 20 { // a burst of 8 and 12 refusals
		got, err := server.take(t.Context(), "k", time.Second, 8)
		if err != nil || got.Allowed != (i < 8) {
			t.Fatalf("request %d = %+v, %v", i, got, err)
		}
	}
	if want := 8/(8/leaseShare) + 1; bucket.asks != want {
		t.Errorf("asked the database %d times, want %d", bucket.asks, want)
	}
	now = now.Add(time.Second)
	if got, err := server.take(t.Context(), "k", time.Second, 8); err != nil || !got.Allowed {
		t.Errorf("a request after RetryAfter = %+v, %v, want allowed", got, err)
	}
}

// For concurrent requests at the same instant, the servers together admit exactly one burst or, while some
// of them hold unused slots, a little less.
func TestLeasesConcurrently(t *testing.T) {
	t.Parallel()
	const servers, clients, burst = 3, 8, 40
	now, bucket := time.Unix(1_700_000_000, 0).UTC(), &memoryBucket{}
	var mu sync.Mutex
	var group sync.WaitGroup
	admitted := 0
	for range servers {
		server := newLeases(bucket.lease, func() time.Time { return now })
		for range clients {
			group.Go(func() {
				for range burst {
					got, err := server.take(context.Background(), "k", time.Minute, burst)
					mu.Lock()
					if err == nil && got.Allowed {
						admitted++
					}
					mu.Unlock()
				}
			})
		}
	}
	group.Wait()
	if least := burst - (servers-1)*(burst/leaseShare); admitted > burst || admitted < least {
		t.Errorf("admitted %d requests, want %d to %d", admitted, least, burst)
	}
}

// The number of leases is bounded, regardless of the number of keys.
func TestLeasesAreBounded(t *testing.T) {
	t.Parallel()
	now, bucket := time.Unix(1_700_000_000, 0).UTC(), &memoryBucket{}
	server := newLeases(bucket.lease, func() time.Time { return now })
	for i := range maxLeases + 1_000 {
		server.leaseOf(fmt.Sprint(i))
	}
	if len(server.held) > maxLeases {
		t.Errorf("holds %d leases, want at most %d", len(server.held), maxLeases)
	}
}

// Between answers of the database, the clock of a bucket follows the local monotonic clock, starting just
// before the last query.
func TestLeaseFollowsTheDatabaseClock(t *testing.T) {
	t.Parallel()
	ahead := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	l := lease{answered: ahead, asked: time.Now().Add(-time.Second)}
	if got := l.now(time.Time{}).Sub(ahead); got < time.Second || got > time.Minute {
		t.Errorf("a second after the question the clock is %s ahead, want a little more than 1s", got)
	}
	if got := (&lease{}).now(time.Time{}); !got.IsZero() {
		t.Errorf("without an answer the clock is %s, want unknown", got)
	}
}
