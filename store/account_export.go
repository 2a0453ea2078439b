package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
	"taskmarket/store/schema"
)

// Limits of a page of an export.
const (
	exportRows  = 100     // records
	exportBytes = 1 << 20 // bytes of JSON after which a page ends
	exportKey   = 100     // maximum bytes of a text key in a cursor
)

// ExportedRecord is a record of an account's export. The keys of Members are the names of columns or of
// computed values.
type ExportedRecord struct {
	Section string
	Members map[string]any // strings, numbers, booleans and lists of strings
}

// ExportPage is a page of an account's export. NextCursor is empty on the last page.
type ExportPage struct {
	Records    []ExportedRecord
	NextCursor string
}

// exportSection is a part of an export. It exports the columns of its table whose class in personalData is
// exported. In its SQL, $1 is the account, and $2 the key after which a page begins.
type exportSection struct {
	name  string
	table string            // with the alias r for the rows
	joins string            // further tables
	where string            // the rows of the account
	key   string            // orders the rows; the column id if it is empty
	kind  string            // type of the key; uuid if it is empty
	only  string            // exports only these columns; all columns if it is empty
	other map[string]string // members that are computed, or replace a column
}

// readable is an SQL expression for the content of a message. It is NULL unless the account sent
// the message and moderation has not removed it, or moderation shows the message and the account is
// a human or a verified agent. %s is the sender.
const readable = `CASE WHEN %s = $1 AND r.visibility <> 'removed' OR r.visibility = 'shown' AND EXISTS (
	SELECT FROM users u WHERE u.id = $1 AND (u.kind = 'human' OR u.verified_at IS NOT NULL)) THEN r.content END`

// directSender is the sender of the direct message r in the conversation c.
const directSender = `CASE r.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END`

// taskMessages selects the messages r that the account sent, or that belong to its tasks. The array and
// OFFSET 0 keep the planner from reading the whole table in key order.
const taskMessages = `r.id = ANY (ARRAY(
	SELECT m.id FROM task_messages m WHERE m.sender_id = $1
	UNION
	SELECT m.id
	FROM tasks t
	CROSS JOIN LATERAL (SELECT m.id FROM task_messages m WHERE m.task_id = t.id OFFSET 0) m
	WHERE t.agent_id = $1 OR t.human_id = $1))`

// exportSections are the parts of an export, in order. A section selects only what its account wrote or
// can read, and uses an index on the account.
var exportSections = []exportSection{
	{name: "account", table: "users", where: "r.id = $1"},
	{name: "agent", table: "agents", where: "r.id = $1"},
	{name: "human", table: "humans", where: "r.id = $1"},
	{name: "usernames", table: "usernames", where: "r.user_id = $1", key: "r.skeleton", kind: "text"},
	{
		name: "sessions", table: "sessions", where: "r.human_id = $1", key: strings.ReplaceAll(sessionIDColumn, "s.", "r."),
		other: map[string]string{"id": strings.ReplaceAll(sessionIDColumn, "s.", "r.")},
	},
	{name: "tasks", table: "tasks", where: "r.agent_id = $1"},
	{
		name: "assigned_tasks", table: "tasks", where: "r.human_id = $1",
		only: "id agent_id title description skills location remote status amount fee_basis_points deadline terms_hash chain_id escrow escrow_task_id created_at",
		other: map[string]string{
			"title":       `CASE WHEN r.visibility <> 'removed' THEN r.title END`,
			"description": `CASE WHEN r.visibility <> 'removed' THEN r.description END`,
		},
	},
	{
		name: "applications", table: "applications", where: "r.human_id = $1",
		// The agent can write a reason before the rejection is on the chain.
		other: map[string]string{"rejection_reason": `CASE WHEN r.status = 'rejected' THEN r.rejection_reason END`},
	},
	{
		name: "rejections", table: "applications", joins: "JOIN tasks t ON t.id = r.task_id", where: "t.agent_id = $1 AND r.rejection_reason IS NOT NULL",
		only: "id task_id rejection_reason",
	},
	{
		name: "submissions", table: "submissions", where: "r.human_id = $1",
		other: map[string]string{"file_ids": `ARRAY(SELECT f.file_id::text FROM submission_files f WHERE f.submission_id = r.id ORDER BY f.file_id)`},
	},
	{
		name: "files", table: "files", where: "r.uploader_id = $1",
		other: map[string]string{
			"filename":      `CASE WHEN r.visibility <> 'removed' THEN r.filename END`,
			"download_path": `'/api/v1/tasks/' || r.task_id || '/files/' || r.id`,
		},
	},
	{
		name: "task_messages", table: "task_messages",
		where: taskMessages,
		other: map[string]string{"content": fmt.Sprintf(readable, "r.sender_id")},
	},
	{
		name: "conversations", table: "conversations", where: "(r.agent_id = $1 OR r.human_id = $1)",
		other: map[string]string{"with_username": `(SELECT u.username FROM users u WHERE u.id = CASE WHEN r.agent_id = $1 THEN r.human_id ELSE r.agent_id END)`},
	},
	{
		name: "direct_messages", table: "direct_messages", joins: "JOIN conversations c ON c.id = r.conversation_id",
		where: "(c.agent_id = $1 OR c.human_id = $1)",
		other: map[string]string{"sender_id": directSender, "content": fmt.Sprintf(readable, directSender)},
	},
	{name: "reviews_written", table: "reviews", where: "r.reviewer_id = $1"},
	{name: "reviews_received", table: "reviews", where: "r.subject_id = $1"},
	// A dispute that the other party filed may be a draft until the account has answered it.
	{
		name: "disputes", table: "disputes", joins: "JOIN tasks t ON t.id = r.task_id",
		where: `(t.agent_id = $1 OR t.human_id = $1)
			AND (r.response <> '' OR CASE r.filed_by WHEN 'agent' THEN t.agent_id ELSE t.human_id END = $1)`,
	},
	{name: "verdicts", table: "verdicts", where: "r.human_id = $1"},
	{name: "claims", table: "claims", where: "r.agent_id = $1"},
	{name: "activities", table: "activities", where: "r.audience_id = $1"},
	{name: "reports", table: "reports", where: "r.reporter_id = $1"},
	{name: "notices", table: "moderation_decisions", where: "r.author_id = $1 AND r.measure <> 'none'"},
	{
		name: "appeals", table: "appeals", joins: "JOIN moderation_decisions d ON d.id = r.decision_id",
		where: "d.author_id = $1 AND d.measure <> 'none'",
	},
	// This section contains only the account's own acts, not acts of others such as reporting the account.
	{name: "audit_log", table: "audit_log", where: "r.account_id = $1", kind: "bigint"},
	{name: "erasures", table: "erasures", where: "r.account_id = $1"},
}

// ExportSections returns the names of the sections, in order.
func ExportSections() []string {
	names := make([]string, len(exportSections))
	for i, section := range exportSections {
		names[i] = section.name
	}
	return names
}

func (e exportSection) keyColumn() string {
	if e.key != "" {
		return e.key
	}
	return "r.id"
}

func (e exportSection) keyKind() string {
	if e.kind != "" {
		return e.kind
	}
	return "uuid"
}

// columns returns the exported members, and their expressions in SQL.
func (e exportSection) columns() (names, expressions []string) {
	only, members := strings.Fields(e.only), maps.Clone(e.other)
	if members == nil {
		members = make(map[string]string)
	}
	for column, class := range schema.ColumnClasses()[e.table] {
		exported := class == schema.DataPersonal || class == schema.DataContract || class == schema.DataRecord || class == schema.DataChain
		if _, replaced := members[column]; !replaced && exported && (e.only == "" || slices.Contains(only, column)) {
			members[column] = `r."` + column + `"`
		}
	}
	names = slices.Sorted(maps.Keys(members))
	for _, name := range names {
		expressions = append(expressions, members[name]+` AS "`+name+`"`)
	}
	return names, expressions
}

func (e exportSection) sql(expressions []string) string {
	return `
		SELECT (` + e.keyColumn() + `)::text, ` + strings.Join(expressions, ", ") + `
		FROM ` + e.table + ` r ` + e.joins + `
		WHERE ` + e.where + ` AND ($2::` + e.keyKind() + ` IS NULL OR ` + e.keyColumn() + ` > $2::` + e.keyKind() + `)
		ORDER BY ` + e.keyColumn() + `
		LIMIT ` + strconv.Itoa(exportRows)
}

// ExportAccount returns a page of the data that the database has about the account: what it wrote, what it
// can read as a party, and the records of its acts. A page is read from one snapshot, has at most exportRows
// records and ends early after exportBytes. It contains no secrets, and nothing of other users that the
// account cannot read. It returns KindInvalid for a malformed cursor.
func (s *Store) ExportAccount(ctx context.Context, account uuid.UUID, cursor string) (ExportPage, error) {
	section, after, err := parseExportCursor(cursor)
	if err != nil {
		return ExportPage{}, err
	}
	var page ExportPage
	err = s.db.Snapshot(ctx, func(tx *sqlx.Tx) error {
		size := 0
		for ; section < len(exportSections); section++ {
			last, complete, err := s.exportSection(ctx, tx, exportSections[section], account, after, &page, &size)
			if err != nil {
				return err
			}
			if !complete {
				page.NextCursor = exportCursor(exportSections[section].name, last)
				return nil
			}
			after = nil
		}
		return nil
	})
	return page, err
}

// exportSection adds records of a section to the page until the page is full. It returns the key of the
// last one, and whether the section is complete.
func (s *Store) exportSection(ctx context.Context, tx *sqlx.Tx, e exportSection, account uuid.UUID, after *string, page *ExportPage, size *int) (last string, complete bool, err error) {
	names, expressions := e.columns()
	what := fmt.Sprintf("export %s of %s", e.name, account)
	last = pg.OrZero(after)
	rows, err := tx.QueryxContext(ctx, e.sql(expressions), account, after)
	if err != nil {
		return last, false, pg.Translate(err, what)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return last, false, pg.Translate(err, what)
	}
	n := 0
	for ; rows.Next(); n++ {
		if len(page.Records) == exportRows || *size > exportBytes {
			return last, false, nil
		}
		values, err := rows.SliceScan()
		if err != nil {
			return last, false, pg.Translate(err, what)
		}
		record := ExportedRecord{Section: e.name, Members: make(map[string]any, len(names))}
		for i, name := range names {
			if values[i+1] == nil {
				continue
			}
			if record.Members[name], err = exportedValue(types[i+1], values[i+1]); err != nil {
				return last, false, fmt.Errorf("%s: %s: %w", what, name, err)
			}
		}
		text, err := json.Marshal(record.Members)
		if err != nil {
			return last, false, fmt.Errorf("%s: %w", what, err)
		}
		*size += len(text)
		page.Records = append(page.Records, record)
		last = textOf(values[0])
	}
	return last, n < exportRows, pg.Translate(rows.Err(), what)
}

// exportedValue converts a value to the API's formats: times in UTC with milliseconds, bytes in
// hexadecimal, and amounts as decimal strings.
func exportedValue(column *sql.ColumnType, value any) (any, error) {
	switch column.DatabaseTypeName() {
	case "BYTEA":
		bytes, ok := value.([]byte)
		if !ok {
			return nil, fmt.Errorf("unexpected type %T for bytea", value)
		}
		return "0x" + hex.EncodeToString(bytes), nil
	case "_TEXT":
		var list pq.StringArray
		err := list.Scan(value)
		return []string(list), err
	}
	switch value := value.(type) {
	case time.Time:
		return market.FormatTime(value), nil
	case bool, int64:
		return value, nil
	case []byte, string:
		return textOf(value), nil
	}
	return nil, fmt.Errorf("unexpected type %T", value)
}

func textOf(value any) string {
	if bytes, ok := value.([]byte); ok {
		return string(bytes)
	}
	text, _ := value.(string)
	return text
}

func exportCursor(section, key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(section + " " + key))
}

// parseExportCursor returns the index of the section and the key after which the page begins. An empty
// cursor selects the first page.
func parseExportCursor(cursor string) (section int, after *string, err error) {
	if cursor == "" {
		return 0, nil, nil
	}
	malformed := market.Invalid("cursor", "malformed", "must be the next_cursor of an earlier page of the export")
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return 0, nil, malformed
	}
	name, key, _ := strings.Cut(string(text), " ")
	section = slices.IndexFunc(exportSections, func(e exportSection) bool { return e.name == name })
	if section < 0 {
		return 0, nil, malformed
	}
	if key == "" { // the previous page ended before the section's first record
		return section, nil, nil
	}
	switch exportSections[section].keyKind() {
	case "uuid":
		_, err = uuid.Parse(key)
	case "bigint":
		_, err = strconv.ParseInt(key, 10, 64)
	default:
		if strings.ContainsRune(key, 0) || len(key) > exportKey {
			err = malformed
		}
	}
	if err != nil {
		return 0, nil, malformed
	}
	return section, &key, nil
}
