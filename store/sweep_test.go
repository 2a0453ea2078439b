package store_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now()
	for _, at := range []time.Time{now.Add(-2 * time.Hour), now.Add(time.Hour)} {
		wallet := storetest.NewWallet()
		storetest.Must(s.SignIn(t.Context(), storetest.NewLogin(t, s, wallet), storetest.Newcomer(wallet), store.Session{IDHash: storetest.NewHash(), ExpiresAt: at}))
		storetest.SaveChallenge(t, s, store.Challenge{Hash: storetest.NewHash(), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: at})
		storetest.Must(s.Take(t.Context(), storetest.NewName(), time.Minute, 1, at))
		scope := storetest.NewHash()
		begin(t, s, scope, storetest.NewHash())
		storetest.Execute(t, s, `UPDATE idempotency_keys SET expires_at = $2 WHERE scope = $1`, scope, at)
	}
	// Insert more rows than one batch deletes.
	storetest.Execute(t, s, `
		INSERT INTO challenges (hash, purpose, wallet, expires_at)
		SELECT sha256(i::text::bytea), 'login', substr(sha256(i::text::bytea), 1, 20), $1 FROM generate_series(1, 10001) i`,
		now.Add(-2*time.Hour))
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	left := map[string]int{}
	for _, table := range []string{"challenges", "sessions", "idempotency_keys", "rate_limits"} {
		var n int
		if err := storetest.DB(t, s).Get(&n, `SELECT count(*) FROM `+table); err != nil {
			t.Fatal(err)
		}
		left[table] = n
	}
	want := map[string]int{"challenges": 1, "sessions": 1, "idempotency_keys": 1, "rate_limits": 1}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("rows left by Sweep() (-want +got):\n%s", diff)
	}
}

// A human's former username is deleted when it is no longer reserved; an agent's is never deleted. Old records
// of the keeper's spending and expired credentials of the console are deleted.
func TestSweepDeletesWhatIsNoLongerReserved(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human, agent := storetest.Human(t, s), storetest.Agent(t, s)
	for i, age := range []string{"91 days", "89 days"} {
		storetest.Execute(t, s, `INSERT INTO usernames (skeleton, user_id, released_at) VALUES ($1, $2, now() - $3::interval)`, fmt.Sprintf("human-former-%d", i), human.ID, age)
	}
	storetest.Execute(t, s, `INSERT INTO usernames (skeleton, user_id) VALUES ('agent-former', $1)`, agent.ID)
	for i, age := range []string{"31 days", "29 days"} {
		storetest.Execute(t, s, `
			INSERT INTO keeper_spending (chain_id, sender, nonce, tx_hash, most, signed_at)
			VALUES (1, $1, $2, $3, 1, now() - $4::interval)`, storetest.KeeperAccount, i, storetest.NewHash(), age)
	}
	for _, end := range []string{"-1 minute", "1 minute"} {
		storetest.Execute(t, s, `INSERT INTO console_links (token_hash, operator, role, expires_at) VALUES ($1, 'ada', 'operator', now() + $2::interval)`, storetest.NewHash(), end)
		storetest.Execute(t, s, `
			INSERT INTO console_sessions (id_hash, operator, role, by_proxy, created_at, expires_at)
			VALUES ($1, 'ada', 'operator', false, now() - interval '1 hour', now() + $2::interval)`, storetest.NewHash(), end)
	}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"usernames": 4, "keeper_spending": 1, "console_links": 1, "console_sessions": 1}
	for table, n := range want {
		var got int
		if err := storetest.DB(t, s).Get(&got, `SELECT count(*) FROM `+table); err != nil || got != n {
			t.Errorf("%d rows of %s are left, %v; want %d", got, table, err, n)
		}
	}
}

// jobsAreOld makes all jobs older than the retention period of closed jobs.
func jobsAreOld(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Execute(t, s, `UPDATE outbox SET run_at = now() - interval '31 days', created_at = now() - interval '31 days'`)
}

// wantJobsLeft sweeps and fails the test unless this number of jobs remains.
func wantJobsLeft(t *testing.T, s *store.Store, when string, want int) {
	t.Helper()
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got int
	if err := storetest.DB(t, s).Get(&got, `SELECT count(*) FROM outbox`); err != nil || got != want {
		t.Fatalf("%s, Sweep() left %d jobs, %v; want %d", when, got, err, want)
	}
}

// finalize makes the chain's current blocks and one later block final, so that the current blocks are earlier
// than the last final block.
func finalize(t *testing.T, chain *storetest.Chain) {
	t.Helper()
	chain.Finalized = chain.Mine(t).Number
	chain.Mine(t)
}

// A closed job is stored while a reorganisation can open it again, and at least for the retention period.
func TestSweepDeletesTheJobsOfEndedTasks(t *testing.T) {
	t.Parallel()
	w, _ := storetest.DueWorld(t)
	settle := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1}
	jobsAreOld(t, w.Store)
	wantJobsLeft(t, w.Store, "while the job is open", 1)
	w.Chain.Mine(t, storetest.Settle(t, storetest.Of(w.Task)))
	wantJobsLeft(t, w.Store, "before the end is final", 1)
	w.Chain.Rewind(t, 1)
	storetest.WantJobs(t, w, settle)
	w.Chain.Mine(t, storetest.Settle(t, storetest.Of(w.Task)))
	finalize(t, w.Chain)
	wantJobsLeft(t, w.Store, "before the retention period", 1) // the reorganisation made the job due again
	jobsAreOld(t, w.Store)
	wantJobsLeft(t, w.Store, "after it", 0)

	w.Chain.Rewind(t, 1)
	w.Chain.Mine(t)
	storetest.WantJobs(t, w)
	replayed := storetest.Copy(t, w.Store)
	if err := replayed.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	storetest.Execute(t, replayed, `DELETE FROM activities WHERE block_hash IS NOT NULL`)
	w.Chain.Feed(t, replayed, 1)
	storetest.WantSameRows(t, w.Store, replayed)
	w.Store = replayed
	storetest.WantJobs(t, w)
}

// The verdicts of a task are relayed again if a reorganisation drops its end, so their job stays until
// the end is final. It stays as well while the chain is read again after a reset.
func TestSweepDeletesTheRelaysOfEndedTasks(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet),
		storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, storetest.NewHash()), storetest.Approve(t, of))
	validator := storetest.Human(t, w.Store, func(h *market.Human) {
		h.Wallet = storetest.Must(w.Store.Journal.Parameters(t.Context())).Validators[0].Wallet
	})
	task := storetest.Must(w.Store.Task(t.Context(), w.Task.ID))
	if err := w.Store.AddVerdict(t.Context(), task, storetest.NewVerdict(task, validator, true)); err != nil {
		t.Fatal(err)
	}
	w.Chain.Mine(t, storetest.Decide(t, of, true))
	jobsAreOld(t, w.Store)
	wantJobsLeft(t, w.Store, "before the end is final", 1)
	if err := w.Store.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	wantJobsLeft(t, w.Store, "without the task", 1)
	w.Chain.Feed(t, w.Store, 1)
	finalize(t, w.Chain)
	jobsAreOld(t, w.Store)
	wantJobsLeft(t, w.Store, "after the end is final", 0)
}

// The job of a claim stays until the payment is final, and that of a failed claim for the retention period.
func TestSweepDeletesTheJobsOfClaims(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, paid, failed, pending := storetest.NewChain(t, s), storetest.Agent(t, s), storetest.Agent(t, s), storetest.Agent(t, s)
	lease := storetest.Must(s.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	storetest.Must(s.Claim(t.Context(), storetest.Earned(failed, 100)))
	if err := s.Outbox.JobFailed(t.Context(), lease.Epoch, 1, "InvalidVoucher", time.Time{}); err != nil {
		t.Fatal(err)
	}
	storetest.Must(s.Claim(t.Context(), storetest.Earned(paid, 100)))
	storetest.Must(s.Claim(t.Context(), storetest.Earned(pending, 100)))
	chain.Mine(t, storetest.Reward(t, paid.Wallet, 100, 100))
	wantJobsLeft(t, s, "before the retention period", 3)
	jobsAreOld(t, s)
	wantJobsLeft(t, s, "before the payment is final", 2)
	chain.Rewind(t, 1)
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 2 {
		t.Errorf("%d jobs are open after the reorganisation, want 2", len(jobs))
	}
	chain.Mine(t, storetest.Reward(t, paid.Wallet, 100, 100))
	finalize(t, chain)
	jobsAreOld(t, s)
	wantJobsLeft(t, s, "after the payment is final", 1)
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 1 || jobs[0].Reward.Account != pending.Wallet {
		t.Errorf("OpenJobs() = %+v, want that of the pending claim", jobs)
	}
}

// Closed cancellations are deleted in batches, and a later request for the same nonce is a new job.
func TestSweepDeletesCancellations(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.NewChain(t, s)
	nonce := market.AccountNonce{Account: storetest.KeeperAccount, Nonce: 7}
	first := storetest.Must(s.Outbox.RequestCancel(t.Context(), nonce))
	storetest.Execute(t, s, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
		SELECT chain_id, escrow, kind, 'copy ' || i, payload FROM outbox, generate_series(1, 10001) i`)
	jobsAreOld(t, s)
	storetest.Execute(t, s, `UPDATE outbox SET state = 'done' WHERE id <> $1`, first)
	wantJobsLeft(t, s, "while a cancellation is open", 1)
	storetest.Execute(t, s, `UPDATE outbox SET state = 'done'`)
	wantJobsLeft(t, s, "after it", 0)
	if again := storetest.Must(s.Outbox.RequestCancel(t.Context(), nonce)); again == first {
		t.Errorf("RequestCancel() = %d, the number of the deleted job", again)
	}
}

// openJobs selects the jobs that the replayed blocks must open again: relays, and due settlements.
const openJobs = `
	SELECT o.dedupe_key
	FROM outbox o
	JOIN chain_head h ON h.chain_id = o.chain_id
	JOIN onchain_tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.id = (o.payload->>'task_id')::bigint
	WHERE o.state IN ('pending', 'sent') AND (o.kind = 'verdicts' OR t.settle_at <= h.time)`

// In a random history with reorganisations and a relay for each task under review, no deleted job belongs
// to a task that has not ended, and a replay gives the same rows and open jobs.
func TestSweepDeletesOnlyJobsThatStayClosed(t *testing.T) {
	t.Parallel()
	h := storetest.NewHistory(t, 4) // a seed with tasks that end in final blocks
	for _, statement := range []string{
		`CREATE TABLE deleted (LIKE outbox)`,
		`CREATE FUNCTION keep_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO deleted SELECT old.*; RETURN NULL; END $$`,
		`CREATE TRIGGER keep_deleted AFTER DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION keep_deleted()`,
	} {
		storetest.Execute(t, h.Store, statement)
	}
	for i := range 150 {
		h.Happen(t)
		storetest.Execute(t, h.Store, `
			INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
			SELECT chain_id, escrow, 'verdicts', format('%s:%s', id, work_hash), jsonb_build_object('task_id', id)
			FROM onchain_tasks WHERE status IN (3, 4) ON CONFLICT DO NOTHING`)
		if i%5 == 0 {
			jobsAreOld(t, h.Store)
			if err := h.Store.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		unended := storetest.Rows(t, h.Store, `
			SELECT d.dedupe_key, t.status
			FROM deleted d
			JOIN onchain_tasks t ON t.chain_id = d.chain_id AND t.escrow = d.escrow AND t.id = (d.payload->>'task_id')::bigint
			WHERE t.status < 5`)
		if len(unended) > 0 {
			t.Fatalf("the jobs of tasks that have not ended were deleted: %s", unended)
		}
	}
	if deleted := storetest.Rows(t, h.Store, `SELECT id FROM deleted`); len(deleted) == 0 {
		t.Error("the history deleted no job")
	}
	replayed := storetest.Copy(t, h.Store)
	if err := replayed.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	storetest.Execute(t, replayed, `DELETE FROM activities WHERE block_hash IS NOT NULL`)
	h.Chain.Feed(t, replayed, 7)
	storetest.WantSameRows(t, h.Store, replayed)
	if diff := cmp.Diff(storetest.Rows(t, h.Store, openJobs), storetest.Rows(t, replayed, openJobs)); diff != "" {
		t.Errorf("open jobs (-lived +replayed):\n%s", diff)
	}
}

// An unfunded task leaves the lists after its lifetime, and its files are deleted. A late posting still
// funds it and makes it visible again. A funding that a reorganisation dropped starts a new lifetime.
func TestSweepLapsesUnfundedTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	fresh, due, funded, dropped, worked := storetest.Task(t, s, agent), storetest.Task(t, s, agent),
		storetest.Task(t, s, agent), storetest.Task(t, s, agent), storetest.Task(t, s, agent)
	var files []market.File
	for _, task := range []market.Task{fresh, due, funded, dropped} {
		files = append(files, storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent)))
	}
	work := storetest.AddFile(t, s, worked, storetest.HumanPrincipal(human))
	storetest.Must(s.CreateSubmission(t.Context(), market.Submission{
		ID: storetest.NewID(), TaskID: worked.ID, HumanID: human.ID, Note: "done", FileIDs: []uuid.UUID{work.ID}, WorkHash: storetest.NewHash(),
	}))
	lifetime := int(market.UnfundedLifetime.Seconds())
	storetest.Execute(t, s, `UPDATE tasks SET created_at = now() - make_interval(secs => $1), updated_at = now() - make_interval(secs => $1)`, lifetime+1)
	storetest.Execute(t, s, `UPDATE tasks SET updated_at = now() - make_interval(secs => $1) WHERE id = $2`, lifetime-60, fresh.ID)
	storetest.Execute(t, s, `UPDATE tasks SET updated_at = now() WHERE id = $1`, dropped.ID)
	storetest.Escrowed(t, s, funded, storetest.Genesis, nil)
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	listed := func(when string, want ...market.Task) {
		t.Helper()
		page := storetest.Must(s.Tasks(t.Context(), store.TaskQuery{Viewer: storetest.AgentPrincipal(agent), Scope: store.ScopeMine}))
		got := map[uuid.UUID]bool{}
		for _, task := range page.Items {
			got[task.ID] = true
		}
		for _, task := range want {
			if !got[task.ID] {
				t.Errorf("%s, task %s is not listed", when, task.ID)
			}
		}
		if len(got) != len(want) || page.Total != len(want) {
			t.Errorf("%s, %d tasks are listed and %d counted, want %d", when, len(got), page.Total, len(want))
		}
	}
	listed("after the sweep", fresh, funded, dropped)
	left := storetest.Must(s.MissingFiles(t.Context(), []uuid.UUID{files[0].ID, files[1].ID, files[2].ID, files[3].ID, work.ID}))
	if diff := cmp.Diff([]uuid.UUID{files[1].ID}, left); diff != "" {
		t.Errorf("deleted files (-want +got):\n%s", diff)
	}
	kept := storetest.Must(s.Task(t.Context(), due.ID))
	if kept.Status != market.StatusNew || kept.TermsHash != due.TermsHash {
		t.Errorf("the lapsed task is %s with terms %s", kept.Status, kept.TermsHash)
	}
	storetest.Escrowed(t, s, due, storetest.Genesis, nil)
	listed("after the late posting", fresh, funded, dropped, due)
}

// wantFilesDeleted sweeps and fails the test unless the deleted files among all are exactly the wanted ones.
func wantFilesDeleted(t *testing.T, s *store.Store, when string, all []market.File, want ...uuid.UUID) {
	t.Helper()
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	var ids []uuid.UUID
	for _, f := range all {
		ids = append(ids, f.ID)
	}
	if diff := cmp.Diff(want, storetest.Must(s.MissingFiles(t.Context(), ids)), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s, deleted files (-want +got):\n%s", when, diff)
	}
}

// The files of a task that was cancelled without an accepted human are deleted after the retention period,
// once a reorganisation can no longer revive the task. Files of other tasks and of submissions stay.
func TestSweepDeletesTheFilesOfCancelledTasks(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	left, open := storetest.Task(t, w.Store, w.Agent), storetest.Task(t, w.Store, w.Agent)
	work := storetest.AddFile(t, w.Store, w.Task, storetest.HumanPrincipal(w.Human))
	storetest.Must(w.Store.CreateSubmission(t.Context(), market.Submission{
		ID: storetest.NewID(), TaskID: w.Task.ID, HumanID: w.Human.ID, Note: "done", FileIDs: []uuid.UUID{work.ID}, WorkHash: storetest.NewHash(),
	}))
	brief := storetest.AddFile(t, w.Store, w.Task, storetest.AgentPrincipal(w.Agent))
	files := []market.File{work, brief, storetest.AddFile(t, w.Store, left, storetest.AgentPrincipal(w.Agent)), storetest.AddFile(t, w.Store, open, storetest.AgentPrincipal(w.Agent))}
	// Insert more tasks with files and lower ids than one statement reads.
	storetest.Execute(t, w.Store, `
		INSERT INTO tasks (id, agent_id, title, description, amount, fee_basis_points, terms_hash, chain_id, escrow)
		SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, agent_id, title, description, amount, fee_basis_points,
		       sha256(i::text::bytea), chain_id, escrow
		FROM tasks, generate_series(1, 600) i WHERE id = $1`, w.Task.ID)
	storetest.Execute(t, w.Store, `
		INSERT INTO files (id, task_id, filename, content_type, size, sha256, uploader_id, uploader_kind)
		SELECT gen_random_uuid(), id, 'a.txt', 'text/plain', 1, terms_hash, agent_id, 'agent'
		FROM tasks WHERE id < '01000000-0000-0000-0000-000000000000'`)

	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Post(t, left, false), storetest.Post(t, open, false),
		storetest.Stake(t, storetest.Of(left), w.Human.Wallet), storetest.Accept(t, storetest.Of(left), w.Human.Wallet))
	w.Chain.Mine(t, storetest.Cancel(t, storetest.Of(w.Task)), storetest.Cancel(t, storetest.Of(left)))
	w.Chain.Wait(t, market.CancelledRetention+time.Hour)
	wantFilesDeleted(t, w.Store, "before the end is final", files)
	w.Chain.Rewind(t, 2)
	wantFilesDeleted(t, w.Store, "after a reorganisation revived the task", files)
	w.Chain.Mine(t, storetest.Cancel(t, storetest.Of(w.Task)), storetest.Cancel(t, storetest.Of(left)))
	finalize(t, w.Chain)
	w.Chain.Wait(t, market.CancelledRetention-time.Hour)
	finalize(t, w.Chain)
	wantFilesDeleted(t, w.Store, "before the retention period", files)
	w.Chain.Wait(t, 2*time.Hour)
	wantFilesDeleted(t, w.Store, "before its end is final", files)
	finalize(t, w.Chain)
	wantFilesDeleted(t, w.Store, "after it", files, brief.ID)
	if got := len(storetest.Rows(t, w.Store, `SELECT id FROM files`)); got != 600+len(files)-1 {
		t.Errorf("%d files are left, want %d", got, 600+len(files)-1)
	}

	replayed := storetest.Copy(t, w.Store)
	if err := replayed.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	wantFilesDeleted(t, replayed, "while the chain is read again", files, brief.ID)
	storetest.Execute(t, replayed, `DELETE FROM activities WHERE block_hash IS NOT NULL`)
	w.Chain.Feed(t, replayed, 1)
	storetest.WantSameRows(t, w.Store, replayed)
	wantFilesDeleted(t, replayed, "after the chain was read again", files, brief.ID)
}

// retentionRows returns the rows of the table under the heading Retention in docs/data.md,
// split into cells.
func retentionRows(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Retention\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | "))
		}
	}
	return rows
}

var tableName = regexp.MustCompile("`([a-z_]+)`")

// The operators' manual states exactly once for each table of the schema what it contains, how long it is
// stored, and why. The periods are those of the program.
func TestRetentionIsDocumented(t *testing.T) {
	t.Parallel()
	var want, got []string
	err := storetest.DB(t, storetest.New(t)).SelectContext(t.Context(), &want, `
		SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for _, row := range retentionRows(t) {
		if len(row) != 4 || slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) == "" }) {
			t.Errorf("the row %q does not have four texts", row)
			continue
		}
		for _, m := range tableName.FindAllStringSubmatch(row[0], -1) {
			got = append(got, m[1])
			kept[m[1]] = row[2]
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tables under Retention in docs/data.md (-schema +documented):\n%s", diff)
	}
	if text := market.FormatDuration(market.CancelledRetention) + " after a cancellation"; !strings.Contains(kept["files"], text) {
		t.Errorf("files are documented as kept for %q, want %q", kept["files"], text)
	}
	for table, period := range map[string]time.Duration{
		"sessions": market.SessionIdle, "challenges": market.ChallengeLifetime + time.Hour,
		"idempotency_keys": market.IdempotencyLifetime, "console_links": market.ConsoleLinkLifetime,
		"console_sessions": market.ConsoleSessionLifetime, "events": store.EventRetention, "audit_log": operators.DefaultAuditRetention,
		"outbox": store.JobRetention, "keeper_spending": store.SpendingRetention, "files": market.UnfundedLifetime,
		"usernames": market.UsernameReserve,
	} {
		if text := market.FormatDuration(period); !strings.Contains(kept[table], text) {
			t.Errorf("%s is documented as kept for %q, want %q", table, kept[table], text)
		}
	}
}
