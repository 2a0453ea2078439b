package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// limitShown is how long a spending limit that the keeper reached stays visible.
const limitShown = 5 * time.Minute

// LeadKeeper acquires or renews the keeper's lease on the chain for the given
// life. It returns market.ErrNotLeader while another holder's lease runs. The
// epoch rises whenever the holder changes. Time is the database's.
func (s *Store) LeadKeeper(ctx context.Context, holder string, account common.Address, life time.Duration) (market.Lease, error) {
	var lease struct {
		Epoch int64       `db:"epoch"`
		Until pg.NullTime `db:"lease_until"`
	}
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &lease, `
			INSERT INTO keeper_lease AS l (chain_id, holder, account, epoch, lease_until)
			VALUES ($1, $2, $3, 1, clock_timestamp() + make_interval(secs => $4))
			ON CONFLICT (chain_id) DO UPDATE
			SET epoch = l.epoch + (l.holder <> excluded.holder)::int,
			    holder = excluded.holder, account = excluded.account, lease_until = excluded.lease_until
			WHERE l.holder = excluded.holder OR l.lease_until <= clock_timestamp()
			RETURNING epoch, lease_until`,
			s.deployment.ChainID, holder, account, life.Seconds())
		if errors.Is(err, sql.ErrNoRows) {
			return market.ErrNotLeader
		}
		return pg.Translate(err, "acquire the keeper's lease")
	})
	return market.Lease{Holder: holder, Epoch: lease.Epoch, Until: lease.Until.Time}, err
}

// ReleaseKeeper ends the lease of the epoch, so that another keeper can acquire
// it at once. A lease of another epoch stays as it is.
func (s *Store) ReleaseKeeper(ctx context.Context, epoch int64) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			UPDATE keeper_lease SET lease_until = least(lease_until, clock_timestamp()) WHERE chain_id = $1 AND epoch = $2`,
			s.deployment.ChainID, epoch)
		return pg.Translate(err, "release the keeper's lease")
	})
}

// asKeeper runs change in a transaction while the epoch's lease runs. It returns
// market.ErrNotLeader otherwise.
func (s *Store) asKeeper(ctx context.Context, epoch int64, what string, change func(*sqlx.Tx) error) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var held int64
		err := s.db.Get(ctx, tx, &held, `
			SELECT epoch FROM keeper_lease WHERE chain_id = $1 AND epoch = $2 AND lease_until > clock_timestamp() FOR SHARE`,
			s.deployment.ChainID, epoch)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%s: %w", what, market.ErrNotLeader)
		}
		if err != nil {
			return pg.Translate(err, "check the keeper's lease")
		}
		return change(tx)
	})
}

// KeeperLimited records that the keeper has reached a spending limit. It returns
// market.ErrNotLeader when the epoch is over.
func (s *Store) KeeperLimited(ctx context.Context, epoch int64) error {
	const what = "record that a spending limit was reached"
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `UPDATE keeper_lease SET limited_at = clock_timestamp() WHERE chain_id = $1 AND epoch = $2`,
			s.deployment.ChainID, epoch)
		if err == nil && n == 0 {
			return fmt.Errorf("%s: %w", what, market.ErrNotLeader)
		}
		return pg.Translate(err, what)
	})
}

// keeperStatusQuery reads two rows by their keys and the first entry of an index.
const keeperStatusQuery = `
	SELECT l.lease_until IS NULL OR l.lease_until + make_interval(secs => $3) < clock_timestamp() AS absent,
	       coalesce(l.limited_at + make_interval(secs => $4) > clock_timestamp(), false) AS limited,
	       coalesce((
	           SELECT settle_at FROM onchain_tasks
	           WHERE chain_id = $1 AND escrow = $2 AND status IN (3, 4)
	           ORDER BY settle_at
	           LIMIT 1
	       ) < (SELECT time - make_interval(secs => $5) FROM chain_head WHERE chain_id = $1), false) AS overdue
	FROM (VALUES (1)) one
	LEFT JOIN keeper_lease l ON l.chain_id = $1`

// KeeperStatus returns what the database shows about the keeper's work, for
// every replica alike: whether no lease has run for the time absent, whether a
// spending limit was reached in the last minutes, and whether a task is still
// not settled when chain time has passed the instant at which it was due by the
// time overdue.
func (s *Store) KeeperStatus(ctx context.Context, absent, overdue time.Duration) (market.KeeperStatus, error) {
	var row struct {
		Absent  bool `db:"absent"`
		Limited bool `db:"limited"`
		Overdue bool `db:"overdue"`
	}
	err := s.db.Get(ctx, nil, &row, keeperStatusQuery,
		s.deployment.ChainID, s.deployment.Escrow, absent.Seconds(), limitShown.Seconds(), overdue.Seconds())
	return market.KeeperStatus(row), pg.Translate(err, "select the keeper's status")
}
