package store

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

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

func (r sessionRow) record() market.SessionRecord {
	network, _ := netip.ParsePrefix(pg.Text(r.Network)) // the zero value if it is unknown; every text in the column is valid
	return market.SessionRecord{
		ID: r.ID, Network: network,
		Device:    market.Device{Browser: market.Browser(r.Browser), System: market.System(r.System)},
		CreatedAt: r.CreatedAt.Time, LastUsedAt: r.LastUsedAt.Time, ExpiresAt: r.ExpiresAt.Time,
	}
}

// Sessions returns the human's live sessions, most recently used first.
func (s *Store) Sessions(ctx context.Context, humanID uuid.UUID) ([]market.SessionRecord, error) {
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
		return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditSignOut, Account: humanID, SubjectKind: "session", Subject: sessionID.String()})
	})
}

// EndSessions ends all sessions of the human.
func (s *Store) EndSessions(ctx context.Context, humanID uuid.UUID) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `DELETE FROM sessions WHERE human_id = $1`, humanID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("delete the sessions of human %s", humanID))
		}
		return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditSessionsEnded, Account: humanID, Count: int(n)})
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
		if err := s.audit(ctx, tx, entry); err != nil {
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
