package store

import (
	"context"
	"database/sql"
	"time"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Bucket is what a token bucket answers to one request.
type Bucket struct {
	Allowed    bool
	Remaining  int           // requests that would be allowed at once
	RetryAfter time.Duration // until the next is allowed; 0 when this one was
	ResetAfter time.Duration // until the bucket is full
}

// Take asks the bucket named key for one token, by the database's clock, which
// all replicas share; a test may give the instant now instead of the zero time.
// A bucket holds burst tokens and gets a new one each interval. Requests at once
// never get more than there is. The generic cell rate algorithm keeps one instant
// for each bucket: when it will be full again, the theoretical arrival time (tat).
// For 6 a minute, burst 3: interval 10 s; a request is allowed while tat + 10 s
// lies at most 30 s ahead.
func (s *Store) Take(ctx context.Context, key string, interval time.Duration, burst int, now time.Time) (Bucket, error) {
	if interval < time.Microsecond || burst < 1 {
		return Bucket{}, market.Errorf(market.KindInvalid, "a bucket needs an interval and a burst")
	}
	given := sql.NullTime{Time: now.UTC().Truncate(time.Microsecond), Valid: !now.IsZero()} // as PostgreSQL keeps it
	var rows []struct {
		Allowed bool      `db:"allowed"`
		TAT     time.Time `db:"tat"`
		Now     time.Time `db:"now"`
	}
	// A refused request writes nothing. It reads tat without a lock, which only
	// its RetryAfter depends on.
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
	if len(rows) == 0 { // the bucket was emptied while we looked
		return Bucket{RetryAfter: interval, ResetAfter: interval * time.Duration(burst)}, nil
	}
	return bucketAt(rows[0].Allowed, rows[0].TAT.Sub(rows[0].Now), interval, burst), nil
}

// bucketAt describes a bucket that is full again after the given time.
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
