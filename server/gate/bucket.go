package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ulule/limiter/v3"

	"taskmarket/store"
)

// take asks for one request from the bucket of key.
type take func(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error)

// bucketStore is a limiter.Store of token buckets. The library's own stores
// count in fixed windows, which let twice the burst through at an edge.
type bucketStore struct {
	take  take
	peek  take // counts nothing; nil where nobody can look without counting
	burst int
	now   func() time.Time
}

var _ limiter.Store = bucketStore{}

// Get takes one request from the bucket of key.
func (b bucketStore) Get(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return b.ask(ctx, b.take, key, rate)
}

// Peek says what Get would, and takes nothing.
func (b bucketStore) Peek(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	if b.peek == nil {
		return limiter.Context{}, errors.ErrUnsupported
	}
	return b.ask(ctx, b.peek, key, rate)
}

func (b bucketStore) ask(ctx context.Context, question take, key string, rate limiter.Rate) (limiter.Context, error) {
	interval := rate.Period / time.Duration(rate.Limit)
	bucket, err := question(ctx, key, interval, b.burst)
	if err != nil {
		return limiter.Context{}, fmt.Errorf("take from bucket %q: %w", key, err)
	}
	next := bucket.RetryAfter
	if bucket.Allowed {
		next = bucket.ResetAfter % interval
	}
	return limiter.Context{
		Limit: int64(b.burst), Remaining: int64(bucket.Remaining), Reached: !bucket.Allowed,
		// Whole seconds from this one, rounded up: a wait of 10 s is never said to be 11.
		Reset: b.now().Unix() + int64((next+time.Second-1)/time.Second),
	}, nil
}

// Increment takes one request; other counts are not asked for.
func (b bucketStore) Increment(ctx context.Context, key string, count int64, rate limiter.Rate) (limiter.Context, error) {
	if count != 1 {
		return limiter.Context{}, errors.ErrUnsupported
	}
	return b.Get(ctx, key, rate)
}

// Reset is not supported: a bucket refills with time alone.
func (bucketStore) Reset(context.Context, string, limiter.Rate) (limiter.Context, error) {
	return limiter.Context{}, errors.ErrUnsupported
}

// maxLocalBuckets bounds the memory of the buckets that this server keeps.
const maxLocalBuckets = 100_000

// localBuckets keeps token buckets in memory. A bucket is the theoretical
// arrival time of its next request (GCRA): full when that lies in the past.
type localBuckets struct {
	now  func() time.Time
	mu   sync.Mutex
	tats map[string]time.Time
}

func newLocalBuckets(now func() time.Time) *localBuckets {
	return &localBuckets{now: now, tats: make(map[string]time.Time)}
}

// take is exact: at 6 per minute and burst 3, three requests at once pass, the
// next one 10 s later.
func (b *localBuckets) take(_ context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	bucket, next := bucketAfter(b.tats[key], now, interval, burst)
	if !bucket.Allowed {
		return bucket, nil
	}
	if _, kept := b.tats[key]; !kept && len(b.tats) >= maxLocalBuckets {
		b.forget(now)
	}
	b.tats[key] = next
	return bucket, nil
}

// peek says what take would.
func (b *localBuckets) peek(_ context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket, _ := bucketAfter(b.tats[key], b.now(), interval, burst)
	return bucket, nil
}

// bucketAfter asks a bucket for one request and returns its answer, and what
// the bucket is after a request that is allowed.
func bucketAfter(tat, now time.Time, interval time.Duration, burst int) (bucket store.Bucket, next time.Time) {
	capacity := interval * time.Duration(burst)
	if tat.Before(now) {
		tat = now
	}
	next = tat.Add(interval)
	used := next.Sub(now)
	if over := used - capacity; over > 0 {
		return store.Bucket{RetryAfter: over, ResetAfter: tat.Sub(now)}, tat
	}
	return store.Bucket{Allowed: true, Remaining: int((capacity - used) / interval), ResetAfter: used}, next
}

// forget drops full buckets, which say nothing, and then arbitrary others: a
// flood of addresses must not cost memory without end.
func (b *localBuckets) forget(now time.Time) {
	for key, tat := range b.tats {
		if !tat.After(now) {
			delete(b.tats, key)
		}
	}
	for key := range b.tats {
		if len(b.tats) < maxLocalBuckets*9/10 {
			return
		}
		delete(b.tats, key)
	}
}
