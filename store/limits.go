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
	if interval < time.Microsecond || burst < 1 {
		return Bucket{}, market.Errorf(market.KindInvalid, "a bucket needs a positive interval and burst")
	}
	given := sql.NullTime{Time: now.UTC().Truncate(time.Microsecond), Valid: !now.IsZero()} // PostgreSQL timestamps have microsecond precision
	var rows []struct {
		Allowed bool      `db:"allowed"`
		TAT     time.Time `db:"tat"`
		Now     time.Time `db:"now"`
	}
	// A rejected request writes nothing. It reads tat from an earlier snapshot, so its RetryAfter
	// and ResetAfter can be inaccurate.
	err := s.db.Select(ctx, nil, &rows, `
		WITH clock AS MATERIALIZED (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
		taken AS (
			INSERT INTO rate_limits AS r (key, tat)
			SELECT $1::text, c.now + $3::bigint * interval '1 microsecond' FROM clock c
			ON CONFLICT (key) DO UPDATE
			SET tat = greatest(r.tat, (SELECT now FROM clock)) + $3::bigint * interval '1 microsecond'
			WHERE r.tat + $3::bigint * interval '1 microsecond' <= (SELECT now FROM clock) + $4::bigint * interval '1 microsecond'
			RETURNING tat)
		SELECT true AS allowed, t.tat, c.now FROM taken t, clock c
		UNION ALL
		SELECT false, r.tat, c.now FROM rate_limits r, clock c WHERE r.key = $1::text AND NOT EXISTS (SELECT 1 FROM taken)`,
		key, given, interval.Microseconds(), interval.Microseconds()*int64(burst))
	if err != nil {
		return Bucket{}, pg.Translate(err, "take a token")
	}
	if len(rows) == 0 { // concurrent requests created the bucket and took all its tokens while the statement ran
		return Bucket{RetryAfter: interval, ResetAfter: interval * time.Duration(burst)}, nil
	}
	return bucketAt(rows[0].Allowed, rows[0].TAT.Sub(rows[0].Now), interval, burst), nil
}

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
