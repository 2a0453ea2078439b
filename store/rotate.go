package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Key is what is kept of an API key.
type Key struct {
	Hash   common.Hash // SHA-256 of the key
	Prefix string      // its first characters, to tell keys apart
}

// heldKey is an agent's key while its row is locked.
type heldKey struct {
	ID          uuid.UUID   `db:"id"`
	Hash        common.Hash `db:"key_hash"`
	RotatedAt   pg.NullTime `db:"key_rotated_at"`   // the last replacement, by whichever way
	RecoveredAt pg.NullTime `db:"key_recovered_at"` // the last one by the wallet
	Now         pg.NullTime `db:"now"`
}

// RotateKey puts the fresh key in the place of the one with the SHA-256 old,
// and returns since when. It refuses a key that is not the agent's any more
// (KindUnauthorized) and a replacement too soon after the last one
// (KindRotationTooSoon).
func (s *Store) RotateKey(ctx context.Context, agentID uuid.UUID, old common.Hash, fresh Key) (at time.Time, err error) {
	err = s.db.TxFor(ctx, agentID, func(tx *sqlx.Tx) error {
		var held heldKey
		err := s.db.Get(ctx, tx, &held, `
			SELECT id, key_hash, key_rotated_at, key_recovered_at, clock_timestamp() AS now
			FROM agents
			WHERE id = $1
			FOR UPDATE`, agentID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("lock the key of agent %s", agentID))
		}
		if held.Hash != old {
			return invalidKey(nil)
		}
		if err := market.CheckRotation(held.RotatedAt.Pointer(), held.Now.Time); err != nil {
			return err
		}
		at, err = s.replaceKey(ctx, tx, held, fresh, false)
		return err
	})
	return at, err
}

// RecoverKey uses up the challenge that the wallet has signed and puts the
// fresh key in the place of its agent's, and returns since when. A refusal uses
// up nothing: KindChallengeMismatch, KindChallengeExpired, KindNotFound for a
// wallet without an agent, KindRotationTooSoon too soon after the last recovery.
// A rotation does not count: it may have been a thief's. Without the challenge
// nothing is told of the wallet.
func (s *Store) RecoverKey(ctx context.Context, wallet common.Address, challenge common.Hash, fresh Key) (at time.Time, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.consume(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeRecover, Wallet: wallet})
		if err != nil {
			return err
		}
		var held heldKey
		err = s.db.Get(ctx, tx, &held, `
			SELECT a.id, a.key_hash, a.key_rotated_at, a.key_recovered_at, clock_timestamp() AS now
			FROM agents a
			JOIN users u ON u.id = a.id
			WHERE u.kind = 'agent' AND u.wallet = $1
			FOR UPDATE OF a`, wallet)
		if err = pg.Translate(err, "lock the key of the agent of "+wallet.Hex()); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindNotFound, "no agent is registered with this wallet", err).
				WithHint("register one with POST /agents/register")
		}
		if err != nil {
			return err
		}
		if err := market.CheckRotation(held.RecoveredAt.Pointer(), held.Now.Time); err != nil {
			return err
		}
		at, err = s.replaceKey(ctx, tx, held, fresh, true)
		return err
	})
	return at, err
}

// replaceKey is the replacement itself, of a key whose row is locked.
func (s *Store) replaceKey(ctx context.Context, tx *sqlx.Tx, held heldKey, fresh Key, byWallet bool) (time.Time, error) {
	var at pg.NullTime
	err := s.db.Get(ctx, tx, &at, `
		UPDATE agents
		SET key_hash = $2, key_prefix = $3, key_rotated_at = clock_timestamp(),
			key_recovered_at = CASE WHEN $4 THEN clock_timestamp() ELSE key_recovered_at END
		WHERE id = $1
		RETURNING key_rotated_at`, held.ID, fresh.Hash, fresh.Prefix, byWallet)
	return at.Time, pg.Translate(err, fmt.Sprintf("replace the key of agent %s", held.ID))
}
