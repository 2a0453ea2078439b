package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"taskmarket/market"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

const (
	// stepStatements limits the statements of a step with postings and stakes, including the read of
	// the cursor, BEGIN and COMMIT. There were 23 in November 2026.
	stepStatements = 25
	// eventWAL limits the bytes of write-ahead log per log of a step, for the log itself and all rows
	// derived from it. It was 3,790 in November 2026.
	eventWAL = 4_200
)

type stepCost struct{ logs, statements, wal int }

// costOf returns the cost of a step with the postings of tasks and a stake for each.
func costOf(t *testing.T, c *storetest.Chain, log string, tasks []market.Task, human market.Human) stepCost {
	t.Helper()
	db := storetest.DB(t, c.Store)
	position := func() (bytes int) {
		if err := db.GetContext(t.Context(), &bytes, `SELECT pg_current_wal_insert_lsn() - '0/0'`); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	executed := func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		// The store notifies other processes in the background, after this step or during the next one.
		return bytes.Count(text, []byte("LOG:  execute ")) + bytes.Count(text, []byte("LOG:  statement: ")) -
			bytes.Count(text, []byte("LOG:  statement: NOTIFY "))
	}
	var txs []storetest.Tx
	for _, task := range tasks {
		txs = append(txs, storetest.Post(t, task, false), storetest.Stake(t, storetest.Of(task), human.Wallet))
	}
	logs, wal, statements := c.Logs(), position(), executed()
	c.Mine(t, txs...)
	statements = executed() - statements
	return stepCost{logs: c.Logs() - logs, statements: statements, wal: position() - wal}
}

// The number of statements of a step does not depend on the number of its logs, and the
// write-ahead log per event is limited.
func TestCostOfAStep(t *testing.T) {
	t.Parallel()
	dir := storetest.OpenDir(t)
	cluster, err := localpg.Start(t.Context(), localpg.Options{Dir: dir, Settings: []string{
		"log_statement=all", "full_page_writes=off", "autovacuum=off",
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Stop() })
	if err := schema.CreateDatabase(t.Context(), cluster.URL("postgres"), "cost"); err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Migrate(t.Context(), cluster.URL("cost")); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, cluster.URL("cost"))
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	tasks := make([]market.Task, 240)
	for i := range tasks {
		tasks[i] = storetest.Task(t, s, agent)
	}
	c, log := storetest.NewChain(t, s), filepath.Join(dir, "postgres.log")
	costOf(t, c, log, tasks[:20], human) // prepares the statements
	few, many := costOf(t, c, log, tasks[20:40], human), costOf(t, c, log, tasks[40:], human)
	t.Logf("few logs: %+v, many logs: %+v", few, many)
	if few.logs == 0 || many.logs < 5*few.logs {
		t.Fatalf("steps with %d and %d logs", few.logs, many.logs)
	}
	// Other goroutines of the store can run a statement in the meantime.
	if grown := many.statements - few.statements; grown < -2 || grown > 2 {
		t.Errorf("%d statements for %d logs and %d for %d, want the same number", few.statements, few.logs, many.statements, many.logs)
	}
	if many.statements > stepStatements {
		t.Errorf("%d statements, want at most %d", many.statements, stepStatements)
	}
	if perLog := many.wal / many.logs; perLog > eventWAL {
		t.Errorf("%d bytes of write-ahead log per log, want at most %d", perLog, eventWAL)
	}
}
