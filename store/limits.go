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
	err := s.db.Get(ctx, nil, &row, "WITH bucket AS (SELECT $1::text AS key), "+takenToken+" SELECT "+takenColumns+" FROM bucket b LEFT JOIN taken t ON true", r.args()...)
	if err != nil {
		return Bucket{}, pg.Translate(err, "take a token")
	}
	return r.bucket(row), nil
}

// A TokenRequest asks for one token of a bucket: see Store.Take and Store.Authenticate.
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
	now := sql.NullTime{Time: r.Now.UTC().Truncate(time.Microsecond), Valid: !r.Now.IsZero()} // PostgreSQL timestamps have microsecond precision
	return []any{r.Key, now, r.Interval.Microseconds(), r.Interval.Microseconds() * int64(r.Burst)}
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
	return BucketAt(row.Allowed, row.TAT.Sub(row.Now.Time), r.Interval, r.Burst)
}

// bucketNow is the time of a TokenRequest.
const bucketNow = `coalesce($2::timestamptz, statement_timestamp())`

// takenToken is a common table expression, taken, that takes a token from the bucket whose key is in the
// expression bucket, if that has a row. A rejected request writes nothing.
const takenToken = `
	taken AS (
		INSERT INTO rate_limits AS r (key, tat)
		SELECT key, ` + bucketNow + ` + $3::bigint * interval '1 microsecond' FROM bucket
		ON CONFLICT (key) DO UPDATE
		SET tat = greatest(r.tat, ` + bucketNow + `) + $3::bigint * interval '1 microsecond'
		WHERE r.tat + $3::bigint * interval '1 microsecond' <= ` + bucketNow + ` + $4::bigint * interval '1 microsecond'
		RETURNING tat)`

// takenColumns select a takenRow from bucket (b) and taken (t). For a rejected request, tat is from an earlier
// snapshot, so RetryAfter and ResetAfter can be inaccurate.
const takenColumns = `
	t.tat IS NOT NULL AS allowed, coalesce(t.tat, (SELECT r.tat FROM rate_limits r WHERE r.key = b.key)) AS tat, ` + bucketNow + ` AS now`

// BucketAt describes a bucket after a request. The bucket will be full again after the duration full.
func BucketAt(allowed bool, full, interval time.Duration, burst int) Bucket {
	room := interval*time.Duration(burst) - full
	b := Bucket{Allowed: allowed, ResetAfter: max(full, 0)}
	if allowed {
		b.Remaining = int(room / interval)
	} else {
		b.RetryAfter = max(interval-room, time.Microsecond)
	}
	return b
}
