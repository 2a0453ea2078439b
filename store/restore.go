package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"taskmarket/store/internal/pg"
)

// ForgetCredentials ends every right to act as somebody: API keys, sessions and
// challenges. It is for a database that was restored from a backup, of which
// nobody knows what has been replaced, ended or used since. Agents get a new
// key by their wallet's signature, at once; humans sign in again. The answers
// kept for idempotency keys stay: they are as old as the records they tell of.
// The log of events begins anew: its order is that of another server.
func (s *Store) ForgetCredentials(ctx context.Context) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		for _, statement := range []string{
			`SET LOCAL statement_timeout = 0`,
			// A hash of what nobody knows: no key has it.
			`UPDATE agents
			SET key_hash = sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), key_rotated_at = NULL, key_recovered_at = NULL`,
			`DELETE FROM sessions`,
			`DELETE FROM challenges`,
			// Who has read on in the past that was lost reads everything again.
			`DELETE FROM events`,
			`UPDATE event_log SET epoch = substr(md5(gen_random_uuid()::text), 1, 8), swept = 0`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return pg.Translate(err, "forget credentials")
			}
		}
		return nil
	})
}
