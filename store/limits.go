package store

import (
	"context"
	"database/sql"
	"time"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Bucket is the state of a token bucket after a request. Times are relative to the request.
type Bucket struct {
	Allowed    bool
	Remaining  int           // number of further requests that would be allowed now
	RetryAfter time.Duration // time until the next request is allowed; 0 if this one was allowed
	ResetAfter time.Duration // time until the bucket is full
}

// Take takes one token from the bucket named key. A bucket has burst tokens and gains one each
// interval. Times are from the database's clock, which all replicas share, unless a test passes
// now. The statement implements the generic cell rate algorithm, which stores one time for each
// bucket, the theoretical arrival time (tat) at which the bucket is full again:
//
//  1. start = max(tat, now)
//  2. allow the request if start + interval <= now + burst * interval
//  3. if it is allowed, store tat = start + interval
//
// Example: 6 requests a minute with burst 3, so interval = 10 s. Three requests at 0 s store tat =
// 10 s, 20 s and 30 s. A fourth one at 0 s is rejected, because 30 s + 10 s > 0 s + 30 s;
// RetryAfter is 10 s. At 10 s it is allowed, and tat becomes 40 s.
func (s *Store) Take(ctx context.Context, key string, interval time.Duration, burst int, now time.Time) (Bucket, error) {
	r := TokenRequest{Key: key, Interval: interval, Burst: burst, Now: now}
	if err := r.check(); err != nil {
		return Bucket{}, err
	}
	var row takenRow
	err := s.db.Get(ctx, nil, &row, "WITH "+takenToken("true")+" SELECT "+takenColumns+" FROM (SELECT) one LEFT JOIN taken t ON true", r.args()...)
	if err != nil {
		return Bucket{}, pg.Translate(err, "take a token")
	}
	return r.bucket(row), nil
}

// A TokenRequest asks for one token of a bucket: see Store.Take.
type TokenRequest struct {
	Key      string
	Interval time.Duration
	Burst    int
	Now      time.Time // zero for the database's clock
}

func (r TokenRequest) check() error {
	if r.Interval < time.Microsecond || r.Burst < 1 {
		return market.Errorf(market.KindInvalid, "a bucket needs a positive interval and burst")
	}
	return nil
}

// args are the arguments $1 to $4 of takenToken and takenColumns.
func (r TokenRequest) args() []any {
	given := sql.NullTime{Time: r.Now.UTC().Truncate(time.Microsecond), Valid: !r.Now.IsZero()} // PostgreSQL timestamps have microsecond precision
	return []any{r.Key, given, r.Interval.Microseconds(), r.Interval.Microseconds() * int64(r.Burst)}
}

// takenRow is the row of takenColumns.
type takenRow struct {
	Allowed bool        `db:"allowed"`
	TAT     pg.NullTime `db:"tat"` // NULL if a rejected request found no bucket
	Now     pg.NullTime `db:"now"`
}

func (r TokenRequest) bucket(row takenRow) Bucket {
	if row.TAT.IsZero() { // concurrent requests created the bucket and took all its tokens while the statement ran
		return Bucket{RetryAfter: r.Interval, ResetAfter: r.Interval * time.Duration(r.Burst)}
	}
	return bucketAt(row.Allowed, row.TAT.Sub(row.Now.Time), r.Interval, r.Burst)
}

// bucketNow is the time of a TokenRequest.
const bucketNow = `coalesce($2::timestamptz, statement_timestamp())`

// takenToken returns a common table expression, taken, that takes a token if the SQL condition holds. A
// rejected request writes nothing.
func takenToken(condition string) string {
	return `
		taken AS (
			INSERT INTO rate_limits AS r (key, tat)
			SELECT $1::text, ` + bucketNow + ` + $3::bigint * interval '1 microsecond' WHERE ` + condition + `
			ON CONFLICT (key) DO UPDATE
			SET tat = greatest(r.tat, ` + bucketNow + `) + $3::bigint * interval '1 microsecond'
			WHERE r.tat + $3::bigint * interval '1 microsecond' <= ` + bucketNow + ` + $4::bigint * interval '1 microsecond'
			RETURNING tat)`
}

// takenColumns select a takenRow from taken (t). For a rejected request, tat is from an earlier snapshot, so
// RetryAfter and ResetAfter can be inaccurate.
const takenColumns = `
	t.tat IS NOT NULL AS allowed, coalesce(t.tat, (SELECT r.tat FROM rate_limits r WHERE r.key = $1::text)) AS tat, ` + bucketNow + ` AS now`

// bucketAt describes a bucket that will be full again after the duration full.
func bucketAt(allowed bool, full, interval time.Duration, burst int) Bucket {
	room := interval*time.Duration(burst) - full
	b := Bucket{Allowed: allowed, ResetAfter: max(full, 0)}
	if allowed {
		b.Remaining = int(room / interval)
	} else {
		b.RetryAfter = max(interval-room, time.Microsecond)
	}
	return b
}

// Slots are consecutive slots of a bucket that a server leased: each is one interval long and admits
// one request. Next is the start of the first unused one, and End the end of the last one.
type Slots struct{ Next, End time.Time }

// A Lease is the result of LeaseSlots.
type Lease struct {
	Slots           // empty if the bucket has no room
	Start time.Time // when the bucket's next slot begins: if it is too far ahead, there is no room
	Now   time.Time // the time of the lease, by the same clock as Start
}

// LeaseSlots reserves up to most slots of the bucket named key, as many as there is room for, in one
// statement. A server can then admit requests without the database: a request at time t uses the
// first slot that begins at or after t. Slots never overlap, begin no earlier than their request and
// end at most burst intervals after it, so servers together never admit more than Take would. unused
// are slots of an earlier lease. They are returned to the bucket unless another server has leased
// since, so that a single server admits exactly the requests that Take admits. The steps of Take become:
//
//  1. start = max(unused.Next if tat = unused.End, otherwise tat; now)
//  2. n = min(most, (now + burst * interval - start) / interval), rounded down
//  3. if n is positive, store tat = start + n * interval, and lease the slots from start to tat
//
// Example: 60 requests a minute with burst 8, so interval = 1 s, and most = 2. At 0 s server A leases
// 0 s to 2 s, and B 2 s to 4 s; both use their first slot. At 1 s, A uses its second slot. At 5 s, B's
// slot at 3 s has passed, so returning it changes nothing, and B leases 5 s to 7 s.
func (s *Store) LeaseSlots(ctx context.Context, key string, interval time.Duration, burst, most int, unused Slots, now time.Time) (Lease, error) {
	if interval < time.Microsecond || burst < 1 || most < 1 {
		return Lease{}, market.Errorf(market.KindInvalid, "a lease needs a positive interval, burst and number of slots")
	}
	given := sql.NullTime{Time: now.UTC().Truncate(time.Microsecond), Valid: !now.IsZero()}
	var row struct {
		Start time.Time `db:"start"`
		Now   time.Time `db:"now"`
		Slots int64     `db:"slots"`
		Taken bool      `db:"taken"`
	}
	for {
		// The row is locked first, because start depends on its latest version. If it is missing,
		// another server can insert it at the same time. In that case, nothing is taken, and the
		// next attempt finds the row.
		err := s.db.Get(ctx, nil, &row, `
			WITH clock AS MATERIALIZED (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
			locked AS MATERIALIZED (SELECT tat FROM rate_limits WHERE key = $1::text FOR UPDATE),
			start AS MATERIALIZED (
				SELECT greatest(CASE WHEN l.tat = $6::timestamptz THEN $7::timestamptz ELSE l.tat END, c.now) AS start, c.now
				FROM clock c LEFT JOIN locked l ON true),
			room AS MATERIALIZED (
				SELECT start, now, least($5::bigint, floor((extract(epoch FROM now - start) * 1000000 + $4::bigint) / $3::bigint)::bigint) AS slots
				FROM start),
			taken AS (
				INSERT INTO rate_limits AS r (key, tat)
				SELECT $1::text, start + slots * $3::bigint * interval '1 microsecond' FROM room WHERE slots > 0
				ON CONFLICT (key) DO UPDATE SET tat = excluded.tat WHERE EXISTS (SELECT 1 FROM locked)
				RETURNING 1)
			SELECT start, now, slots, EXISTS (SELECT 1 FROM taken) AS taken FROM room`,
			key, given, interval.Microseconds(), interval.Microseconds()*int64(burst), most, unused.End.UTC(), unused.Next.UTC())
		if err != nil {
			return Lease{}, pg.Translate(err, "lease slots of a bucket")
		}
		lease := Lease{Start: row.Start.UTC(), Now: row.Now.UTC()}
		switch {
		case row.Slots <= 0:
			return lease, nil
		case row.Taken:
			lease.Slots = Slots{Next: lease.Start, End: lease.Start.Add(time.Duration(row.Slots) * interval)}
			return lease, nil
		}
	}
}

// BucketAfter describes a bucket after a request: full is the time until the bucket is full.
func BucketAfter(allowed bool, full, interval time.Duration, burst int) Bucket {
	return bucketAt(allowed, full, interval, burst)
}
