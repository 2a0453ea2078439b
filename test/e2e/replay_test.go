package e2e_test

import (
	"os/exec"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store"
	"taskmarket/store/storetest"
)

// wantReplay runs `taskmarketd reindex` on a copy of the database and compares the resulting rows.
// The servers must be stopped.
func (w *world) wantReplay() {
	w.t.Helper()
	replayed := storetest.Copy(w.t, w.records)
	w.operate(storetest.URL(w.t, replayed), "reindex")
	w.wantSameFold(replayed)
}

// wantSameFold compares the rows derived from the chain with those of a replay.
func (w *world) wantSameFold(replayed *store.Store) {
	w.t.Helper()
	for table, query := range storetest.Derived() {
		lived := storetest.Rows(w.t, w.records, query)
		if diff := cmp.Diff(lived, storetest.Rows(w.t, replayed, query)); diff != "" {
			w.t.Errorf("%s (-lived +replayed):\n%s", table, diff)
		}
		if table == "chain_logs" && len(lived) == 0 {
			w.t.Error("no logs were replayed, so the comparison proves nothing")
		}
	}
}

// operate runs an operator's command on a database that no server uses, and returns its output.
func (w *world) operate(database string, args ...string) string {
	w.t.Helper()
	return w.operateVia(w.net.Dev.URL(), database, args...)
}

// operateVia is like operate, with other chain nodes, separated by commas.
func (w *world) operateVia(nodes, database string, args ...string) string {
	w.t.Helper()
	copied := *w
	copied.database = database
	command := exec.CommandContext(w.ctx, program, args...)
	command.Env = append(copied.environment(w.server), "TASKMARKET_RPC_URLS="+nodes)
	out, err := command.CombinedOutput()
	if err != nil {
		w.t.Fatalf("taskmarketd %v: %v: %s", args, err, out)
	}
	return string(out)
}
