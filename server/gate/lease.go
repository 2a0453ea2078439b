package gate

import (
	"context"
	"fmt"
	"sync"
	"time"

	"taskmarket/store"
)

const (
	// leaseShare is the divisor of a burst: a server leases a quarter of it at a time.
	leaseShare = 4
	// maxLeases limits the memory that leases use.
	maxLeases = 100_000
)

// leaseSlots is the type of store.LeaseSlots.
type leaseSlots func(ctx context.Context, key string, interval time.Duration, burst, most int, unused store.Slots, now time.Time) (store.Lease, error)

// leases are token buckets that all servers share. This server leases some slots of a bucket at a time,
// so most requests are counted without the database. The servers together never admit more than the
// limit. A client that uses several servers can be refused before it reaches the limit, because each
// server can hold up to one unused lease, a quarter of the burst. See store.LeaseSlots.
type leases struct {
	ask       leaseSlots
	sharedNow func() time.Time // see Options.SharedNow

	mu   sync.Mutex
	held map[string]*lease
}

// lease is this server's part of one bucket.
type lease struct {
	turn  chan struct{} // contains an element while a request uses the lease
	slots store.Slots
	start time.Time // if the bucket had no room: when its next slot begins; otherwise zero

	// The clock of the bucket: the time in the database's last answer, and the local time just before that
	// query, so that the method now never returns a time behind the database's clock.
	answered, asked time.Time
}

func newLeases(ask leaseSlots, sharedNow func() time.Time) *leases {
	return &leases{ask: ask, sharedNow: sharedNow, held: make(map[string]*lease)}
}

// take takes one token of the bucket. Requests for the same bucket are served one at a time, because
// a lease must not be used while its unused slots are returned.
func (b *leases) take(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	l := b.leaseOf(key)
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return store.Bucket{}, fmt.Errorf("wait for the lease of bucket %q: %w", key, ctx.Err())
	}
	if now := l.now(b.sharedNow()); !now.IsZero() {
		if bucket, known := l.serve(now, interval, burst); known {
			return bucket, nil
		}
	}
	asked := time.Now()
	answer, err := b.ask(ctx, key, interval, burst, max(1, burst/leaseShare), l.slots, b.sharedNow())
	if err != nil {
		// The slots may have been returned to the bucket nevertheless, so they must not be used.
		l.slots, l.start = store.Slots{}, time.Time{}
		return store.Bucket{}, err
	}
	l.answered, l.asked, l.start = answer.Now, asked, time.Time{}
	if answer.Next.Before(answer.End) {
		l.slots = answer.Slots
	} else {
		l.start = answer.Start
	}
	bucket, _ := l.serve(answer.Now, interval, burst)
	return bucket, nil
}

// serve admits a request from the leased slots, or refuses it if the bucket had no room and cannot
// have any yet. It returns false if the database must decide.
func (l *lease) serve(now time.Time, interval time.Duration, burst int) (_ store.Bucket, known bool) {
	if !l.start.IsZero() {
		full := later(l.start, now).Sub(now)
		return store.BucketAfter(false, full, interval, burst), full+interval > interval*time.Duration(burst)
	}
	next := later(l.slots.Next, now).Add(interval)
	if next.After(l.slots.End) {
		return store.Bucket{}, false
	}
	l.slots.Next = next
	return store.BucketAfter(true, next.Sub(now), interval, burst), true
}

// now returns the time by the clock of the bucket, in whole microseconds like the database's. given
// is the time of a test's clock, if any. Before the database's first answer, now returns the zero time.
func (l *lease) now(given time.Time) time.Time {
	switch {
	case !given.IsZero():
		return given.UTC().Truncate(time.Microsecond)
	case l.answered.IsZero():
		return time.Time{}
	}
	return l.answered.Add(time.Since(l.asked) + time.Microsecond - 1).Truncate(time.Microsecond)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// leaseOf returns this server's lease of the bucket. A new lease has no slots.
func (b *leases) leaseOf(key string) *lease {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.held[key]
	if l == nil {
		if len(b.held) >= maxLeases {
			b.drop()
		}
		l = &lease{turn: make(chan struct{}, 1)}
		b.held[key] = l
	}
	return l
}

// drop removes a tenth of the leases. Their unused slots are lost. A request that is using a removed
// lease can still take a slot from it, because the slots of leases never overlap.
func (b *leases) drop() {
	for key := range b.held {
		if len(b.held) < maxLeases*9/10 {
			return
		}
		delete(b.held, key)
	}
}
