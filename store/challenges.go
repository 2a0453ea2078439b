package store

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Purpose says what a signed text is for.
type Purpose string

// The purposes of a challenge.
const (
	PurposeRegister Purpose = "register"
	PurposeRecover  Purpose = "recover"
	PurposeLogin    Purpose = "login"
)

// Challenge is a text that a wallet is asked to sign, known by its hash. It is
// consumed once, by the act that its purpose names.
type Challenge struct {
	Hash      common.Hash // SHA-256 of the text
	Purpose   Purpose
	Wallet    common.Address
	Profile   common.Hash // of the body that the text is about; zero for none
	ExpiresAt time.Time
}

// SaveChallenge remembers a challenge that was handed out.
func (s *Store) SaveChallenge(ctx context.Context, c Challenge) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			INSERT INTO challenges (hash, purpose, wallet, profile, expires_at)
			VALUES ($1, $2, $3, $4, $5)`,
			c.Hash, c.Purpose, c.Wallet, pg.NullHash{Hash: c.Profile}, c.ExpiresAt)
		return pg.Translate(err, "insert a challenge")
	})
}

// consume takes the challenge out of the database. It refuses one that was not
// handed out, or handed out for another purpose, wallet or profile, or used
// (KindChallengeMismatch), and one that is too old (KindChallengeExpired). The
// caller's transaction decides: when it fails, the challenge is still good.
func (s *Store) consume(ctx context.Context, tx *sqlx.Tx, c Challenge) error {
	var found struct {
		Purpose Purpose        `db:"purpose"`
		Wallet  common.Address `db:"wallet"`
		Profile pg.NullHash    `db:"profile"`
		Expired bool           `db:"expired"`
	}
	err := s.db.Get(ctx, tx, &found, `
		DELETE FROM challenges
		WHERE hash = $1
		RETURNING purpose, wallet, profile, expires_at <= now() AS expired`, c.Hash)
	err = pg.Translate(err, "delete a challenge")
	switch {
	case market.KindOf(err) == market.KindNotFound:
		return market.Errorf(market.KindChallengeMismatch, "this challenge was not issued here or is used up").
			WithHint("ask for a new challenge and sign that one")
	case err != nil:
		return err
	case found.Purpose != c.Purpose || found.Wallet != c.Wallet || found.Profile.Hash != c.Profile:
		return market.Errorf(market.KindChallengeMismatch, "this challenge was issued for other data").
			WithHint("repeat exactly what the challenge was asked with, or ask for a new one")
	case found.Expired:
		return market.Errorf(market.KindChallengeExpired, "this challenge has expired").
			WithHint("ask for a new challenge and sign it within its lifetime")
	}
	return nil
}
