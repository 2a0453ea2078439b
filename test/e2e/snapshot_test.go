package e2e_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store/storetest"
)

// restless are columns that change by themselves, and tables of nothing else.
var restless = map[string]string{
	"chain_head":  `to_jsonb(r) - 'lease_until'`,
	"rate_limits": ``,
}

// snapshot is the rows of all tables, as text, by table.
type snapshot map[string][]string

func (w *world) snapshot() snapshot {
	w.t.Helper()
	db := storetest.DB(w.t, w.records)
	var tables []string
	w.must(db.SelectContext(w.ctx, &tables, `
		SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`))
	s := make(snapshot)
	for _, table := range tables {
		row, special := restless[table]
		if !special {
			row = `to_jsonb(r)`
		}
		if row == "" {
			continue
		}
		var rows []string
		w.must(db.SelectContext(w.ctx, &rows, `SELECT (`+row+`)::text FROM `+table+` r ORDER BY 1`))
		s[table] = rows
	}
	return s
}

// wantUnchanged compares two snapshots.
func wantUnchanged(tb testing.TB, before, after snapshot) {
	tb.Helper()
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if diff := cmp.Diff(before[table], after[table]); diff != "" {
			tb.Errorf("rows of %s changed (-before +after):\n%s", table, diff)
		}
	}
}
