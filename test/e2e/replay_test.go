package e2e_test

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store"
	"taskmarket/store/storetest"
)

// derived are the rows that must follow from the canonical logs and the
// chain's time alone, whatever the server went through.
var derived = map[string]string{
	"chain_logs": `SELECT block_hash, log_index, block_number, block_time, tx_hash, tx_index, address, topics, data, kind,
		task_id, application_id, event FROM chain_logs WHERE canonical`,
	"chain_parameters":     `SELECT * FROM chain_parameters`,
	"chain_validators":     `SELECT * FROM chain_validators`,
	"chain_quorums":        `SELECT * FROM chain_quorums`,
	"onchain_tasks":        `SELECT * FROM onchain_tasks`,
	"onchain_applications": `SELECT * FROM onchain_applications`,
	"tasks":                `SELECT id, status, escrow_task_id, human_id, turns_at, changed_block FROM tasks`,
	"applications": `SELECT id, task_id, human_id, stake_tx, stake_ordinal, status, onchain_application_id, turns_at
		FROM applications`,
}

// wantReplay runs `taskmarketd reindex` on a copy of the database. The servers
// must have stopped.
func (w *world) wantReplay() {
	w.t.Helper()
	replayed := storetest.Copy(w.t, w.records)
	w.operate(storetest.URL(w.t, replayed), "reindex")
	for table, query := range derived {
		lived := rowsOf(w.t, w.records, query)
		if diff := cmp.Diff(lived, rowsOf(w.t, replayed, query)); diff != "" {
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

// rowsOf returns a query's rows as text, in one order.
func rowsOf(tb testing.TB, s *store.Store, query string) []string {
	tb.Helper()
	var rows []string
	if err := storetest.DB(tb, s).Select(&rows, `SELECT to_jsonb(r)::text FROM (`+query+`) r ORDER BY 1`); err != nil {
		tb.Fatalf("%s: %v", query, err)
	}
	return rows
}
