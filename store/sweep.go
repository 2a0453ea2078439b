package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// sweepBatch bounds one transaction's work and locks.
const sweepBatch = 5_000

// Sweep deletes what time has made useless: challenges, sessions and
// idempotency keys that have expired, buckets that are full, the keeper's
// spending of more than 30 days ago, and old events.
// Several may run at once.
func (s *Store) Sweep(ctx context.Context) error {
	for _, statement := range []string{
		`DELETE FROM challenges WHERE hash IN (
			SELECT hash FROM challenges WHERE expires_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM sessions WHERE id_hash IN (
			SELECT id_hash FROM sessions WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM idempotency_keys WHERE scope IN (
			SELECT scope FROM idempotency_keys WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM rate_limits WHERE key IN (
			SELECT key FROM rate_limits WHERE tat <= now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM keeper_spending WHERE (chain_id, sender, nonce) IN (
			SELECT chain_id, sender, nonce FROM keeper_spending WHERE signed_at < now() - interval '30 days' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
	} {
		if err := s.sweep(ctx, statement); err != nil {
			return err
		}
	}
	return s.sweepEvents(ctx)
}

func (s *Store) sweep(ctx context.Context, statement string) error {
	for {
		var n int64
		err := s.tx(ctx, func(tx *sqlx.Tx) (err error) {
			n, err = s.exec(ctx, tx, statement, sweepBatch)
			return translate(err, "sweep")
		})
		if err != nil || n < sweepBatch {
			return err
		}
	}
}
