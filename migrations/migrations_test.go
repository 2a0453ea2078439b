package migrations_test

import (
	"context"
	"database/sql"
	"flag"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	_ "github.com/lib/pq"
	"github.com/pressly/goose/v3"

	"taskmarket/market"
	"taskmarket/migrations"
	"taskmarket/store"
	"taskmarket/store/localpg"
)

var update = flag.Bool("update", false, "rewrite schema.sql")

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

// dumpQuery formats the schema as SQL, with domains, tables and their constraints, foreign keys,
// and indexes that do not belong to a constraint.
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

func TestSchemaIsUpToDate(t *testing.T) {
	url, db := database(t)
	if _, err := store.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	got := "-- The schema after all migrations, for reference; written by `make gen`.\n" + dump(t, db) + "\n"
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.sql is out of date; run `make gen`:\n%s", diff)
	}
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

// TestActivitiesAreConverted checks that the migration gives items with stored texts the kind that
// matches their cause.
func TestActivitiesAreConverted(t *testing.T) {
	_, db := database(t)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 21); err != nil {
		t.Fatal(err)
	}
	const log = `8453:0x2222222222222222222222222222222222222222222222222222222222222222:`
	keys := []struct{ key, receiver, itemType, want string }{
		{log + "0:TaskPosted", "agent", "task", "task_funded"},
		{log + "0:TaskPosted:undone", "agent", "task", "event_reverted task_funded"},
		{log + "0:TaskCreated", "agent", "task", "human_assigned"},
		{log + "0:TaskSubmitted", "human", "task", "work_submitted"},
		{log + "1:TaskDisputed", "human", "dispute", "dispute_opened agent"},
		{log + "1:TaskDisputed:undone", "human", "dispute", "event_reverted dispute_opened agent"},
		{log + "2:TaskDisputed", "agent", "dispute", "dispute_opened human"},
		{log + "9:TaskDisputed", "agent", "dispute", "dispute_opened human"}, // its log is missing from the database
		{log + "0:AgentApproved", "human", "task", "work_approved"},
		{log + "0:TaskReleased", "human", "payout", "payment_released"},
		{log + "0:TaskRefunded", "human", "task", "payment_refunded"},
		{log + "3:TaskCancelled", "agent", "payout", "task_cancelled human"},
		{log + "4:TaskCancelled", "agent", "payout", "task_cancelled agent"},
		{log + "5:TaskCancelled", "human", "task", "task_cancelled"},
		{log + "0:ApplicationStakeLocked", "agent", "application", "stake_locked"},
		{log + "0:ApplicationStakeActivated", "human", "application", "application_accepted"},
		{log + "0:ApplicationStakeReturned", "human", "application", "stake_returned"},
		{log + "0:ApplicationStakeForfeited", "human", "application", "stake_forfeited"},
		{log + "0:ApplicationRejected", "agent", "application", "application_rejected"},
		{log + "0:ApplicationWithdrawn", "human", "application", "application_withdrawn"},
		{log + "0:Claimed", "agent", "claim", "claim_paid"},
		{"8453:0198-a:validating:1790000000", "human", "task", "review_started"},
		{"8453:0198-a:expired:1790000000", "human", "task", "task_expired"},
		{"8453:0198-c:expired:1790000000", "human", "application", "application_expired"},
		{"application-created:0198-a", "agent", "application", "application_created"},
		{"application-rejected:0198-a", "human", "application", "unstaked_application_rejected"},
		{"application-withdrawn:0198-a", "agent", "application", "application_withdrawn"},
		{"dispute-answered:0198-a", "agent", "dispute", "dispute_answered"},
		{"review-human:0198-a", "agent", "review", "review_received"},
		{"claim-failed:0198-a", "agent", "claim", "claim_failed"},
		{"message-0198-b:0198-a", "human", "message", "message_received"},
		{"dm-0198-b:0198-a", "human", "dm", "dm_received"},
	}
	_, err = db.ExecContext(t.Context(), `
		INSERT INTO users (id, kind, username, wallet, name, verification_code, code_expires_at)
		SELECT md5(kind)::uuid, kind, 'user-' || kind, decode(repeat(byte, 20), 'hex'), 'User', 'code-' || kind, now()
		FROM (VALUES ('agent', 'aa'), ('human', 'bb')) u (kind, byte);
		INSERT INTO chain_logs (chain_id, block_hash, log_index, block_number, block_time, tx_hash, tx_index, address, topics, data, kind, event)
		SELECT 8453, decode(repeat('22', 32), 'hex'), i, 1, now(), decode(repeat('33', 32), 'hex'), 0, decode(repeat('44', 20), 'hex'),
		       '{}', '', '', event
		FROM (VALUES
			(1, '{"agent": "0xaa", "caller": "0xaa"}'::jsonb),
			(2, '{"agent": "0xaa", "caller": "0xbb"}'),
			(3, '{"agent": "0xaa", "human": "0xbb", "caller": "0xbb"}'),
			(4, '{"agent": "0xaa", "human": "0xbb", "caller": "0xaa"}'),
			(5, '{"agent": "0xaa"}')
		) logs (i, event)`)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range keys {
		_, err := db.ExecContext(t.Context(), `
			INSERT INTO activities (id, audience_id, audience_kind, type, title, description, status, dedupe_key)
			VALUES (gen_random_uuid(), md5($1)::uuid, $1, $2, 'A title', 'A text', 'confirmed', $3)`, item.receiver, item.itemType, item.key)
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := provider.UpTo(t.Context(), 22); err != nil {
		t.Fatal(err)
	}
	converted := map[market.ActivityKind]bool{}
	for _, item := range keys {
		var got string
		err := db.QueryRowContext(t.Context(), `
			SELECT concat_ws(' ', kind, reverted_kind, actor) FROM activities WHERE dedupe_key = $1`, item.key).Scan(&got)
		if err != nil || got != item.want {
			t.Errorf("%s was converted to %q, %v; want %q", item.key, got, err, item.want)
		}
		kind, _, _ := strings.Cut(item.want, " ")
		converted[market.ActivityKind(kind)] = true
	}
	later := []market.ActivityKind{
		market.ActivityMeasureImposed, market.ActivityMeasureEnded, market.ActivityAppealUpheld, market.ActivityTaskShown, market.ActivityPostingUnlinked,
	}
	for _, kind := range append(market.ActivityKinds(market.PrincipalAgent), market.ActivityKinds(market.PrincipalHuman)...) {
		if !converted[kind] && !slices.Contains(later, kind) {
			t.Errorf("no item was converted to %s", kind)
		}
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
			n, err := store.Migrate(t.Context(), url)
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

// A migration that waits for a lock does not block other statements on any table. It is applied when the
// lock is released.
func TestThreat88MigrationsDoNotBlock(t *testing.T) {
	for _, test := range []struct{ migration, waitsFor string }{
		{"unfunded_tasks", "tasks"},
		{"moderation", "users"},
		{"moderation_files", "files"},
		{"moderation_humans", "humans"},
		{"moderation_activities", "activities"},
	} {
		t.Run(test.migration, func(t *testing.T) {
			t.Parallel()
			url, db := database(t)
			provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := provider.UpTo(t.Context(), version(t, test.migration)-1); err != nil {
				t.Fatal(err)
			}
			wantNoWait(t, url, db, test.waitsFor)
		})
	}
}

// version returns the number of the migration with the given name.
func version(t *testing.T, name string) int64 {
	t.Helper()
	found, err := fs.Glob(migrations.FS, "[0-9][0-9][0-9][0-9]_"+name+".sql")
	if err != nil || len(found) != 1 {
		t.Fatalf("the migrations with the name %s: %v, %v", name, found, err)
	}
	return int64(number(t, found[0]))
}

// wantNoWait applies the remaining migrations while a transaction holds a lock on the table for two seconds,
// and fails the test if a statement on this or another table waits for a second.
func wantNoWait(t *testing.T, url string, db *sql.DB, table string) {
	t.Helper()
	const held = 2 * time.Second
	holder, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := holder.ExecContext(t.Context(), `LOCK TABLE `+table+` IN ROW EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(held, func() { _ = holder.Rollback() })
	migrated := make(chan error, 1)
	go func() {
		_, err := store.Migrate(t.Context(), url)
		migrated <- err
	}()
	var longest time.Duration
	for busy := true; busy; {
		began := time.Now()
		_, err := db.ExecContext(t.Context(), `
			SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM tasks), (SELECT count(*) FROM files),
			       (SELECT count(*) FROM humans), (SELECT count(*) FROM activities), (SELECT count(*) FROM events)`)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, time.Since(began))
		select {
		case err := <-migrated:
			if err != nil {
				t.Error(err)
			}
			busy = false
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Logf("the longest wait was %s", longest)
	if longest >= time.Second {
		t.Errorf("a waiting migration blocked other statements for %s", longest)
	}
}

// Frozen migrations do not run on a database with records, which stays unchanged. A database without
// records, such as one that an interrupted first migration left, is completed.
func TestFrozenMigrationsNeedAnEmptyDatabase(t *testing.T) {
	for _, record := range []string{
		`INSERT INTO users (id, kind, username, wallet, name, verification_code, code_expires_at)
		 VALUES (gen_random_uuid(), 'agent', 'ada', decode(repeat('aa', 20), 'hex'), 'Ada', 'code', now())`,
		`INSERT INTO chain_head (chain_id, number) VALUES (8453, -1);
		 INSERT INTO chain_blocks (chain_id, hash, number, parent, time) VALUES (8453, sha256('a'), 1, sha256('b'), now())`,
		"",
	} {
		url, db := database(t)
		provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := provider.UpTo(t.Context(), migrations.Frozen-1); err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		before := dump(t, db)
		applied, err := store.Migrate(t.Context(), url)
		switch {
		case record == "" && err != nil:
			t.Errorf("Migrate() without records = %v", err)
		case record != "" && (err == nil || applied != 0 || !strings.Contains(err.Error(), "nothing was changed")):
			t.Errorf("Migrate() after %s = %d, %v", record, applied, err)
		case record != "":
			if diff := cmp.Diff(before, dump(t, db)); diff != "" {
				t.Errorf("Migrate() after %s changed the schema: %s", record, diff)
			}
		}
	}
}

var quoted = regexp.MustCompile(`'([a-z_]+)'`)

// TestConstraintsMatchTheRules compares the values in CHECK constraints with those in package
// market.
func TestConstraintsMatchTheRules(t *testing.T) {
	schema, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
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
		_, rest, found := strings.Cut(string(schema), "CONSTRAINT "+constraint+" ")
		if !found {
			t.Errorf("no constraint %s", constraint)
			continue
		}
		line, _, _ := strings.Cut(rest, "\n")
		var got []string
		for _, match := range quoted.FindAllStringSubmatch(line, -1) {
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
	url, db := database(t)
	if _, err := store.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
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
