package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	now := time.Now()
	for _, at := range []time.Time{now.Add(-2 * time.Hour), now.Add(time.Hour)} {
		wallet := newWallet()
		ok(s.SignIn(t.Context(), loginChallenge(t, s, wallet), newcomer(wallet), store.Session{IDHash: newHash(), ExpiresAt: at}))
		saveChallenge(t, s, store.Challenge{Hash: newHash(), Purpose: store.PurposeLogin, Wallet: wallet, ExpiresAt: at})
		ok(s.Take(t.Context(), newName(), time.Minute, 1, at))
		scope := newHash()
		begin(t, s, scope, newHash())
		execute(t, s, `UPDATE idempotency_keys SET expires_at = $2 WHERE scope = $1`, scope, at)
	}
	// Insert more rows than one batch deletes.
	execute(t, s, `
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
		files = append(files, addFile(t, s, task, agentPrincipal(agent)))
	}
	work := addFile(t, s, worked, humanPrincipal(human))
	ok(s.CreateSubmission(t.Context(), market.Submission{
		ID: newID(), TaskID: worked.ID, HumanID: human.ID, Note: "done", FileIDs: []uuid.UUID{work.ID}, WorkHash: newHash(),
	}))
	lifetime := int(market.UnfundedLifetime.Seconds())
	execute(t, s, `UPDATE tasks SET created_at = now() - make_interval(secs => $1), updated_at = now() - make_interval(secs => $1)`, lifetime+1)
	execute(t, s, `UPDATE tasks SET updated_at = now() - make_interval(secs => $1) WHERE id = $2`, lifetime-60, fresh.ID)
	execute(t, s, `UPDATE tasks SET updated_at = now() WHERE id = $1`, dropped.ID)
	escrowed(t, s, funded, genesis, nil)
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	listed := func(when string, want ...market.Task) {
		t.Helper()
		page := ok(s.Tasks(t.Context(), store.TaskQuery{Viewer: agentPrincipal(agent), Scope: store.ScopeMine}))
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
		wantCounted(t, s)
	}
	listed("after the sweep", fresh, funded, dropped)
	left := ok(s.MissingFiles(t.Context(), []uuid.UUID{files[0].ID, files[1].ID, files[2].ID, files[3].ID, work.ID}))
	if diff := cmp.Diff([]uuid.UUID{files[1].ID}, left); diff != "" {
		t.Errorf("deleted files (-want +got):\n%s", diff)
	}
	kept := ok(s.Task(t.Context(), due.ID))
	if kept.Status != market.StatusNew || kept.TermsHash != due.TermsHash {
		t.Errorf("the lapsed task is %s with terms %s", kept.Status, kept.TermsHash)
	}
	escrowed(t, s, due, genesis, nil)
	listed("after the late posting", fresh, funded, dropped, due)
}
