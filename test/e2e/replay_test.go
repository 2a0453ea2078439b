package e2e_test

import (
	"os/exec"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store/storetest"
)

// wantReplay runs `taskmarketd reindex` on a copy of the database. The servers
// must have stopped.
func (w *world) wantReplay() {
	w.t.Helper()
	replayed := storetest.Copy(w.t, w.records)
	w.operate(storetest.URL(w.t, replayed), "reindex")
	for table, query := range storetest.Derived() {
		lived := storetest.Rows(w.t, w.records, query)
		if diff := cmp.Diff(lived, storetest.Rows(w.t, replayed, query)); diff != "" {
			w.t.Errorf("%s (-lived +replayed):\n%s", table, diff)
		}
		if table == "chain_logs" && len(lived) == 0 {
			w.t.Error("a replay of no logs shows nothing")
		}
	}
}

// operate runs a command of the operator's on a database that nobody serves,
// and returns what it said.
func (w *world) operate(database string, args ...string) string {
	w.t.Helper()
	copied := *w
	copied.database = database
	command := exec.CommandContext(w.ctx, program, args...)
	command.Env = copied.environment(w.server)
	out, err := command.CombinedOutput()
	if err != nil {
		w.t.Fatalf("taskmarketd %v: %v: %s", args, err, out)
	}
	return string(out)
}
