package migrations_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"

	"taskmarket/migrations"
)

// rows fills tables of the first migration.
//
//nolint:dupword // SQL
const rows = `
	INSERT INTO users (id, kind, username, wallet, name, verification_code, code_expires_at)
	VALUES ('00000000-0000-4000-8000-000000000001', 'agent', 'ada', decode(repeat('aa', 20), 'hex'), 'Ada', 'code-a', now()),
	       ('00000000-0000-4000-8000-000000000002', 'human', 'bob', decode(repeat('bb', 20), 'hex'), 'Bob', 'code-b', now());
	INSERT INTO agents (id, key_hash, key_prefix) VALUES ('00000000-0000-4000-8000-000000000001', sha256('key'), 'key');
	INSERT INTO humans (id, available) VALUES ('00000000-0000-4000-8000-000000000002', true);
	INSERT INTO tasks (id, agent_id, title, description, amount, fee_basis_points, terms_hash, chain_id, escrow)
	SELECT ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid, '00000000-0000-4000-8000-000000000001', 'Title', 'Text', 10::numeric ^ 18, 500,
	       sha256(i::text::bytea), 8453, decode(repeat('cc', 20), 'hex')
	FROM generate_series(1, 100) i;
	INSERT INTO files (id, task_id, filename, content_type, size, sha256, uploader_id, uploader_kind)
	SELECT id, id, 'a.txt', 'text/plain', 1, sha256('a'), agent_id, 'agent' FROM tasks;
	INSERT INTO task_messages (id, task_id, sender_id, sender_kind, content) SELECT id, id, agent_id, 'agent', 'Text' FROM tasks;
	INSERT INTO reviews (id, task_id, reviewer_id, reviewer_kind, subject_id, subject_kind, rating, counts)
	SELECT id, id, agent_id, 'agent', '00000000-0000-4000-8000-000000000002', 'human', 5, true FROM tasks;
	INSERT INTO conversations (id, agent_id, human_id)
	VALUES ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002');
	INSERT INTO direct_messages (id, conversation_id, sender_kind, content)
	SELECT id, '00000000-0000-4000-8000-000000000003', 'agent', 'Text' FROM tasks;
	INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
	SELECT id, agent_id, 'agent', 'application', 'application_created', 'confirmed', id FROM tasks;
	INSERT INTO sessions (id_hash, human_id, expires_at)
	SELECT sha256(i::text::bytea), '00000000-0000-4000-8000-000000000002', now() FROM generate_series(1, 100) i;
	INSERT INTO challenges (hash, purpose, wallet, expires_at)
	SELECT sha256(i::text::bytea), 'login', decode(repeat('bb', 20), 'hex'), now() FROM generate_series(1, 100) i;
	INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
	SELECT 8453, decode(repeat('cc', 20), 'hex'), 'settle', i, '{}' FROM generate_series(1, 100) i;
	INSERT INTO keeper_spending (chain_id, sender, nonce, tx_hash, most, signed_at)
	SELECT 8453, decode(repeat('dd', 20), 'hex'), i, sha256('tx'), 1, now() FROM generate_series(1, 100) i;
	INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum) VALUES (8453, decode(repeat('cc', 20), 'hex'), 1, 1)`

// noteLocks makes the database record, after each DDL statement, the tables on which the transaction holds
// locks that block writes.
const noteLocks = `
	CREATE TABLE noted (relation oid, mode text, PRIMARY KEY (relation, mode));
	CREATE FUNCTION note_locks() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO noted
		SELECT DISTINCT relation, mode FROM pg_locks
		WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
		  AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
		ON CONFLICT DO NOTHING;
	END $$;
	CREATE EVENT TRIGGER note_locks ON ddl_command_end EXECUTE FUNCTION note_locks()`

// steps is a database whose messages of level DEBUG1 are recorded. In these messages, PostgreSQL reports
// that it reads or rewrites a whole table.
type steps struct {
	db       *sql.DB
	messages []string
}

func newSteps(t *testing.T) *steps {
	t.Helper()
	url, _ := database(t)
	connector, err := pq.NewConnector(url + "&client_min_messages=debug1")
	if err != nil {
		t.Fatal(err)
	}
	var s steps
	s.db = sql.OpenDB(pq.ConnectorWithNoticeHandler(connector, func(e *pq.Error) { s.messages = append(s.messages, e.Message) }))
	t.Cleanup(func() { _ = s.db.Close() })
	return &s
}

func (s *steps) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := s.db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// tables returns the file node of each table by the id of the table.
func (s *steps) tables(t *testing.T) map[int64]int64 {
	t.Helper()
	list, err := s.db.QueryContext(t.Context(), `
		SELECT oid, coalesce(pg_relation_filenode(oid), 0) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname NOT IN ('noted', 'goose_db_version')`)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	storage := map[int64]int64{}
	for list.Next() {
		var id, node int64
		if err := list.Scan(&id, &node); err != nil {
			t.Fatal(err)
		}
		storage[id] = node
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return storage
}

// locked returns the names of the tables in before whose writers the last step blocked. A new
// foreign key locks both of its tables, so the referenced one is not counted.
func (s *steps) locked(t *testing.T, before map[int64]int64) []string {
	t.Helper()
	list, err := s.db.QueryContext(t.Context(), `
		SELECT n.relation, n.relation::regclass::text FROM noted n
		WHERE NOT EXISTS (
			SELECT FROM pg_constraint c JOIN noted other ON other.relation = c.conrelid
			WHERE c.contype = 'f' AND c.confrelid = n.relation AND n.mode = 'ShareRowExclusiveLock')`)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	var names []string
	for list.Next() {
		var id int64
		var name string
		if err := list.Scan(&id, &name); err != nil {
			t.Fatal(err)
		}
		if _, ok := before[id]; ok {
			names = append(names, name)
		}
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var scanned = regexp.MustCompile(`^(rewriting|verifying) table "(.*)"`)

// faults runs a step and returns the ways in which it would block a service that uses the tables.
func (s *steps) faults(t *testing.T, step func() error) []string {
	t.Helper()
	before := s.tables(t)
	s.exec(t, `TRUNCATE noted`)
	s.messages = nil
	if err := step(); err != nil {
		t.Fatal(err)
	}
	var faults []string
	names := s.locked(t, before)
	for _, message := range s.messages {
		// VALIDATE CONSTRAINT also verifies a table, but with a lock that blocks neither reads nor writes.
		if m := scanned.FindStringSubmatch(message); m != nil && (m[1] == "rewriting" || slices.Contains(names, m[2])) {
			faults = append(faults, message)
		}
	}
	for id, node := range s.tables(t) {
		if former, ok := before[id]; ok && former != node {
			faults = append(faults, fmt.Sprintf("the storage of table %d changed", id))
		}
	}
	if len(names) > 1 {
		faults = append(faults, "it holds the lock of one table while it waits for another: "+strings.Join(names, ", "))
	}
	return faults
}

// stepFaults applies the first migration of the source, fills its tables, applies the others one by one,
// and returns the faults of each.
func stepFaults(t *testing.T, source fs.FS) map[string][]string {
	t.Helper()
	s := newSteps(t)
	provider, err := goose.NewProvider(goose.DialectPostgres, s.db, source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.exec(t, rows)
	s.exec(t, noteLocks)
	found := map[string][]string{}
	for _, later := range provider.ListSources()[1:] {
		found[later.Path] = s.faults(t, func() error {
			_, err := provider.UpByOne(t.Context())
			return err
		})
	}
	return found
}

// No migration after the first one rewrites or scans a table while it holds a lock that blocks other
// transactions, and each transaction locks at most one table.
func TestStepsDoNotBlockTheService(t *testing.T) {
	for path, faults := range stepFaults(t, migrations.FS) {
		for _, fault := range faults {
			t.Errorf("%s: %s", path, fault)
		}
	}
}

// Later migrations run on tables with rows, one by one.
func TestStepsOfLaterMigrations(t *testing.T) {
	got := stepFaults(t, fstest.MapFS{
		"0001_schema.sql": {Data: []byte(read(t, "0001_schema.sql"))},
		"0081_base.sql":   {Data: []byte("-- +goose Up\nALTER TABLE tasks ADD COLUMN made_at timestamptz(3);")},
		"0082_domain.sql": {Data: []byte("-- +goose Up\nALTER TABLE users ADD COLUMN made_at instant;")},
		"0083_tables.sql": {Data: []byte("-- +goose Up\nALTER TABLE files ADD COLUMN a text;\nALTER TABLE claims ADD COLUMN a text;")},
	})
	for path, want := range map[string]string{"0081_base.sql": "", "0082_domain.sql": `rewriting table "users"`, "0083_tables.sql": "another: claims, files"} {
		if all := strings.Join(got[path], "\n"); want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("%s has the faults %q, want %q", path, all, want)
		}
	}
}

// TestStepsFindFaults checks that steps.faults finds each kind of fault.
func TestStepsFindFaults(t *testing.T) {
	s := newSteps(t)
	s.exec(t, `
		CREATE DOMAIN instant AS timestamptz(3) CHECK (isfinite(value));
		CREATE TABLE a (id integer PRIMARY KEY, at timestamptz NOT NULL);
		CREATE TABLE b (id integer PRIMARY KEY);
		CREATE TABLE m (id integer, at timestamptz NOT NULL);
		CREATE TABLE months (LIKE m) PARTITION BY RANGE (at);
		INSERT INTO m SELECT i, now() FROM generate_series(1, 10) i;
		INSERT INTO a SELECT i, now() FROM generate_series(1, 10) i`)
	s.exec(t, noteLocks)
	for _, test := range []struct{ statement, want string }{
		{`ALTER TABLE a ADD COLUMN c instant`, `rewriting table "a"`},
		{`DO $$ BEGIN ALTER TABLE a ADD COLUMN d instant; END $$`, `rewriting table "a"`},
		{`ALTER TABLE a ADD COLUMN e timestamptz(3)`, ""},
		{`ALTER TABLE a ADD CONSTRAINT a_check CHECK (id > 0)`, `verifying table "a"`},
		{`ALTER TABLE a ADD CONSTRAINT b_check CHECK (id > 0) NOT VALID`, ""},
		{`ALTER TABLE a VALIDATE CONSTRAINT b_check`, ""},
		{`ALTER TABLE months ATTACH PARTITION m FOR VALUES FROM (MINVALUE) TO ('2100-01-01')`, `verifying table "m"`},
		{`ALTER TABLE a ADD COLUMN f text; ALTER TABLE b ADD COLUMN f text`, "another: a, b"},
		{`ALTER TABLE a ADD CONSTRAINT a_fkey FOREIGN KEY (id) REFERENCES b (id) NOT VALID`, ""},
	} {
		got := s.faults(t, func() error {
			_, err := s.db.ExecContext(t.Context(), test.statement)
			return err
		})
		if test.want == "" {
			if diff := cmp.Diff([]string(nil), got); diff != "" {
				t.Errorf("%s: %s", test.statement, diff)
			}
		} else if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, test.want) }) {
			t.Errorf("%s has the faults %q, want one with %q", test.statement, got, test.want)
		}
	}
}
