package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

// SessionRecord is a session as its human sees it.
type SessionRecord struct {
	ID         uuid.UUID
	Device     market.Device
	Network    netip.Prefix // network of the last recorded use: an IPv4 /24 or an IPv6 /48; zero if it is unknown
	CreatedAt  time.Time
	LastUsedAt time.Time // at most SessionInterval before the actual last use
	ExpiresAt  time.Time // when the session ends if it is not used again
}

// Session is a human's session, identified by the hash of its token's id.
type Session struct {
	IDHash    common.Hash // SHA-256 of the token's id (its jti claim)
	ExpiresAt time.Time
	Device    market.Device
	Network   netip.Prefix // an IPv4 /24 or an IPv6 /48; zero if it is unknown
}

// SignIn consumes the challenge that newHuman.Wallet signed and opens a session for the human with
// this wallet. If there is no such human, it inserts newHuman. It ends the human's oldest session if
// there are already market.MaxSessions. Errors are KindChallengeMismatch, KindChallengeExpired, and
// KindUsernameTaken, after which the caller can retry with another username. A rejected sign-in does
// not consume the challenge.
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
		if err := s.openSession(ctx, tx, human.ID, session); err != nil {
			return err
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditSignIn, Account: human.ID})
	})
	return human, err
}

// findOrCreateHuman returns the human with newHuman's wallet, and inserts newHuman if there is
// none. A new human is linked to the wallet's existing on-chain records.
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
		if err := auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditRegistration, Account: newHuman.ID}); err != nil {
			return market.Human{}, err
		}
	}
	return s.humanByWallet(ctx, tx, newHuman.Wallet)
}

func endedSession(cause error) error {
	return pg.Refusal(market.KindUnauthorized, "this session has ended; sign in again", cause)
}

// SignOut ends the session. It has no effect on a session that has already ended.
func (s *Store) SignOut(ctx context.Context, idHash common.Hash) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var human uuid.UUID
		err := s.db.Get(ctx, tx, &human, `DELETE FROM sessions WHERE id_hash = $1 RETURNING human_id`, idHash)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return pg.Translate(err, "delete a session")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditSignOut, Account: human})
	})
}

// Purpose is the action that a challenge authorizes.
type Purpose string

// The purposes of a challenge.
const (
	PurposeRegister Purpose = "register"
	PurposeRecover  Purpose = "recover"
	PurposeLogin    Purpose = "login"
	PurposeErase    Purpose = "erase"
)

// Challenge is a text for a wallet to sign, identified by its hash. The action that it authorizes
// consumes it.
type Challenge struct {
	Hash      common.Hash // SHA-256 of the text
	Purpose   Purpose
	Wallet    common.Address
	Profile   common.Hash // hash of the request body that the challenge is bound to; zero if it is not bound to one
	ExpiresAt time.Time
}

// challengeExpired is the condition of an expired challenge. Servers write its expiry by their own clocks,
// because the signed text contains it.
var challengeExpired = "expires_at <= now() - " + pg.Interval(market.ClockSkew)

// SaveChallenge stores an issued challenge.
func (s *Store) SaveChallenge(ctx context.Context, c Challenge) error {
	return s.db.Write(ctx, "insert a challenge", `
		INSERT INTO challenges (hash, purpose, wallet, profile, expires_at)
		VALUES ($1, $2, $3, $4, $5)`,
		c.Hash, c.Purpose, c.Wallet, pg.NullHash{Hash: c.Profile}, c.ExpiresAt)
}

// consumeChallenge deletes the challenge. It returns KindChallengeMismatch if the challenge is
// unknown, already used, or issued for another purpose, wallet or profile, and KindChallengeExpired
// if it has expired. If the caller's transaction fails, the challenge stays valid.
func (s *Store) consumeChallenge(ctx context.Context, tx *sqlx.Tx, c Challenge) error {
	var found challengeRow
	err := s.db.Get(ctx, tx, &found, `
		DELETE FROM challenges
		WHERE hash = $1
		RETURNING purpose, wallet, profile, `+challengeExpired+` AS expired, checks`, c.Hash)
	if err = pg.Translate(err, "delete a challenge"); err != nil {
		return unknownChallenge(err)
	}
	return found.check(c)
}

// CheckChallenge returns the error that the action would return when it consumes the challenge. It changes
// nothing.
func (s *Store) CheckChallenge(ctx context.Context, c Challenge) error {
	var found challengeRow
	err := s.db.Get(ctx, nil, &found, `
		SELECT purpose, wallet, profile, `+challengeExpired+` AS expired, checks
		FROM challenges
		WHERE hash = $1`, c.Hash)
	if err = pg.Translate(err, "select a challenge"); err != nil {
		return unknownChallenge(err)
	}
	return found.check(c)
}

// StartCheck counts a check of a contract wallet's signature of the challenge. It returns
// KindChallengeMismatch and KindChallengeExpired like consumeChallenge, and KindChallengeMismatch after
// market.MaxChallengeChecks checks. Even then, the challenge stays valid for a signature by a private key.
func (s *Store) StartCheck(ctx context.Context, c Challenge) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var found challengeRow
		err := s.db.Get(ctx, tx, &found, `
			SELECT purpose, wallet, profile, `+challengeExpired+` AS expired, checks
			FROM challenges
			WHERE hash = $1
			FOR UPDATE`, c.Hash)
		if err = pg.Translate(err, "lock a challenge"); err != nil {
			return unknownChallenge(err)
		}
		if err := found.check(c); err != nil {
			return err
		}
		if found.Checks >= market.MaxChallengeChecks {
			return market.Errorf(market.KindChallengeMismatch, "signatures of this challenge were checked %d times, which is the limit", market.MaxChallengeChecks).
				WithHint("request a new challenge and sign it")
		}
		_, err = s.db.Exec(ctx, tx, `UPDATE challenges SET checks = checks + 1 WHERE hash = $1`, c.Hash)
		return pg.Translate(err, "count a check of a challenge")
	})
}

type challengeRow struct {
	Purpose Purpose        `db:"purpose"`
	Wallet  common.Address `db:"wallet"`
	Profile pg.NullHash    `db:"profile"`
	Expired bool           `db:"expired"`
	Checks  int            `db:"checks"`
}

// check returns an error if the challenge has expired, or was issued for data other than c.
func (f challengeRow) check(c Challenge) error {
	switch {
	case f.Purpose != c.Purpose || f.Wallet != c.Wallet || f.Profile.Hash != c.Profile:
		return market.Errorf(market.KindChallengeMismatch, "this challenge was issued for different data").
			WithHint("send exactly the data that you requested the challenge with, or request a new challenge")
	case f.Expired:
		return market.Errorf(market.KindChallengeExpired, "this challenge has expired").
			WithHint("request a new challenge and sign it before it expires")
	}
	return nil
}

// unknownChallenge replaces KindNotFound with KindChallengeMismatch.
func unknownChallenge(err error) error {
	if market.KindOf(err) != market.KindNotFound {
		return err
	}
	return market.Errorf(market.KindChallengeMismatch, "this challenge is unknown or already used").
		WithHint("request a new challenge and sign it")
}

// RevokeCredentials invalidates all API keys, challenges, and sessions and sign-in links of humans and
// operators. It is for a database restored from a backup, in which replaced credentials could be valid
// again. Agents can immediately recover a key with their wallet's signature; humans sign in again.
// Stored responses to idempotent requests are not deleted, because they match the restored records. The
// events are deleted and the event log starts a new epoch, because positions in the lost part of the log
// are no longer valid.
func (s *Store) RevokeCredentials(ctx context.Context) error {
	return s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
		if err := s.db.Extend(ctx, tx, 0); err != nil {
			return pg.Translate(err, "revoke credentials")
		}
		for _, statement := range []string{
			// Set a hash of random bytes, which no key matches.
			`UPDATE agents
			SET key_hash = sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), key_rotated_at = NULL, key_recovered_at = NULL`,
			`DELETE FROM sessions`,
			`DELETE FROM challenges`,
			`DELETE FROM console_sessions`,
			`DELETE FROM console_links`,
			// Delete the event log, so that clients with a position in the lost part read all
			// records again.
			`DELETE FROM events`,
			`UPDATE event_log SET epoch = substr(md5(gen_random_uuid()::text), 1, 8), swept = 0`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return pg.Translate(err, "revoke credentials")
			}
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditRestore})
	})
}

// liveSession is the condition that a session in table s can be used. Sessions that are older than the
// column last_used_at have none; created_at replaces it.
var liveSession = fmt.Sprintf(`s.expires_at > now() AND coalesce(s.last_used_at, s.created_at) > now() - %s`,
	pg.Interval(market.SessionIdle))

// sessionIDColumn is the public id of a session in table s: the first half of the hash of its token's id, which
// is a random number of 256 bits.
const sessionIDColumn = `encode(substring(s.id_hash FROM 1 FOR 16), 'hex')::uuid`

// SessionID returns the public id of the session whose token's id has the hash.
func SessionID(idHash common.Hash) uuid.UUID { return uuid.UUID(idHash[:16]) }

type sessionRow struct {
	ID         uuid.UUID   `db:"id"`
	Browser    string      `db:"browser"`
	System     string      `db:"system"`
	Network    *string     `db:"network"`
	CreatedAt  pg.NullTime `db:"created_at"`
	LastUsedAt pg.NullTime `db:"last_used_at"`
	ExpiresAt  pg.NullTime `db:"expires_at"`
}

func (r sessionRow) record() SessionRecord {
	network, _ := netip.ParsePrefix(pg.Text(r.Network)) // the zero value if it is unknown; every text in the column is valid
	return SessionRecord{
		ID: r.ID, Network: network,
		Device:    market.Device{Browser: market.Browser(r.Browser), System: market.System(r.System)},
		CreatedAt: r.CreatedAt.Time, LastUsedAt: r.LastUsedAt.Time, ExpiresAt: r.ExpiresAt.Time,
	}
}

// Sessions returns the human's live sessions, most recently used first.
func (s *Store) Sessions(ctx context.Context, humanID uuid.UUID) ([]SessionRecord, error) {
	var rows []sessionRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+sessionIDColumn+` AS id, coalesce(s.browser, 'other') AS browser, coalesce(s.system, 'other') AS system, s.network::text,
		       s.created_at, coalesce(s.last_used_at, s.created_at) AS last_used_at,
		       least(s.expires_at, coalesce(s.last_used_at, s.created_at) + `+pg.Interval(market.SessionIdle)+`) AS expires_at
		FROM sessions s
		WHERE s.human_id = $1 AND `+liveSession+`
		ORDER BY coalesce(s.last_used_at, s.created_at) DESC, s.created_at DESC, s.id_hash
		LIMIT $2`, humanID, market.MaxSessions)
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("select the sessions of human %s", humanID))
	}
	return pg.Convert(rows, sessionRow.record), nil
}

// EndSession ends one of the human's sessions. It returns KindNotFound if the human has no such session,
// for example because it has ended.
func (s *Store) EndSession(ctx context.Context, humanID, sessionID uuid.UUID) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `DELETE FROM sessions s WHERE s.human_id = $1 AND `+sessionIDColumn+` = $2`, humanID, sessionID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("delete a session of human %s", humanID))
		}
		if n == 0 {
			return market.Errorf(market.KindNotFound, "you have no session with this id; it may have ended").
				WithHint("GET /auth/sessions lists your sessions")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditSignOut, Account: humanID, SubjectKind: "session", Subject: sessionID.String()})
	})
}

// EndSessions ends all sessions of the human.
func (s *Store) EndSessions(ctx context.Context, humanID uuid.UUID) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `DELETE FROM sessions WHERE human_id = $1`, humanID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("delete the sessions of human %s", humanID))
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditSessionsEnded, Account: humanID, Count: int(n)})
	})
}

// openSession inserts a session of the human, and ends the oldest sessions above market.MaxSessions. It
// locks the human, so that sessions that are opened concurrently are counted.
func (s *Store) openSession(ctx context.Context, tx *sqlx.Tx, humanID uuid.UUID, opened Session) error {
	what := fmt.Sprintf("insert a session of human %s", humanID)
	if _, err := s.db.Exec(ctx, tx, `SELECT FROM humans WHERE id = $1 FOR NO KEY UPDATE`, humanID); err != nil {
		return pg.Translate(err, what)
	}
	ended, err := s.db.Exec(ctx, tx, `
		DELETE FROM sessions
		WHERE id_hash IN (SELECT id_hash FROM sessions WHERE human_id = $1 ORDER BY created_at DESC, id_hash OFFSET $2)`,
		humanID, market.MaxSessions-1)
	if err != nil {
		return pg.Translate(err, what)
	}
	if ended > 0 {
		entry := market.AuditEntry{Kind: market.AuditSignOut, Account: humanID, Detail: market.AuditSessionLimit, Count: int(ended)}
		if err := auditlog.Add(ctx, s.db, tx, entry); err != nil {
			return err
		}
	}
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO sessions (id_hash, human_id, expires_at, last_used_at, network, browser, system)
		VALUES ($1, $2, $3, now(), $4::cidr, nullif($5, ''), nullif($6, ''))`,
		opened.IDHash, humanID, opened.ExpiresAt, nullNetwork(opened.Network), string(opened.Device.Browser), string(opened.Device.System))
	return pg.Translate(err, what)
}

// nullNetwork returns the network for the database, or nil if it is unknown.
func nullNetwork(network netip.Prefix) *string {
	if !network.IsValid() {
		return nil
	}
	return new(network.String())
}
