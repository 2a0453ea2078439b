package store_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// Six a minute, burst three: three at once, then one each ten seconds.
func TestTakeSixAMinute(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, step := range []struct {
		at   time.Duration
		want store.Bucket
	}{
		{0, store.Bucket{Allowed: true, Remaining: 2, ResetAfter: 10 * time.Second}},
		{0, store.Bucket{Allowed: true, Remaining: 1, ResetAfter: 20 * time.Second}},
		{0, store.Bucket{Allowed: true, Remaining: 0, ResetAfter: 30 * time.Second}},
		{0, store.Bucket{RetryAfter: 10 * time.Second, ResetAfter: 30 * time.Second}},
		{4 * time.Second, store.Bucket{RetryAfter: 6 * time.Second, ResetAfter: 26 * time.Second}},
		{10 * time.Second, store.Bucket{Allowed: true, Remaining: 0, ResetAfter: 30 * time.Second}},
		{10 * time.Second, store.Bucket{RetryAfter: 10 * time.Second, ResetAfter: 30 * time.Second}},
		{time.Hour, store.Bucket{Allowed: true, Remaining: 2, ResetAfter: 10 * time.Second}},
	} {
		got := ok(s.Take(t.Context(), "k", 10*time.Second, 3, genesis.Add(step.at)))
		if got != step.want {
			t.Errorf("Take() at %s = %+v, want %+v", step.at, got, step.want)
		}
	}
}

// model is the bucket that people have in mind: it holds tokens, and whole
// ones drip in at a steady pace while it is not full. It counts in parts of a
// token that make one microsecond one part.
type model struct {
	interval, burst int64 // parts of one token; tokens
	parts           int64 // in the bucket now
	now             int64
}

func (m *model) take(now int64) bool {
	m.parts = min(m.parts+now-m.now, m.burst*m.interval)
	m.now = now
	if m.parts < m.interval {
		return false
	}
	m.parts -= m.interval
	return true
}

func TestTakeEqualsTokenBucket(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		key := newName()
		interval := rapid.Int64Range(1, 20_000_000).Draw(rt, "interval")
		burst := rapid.IntRange(1, 8).Draw(rt, "burst")
		m := model{interval: interval, burst: int64(burst), parts: int64(burst) * interval}
		var at int64
		for range rapid.IntRange(1, 25).Draw(rt, "requests") {
			at += rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 3*interval), rapid.Just(interval)).Draw(rt, "wait")
			now := genesis.Add(time.Duration(at) * time.Microsecond)
			got, err := s.Take(t.Context(), key, time.Duration(interval)*time.Microsecond, burst, now)
			if err != nil {
				rt.Fatal(err)
			}
			m.check(rt, got, at)
		}
	})
}

// check compares one answer with the model's.
func (m *model) check(rt *rapid.T, got store.Bucket, at int64) {
	want := m.take(at)
	if got.Allowed != want {
		rt.Fatalf("Take() at %d µs allowed = %t, want %t", at, got.Allowed, want)
	}
	if remaining := int(m.parts / m.interval); got.Remaining != remaining {
		rt.Errorf("Take() at %d µs remaining = %d, want %d", at, got.Remaining, remaining)
	}
	if full := m.burst*m.interval - m.parts; got.ResetAfter.Microseconds() != full {
		rt.Errorf("Take() at %d µs reset after %s, want %d µs", at, got.ResetAfter, full)
	}
	if retry := m.interval - m.parts; !want && got.RetryAfter.Microseconds() != retry {
		rt.Errorf("Take() at %d µs retry after %s, want %d µs", at, got.RetryAfter, retry)
	}
}

// However many replicas ask at once, no more than the burst is given.
func TestTakeRace(t *testing.T) {
	t.Parallel()
	one := storetest.New(t)
	replicas := []*store.Store{one, storetest.Open(t, storetest.URL(t, one))}
	for range 5 {
		key := newName()
		allowed := make([]bool, 12)
		for _, err := range race(len(allowed), func(i int) error {
			bucket, err := replicas[i%2].Take(t.Context(), key, time.Minute, 3, genesis)
			allowed[i] = bucket.Allowed
			if err == nil && !bucket.Allowed && bucket.RetryAfter <= 0 {
				t.Errorf("Take() refused with RetryAfter %s, want more than 0", bucket.RetryAfter)
			}
			return err
		}) {
			wantKind(t, "Take()", err, "")
		}
		n := 0
		for _, a := range allowed {
			if a {
				n++
			}
		}
		if n != 3 {
			t.Errorf("Take() allowed %d at once, want the burst, 3", n)
		}
	}
}

func TestTakeRefusesNoBucket(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, err := s.Take(t.Context(), "k", 0, 3, genesis)
	wantKind(t, "Take() without an interval", err, market.KindInvalid)
	_, err = s.Take(t.Context(), "k", time.Second, 0, genesis)
	wantKind(t, "Take() without a burst", err, market.KindInvalid)
}
