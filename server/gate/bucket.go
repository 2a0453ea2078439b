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

// take requests one token from the bucket with the key.
type take func(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error)

// bucketStore is a limiter.Store of token buckets. The library's own stores count in fixed windows,
// which allow twice the burst around the boundary between two windows.
type bucketStore struct {
	take  take
	peek  take // like take, but leaves the token in the bucket; nil for shared and leased buckets
	burst int
	now   func() time.Time
}

var _ limiter.Store = bucketStore{}

// Get takes one token from the bucket with the key.
func (b bucketStore) Get(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return b.ask(ctx, b.take, key, rate)
}

// Peek returns the result that Get would return, without taking a token. Shared and leased buckets do
// not support it.
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
		// The wait is rounded up to whole seconds, but the current time is rounded down, so that a
		// wait of 10 s is never reported as 11 s.
		Reset: b.now().Unix() + int64((next+time.Second-1)/time.Second),
	}, nil
}

// Increment takes one token; other counts are not supported.
func (b bucketStore) Increment(ctx context.Context, key string, count int64, rate limiter.Rate) (limiter.Context, error) {
	if count != 1 {
		return limiter.Context{}, errors.ErrUnsupported
	}
	return b.Get(ctx, key, rate)
}

// Reset is not supported: only time refills a bucket.
func (bucketStore) Reset(context.Context, string, limiter.Rate) (limiter.Context, error) {
	return limiter.Context{}, errors.ErrUnsupported
}

// maxLocalBuckets limits the memory that local buckets use.
const maxLocalBuckets = 100_000

// localBuckets are token buckets in memory. A bucket is stored as the theoretical arrival time
// (TAT) of its next request (GCRA); it is full when that time has passed.
//
// Example: 6 per minute with burst 3 is an interval of 10 s and a capacity of 30 s. At 12:00:00
// three requests move the TAT to 12:00:30. A fourth would move it to 12:00:40, which is more than
// 30 s ahead, so it must wait until 12:00:10.
type localBuckets struct {
	now  func() time.Time
	mu   sync.Mutex
	tats map[string]time.Time
}

func newLocalBuckets(now func() time.Time) *localBuckets {
	return &localBuckets{now: now, tats: make(map[string]time.Time)}
}

// take takes one token from the bucket with the key. It never returns an error.
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

// LocalLimit is a rate limit of this process, with a token bucket for each key.
type LocalLimit struct {
	buckets  *localBuckets
	interval time.Duration
	burst    int
}

// NewLocalLimit returns a limit of burst actions at once, and one more after each interval.
func NewLocalLimit(interval time.Duration, burst int) *LocalLimit {
	return &LocalLimit{buckets: newLocalBuckets(time.Now), interval: interval, burst: burst}
}

// Take counts an action of the key and returns 0, or the time to wait if the action exceeds the limit.
func (l *LocalLimit) Take(key string) time.Duration {
	bucket, _ := l.buckets.take(context.Background(), key, l.interval, l.burst) // cannot fail: the buckets are in memory
	return bucket.RetryAfter
}

// peek returns the result that take would return, without taking a token.
func (b *localBuckets) peek(_ context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket, _ := bucketAfter(b.tats[key], b.now(), interval, burst)
	return bucket, nil
}

// bucketAfter returns the result of taking one token from a bucket, and the bucket's new TAT.
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

// forget drops full buckets, which contain no information, and then arbitrary other buckets, so
// that requests from many addresses cannot exhaust the memory.
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
