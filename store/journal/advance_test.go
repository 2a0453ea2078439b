package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

func TestTaskFollowsTheChainToItsEnd(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	application := storetest.Application(t, w.Store, w.Task, w.Human)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)

	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	funded := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
	if funded.Escrow.ID != 1 || funded.Escrow.TermsHash != w.Task.TermsHash {
		t.Errorf("funded by escrow task %d with terms %s", funded.Escrow.ID, funded.Escrow.TermsHash)
	}

	w.Chain.Mine(t, storetest.Stake(t, storetest.Of(w.Task), w.Human.Wallet))
	pending := storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationPending)
	if pending.ID != application.ID || pending.Message != application.Message {
		t.Errorf("the stake is linked to application %s, want %s", pending.ID, application.ID)
	}

	w.Chain.Mine(t, storetest.Accept(t, storetest.Of(w.Task), w.Human.Wallet))
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationAccepted)
	active := storetest.WantStatus(t, w.Store, w.Task, market.StatusActive)
	if active.HumanID == nil || *active.HumanID != w.Human.ID || active.Escrow.Panel != 1 {
		t.Errorf("active with human %v and panel %d, want %s and 1", active.HumanID, active.Escrow.Panel, w.Human.ID)
	}

	w.Chain.Mine(t, storetest.Submit(t, storetest.Of(w.Task), storetest.Hash(t)))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusSubmitted)
	w.Chain.Mine(t, storetest.Approve(t, storetest.Of(w.Task)))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusValidating)
	w.Chain.Mine(t, storetest.Decide(t, storetest.Of(w.Task), true))
	approved := storetest.WantStatus(t, w.Store, w.Task, market.StatusApproved)
	if diff := cmp.Diff(w.Chain.State().Tasks[1].Paid.String(), approved.Escrow.Paid.String()); diff != "" {
		t.Errorf("paid (-chain +store):\n%s", diff)
	}
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationAccepted)
}

func TestParametersFollowAdministration(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	got, err := w.Store.Journal.Parameters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.FeeBasisPoints != 500 || got.Panel != 1 || len(got.Validators) != 1 || got.QuorumOf(1) != 1 || got.Paused {
		t.Errorf("Parameters() = %+v", got)
	}
	validator := got.Validators[0].Wallet
	w.Chain.Mine(t, storetest.Tx{Hash: storetest.Hash(t), Run: func(*storetest.State) []storetest.Emission {
		escrow := w.Store.Deployment().Escrow
		return []storetest.Emission{
			{Address: escrow, Event: market.Event{Kind: market.EventValidatorRemoved, Caller: validator, Panel: 2}},
			{Address: escrow, Event: market.Event{Kind: market.EventPaused}},
		}
	}})
	if got, err = w.Store.Journal.Parameters(t.Context()); err != nil || got.ValidatorIn(validator, 2) || !got.ValidatorIn(validator, 1) || !got.Paused {
		t.Errorf("after the removal Parameters() = %+v, %v", got, err)
	}
	w.Chain.Rewind(t, 1)
	if got, err = w.Store.Journal.Parameters(t.Context()); err != nil || !got.ValidatorIn(validator, 2) || got.Paused {
		t.Errorf("after the reorganisation Parameters() = %+v, %v", got, err)
	}
}

func TestConcurrentAdvanceHasOneWinner(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	other := storetest.Open(t, storetest.URL(t, w.Store))
	w.Chain.Store = nil
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	step := w.Chain.Step(1)
	from, err := w.Store.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan error, 2)
	for _, s := range []*store.Store{w.Store, other} {
		go func() { results <- s.Journal.Advance(t.Context(), from, step) }()
	}
	first, second := <-results, <-results
	if first != nil {
		first, second = second, first
	}
	if first != nil || !errors.Is(second, market.ErrNotLeader) {
		t.Errorf("Advance() of both = %v, %v; want nil and %v", first, second, market.ErrNotLeader)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
}

func TestLeaseFencesTheFormerLeader(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	ctx := t.Context()
	first, err := w.Store.Journal.Lead(ctx, "first", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Store.Journal.Lead(ctx, "first", 50*time.Millisecond); err != nil || again.Epoch != first.Epoch {
		t.Errorf("Lead() again = epoch %d, %v; want %d, nil", again.Epoch, err, first.Epoch)
	}
	from, err := w.Store.Journal.Cursor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := takeOver(t, w.Store, "second")
	if err != nil || second.Epoch != first.Epoch+1 {
		t.Fatalf("Lead() after the lease = epoch %d, %v; want %d", second.Epoch, err, first.Epoch+1)
	}
	if _, err := w.Store.Journal.Lead(ctx, "first", time.Minute); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Lead() of the former = %v, want %v", err, market.ErrNotLeader)
	}
	w.Chain.Store = nil
	w.Chain.Mine(t)
	if err := w.Store.Journal.Advance(ctx, from, w.Chain.Step(1)); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Advance() in the former epoch = %v, want %v", err, market.ErrNotLeader)
	}
	if err := w.Store.Journal.Rewind(ctx, from, market.Block{}); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Rewind() in the former epoch = %v, want %v", err, market.ErrNotLeader)
	}
	w.Chain.Feed(t, w.Store, 1)
}

// takeOver retries until the current lease expires and holder acquires the lease.
func takeOver(t *testing.T, s *store.Store, holder string) (lease market.Lease, err error) {
	t.Helper()
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); {
		if lease, err = s.Journal.Lead(t.Context(), holder, time.Minute); !errors.Is(err, market.ErrNotLeader) {
			return lease, err
		}
	}
	return lease, err
}

func TestAdvanceRejectsGaps(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	from, err := w.Store.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Chain.Store = nil
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	good := w.Chain.Step(1)
	for name, spoil := range map[string]func(*market.Step){
		"another parent":                      func(s *market.Step) { s.Blocks[0].Parent = storetest.Hash(t) },
		"a lower block":                       func(s *market.Step) { s.Blocks[0].Number = from.Block.Number },
		"a log of another block":              func(s *market.Step) { s.Logs[0].Block.Hash = storetest.Hash(t) },
		"logs out of order":                   func(s *market.Step) { s.Logs[0], s.Logs[1] = s.Logs[1], s.Logs[0] },
		"a log twice":                         func(s *market.Step) { s.Logs[1] = s.Logs[0] },
		"a log that the contract cannot emit": func(s *market.Step) { s.Logs = s.Logs[1:] },
		"logs but no blocks":                  func(s *market.Step) { s.Blocks = nil },
	} {
		t.Run(name, func(t *testing.T) {
			step := market.Step{Blocks: append([]market.Block{}, good.Blocks...), Logs: append([]market.Log{}, good.Logs...)}
			spoil(&step)
			if err := w.Store.Journal.Advance(t.Context(), from, step); err == nil {
				t.Error("Advance() = nil error, want one")
			}
			if got, err := w.Store.Journal.Cursor(t.Context()); err != nil || got != from {
				t.Errorf("Cursor() = %+v, %v; want it unchanged", got, err)
			}
		})
	}
	if err := w.Store.Journal.Advance(t.Context(), from, good); err != nil {
		t.Errorf("Advance() = %v", err)
	}
}

func TestAdvanceStoresUnrelatedLogs(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	post := storetest.Post(t, w.Task, false)
	elsewhere := storetest.Tx{Hash: post.Hash, Run: func(s *storetest.State) []storetest.Emission {
		emitted := post.Run(s)
		for i := range emitted {
			emitted[i].Address = w.Store.Deployment().Token
		}
		return append(emitted, storetest.Emission{Address: w.Store.Deployment().Treasury, Event: market.Event{Kind: market.EventOther}})
	}}
	w.Chain.Mine(t, elsewhere)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	var kept, folded int
	db := storetest.DB(t, w.Store)
	if err := errors.Join(
		db.Get(&kept, `SELECT count(*) FROM chain_logs WHERE tx_hash = $1`, post.Hash),
		db.Get(&folded, `SELECT count(*) FROM onchain_tasks`),
	); err != nil || kept != 3 || folded != 0 {
		t.Errorf("%d logs stored, %d tasks folded, %v; want 3, 0, nil", kept, folded, err)
	}
}

func TestCanonicalBlock(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if _, err := s.Journal.CanonicalBlock(t.Context(), 10); market.KindOf(err) != market.KindNotFound {
		t.Errorf("CanonicalBlock() of an empty chain: kind = %q, want %q", market.KindOf(err), market.KindNotFound)
	}
	start, err := s.Journal.Cursor(t.Context())
	if want := (market.Cursor{}); err != nil || start != want {
		t.Errorf("Cursor() of an empty chain = %+v, %v; want %+v", start, err, want)
	}
	chain := storetest.NewChain(t, s)
	second := chain.Wait(t, time.Minute)
	third := chain.Mine(t)
	got, err := s.Journal.CanonicalBlock(t.Context(), 2)
	if diff := cmp.Diff(second, got); err != nil || diff != "" {
		t.Errorf("CanonicalBlock(2) (-want +got), %v:\n%s", err, diff)
	}
	if got, err = s.Journal.CanonicalBlock(t.Context(), 99); err != nil || got != third {
		t.Errorf("CanonicalBlock(99) = %+v, %v; want %+v", got, err, third)
	}
	chain.Rewind(t, 1)
	if got, err = s.Journal.CanonicalBlock(t.Context(), 99); err != nil || got != second {
		t.Errorf("CanonicalBlock(99) after a reorganisation = %+v, %v; want %+v", got, err, second)
	}
}

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
