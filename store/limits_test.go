package store_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// With 6 requests a minute and burst 3, three requests are allowed at once, then one every ten
// seconds.
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
		got := storetest.Must(s.Take(t.Context(), "k", 10*time.Second, 3, storetest.Genesis.Add(step.at)))
		if got != step.want {
			t.Errorf("Take() at %s = %+v, want %+v", step.at, got, step.want)
		}
	}
}

// schedules is the number of random schedules of TestTakeEqualsTokenBucket.
const schedules = 1_000

// longAgo is a time before all requests, in microseconds. A bucket that was last used then is full.
const longAgo = -1 << 50

// tokenBucket is the reference model. Fractions of tokens are added at a constant rate until the
// bucket is full. When the clock goes back, the tokens added since then are removed again.
type tokenBucket struct {
	interval, burst *big.Rat // microseconds per token; maximum number of tokens
	tokens          *big.Rat // number of tokens in the bucket at time at
	at              int64    // time of the last update, in microseconds
}

func newTokenBucket(interval int64, burst int) *tokenBucket {
	full := new(big.Rat).SetInt64(int64(burst))
	return &tokenBucket{interval: new(big.Rat).SetInt64(interval), burst: full, tokens: full, at: longAgo}
}

var oneToken = big.NewRat(1, 1)

// take returns the model's result for a request at now.
func (b *tokenBucket) take(now int64) store.Bucket {
	dripped := new(big.Rat).Quo(new(big.Rat).SetInt64(now-b.at), b.interval)
	held := dripped.Add(dripped, b.tokens)
	if held.Cmp(b.burst) > 0 {
		held = b.burst
	}
	if held.Cmp(oneToken) < 0 {
		return store.Bucket{RetryAfter: b.time(oneToken, held), ResetAfter: b.time(b.burst, held)}
	}
	b.tokens, b.at = new(big.Rat).Sub(held, oneToken), now
	whole := new(big.Int).Quo(b.tokens.Num(), b.tokens.Denom())
	return store.Bucket{Allowed: true, Remaining: int(whole.Int64()), ResetAfter: b.time(b.burst, b.tokens)}
}

// time returns the time until the bucket has the wanted number of tokens.
func (b *tokenBucket) time(want, held *big.Rat) time.Duration {
	missing := new(big.Rat).Sub(want, held)
	exact, _ := missing.Mul(missing, b.interval).Float64()
	return time.Duration(math.Round(exact)) * time.Microsecond
}

// schedule generates the times and the keys of requests with one rate limit.
type schedule struct {
	interval   int64 // time per token, in microseconds
	burst      int
	principals int
	random     *rand.Rand
	now        int64
}

// newSchedule returns a random schedule. Every fourth schedule uses the rate limit for task
// messages, 6 a minute with burst 3. The other schedules use random limits.
func newSchedule(seed uint64) *schedule {
	random := rand.New(rand.NewPCG(seed, seed))
	s := &schedule{interval: 10_000_000, burst: 3, principals: 1 + random.IntN(3), random: random}
	if seed%4 != 0 {
		s.interval, s.burst = 1+random.Int64N(20_000_000), 1+random.IntN(8)
	}
	return s
}

// next returns the time of the next request. It is the same time as before, an interval later, a
// microsecond before or after that, late enough to fill the bucket, a random time, or slightly in
// the past.
func (s *schedule) next() int64 {
	switch s.random.IntN(8) {
	case 0, 1:
	case 2:
		s.now += s.interval
	case 3:
		s.now += s.interval + s.random.Int64N(3) - 1
	case 4:
		s.now += s.interval * int64(s.burst)
	case 5:
		s.now -= s.random.Int64N(min(s.interval, 2_000_000))
	default:
		s.now += s.random.Int64N(3 * s.interval)
	}
	return s.now
}

// With the time passed as a parameter, the statement agrees with the model to the microsecond.
func TestTakeEqualsTokenBucket(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for seed := range uint64(schedules) {
		plan := newSchedule(seed)
		buckets := make([]*tokenBucket, plan.principals)
		for i := range buckets {
			buckets[i] = newTokenBucket(plan.interval, plan.burst)
		}
		for request := range 4 + plan.random.IntN(12) {
			who, at := plan.random.IntN(plan.principals), plan.next()
			now := storetest.Genesis.Add(time.Duration(at) * time.Microsecond)
			key := fmt.Sprintf("schedule-%d-%d", seed, who)
			got := storetest.Must(s.Take(t.Context(), key, time.Duration(plan.interval)*time.Microsecond, plan.burst, now))
			if want := buckets[who].take(at); got != want {
				t.Fatalf("schedule %d, request %d of principal %d at %d µs: Take() = %+v, want %+v", seed, request, who, at, got, want)
			}
		}
	}
}

// Concurrent requests to several replicas never get more tokens than the burst allows, also if the statements that
// authenticate the caller take them.
func TestTakeRace(t *testing.T) {
	t.Parallel()
	one, r := storetest.New(t), newRegistration()
	storetest.SaveChallenge(t, one, r.challenged())
	if err := r.send(t, one); err != nil {
		t.Fatal(err)
	}
	credential := store.Credential{Kind: market.PrincipalAgent, Hash: r.keyHash}
	replicas := []*store.Store{one, storetest.Open(t, storetest.URL(t, one))}
	for range 5 {
		request := store.TokenRequest{Key: storetest.NewName() + "|", Interval: time.Minute, Burst: 3, Now: storetest.Genesis}
		key := fmt.Sprintf("%s%s:%s", request.Key, market.PrincipalAgent, r.agent.ID)
		allowed := make([]bool, 12)
		for _, err := range storetest.Race(len(allowed), func(i int) (err error) {
			var bucket store.Bucket
			if i%3 == 0 {
				bucket, err = replicas[i%2].Take(t.Context(), key, request.Interval, request.Burst, request.Now)
			} else {
				_, bucket, err = replicas[i%2].Authenticate(t.Context(), credential, &request)
			}
			allowed[i] = bucket.Allowed
			if err == nil && !bucket.Allowed && bucket.RetryAfter <= 0 {
				t.Errorf("Take() rejected with RetryAfter %s, want more than 0", bucket.RetryAfter)
			}
			return err
		}) {
			storetest.WantKind(t, "Take()", err, "")
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

// Authenticate takes from the same buckets as Take, for agents and humans. A credential that is not valid takes
// nothing.
func TestTokenTakenWithTheCredentialIsExact(t *testing.T) {
	t.Parallel()
	s, r := storetest.New(t), newRegistration()
	storetest.SaveChallenge(t, s, r.challenged())
	if err := r.send(t, s); err != nil {
		t.Fatal(err)
	}
	session, wallet := storetest.NewSession(), storetest.NewWallet()
	human := storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), storetest.Newcomer(wallet), session))
	for kind, test := range map[market.PrincipalKind]struct {
		hash common.Hash
		id   uuid.UUID
	}{market.PrincipalAgent: {r.keyHash, r.agent.ID}, market.PrincipalHuman: {session.IDHash, human.ID}} {
		valid := store.Credential{Kind: kind, Hash: test.hash}
		request := store.TokenRequest{Key: "schedule-0|", Interval: time.Hour, Burst: 1, Now: storetest.Genesis}
		_, _, err := s.Authenticate(t.Context(), store.Credential{Kind: kind, Hash: storetest.NewHash()}, &request)
		storetest.WantKind(t, "Authenticate() with another credential", err, market.KindUnauthorized)
		_, _, err = s.Authenticate(t.Context(), valid, &store.TokenRequest{Key: "schedule-0|"})
		storetest.WantKind(t, "Authenticate() without an interval", err, market.KindInvalid)
		want, _, err := s.Authenticate(t.Context(), valid, nil)
		if err != nil || want.ID != test.id || want.Kind != kind {
			t.Fatalf("Authenticate() of the %s = %+v, %v", kind, want, err)
		}
		for seed := range uint64(schedules / 10) {
			plan := newSchedule(seed)
			bucket := newTokenBucket(plan.interval, plan.burst)
			for range 4 + plan.random.IntN(12) {
				at := plan.next()
				request := store.TokenRequest{
					Key: fmt.Sprintf("schedule-%d|", seed), Interval: time.Duration(plan.interval) * time.Microsecond,
					Burst: plan.burst, Now: storetest.Genesis.Add(time.Duration(at) * time.Microsecond),
				}
				if plan.random.IntN(2) == 0 {
					key := fmt.Sprintf("%s%s:%s", request.Key, kind, test.id)
					if got, want := storetest.Must(s.Take(t.Context(), key, request.Interval, request.Burst, request.Now)), bucket.take(at); got != want {
						t.Fatalf("schedule %d at %d µs: Take() = %+v, want %+v", seed, at, got, want)
					}
					continue
				}
				principal, got, err := s.Authenticate(t.Context(), valid, &request)
				if want := bucket.take(at); err != nil || got != want {
					t.Fatalf("schedule %d at %d µs: Authenticate() = %+v, %v, want %+v", seed, at, got, err, want)
				}
				if diff := cmp.Diff(want, principal); diff != "" {
					t.Fatalf("Authenticate() (-want +got):\n%s", diff)
				}
			}
		}
	}
}

func TestTakeRejectsInvalidBuckets(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, err := s.Take(t.Context(), "k", 0, 3, storetest.Genesis)
	storetest.WantKind(t, "Take() without an interval", err, market.KindInvalid)
	_, err = s.Take(t.Context(), "k", time.Second, 0, storetest.Genesis)
	storetest.WantKind(t, "Take() without a burst", err, market.KindInvalid)
}

// If no time is passed, the statement uses the database's clock rather than the replica's.
func TestTakeUsesTheDatabasesClock(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	first := storetest.Must(s.Take(t.Context(), "k", time.Hour, 1, time.Time{}))
	second := storetest.Must(s.Take(t.Context(), "k", time.Hour, 1, time.Time{}))
	if !first.Allowed || second.Allowed || second.RetryAfter > time.Hour || second.RetryAfter < time.Hour-time.Minute {
		t.Errorf("Take() = %+v, then %+v, want one in an hour", first, second)
	}
	storetest.DB(t, s).MustExec(`UPDATE rate_limits SET tat = clock_timestamp() - interval '1 minute'`)
	if third := storetest.Must(s.Take(t.Context(), "k", time.Hour, 1, time.Time{})); !third.Allowed {
		t.Errorf("Take() of a bucket that is full by the database's clock = %+v", third)
	}
}
