package migrations_test

import (
	"bufio"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskmarket/migrations"
)

// The rules apply to the migrations after the first one, which creates the schema.
func TestMigrationsDoNotBlockTheService(t *testing.T) {
	for _, name := range names(t) {
		if number(t, name) > 1 {
			for _, fault := range faults(read(t, name)) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
}

// A migration's number is not one of the former migrations, which development databases have.
func TestNumbersAreNew(t *testing.T) {
	for _, name := range names(t)[1:] {
		if n := number(t, name); n <= migrations.Joined {
			t.Errorf("%s: migrations after 0001_schema.sql have numbers above %d", name, migrations.Joined)
		}
	}
}

func names(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(names) == 0 || names[0] != "0001_schema.sql" {
		t.Fatalf("list the migrations: %v, %v", names, err)
	}
	return names
}

func number(t *testing.T, name string) int {
	t.Helper()
	digits, _, _ := strings.Cut(name, "_")
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatalf("migration %s: %v", name, err)
	}
	return n
}

func read(t *testing.T, name string) string {
	t.Helper()
	body, err := fs.ReadFile(migrations.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// safe begins the comment directly before a statement that is exempt from the rules. The reason follows it.
const safe = "-- Safe: "

// statement is a statement of a migration's Up part, in one line without comments.
type statement struct {
	sql    string
	safe   bool
	reason string // reason for the exemption
}

// statements splits the Up part of a migration. A statement ends with a semicolon at the end of a
// line, or with StatementEnd.
func statements(body string) []statement {
	var list []statement
	var current statement
	block := false
	end := func() {
		if current.sql != "" {
			current.sql = strings.TrimSuffix(current.sql, ";")
			list = append(list, current)
			current = statement{}
		}
	}
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "-- +goose Down":
			return list
		case line == "-- +goose StatementBegin":
			block = true
		case line == "-- +goose StatementEnd":
			block = false
			end()
		case strings.HasPrefix(line, strings.TrimSpace(safe)) && current.sql == "":
			current.safe, current.reason = true, strings.TrimPrefix(line, strings.TrimSpace(safe))
		default:
			code, _, _ := strings.Cut(line, "--")
			current.sql = strings.TrimSpace(current.sql + " " + strings.Join(strings.Fields(code), " "))
			if !block && strings.HasSuffix(current.sql, ";") {
				end()
			}
		}
	}
	return list
}

// domains are the domains with constraints.
const domains = `address|hash32|instant|wei`

// rules match statements that block other transactions for a long time, or that break the previous release.
// The first group is the table's name; statements on tables that the migration creates are exempt.
var rules = []struct{ pattern, advice string }{
	{`^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (?:ONLY )?(\w+)`, "build the index CONCURRENTLY, with NO TRANSACTION"},
	{`^DROP INDEX (?:IF EXISTS )?\w+()`, "drop the index CONCURRENTLY, with NO TRANSACTION"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b`, "a change of type rewrites the table: add a column and copy in batches"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*ADD COLUMN (?:IF NOT EXISTS )?\w+ [^,]*DEFAULT (?:\(|[a-z_]*(?:random|uuid|clock|nextval|timeofday))`, "a volatile default rewrites the table: add the column without it"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*ADD COLUMN (?:IF NOT EXISTS )?\w+ [^,]*(?:GENERATED|SERIAL)`, "a generated column rewrites the table: add a column and copy in batches"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*ADD COLUMN (?:IF NOT EXISTS )?\w+ [^,]*(?:REFERENCES|UNIQUE|PRIMARY KEY|CHECK)`, "the constraint scans the table: add it NOT VALID, and validate it in a later migration"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*ADD COLUMN (?:IF NOT EXISTS )?\w+ (?:` + domains + `)\b`, "a column of a domain with a constraint rewrites the table: use the domain's base type, and add the constraint NOT VALID"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*SET (?:LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b`, "it rewrites the table"},
	{`^ALTER TABLE (?:ONLY )?\w+ ATTACH PARTITION (\w+)`, "the partition is scanned: validate a CHECK that implies the bound in an earlier migration, and explain that with " + safe},
	{`^ALTER DOMAIN (?:IF EXISTS )?\w+ (?:ADD|VALIDATE|SET NOT NULL)()`, "it scans all tables with the domain while it holds their locks: add constraints to the tables"},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*SET NOT NULL`, "SET NOT NULL scans the table: validate CHECK (column IS NOT NULL) first, and explain that with " + safe},
	{`^ALTER TABLE (?:ONLY )?(\w+) .*(?:RENAME|DROP COLUMN)`, "the previous release uses the old name: remove it in a later release, and explain that with " + safe},
	{`^DROP TABLE (?:IF EXISTS )?(\w+)`, "the previous release uses the table: remove it in a later release, and explain that with " + safe},
	{`^DROP TRIGGER (?:IF EXISTS )?\w+ ON (\w+)`, "the previous release relies on the trigger: remove it in a later release, and explain that with " + safe},
	{`^DROP (?:FUNCTION|PROCEDURE|ROUTINE|AGGREGATE|VIEW|SEQUENCE|TYPE|DOMAIN|SCHEMA|EXTENSION)\b()`, "the previous release uses it: remove it in a later release, and explain that with " + safe},
	{`^DO\b()`, "the rules do not see the statements of a block: write them out, or explain with " + safe},
	{`^LOCK (?:TABLE )?(\w+)`, "a lock that is held while rows are counted or moved blocks the service"},
	{`^UPDATE (\w+)`, "an update of all rows blocks their writers: change rows in batches, or explain with " + safe},
	{`^DELETE FROM (\w+)`, "a deletion of all rows blocks their writers: delete rows in batches, or explain with " + safe},
	{`^TRUNCATE (?:TABLE )?(?:ONLY )?(\w+)`, "it locks the table, and the previous release uses the rows: delete rows in batches"},
	{`^MERGE INTO (\w+)`, "a change of all rows blocks their writers: change rows in batches, or explain with " + safe},
	{`^WITH .*\b(?:UPDATE|DELETE FROM|INSERT INTO|MERGE INTO) (\w+)`, "a change of all rows blocks their writers: change rows in batches, or explain with " + safe},
	{`^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?\w+ AS\b.* FROM (\w+)`, "rows that change meanwhile are missed: create the table empty and copy in batches"},
	{`^SELECT .*\bINTO\b.* FROM (\w+)`, "rows that change meanwhile are missed: create the table empty and copy in batches"},
	{`^INSERT INTO \w+ .*\bSELECT\b.* FROM (\w+)`, "rows that change meanwhile are missed or counted twice: copy in batches, or explain with " + safe},
	{`^(?:CLUSTER|VACUUM FULL|REINDEX (?:TABLE|INDEX|DATABASE))\b()`, "it locks the table for its whole run"},
}

var (
	newTable    = regexp.MustCompile(`(?i)^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)`)
	alteration  = regexp.MustCompile(`(?i)^ALTER TABLE (?:ONLY )?(\w+) `)
	subject     = regexp.MustCompile(`(?i)\b(?:ADD|DROP) (\w+)`)
	constraint  = regexp.MustCompile(`(?i)\bADD CONSTRAINT (\w+)`)
	validation  = regexp.MustCompile(`(?i)^ALTER TABLE (?:ONLY )?\w+ VALIDATE CONSTRAINT \w+$`)
	concurrent  = regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)`)
	anyParallel = regexp.MustCompile(`(?i)^(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY`)
)

// faults returns the reasons why a migration would block the service or break its previous release.
func faults(body string) []string {
	var list []string
	created, changed := map[string]bool{}, map[string]bool{}
	single := strings.Contains(body, "-- +goose NO TRANSACTION")
	previous := ""
	for _, s := range statements(body) {
		note := func(advice string) { list = append(list, advice+": "+s.sql) }
		if m := newTable.FindStringSubmatch(s.sql); m != nil {
			created[m[1]] = true
		}
		switch {
		case s.safe && len(strings.Fields(s.reason)) < 2:
			note("write the reason after " + safe)
		case s.safe:
		case single:
			noteParallel(s.sql, previous, note)
		default:
			noteConstraints(s.sql, created, changed, note)
			for _, rule := range rules {
				if m := regexp.MustCompile(`(?i)` + rule.pattern).FindStringSubmatch(s.sql); m != nil && !created[m[1]] {
					note(rule.advice)
				}
			}
		}
		previous = s.sql
	}
	return list
}

// noteParallel checks a statement that runs outside a transaction.
func noteParallel(sql, previous string, note func(string)) {
	if !anyParallel.MatchString(sql) {
		note("an interrupted migration with NO TRANSACTION stays half applied: only CONCURRENTLY belongs there")
	}
	if m := concurrent.FindStringSubmatch(sql); m != nil && !strings.EqualFold(previous, "DROP INDEX CONCURRENTLY IF EXISTS "+m[1]) {
		note("an interrupted build leaves an invalid index: write DROP INDEX CONCURRENTLY IF EXISTS before it")
	}
}

// noteConstraints checks that constraints are added without a scan, and validated in another
// transaction, because the lock of an earlier change would be held during the scan. changed contains the
// tables that the migration has changed.
func noteConstraints(sql string, created, changed map[string]bool, note func(string)) {
	table := alteration.FindStringSubmatch(sql)
	if table == nil || created[table[1]] {
		return
	}
	for _, m := range subject.FindAllStringSubmatch(sql, -1) {
		if !slices.Contains([]string{"COLUMN", "CONSTRAINT", "DEFAULT", "NOT", "EXPRESSION", "IDENTITY"}, strings.ToUpper(m[1])) {
			note("write ADD or DROP with COLUMN, or with CONSTRAINT and its name")
		}
	}
	places := constraint.FindAllStringSubmatchIndex(sql, -1)
	for i, m := range places {
		rest := sql[m[1]:]
		if i+1 < len(places) {
			rest = sql[m[1]:places[i+1][0]]
		}
		if rest = strings.ToUpper(rest); !strings.Contains(rest, "NOT VALID") && !strings.Contains(rest, "USING INDEX") {
			note("the constraint scans the table: add it NOT VALID, or USING INDEX, and validate it in a later migration")
		}
	}
	switch {
	case !validation.MatchString(sql):
		changed[table[1]] = true
	case len(changed) > 0:
		note("the lock of an earlier change is held during the scan: validate in a later migration")
	}
}

// Each rule fires, and the usual safe statements pass.
func TestLintFires(t *testing.T) {
	for _, test := range []struct{ up, want string }{
		{"CREATE INDEX a_idx ON tasks (a);", "CONCURRENTLY"},
		{"CREATE UNIQUE INDEX a_idx\n    ON tasks (a);", "CONCURRENTLY"},
		{"DROP INDEX a_idx;", "CONCURRENTLY"},
		{"CREATE INDEX CONCURRENTLY a_idx ON tasks (a);", ""},
		{"-- +goose NO TRANSACTION\nCREATE INDEX CONCURRENTLY a_idx ON tasks (a);", "invalid index"},
		{"-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY IF EXISTS b_idx;\nCREATE INDEX CONCURRENTLY a_idx ON tasks (a);", "invalid index"},
		{"-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY IF EXISTS a_idx;\nCREATE INDEX CONCURRENTLY a_idx ON tasks (a);", ""},
		{"-- +goose NO TRANSACTION\nALTER TABLE tasks ADD COLUMN a text;", "half applied"},
		{"ALTER TABLE tasks ALTER COLUMN a TYPE bigint;", "type"},
		{"ALTER TABLE tasks ALTER a SET DATA TYPE bigint;", "type"},
		{"ALTER TABLE tasks ADD COLUMN a uuid DEFAULT gen_random_uuid();", "volatile"},
		{"ALTER TABLE tasks ADD COLUMN a timestamptz DEFAULT clock_timestamp();", "volatile"},
		{"ALTER TABLE tasks ADD COLUMN a timestamptz NOT NULL DEFAULT now();", ""},
		{"ALTER TABLE tasks ADD COLUMN a integer NOT NULL DEFAULT 0, ADD COLUMN b text;", ""},
		{"ALTER TABLE tasks ADD COLUMN a text GENERATED ALWAYS AS (lower(b)) STORED;", "rewrites"},
		{"ALTER TABLE tasks ADD COLUMN a uuid REFERENCES users;", "scans"},
		{"ALTER TABLE tasks ADD COLUMN a text CHECK (a <> '');", "scans"},
		{"ALTER TABLE tasks ADD CONSTRAINT a_check CHECK (a > 0);", "scans"},
		{"ALTER TABLE tasks ADD CONSTRAINT a_fkey FOREIGN KEY (a) REFERENCES users (id);", "scans"},
		{"ALTER TABLE tasks ADD CONSTRAINT a_key UNIQUE (a);", "scans"},
		{"ALTER TABLE tasks ADD CONSTRAINT a_check CHECK (a > 0), ADD CONSTRAINT b_check CHECK (b > 0) NOT VALID;", "scans"},
		{"ALTER TABLE tasks ADD CHECK (a > 0);", "write ADD"},
		{"ALTER TABLE tasks DROP a;", "write ADD or DROP"},
		{"ALTER TABLE tasks ALTER COLUMN a DROP NOT NULL, ALTER COLUMN b DROP DEFAULT;", ""},
		{"ALTER TABLE tasks ADD CONSTRAINT a_key UNIQUE USING INDEX a_idx;", ""},
		{"ALTER TABLE tasks ADD CONSTRAINT a_check CHECK (a > 0) NOT VALID;", ""},
		{"ALTER TABLE tasks VALIDATE CONSTRAINT a_check;", ""},
		{"ALTER TABLE tasks ADD CONSTRAINT a_check CHECK (a > 0) NOT VALID;\nALTER TABLE tasks VALIDATE CONSTRAINT a_check;", "held"},
		{"ALTER TABLE tasks ALTER COLUMN a SET NOT NULL;", "SET NOT NULL"},
		{"-- Safe: 0024 has validated that no value is null.\nALTER TABLE tasks ALTER COLUMN a SET NOT NULL;", ""},
		{"-- Safe: of the next statement only.\nSELECT 1;\nALTER TABLE tasks ALTER COLUMN a SET NOT NULL;", "SET NOT NULL"},
		{"ALTER TABLE tasks RENAME COLUMN a TO b;", "previous release"},
		{"ALTER TABLE tasks RENAME TO works;", "previous release"},
		{"ALTER TABLE tasks DROP COLUMN a;", "previous release"},
		{"DROP TABLE tasks;", "previous release"},
		{"LOCK TABLE tasks, users IN SHARE MODE;", "blocks the service"},
		{"UPDATE tasks SET a = 1;", "batches"},
		{"DELETE FROM tasks;", "batches"},
		{"INSERT INTO counts SELECT count(*) FROM tasks;", "batches"},
		{"REINDEX TABLE tasks;", "whole run"},
		{"ALTER TABLE tasks ADD COLUMN a instant;", "domain"},
		{"ALTER TABLE tasks\n    ADD COLUMN a text,\n    ADD COLUMN IF NOT EXISTS b wei NOT NULL DEFAULT 0;", "domain"},
		{"ALTER TABLE tasks ADD COLUMN a timestamptz(3);", ""},
		{"CREATE TABLE a (b instant);\nALTER TABLE a ADD COLUMN c instant;", ""},
		{"ALTER TABLE tasks SET UNLOGGED;", "rewrites"},
		{"-- +goose StatementBegin\nDO $$\nBEGIN\n    ALTER TABLE tasks ADD COLUMN a instant;\nEND $$;\n-- +goose StatementEnd", "do not see"},
		{"-- Safe: the partition is new.\n-- +goose StatementBegin\nDO $$\nBEGIN\n    PERFORM 1;\nEND $$;\n-- +goose StatementEnd", ""},
		{"ALTER TABLE events ATTACH PARTITION events_2020_01 FOR VALUES FROM (MINVALUE) TO ('2020-02-01');", "scanned"},
		{"CREATE TABLE a (LIKE events);\nALTER TABLE events ATTACH PARTITION a FOR VALUES FROM (MINVALUE) TO ('2020-02-01');", ""},
		{"ALTER DOMAIN instant ADD CONSTRAINT a CHECK (value > '2020-01-01') NOT VALID;", "all tables with the domain"},
		{"ALTER DOMAIN instant VALIDATE CONSTRAINT a;", "all tables with the domain"},
		{"ALTER DOMAIN instant DROP CONSTRAINT a;", ""},
		{"TRUNCATE tasks;", "batches"},
		{"TRUNCATE TABLE ONLY tasks;", "batches"},
		{"CREATE TABLE a AS SELECT * FROM tasks;", "missed"},
		{"SELECT * INTO a FROM tasks;", "missed"},
		{"WITH old AS (SELECT id FROM tasks) UPDATE tasks SET a = 1;", "batches"},
		{"WITH old AS (\n    DELETE FROM tasks RETURNING id\n) SELECT 1;", "batches"},
		{"MERGE INTO tasks USING users u ON true WHEN MATCHED THEN DELETE;", "batches"},
		{"DROP FUNCTION count_tasks;", "previous release"},
		{"DROP TRIGGER tasks_list_funded ON tasks;", "previous release"},
		{"-- Safe:\nDROP TRIGGER tasks_list_funded ON tasks;", "write the reason"},
		{"-- Safe: yes\nDROP TRIGGER tasks_list_funded ON tasks;", "write the reason"},
		{"-- Safe: no release has used the trigger.\nDROP TRIGGER tasks_list_funded ON tasks;", ""},
		{"ALTER TABLE users ADD COLUMN a text;\nALTER TABLE tasks VALIDATE CONSTRAINT a_check;", "held"},
		{"ALTER TABLE tasks VALIDATE CONSTRAINT a_check;\nALTER TABLE users ADD COLUMN a text;", ""},
		{"CREATE TABLE a (b text);\nCREATE INDEX a_idx ON a (b);\nALTER TABLE a ADD CONSTRAINT a_check CHECK (b <> '');\nUPDATE a SET b = 'c';", ""},
		{"-- +goose StatementBegin\nCREATE FUNCTION a() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n    UPDATE tasks SET a = 1;\nEND $$;\n-- +goose StatementEnd", ""},
		{"SELECT 1;\n-- +goose Down\nDROP TABLE tasks;", ""},
	} {
		body := strings.Replace("-- +goose Up\n"+test.up, "-- +goose Up\n-- +goose NO TRANSACTION\n", "-- +goose NO TRANSACTION\n-- +goose Up\n", 1)
		got := faults(body)
		if test.want == "" && len(got) > 0 || test.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, test.want) }) {
			t.Errorf("%s\nhas the faults %q, want one with %q", test.up, got, test.want)
		}
	}
}

// The rules contain the domains of the schema, and each constraint that a migration adds NOT VALID is
// validated by a later one.
func TestLintMatchesTheSchema(t *testing.T) {
	db := migrated(t)
	for query, want := range map[string]string{
		`SELECT string_agg(typname, '|' ORDER BY typname) FROM pg_type WHERE typtype = 'd' AND typnamespace = 'public'::regnamespace`: domains,
		`SELECT coalesce(string_agg(conname, '|'), '') FROM pg_constraint WHERE NOT convalidated`:                                     "",
	} {
		var got string
		if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q, %v; want %q", query, got, err, want)
		}
	}
}
