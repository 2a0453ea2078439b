package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
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
		return s.audit(ctx, tx, market.AuditEntry{
			Kind: market.AuditConsoleLink, SubjectKind: "operator", Subject: auditSubject(o.Name), Detail: string(o.Role),
		})
	})
}

// Usernames returns the usernames of the accounts with the ids. Unknown ids are missing.
func (s *Store) Usernames(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID       uuid.UUID `db:"id"`
		Username string    `db:"username"`
	}
	if err := s.db.Select(ctx, nil, &rows, `SELECT id, username FROM users WHERE id = ANY ($1)`, pq.Array(ids)); err != nil {
		return nil, pg.Translate(err, "select usernames")
	}
	names := make(map[uuid.UUID]string, len(rows))
	for _, row := range rows {
		names[row.ID] = row.Username
	}
	return names, nil
}

// SubjectName names a subject of the audit log for operators.
type SubjectName struct {
	Username string // of an account, or of the author
	Title    string // of a task, or of the task of a file; otherwise empty
}

// SubjectNames returns the names of the accounts, tasks, messages and files with the ids. Unknown ids are missing.
func (s *Store) SubjectNames(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]SubjectName, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID       uuid.UUID `db:"id"`
		Username string    `db:"username"`
		Title    string    `db:"title"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT c.id, u.username, c.title
		FROM (SELECT id, id AS author_id, '' AS title FROM users WHERE id = ANY ($1)
		      UNION ALL
		      SELECT id, agent_id, title FROM tasks WHERE id = ANY ($1)
		      UNION ALL
		      SELECT id, sender_id, '' FROM task_messages WHERE id = ANY ($1)
		      UNION ALL
		      SELECT m.id, CASE m.sender_kind WHEN 'agent' THEN v.agent_id ELSE v.human_id END, ''
		      FROM direct_messages m
		      JOIN conversations v ON v.id = m.conversation_id
		      WHERE m.id = ANY ($1)
		      UNION ALL
		      SELECT f.id, f.uploader_id, t.title FROM files f JOIN tasks t ON t.id = f.task_id WHERE f.id = ANY ($1)) c
		JOIN users u ON u.id = c.author_id`, pq.Array(ids))
	if err != nil {
		return nil, pg.Translate(err, "select the names of subjects")
	}
	names := make(map[uuid.UUID]SubjectName, len(rows))
	for _, row := range rows {
		names[row.ID] = SubjectName{Username: row.Username, Title: row.Title}
	}
	return names, nil
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
	return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditConsoleSignIn, Detail: string(o.Role), Origin: by})
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
		return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditConsoleSignOut})
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
		return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditConsoleSignOut, SubjectKind: "operator", Subject: auditSubject(name)})
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
		return s.audit(ctx, tx, market.AuditEntry{Kind: market.AuditSessionsEnded, SubjectKind: "account", Subject: human.String()})
	})
	return ended, err
}

// consoleRows is the maximum number of records that a search in the console returns.
const consoleRows = 50

// RecordQuery selects records for operators by one of its fields. If all are zero, it selects the newest
// records.
type RecordQuery struct {
	ID       uuid.UUID
	Wallet   common.Address
	Username string // a current or former name, ignoring case
	Escrow   uint64 // a task's id in the escrow contract
}

// AccountRecords returns up to 50 accounts, newest first.
func (s *Store) AccountRecords(ctx context.Context, q RecordQuery) ([]market.AccountRecord, error) {
	var rows []struct {
		ID        uuid.UUID            `db:"id"`
		Kind      market.PrincipalKind `db:"kind"`
		Username  string               `db:"username"`
		Former    string               `db:"former_username"`
		Name      string               `db:"name"`
		Wallet    common.Address       `db:"wallet"`
		Account   string               `db:"account"`
		CreatedAt pg.NullTime          `db:"created_at"`
		Sessions  int                  `db:"sessions"`
	}
	var filter pg.Filter
	switch {
	case q.ID != uuid.Nil:
		filter.Add("u.id = ?", q.ID)
	case q.Wallet != common.Address{}:
		filter.Add("u.kind IN ('agent', 'human') AND u.wallet = ?", q.Wallet)
	case q.Username != "":
		filter.Add(`(lower(u.username) COLLATE "C" = lower(?) COLLATE "C" OR lower(u.former_username) COLLATE "C" = lower(?) COLLATE "C")`, q.Username, q.Username)
	case q.Escrow != 0:
		return nil, nil
	}
	where, args := filter.SQL()
	err := s.db.SelectAdHoc(ctx, &rows, `
		SELECT u.id, u.kind, u.username, coalesce(u.former_username, '') AS former_username, u.name, u.wallet,
		       coalesce(u.social_handle || '@' || u.social_network, '') AS account, u.created_at,
		       (SELECT count(*) FROM sessions s WHERE s.human_id = u.id AND s.expires_at > now()) AS sessions
		FROM users u`+where+fmt.Sprintf(`
		ORDER BY u.id DESC
		LIMIT %d`, consoleRows), args...)
	records := make([]market.AccountRecord, len(rows))
	for i, row := range rows {
		records[i] = market.AccountRecord{
			ID: row.ID, Kind: row.Kind, Username: row.Username, FormerUsername: row.Former, Name: row.Name, Wallet: row.Wallet,
			Account: row.Account, CreatedAt: row.CreatedAt.Time, Sessions: row.Sessions,
		}
	}
	return records, pg.Translate(err, "select accounts")
}

// TaskRecords returns up to 50 tasks, newest first.
func (s *Store) TaskRecords(ctx context.Context, q RecordQuery) ([]market.TaskRecord, error) {
	var filter pg.Filter
	switch {
	case q.ID != uuid.Nil:
		filter.Add("(t.id = ? OR t.agent_id = ? OR t.human_id = ?)", q.ID, q.ID, q.ID)
	case q.Escrow != 0:
		filter.Add("t.chain_id = ? AND t.escrow = ? AND t.escrow_task_id = ?", s.deployment.ChainID, s.deployment.Escrow, pg.BigInt(q.Escrow))
	case q.Username != "", q.Wallet != common.Address{}:
		accounts, err := s.AccountRecords(ctx, q)
		if err != nil {
			return nil, err
		}
		ids := make([]string, len(accounts))
		for i, account := range accounts {
			ids[i] = account.ID.String()
		}
		filter.Add("(t.agent_id = ANY(?::uuid[]) OR t.human_id = ANY(?::uuid[]))", pg.StringArray(ids), pg.StringArray(ids))
	}
	return s.taskRecords(ctx, filter)
}

func (s *Store) taskRecords(ctx context.Context, filter pg.Filter) ([]market.TaskRecord, error) {
	var rows []struct {
		ID            uuid.UUID     `db:"id"`
		Title         string        `db:"title"`
		Status        market.Status `db:"status"`
		Amount        pg.Wei        `db:"amount"`
		AgentID       uuid.UUID     `db:"agent_id"`
		AgentUsername string        `db:"agent_username"`
		HumanID       uuid.NullUUID `db:"human_id"`
		HumanUsername string        `db:"human_username"`
		EscrowTaskID  int64         `db:"escrow_task_id"`
		Applications  int           `db:"applications"`
		Files         int           `db:"files"`
		FileBytes     int64         `db:"file_bytes"`
		CreatedAt     pg.NullTime   `db:"created_at"`
		UpdatedAt     pg.NullTime   `db:"updated_at"`
	}
	where, args := filter.SQL()
	err := s.db.SelectAdHoc(ctx, &rows, `
		SELECT t.id, t.title, t.status, t.amount, t.agent_id, a.username AS agent_username, t.human_id, coalesce(h.username, '') AS human_username,
		       coalesce(t.escrow_task_id, 0) AS escrow_task_id, t.created_at, t.updated_at,
		       (SELECT count(*) FROM applications p WHERE p.task_id = t.id) AS applications,
		       (SELECT count(*) FROM files f WHERE f.task_id = t.id) AS files,
		       (SELECT coalesce(sum(f.size), 0)::bigint FROM files f WHERE f.task_id = t.id) AS file_bytes
		FROM tasks t
		JOIN users a ON a.id = t.agent_id
		LEFT JOIN users h ON h.id = t.human_id`+where+fmt.Sprintf(`
		ORDER BY t.id DESC
		LIMIT %d`, consoleRows), args...)
	records := make([]market.TaskRecord, len(rows))
	for i, row := range rows {
		records[i] = market.TaskRecord{
			ID: row.ID, Title: row.Title, Status: row.Status, Amount: row.Amount.Int, AgentID: row.AgentID, AgentUsername: row.AgentUsername,
			HumanID: row.HumanID.UUID, HumanUsername: row.HumanUsername, EscrowTaskID: pg.Counter(row.EscrowTaskID),
			Applications: row.Applications, Files: row.Files, FileBytes: row.FileBytes,
			CreatedAt: row.CreatedAt.Time, UpdatedAt: row.UpdatedAt.Time,
		}
	}
	return records, pg.Translate(err, "select tasks for operators")
}
