package e2e_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store/storetest"
)

// snapshot contains the rows of all tables as text, by table.
type snapshot map[string][]string

func (w *world) snapshot() snapshot {
	w.t.Helper()
	return storetest.Snapshot(w.t, w.records)
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
