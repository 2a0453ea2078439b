package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Lead acquires or renews the watcher's lease for the duration life. It returns market.ErrNotLeader
// while another holder's lease is valid. The epoch increases whenever the holder changes, which
// fences off the previous holder. Times are compared with the database's clock.
func (s *Store) Lead(ctx context.Context, holder string, life time.Duration) (market.Lease, error) {
	var lease struct {
		Epoch int64       `db:"epoch"`
		Until pg.NullTime `db:"lease_until"`
	}
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		if err := s.ensureHead(ctx, tx); err != nil {
			return err
		}
		err := s.db.Get(ctx, tx, &lease, `
			UPDATE chain_head
			SET epoch = epoch + (holder <> $2)::int,
			    holder = $2,
			    lease_until = clock_timestamp() + make_interval(secs => $3)
			WHERE chain_id = $1
			  AND (holder = $2 OR lease_until IS NULL OR lease_until < clock_timestamp())
			RETURNING epoch, lease_until`,
			s.deployment.ChainID, holder, life.Seconds())
		if errors.Is(err, sql.ErrNoRows) {
			return market.ErrNotLeader
		}
		return pg.Translate(err, "acquire the watcher's lease")
	})
	return market.Lease{Holder: holder, Epoch: lease.Epoch, Until: lease.Until.Time}, err
}

// Release ends the lease unless a later lease has replaced it.
func (s *Store) Release(ctx context.Context, lease market.Lease) error {
	return s.db.Write(ctx, fmt.Sprintf("release the lease of %s", lease.Holder), `
		UPDATE chain_head SET lease_until = NULL WHERE chain_id = $1 AND holder = $2 AND epoch = $3`,
		s.deployment.ChainID, lease.Holder, lease.Epoch)
}

// ensureHead inserts the chain's cursor unless a cursor exists.
func (s *Store) ensureHead(ctx context.Context, tx *sqlx.Tx) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO chain_head (chain_id, number)
		VALUES ($1, $2)
		ON CONFLICT (chain_id) DO NOTHING`,
		s.deployment.ChainID, pg.BigInt(s.deployment.StartBlock)-1)
	return pg.Translate(err, "insert the chain's cursor")
}

type headRow struct {
	Number    int64       `db:"number"`
	Hash      pg.NullHash `db:"hash"`
	Parent    pg.NullHash `db:"parent"`
	Time      pg.NullTime `db:"time"`
	Safe      int64       `db:"safe"`
	Finalized int64       `db:"finalized"`
	Epoch     int64       `db:"epoch"`
}

func (r headRow) cursor() market.Cursor {
	return market.Cursor{
		Block: market.Block{Number: pg.Counter(r.Number), Hash: r.Hash.Hash, Parent: r.Parent.Hash, Time: r.Time.Time},
		Safe:  pg.Counter(r.Safe), Finalized: pg.Counter(r.Finalized), Epoch: r.Epoch,
	}
}

const headColumns = `number, hash, parent, time, safe, finalized, epoch`

// Cursor returns the position of the last followed block. If no block has been followed, it returns
// the position before the deployment's first block, without a hash or a time.
func (s *Store) Cursor(ctx context.Context) (market.Cursor, error) { return s.cursor(ctx, nil) }

func (s *Store) cursor(ctx context.Context, tx *sqlx.Tx) (market.Cursor, error) {
	var row headRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+headColumns+` FROM chain_head WHERE chain_id = $1`, s.deployment.ChainID)
	if errors.Is(err, sql.ErrNoRows) {
		return headRow{Number: pg.BigInt(s.deployment.StartBlock) - 1}.cursor(), nil
	}
	if err != nil {
		return market.Cursor{}, pg.Translate(err, "select the chain's cursor")
	}
	return row.cursor(), nil
}

// Head is like Cursor. It is for callers that need chain time, which is Block.Time in the result.
func (s *Store) Head(ctx context.Context) (market.Cursor, error) { return s.Cursor(ctx) }

// CanonicalBlock returns the highest canonical block at or below the given number, or KindNotFound.
func (s *Store) CanonicalBlock(ctx context.Context, atOrBelow uint64) (market.Block, error) {
	return s.canonicalBlock(ctx, nil, atOrBelow)
}

func (s *Store) canonicalBlock(ctx context.Context, tx *sqlx.Tx, atOrBelow uint64) (market.Block, error) {
	var row headRow
	err := s.db.Get(ctx, tx, &row, `
		SELECT number, hash, parent, time
		FROM chain_blocks
		WHERE chain_id = $1 AND number <= $2 AND canonical
		ORDER BY number DESC
		LIMIT 1`,
		s.deployment.ChainID, pg.BigInt(atOrBelow))
	return row.cursor().Block, pg.Translate(err, fmt.Sprintf("select the canonical block at or below %d", atOrBelow))
}

// LockHead locks the cursor until tx ends and returns it. A transaction outside the watcher that
// links records must call it first. Otherwise the transaction and a concurrent step would not read
// each other's rows. It does not use FOR SHARE, because new sharers would starve the watcher.
// Exclusive locks are granted in order.
func (s *Store) LockHead(ctx context.Context, tx *sqlx.Tx) (market.Cursor, error) {
	if err := s.ensureHead(ctx, tx); err != nil {
		return market.Cursor{}, err
	}
	var row headRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+headColumns+` FROM chain_head WHERE chain_id = $1 FOR NO KEY UPDATE`, s.deployment.ChainID)
	return row.cursor(), pg.Translate(err, "lock the chain's cursor")
}
