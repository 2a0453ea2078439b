package gate

import (
	"context"
	"sync"
	"time"

	"taskmarket/store"
)

// take takes one token from the bucket with the key.
type take func(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error)

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
	tat, ok := b.tats[key]
	if tat.Before(now) {
		tat = now
	}
	next := tat.Add(interval)
	if next.Sub(now) > interval*time.Duration(burst) {
		return store.BucketAt(false, tat.Sub(now), interval, burst), nil
	}
	if !ok && len(b.tats) >= maxLocalBuckets {
		b.forget(now)
	}
	b.tats[key] = next
	return store.BucketAt(true, next.Sub(now), interval, burst), nil
}

// empty reports whether take would be refused.
func (b *localBuckets) empty(key string, interval time.Duration, burst int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tats[key].Add(interval).Sub(b.now()) > interval*time.Duration(burst)
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
