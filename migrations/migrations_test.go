package migrations_test

import (
	"context"
	"database/sql"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	_ "github.com/lib/pq"
	"github.com/pressly/goose/v3"

	"taskmarket/market"
	"taskmarket/migrations"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
)

// database creates an empty database and returns its URL and a connection.
func database(t *testing.T) (string, *sql.DB) {
	t.Helper()
	cluster := localpg.Shared(t)
	name := "migrations_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	admin := open(t, cluster.URL("postgres"))
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	db := open(t, cluster.URL(name))
	t.Cleanup(func() {
		_ = db.Close()
		if _, err := admin.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return cluster.URL(name), db
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// migrated creates a database with all migrations and returns a connection.
func migrated(t *testing.T) *sql.DB {
	t.Helper()
	url, db := database(t)
	if _, err := schema.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	return db
}

// dumpQuery formats the schema as SQL, with domains, tables and their constraints, foreign keys,
// indexes that do not belong to a constraint, functions and triggers.
const dumpQuery = `
WITH ours AS (
    SELECT c.oid, c.relname, coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '') AS partitions
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'goose_db_version'
), parts AS (
    SELECT o.oid, 1 AS kind, a.attnum::text AS place, a.attnum,
           format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN ' NOT NULL' END,
                  CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' END,
                  CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
                       WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END) AS line
    FROM ours o
    JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = o.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT o.oid, 2, c.conname::text, 0, format('CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid))
    FROM ours o JOIN pg_constraint c ON c.conrelid = o.oid AND c.contype IN ('p', 'u', 'c')
), statements AS (
    SELECT 1 AS part, t.typname::text AS name,
           format('CREATE DOMAIN %I AS %s %s;', t.typname, format_type(t.typbasetype, t.typtypmod),
                  (SELECT string_agg(pg_get_constraintdef(c.oid), ' ') FROM pg_constraint c WHERE c.contypid = t.oid AND c.contype = 'c')) AS text
    FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'd'
    UNION ALL
    SELECT 2, o.relname::text, format(E'CREATE TABLE %I (\n    %s\n)%s;', o.relname,
           string_agg(p.line, E',\n    ' ORDER BY p.kind, p.attnum, p.place COLLATE "C"), o.partitions)
    FROM ours o JOIN parts p ON p.oid = o.oid GROUP BY o.relname, o.partitions
    UNION ALL
    SELECT 3, o.relname || c.conname, format('ALTER TABLE %I ADD CONSTRAINT %I %s;', o.relname, c.conname, pg_get_constraintdef(c.oid))
    FROM ours o JOIN pg_constraint c ON c.conrelid = o.oid AND c.contype = 'f'
    UNION ALL
    SELECT 4, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) || ';'
    FROM ours o JOIN pg_index i ON i.indrelid = o.oid
    WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
    UNION ALL
    SELECT 5, p.oid::regprocedure::text, pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 6, o.relname || t.tgname, pg_get_triggerdef(t.oid) || ';' FROM ours o JOIN pg_trigger t ON t.tgrelid = o.oid WHERE NOT t.tgisinternal
)
SELECT coalesce(string_agg(text, E'\n' ORDER BY part, name COLLATE "C"), '') FROM statements`

func dump(t *testing.T, db *sql.DB) string {
	t.Helper()
	var schema string
	if err := db.QueryRowContext(t.Context(), dumpQuery).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestUpDownUp checks that each Down migration reverts its Up migration, and that all migrations
// can be applied again afterwards.
func TestUpDownUp(t *testing.T) {
	_, db := database(t)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	schemas := []string{dump(t, db)}
	for range provider.ListSources() {
		if _, err := provider.UpByOne(t.Context()); err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, dump(t, db))
	}
	for i := len(schemas) - 1; i > 0; i-- {
		if _, err := provider.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(schemas[i-1], dump(t, db)); diff != "" {
			t.Errorf("Down of migration %d does not revert its Up:\n%s", i, diff)
		}
	}
	if _, err := provider.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(schemas[len(schemas)-1], dump(t, db)); diff != "" {
		t.Errorf("the schema differs after up, down and up:\n%s", diff)
	}
}

func TestManyMigratorsAtOnce(t *testing.T) {
	url, _ := database(t)
	sources, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 4 {
		wg.Go(func() {
			n, err := schema.Migrate(t.Context(), url)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			total += n
			mu.Unlock()
		})
	}
	wg.Wait()
	if total != len(sources) {
		t.Errorf("%d migrations were applied, want each of the %d once", total, len(sources))
	}
}

var quoted = regexp.MustCompile(`'([a-z_]+)'`)

// TestConstraintsMatchTheRules compares the values in CHECK constraints with those in package
// market.
func TestConstraintsMatchTheRules(t *testing.T) {
	db := migrated(t)
	tests := map[string][]string{
		"tasks_status_check":                words(market.Statuses()),
		"applications_status_check":         words(market.ApplicationStatuses()),
		"onchain_applications_status_check": words(market.StakeStatuses()),
		"activities_type_check":             words(market.ActivityTypes()),
		"users_account_state_check":         words(market.AccountStates(), "good"),
		"tasks_visibility_check":            words(market.Visibilities(), "hidden", "removed", "held"),
		"reports_category_check":            words(market.ReportCategories()),
		"reports_subject_kind_check":        words(market.SubjectKinds()),
		"activities_agent_check":            append([]string{"agent"}, words(market.ActivityKinds(market.PrincipalAgent))...),
		"activities_human_check":            append([]string{"human"}, words(market.ActivityKinds(market.PrincipalHuman))...),
	}
	for constraint, want := range tests {
		var condition string
		err := db.QueryRowContext(t.Context(), `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = $1`, constraint).Scan(&condition)
		if err != nil {
			t.Errorf("read the constraint %s: %v", constraint, err)
		}
		var got []string
		for _, match := range quoted.FindAllStringSubmatch(condition, -1) {
			got = append(got, match[1])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", constraint, diff)
		}
	}
}

func words[T ~string](list []T, more ...string) []string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return append(out, more...)
}

// The SQL domains reject invalid values, independently of the checks in Go.
func TestDomainsRejectInvalidValues(t *testing.T) {
	db := migrated(t)
	for _, expression := range []string{
		`'NaN'::wei`, `'1.5'::wei`, `'-1'::wei`, `'Infinity'::wei`, `(2::numeric ^ 256)::wei`,
		`'\x00'::address`, `'\x'::hash32`, `'infinity'::instant`, `'-infinity'::instant`,
	} {
		if _, err := db.ExecContext(t.Context(), "SELECT "+expression); err == nil {
			t.Errorf("PostgreSQL accepted %s", expression)
		}
	}
	for _, expression := range []string{`'0'::wei`, `(2::numeric ^ 256 - 1)::wei`, `now()::instant`} {
		if _, err := db.ExecContext(t.Context(), "SELECT "+expression); err != nil {
			t.Errorf("%s: %v", expression, err)
		}
	}
}
