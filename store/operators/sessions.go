package operators

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

// ConsoleSession is an operator's session in the console.
type ConsoleSession struct {
	IDHash   common.Hash // SHA-256 of the session's token
	Operator market.Operator
}

// SaveConsoleLink stores a link that signs the operator in once within market.ConsoleLinkLifetime.
// tokenHash is the SHA-256 of its token.
func (s *Store) SaveConsoleLink(ctx context.Context, tokenHash common.Hash, o market.Operator) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			INSERT INTO console_links (token_hash, operator, role, expires_at)
			VALUES ($1, $2, $3, now() + `+pg.Interval(market.ConsoleLinkLifetime)+`)`, tokenHash, o.Name, string(o.Role))
		if err != nil {
			return pg.Translate(err, "insert a sign-in link")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{
			Kind: market.AuditConsoleLink, SubjectKind: "operator", Subject: auditSubject(o.Name), Detail: string(o.Role),
		})
	})
}

// auditSubject converts the name of an operator to a subject of the audit log. Subjects have a lower
// length limit than names, and cannot contain some characters of e-mail addresses.
func auditSubject(name string) string {
	subject := subjectCharacters.Replace(name)
	return subject[:min(len(subject), maxAuditSubject)]
}

// subjectCharacters escapes the characters that subjects cannot contain. Different names stay different
// until auditSubject truncates them.
var subjectCharacters = strings.NewReplacer(":", "::", "@", ":at:", "+", ":plus:")

// maxAuditSubject is the length of the longest subject in the audit log.
const maxAuditSubject = 80

// UseConsoleLink deletes the link and opens the session idHash for its operator. It returns
// KindUnauthorized for a link that was used, has expired or never existed.
func (s *Store) UseConsoleLink(ctx context.Context, tokenHash, idHash common.Hash) (market.Operator, error) {
	var row operatorRow
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &row, `
			DELETE FROM console_links WHERE token_hash = $1 AND expires_at > now()
			RETURNING operator, role, false AS by_proxy`, tokenHash)
		if err = pg.Translate(err, "delete a sign-in link"); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindUnauthorized, "this link has been used or has expired; create a new one", err)
		}
		if err != nil {
			return err
		}
		return s.openConsoleSession(ctx, tx, ConsoleSession{IDHash: idHash, Operator: row.operator()})
	})
	return row.operator(), err
}

// OpenConsoleSession opens a session for an operator named by the identity proxy.
func (s *Store) OpenConsoleSession(ctx context.Context, session ConsoleSession) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error { return s.openConsoleSession(ctx, tx, session) })
}

func (s *Store) openConsoleSession(ctx context.Context, tx *sqlx.Tx, session ConsoleSession) error {
	o := session.Operator
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO console_sessions (id_hash, operator, role, by_proxy, expires_at)
		VALUES ($1, $2, $3, $4, now() + `+pg.Interval(market.ConsoleSessionLifetime)+`)`, session.IDHash, o.Name, string(o.Role), o.ByProxy)
	if err != nil {
		return pg.Translate(err, "insert a console session")
	}
	by := market.OriginOf(ctx)
	by.Operator = o.Name
	return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditConsoleSignIn, Detail: string(o.Role), Origin: by})
}

type operatorRow struct {
	Name    string              `db:"operator"`
	Role    market.OperatorRole `db:"role"`
	ByProxy bool                `db:"by_proxy"`
}

func (r operatorRow) operator() market.Operator { return market.Operator(r) }

// UseConsoleSession returns the session's operator and restarts the session's idle time. It returns
// KindUnauthorized if the session has ended or expired, or was not used for market.ConsoleSessionIdle.
func (s *Store) UseConsoleSession(ctx context.Context, idHash common.Hash) (market.Operator, error) {
	var row operatorRow
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &row, `
			UPDATE console_sessions SET used_at = now()
			WHERE id_hash = $1 AND expires_at > now() AND used_at > now() - `+pg.Interval(market.ConsoleSessionIdle)+`
			RETURNING operator, role, by_proxy`, idHash)
		if err = pg.Translate(err, "select a console session"); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindUnauthorized, "this session has ended; sign in again", err)
		}
		return err
	})
	return row.operator(), err
}

// EndConsoleSession ends a session. It has no effect on a session that has already ended.
func (s *Store) EndConsoleSession(ctx context.Context, idHash common.Hash) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		n, err := s.db.Exec(ctx, tx, `DELETE FROM console_sessions WHERE id_hash = $1`, idHash)
		if err != nil || n == 0 {
			return pg.Translate(err, "delete a console session")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditConsoleSignOut})
	})
}

// EndConsoleAccess deletes all sessions and links of an operator and returns the number of sessions. It
// ignores the case of the name.
func (s *Store) EndConsoleAccess(ctx context.Context, name string) (ended int64, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		if _, err := s.db.Exec(ctx, tx, `DELETE FROM console_links WHERE lower(operator) = lower($1)`, name); err != nil {
			return pg.Translate(err, "delete the sign-in links of an operator")
		}
		if ended, err = s.db.Exec(ctx, tx, `DELETE FROM console_sessions WHERE lower(operator) = lower($1)`, name); err != nil {
			return pg.Translate(err, "delete the console sessions of an operator")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditConsoleSignOut, SubjectKind: "operator", Subject: auditSubject(name)})
	})
	return ended, err
}

// EndHumanSessions signs the human out everywhere, for an operator, and returns the number of
// sessions. It returns KindNotFound if no human has the id.
func (s *Store) EndHumanSessions(ctx context.Context, human uuid.UUID) (ended int64, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var id uuid.UUID
		if err := s.db.Get(ctx, tx, &id, `SELECT id FROM humans WHERE id = $1`, human); err != nil {
			return pg.Translate(err, fmt.Sprintf("select human %s", human))
		}
		if ended, err = s.db.Exec(ctx, tx, `DELETE FROM sessions WHERE human_id = $1`, human); err != nil {
			return pg.Translate(err, fmt.Sprintf("delete the sessions of human %s", human))
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditSessionsEnded, SubjectKind: "account", Subject: human.String()})
	})
	return ended, err
}
