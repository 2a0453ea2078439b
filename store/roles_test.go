package store_test

import (
	"slices"
	"testing"

	"github.com/jmoiron/sqlx"

	"taskmarket/store"
	"taskmarket/store/storetest"
)

// The service works with a role that owns nothing and cannot change the schema.
func TestServiceRole(t *testing.T) {
	t.Parallel()
	owner := storetest.New(t)
	name, address := storetest.Role(t, owner)
	for range 2 { // each migration grants again
		if err := store.Grant(t.Context(), storetest.URL(t, owner), store.Roles{Service: name}); err != nil {
			t.Fatal(err)
		}
	}
	s := storetest.Open(t, address)
	if err := s.Probe(t.Context()); err != nil {
		t.Errorf("Probe() = %v", err)
	}
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	storetest.Application(t, s, storetest.Task(t, s, agent), human)
	if err := s.Sweep(t.Context()); err != nil {
		t.Errorf("Sweep() = %v", err)
	}
	db := storetest.DB(t, s)
	db.MustExec(`SELECT create_event_partition(now() + interval '5 months')`)
	for _, statement := range []string{
		`CREATE TABLE public.extra ()`, `ALTER TABLE users ADD COLUMN extra text`, `DROP TABLE reviews`, `TRUNCATE reviews`,
		`DELETE FROM goose_db_version`, `ALTER TABLE users DISABLE TRIGGER USER`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("the service's role can execute %s", statement)
		}
	}
}

// The reader's role can read neither credentials nor private messages nor moderation records, and
// cannot write.
func TestReaderRole(t *testing.T) {
	t.Parallel()
	owner := storetest.New(t)
	name, address := storetest.Role(t, owner)
	if err := store.Grant(t.Context(), storetest.URL(t, owner), store.Roles{Reader: name}); err != nil {
		t.Fatal(err)
	}
	reader, err := sqlx.Connect("postgres", address)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var refused []string
	err = reader.Select(&refused, `
		SELECT name || ' ' || CASE WHEN bool_or(readable) THEN string_agg(attname, ' ' ORDER BY attnum) FILTER (WHERE NOT readable) ELSE '*' END
		FROM (
			SELECT c.relname AS name, a.attname, a.attnum, has_column_privilege(c.oid, a.attnum, 'SELECT') AS readable
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
				AND c.oid NOT IN (SELECT name FROM audit_partitions())) columns
		GROUP BY name HAVING NOT bool_and(readable) ORDER BY name COLLATE "C"`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"agents key_hash key_prefix", "appeals *", "audit_log *", "barred_links *", "challenges *", "console_links *", "console_sessions *",
		"direct_messages *", "idempotency_keys *", "moderation_decisions *", "rate_limits *", "reports *", "sessions *", "task_messages *",
	}
	if !slices.Equal(refused, want) {
		t.Errorf("columns that the reader's role cannot read = %q, want %q", refused, want)
	}
	var readable []string
	if err := reader.Select(&readable, `
		SELECT name FROM audit_partitions() WHERE has_table_privilege(name, 'SELECT')`); err != nil || len(readable) > 0 {
		t.Errorf("partitions of the audit log that the reader's role can read = %q, %v", readable, err)
	}
	var writable []string
	if err := reader.Select(&writable, `
		SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
			AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')`); err != nil || len(writable) > 0 {
		t.Errorf("tables that the reader's role can change = %q, %v", writable, err)
	}
}
