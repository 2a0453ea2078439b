package storetest

import (
	"testing"

	"taskmarket/store"
)

// restless maps a table to an SQL expression for the columns to compare, without those that can
// change while the data stays the same. An empty string excludes the table. All columns of other
// tables are compared.
var restless = map[string]string{
	"chain_head":   `to_jsonb(r) - 'lease_until'`,
	"keeper_lease": `to_jsonb(r) - 'lease_until'`,
	"rate_limits":  ``,
	"events":       ``, // excluded, because it contains the history of changes
	"event_log":    ``,
	"audit_log":    ``, // excluded, because a replay does not repeat the audited acts

	"activity_counts": ``, // excluded, because the number of rows of a feed depends on concurrent transactions
}

// counts selects the numbers of activities, summed over the rows of each feed.
const counts = `
	SELECT to_jsonb(c)::text
	FROM (SELECT audience_id, type, sum(items) FROM activity_counts GROUP BY audience_id, type HAVING sum(items) <> 0) c
	ORDER BY 1`

// Snapshot returns the rows of all tables in the store's database as text, keyed by table, without
// the restless columns.
func Snapshot(tb testing.TB, s *store.Store) map[string][]string {
	tb.Helper()
	db := DB(tb, s)
	var tables []string
	err := db.SelectContext(tb.Context(), &tables, `
		SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`)
	if err != nil {
		tb.Fatalf("list the tables: %v", err)
	}
	snapshot := make(map[string][]string)
	for _, table := range tables {
		row, special := restless[table]
		if !special {
			row = `to_jsonb(r)`
		}
		if row == "" {
			continue
		}
		var rows []string
		if err := db.SelectContext(tb.Context(), &rows, `SELECT (`+row+`)::text FROM `+table+` r ORDER BY 1`); err != nil {
			tb.Fatalf("read table %s: %v", table, err)
		}
		snapshot[table] = rows
	}
	var sums []string
	if err := db.SelectContext(tb.Context(), &sums, counts); err != nil {
		tb.Fatalf("read the counts of activities: %v", err)
	}
	snapshot["counts of activities"] = sums
	return snapshot
}
