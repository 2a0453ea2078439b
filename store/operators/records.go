package operators

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// AccountRecord is an account as operators see it. It contains no credentials and no messages.
type AccountRecord struct {
	ID             uuid.UUID
	Kind           market.PrincipalKind
	Username       string
	FormerUsername string
	Name           string
	Wallet         common.Address
	Account        string // the linked social account, as handle@network; empty without one
	CreatedAt      time.Time
	Sessions       int // open sessions
}

// TaskRecord is a task as operators see it. It contains no messages, applications, work or files.
type TaskRecord struct {
	ID            uuid.UUID
	Title         string
	Status        market.Status
	Amount        *big.Int // wei
	AgentID       uuid.UUID
	AgentUsername string
	HumanID       uuid.UUID // zero if no human is assigned
	HumanUsername string
	EscrowTaskID  uint64 // id in the escrow contract; 0 if the task is not funded
	Applications  int
	Files         int
	FileBytes     int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
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
func (s *Store) AccountRecords(ctx context.Context, q RecordQuery) ([]AccountRecord, error) {
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
	records := make([]AccountRecord, len(rows))
	for i, row := range rows {
		records[i] = AccountRecord{
			ID: row.ID, Kind: row.Kind, Username: row.Username, FormerUsername: row.Former, Name: row.Name, Wallet: row.Wallet,
			Account: row.Account, CreatedAt: row.CreatedAt.Time, Sessions: row.Sessions,
		}
	}
	return records, pg.Translate(err, "select accounts")
}

// TaskRecords returns up to 50 tasks, newest first.
func (s *Store) TaskRecords(ctx context.Context, q RecordQuery) ([]TaskRecord, error) {
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

func (s *Store) taskRecords(ctx context.Context, filter pg.Filter) ([]TaskRecord, error) {
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
	records := make([]TaskRecord, len(rows))
	for i, row := range rows {
		records[i] = TaskRecord{
			ID: row.ID, Title: row.Title, Status: row.Status, Amount: row.Amount.Int, AgentID: row.AgentID, AgentUsername: row.AgentUsername,
			HumanID: row.HumanID.UUID, HumanUsername: row.HumanUsername, EscrowTaskID: pg.Counter(row.EscrowTaskID),
			Applications: row.Applications, Files: row.Files, FileBytes: row.FileBytes,
			CreatedAt: row.CreatedAt.Time, UpdatedAt: row.UpdatedAt.Time,
		}
	}
	return records, pg.Translate(err, "select tasks for operators")
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
