package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Session is a human's right to act, known by a hash of its token's id.
type Session struct {
	IDHash    common.Hash // SHA-256 of the jti
	ExpiresAt time.Time
}

// SignIn uses up the challenge that newcomer.Wallet signed and opens a session
// for the wallet's human, who is made from newcomer when there is none.
// Refusals use up nothing: KindChallengeMismatch, KindChallengeExpired, and
// KindUsernameTaken when a newcomer's username is, so the caller can try
// another one.
func (s *Store) SignIn(ctx context.Context, challenge common.Hash, newcomer market.Human, session Session) (market.Human, error) {
	var human market.Human
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.consume(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeLogin, Wallet: newcomer.Wallet})
		if err != nil {
			return err
		}
		if human, err = s.welcome(ctx, tx, newcomer); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, tx, `INSERT INTO sessions (id_hash, human_id, expires_at) VALUES ($1, $2, $3)`,
			session.IDHash, human.ID, session.ExpiresAt)
		return pg.Translate(err, fmt.Sprintf("insert a session of human %s", human.ID))
	})
	return human, err
}

// welcome returns the human of the wallet, made now or long ago. What the
// chain already says about a new human's wallet becomes theirs.
func (s *Store) welcome(ctx context.Context, tx *sqlx.Tx, newcomer market.Human) (market.Human, error) {
	human, err := s.humanByWallet(ctx, tx, newcomer.Wallet)
	if market.KindOf(err) != market.KindNotFound {
		return human, err
	}
	created, err := s.insertHuman(ctx, tx, newcomer)
	if err != nil {
		return market.Human{}, err
	}
	if created {
		if err := s.linkHuman(ctx, tx, newcomer.ID, newcomer.Wallet); err != nil {
			return market.Human{}, err
		}
	}
	return s.humanByWallet(ctx, tx, newcomer.Wallet)
}

// Session returns whose session it is and until when; KindUnauthorized when it
// was ended or is over.
func (s *Store) Session(ctx context.Context, idHash common.Hash) (market.Human, time.Time, error) {
	var row struct {
		humanRow
		ExpiresAt pg.NullTime `db:"expires_at"`
	}
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+humanColumns+`, s.expires_at
		FROM sessions s
		JOIN humans h ON h.id = s.human_id
		JOIN users u ON u.id = h.id
		WHERE s.id_hash = $1 AND s.expires_at > now()`, idHash)
	err = pg.Translate(err, "select a session")
	if market.KindOf(err) == market.KindNotFound {
		err = pg.Refusal(market.KindUnauthorized, "this session is over; sign in again", err)
	}
	if err != nil {
		return market.Human{}, time.Time{}, err
	}
	return row.human(), row.ExpiresAt.Time, nil
}

// SignOut ends the session; ending it twice is no error.
func (s *Store) SignOut(ctx context.Context, idHash common.Hash) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `DELETE FROM sessions WHERE id_hash = $1`, idHash)
		return pg.Translate(err, "delete a session")
	})
}
