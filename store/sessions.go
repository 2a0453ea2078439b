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

// SignIn uses up the challenge that newHuman.Wallet signed and opens a session
// for the wallet's human, who is made from newHuman when there is none.
// Refusals use up nothing: KindChallengeMismatch, KindChallengeExpired, and
// KindUsernameTaken when a newHuman's username is, so the caller can try
// another one.
func (s *Store) SignIn(ctx context.Context, challenge common.Hash, newHuman market.Human, session Session) (market.Human, error) {
	var human market.Human
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.consumeChallenge(ctx, tx, Challenge{Hash: challenge, Purpose: PurposeLogin, Wallet: newHuman.Wallet})
		if err != nil {
			return err
		}
		if human, err = s.findOrCreateHuman(ctx, tx, newHuman); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, tx, `INSERT INTO sessions (id_hash, human_id, expires_at) VALUES ($1, $2, $3)`,
			session.IDHash, human.ID, session.ExpiresAt)
		return pg.Translate(err, fmt.Sprintf("insert a session of human %s", human.ID))
	})
	return human, err
}

// findOrCreateHuman returns the human of the wallet, made now or long ago. What the
// chain already says about a new human's wallet becomes theirs.
func (s *Store) findOrCreateHuman(ctx context.Context, tx *sqlx.Tx, newHuman market.Human) (market.Human, error) {
	human, err := s.humanByWallet(ctx, tx, newHuman.Wallet)
	if market.KindOf(err) != market.KindNotFound {
		return human, err
	}
	created, err := s.insertHuman(ctx, tx, newHuman)
	if err != nil {
		return market.Human{}, err
	}
	if created {
		if err := s.linkHuman(ctx, tx, newHuman.ID, newHuman.Wallet); err != nil {
			return market.Human{}, err
		}
	}
	return s.humanByWallet(ctx, tx, newHuman.Wallet)
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

// consumeChallenge takes the challenge out of the database. It refuses one that was not
// handed out, or handed out for another purpose, wallet or profile, or used
// (KindChallengeMismatch), and one that is too old (KindChallengeExpired). The
// caller's transaction decides: when it fails, the challenge is still good.
func (s *Store) consumeChallenge(ctx context.Context, tx *sqlx.Tx, c Challenge) error {
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

// RevokeCredentials ends every right to act as somebody: API keys, sessions and
// challenges. It is for a database that was restored from a backup, of which
// nobody knows what has been replaced, ended or used since. Agents get a new
// key by their wallet's signature, at once; humans sign in again. The answers
// kept for idempotency keys stay: they are as old as the records they notify of.
// The log of events begins anew: its order is that of another server.
func (s *Store) RevokeCredentials(ctx context.Context) error {
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
