package pg

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
)

const (
	// MaxStandbyAge limits how stale the records from a standby can be: they include every transaction
	// that was committed at least this long ago.
	MaxStandbyAge = 5 * time.Second

	standbyInterval = time.Second           // between checks, while there are reads
	standbyPause    = 20 * time.Millisecond // between queries for the standby's position
	standbyTimeout  = 2 * time.Second       // for a read on the standby; after it, the primary serves the read
)

// Standby is a streaming replica of the database for reads that may miss the last transactions. It is
// used only while it follows the primary; otherwise, the primary serves these reads. It must never serve
// reads on which authorization or other decisions depend. A nil Standby is never used. A Standby is safe for
// concurrent use.
type Standby struct {
	primary, db *DB
	checking    sync.Mutex
	checkedAt   atomic.Int64 // when the last check began, in Unix nanoseconds
	completeAt  atomic.Int64 // the standby has everything that was committed before this time, in Unix nanoseconds
	failed      atomic.Bool  // whether a read has failed since the last check
}

// NewStandby returns a standby of the primary. It does not connect.
func NewStandby(primary, db *DB) *Standby {
	s := &Standby{primary: primary, db: db}
	s.failed.Store(true) // until the first check
	s.completeAt.Store(time.Now().UnixNano())
	return s
}

// Close closes the connections to the standby.
func (s *Standby) Close() error {
	if s == nil {
		return nil
	}
	return s.db.Pool.Close()
}

// Age compares the standby with the primary and returns the maximum age of the standby's records: the
// time since the last successful check began, or since the start. It takes at most MaxStandbyAge.
func (s *Standby) Age(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, MaxStandbyAge)
	defer cancel()
	_ = s.check(ctx) // the age grows until a check succeeds
	return s.age()
}

func (s *Standby) age() time.Duration { return time.Since(time.Unix(0, s.completeAt.Load())) }

// usable reports whether the standby is recent enough, and starts a check if the last one is old.
func (s *Standby) usable(ctx context.Context) bool {
	if s == nil {
		return false
	}
	if last := s.checkedAt.Load(); time.Since(time.Unix(0, last)) >= standbyInterval && s.checkedAt.CompareAndSwap(last, time.Now().UnixNano()) {
		go func() {
			_ = s.Age(context.WithoutCancel(ctx)) // reads use the primary until a check succeeds
		}()
	}
	return !s.failed.Load() && s.age() < MaxStandbyAge
}

// position is a position in the write-ahead log of a cluster.
type position struct {
	System int64 `db:"system"`
	Byte   int64 `db:"byte"` // -1 if the server is not a standby
}

// check waits until the standby has replayed everything that the primary had written when check was called.
// It does nothing while another check is running.
func (s *Standby) check(ctx context.Context) error {
	if !s.checking.TryLock() {
		return nil
	}
	defer s.checking.Unlock()
	began := time.Now()
	s.checkedAt.Store(began.UnixNano())
	var want, got position
	err := s.primary.Pool.GetContext(ctx, &want, `
		SELECT system_identifier AS system, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS byte FROM pg_control_system()`)
	for err == nil {
		err = s.db.Pool.GetContext(ctx, &got, `
			SELECT system_identifier AS system,
			       CASE WHEN pg_is_in_recovery() THEN coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint, 0) ELSE -1 END AS byte
			FROM pg_control_system()`) // a promoted standby keeps its last position
		switch {
		case err != nil:
		case got.System != want.System:
			err = fmt.Errorf("the standby belongs to cluster %d, but the primary belongs to cluster %d", got.System, want.System)
		case got.Byte < 0:
			err = fmt.Errorf("the server is not a standby")
		case got.Byte >= want.Byte:
			s.completeAt.Store(began.UnixNano())
			s.failed.Store(false)
			return nil
		default:
			err = pause(ctx, standbyPause)
		}
	}
	s.failed.Store(true)
	return fmt.Errorf("compare the standby with the primary: %w", err)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// SelectRecentPage is SelectPage on the standby if it can be used, otherwise on the primary. visibleQuery is a
// query that selects the ids in $1 that moderation does not withhold. It runs on the primary after a read
// from the standby. Records that it does not select are removed from the page, so the page can be shorter.
func SelectRecentPage[R ListedRow, T any](
	ctx context.Context, primary *DB, standby *Standby, l List[R], visibleQuery string, query PageQuery, convert func(R) T,
) (Page[T], error) {
	if standby.usable(ctx) {
		var ids []uuid.UUID
		page, err := selectInTime(ctx, standby, l, query, func(row R) T {
			_, id := l.Key(row)
			ids = append(ids, id)
			return convert(row)
		})
		switch {
		case err == nil:
			return onlyShown(ctx, primary, page, ids, visibleQuery)
		case market.KindOf(err) == market.KindInvalid || ctx.Err() != nil:
			return page, err
		}
		standby.failed.Store(true) // it is down, slow, or cancelled the query to follow the primary
	}
	return SelectPage(ctx, primary, l, query, convert)
}

// onlyShown removes the records that visibleQuery does not select. ids are those of the page's items.
func onlyShown[T any](ctx context.Context, primary *DB, page Page[T], ids []uuid.UUID, visibleQuery string) (Page[T], error) {
	if len(ids) == 0 {
		return page, nil
	}
	var left []uuid.UUID
	if err := primary.Select(ctx, nil, &left, visibleQuery, pq.Array(ids)); err != nil {
		return Page[T]{}, Translate(err, "select the records that are shown")
	}
	items := make([]T, 0, len(left))
	for i, item := range page.Items {
		if slices.Contains(left, ids[i]) {
			items = append(items, item)
		}
	}
	page.Total -= len(page.Items) - len(items)
	page.Items = items
	return page, nil
}

func selectInTime[R ListedRow, T any](ctx context.Context, standby *Standby, l List[R], query PageQuery, convert func(R) T) (Page[T], error) {
	ctx, cancel := context.WithTimeout(ctx, standbyTimeout)
	defer cancel()
	return SelectPage(ctx, standby.db, l, query, convert)
}
