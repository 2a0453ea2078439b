package store_test

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// reader reads one user's events.
type reader struct {
	t     *testing.T
	s     *store.Store
	query store.EventQuery

	events []store.Event // all events read so far
	said   []string      // description of each event
}

// follow returns a reader that starts at the log's current position.
func follow(t *testing.T, s *store.Store, agent market.Agent) *reader {
	t.Helper()
	r := &reader{t: t, s: s, query: store.EventQuery{UserID: agent.ID, Credential: keyOf(t, s, agent), Limit: 7}}
	r.query.After = storetest.Must(s.Events(t.Context(), r.query)).Next
	return r
}

// keyOf returns the hash of the agent's API key.
func keyOf(t *testing.T, s *store.Store, agent market.Agent) common.Hash {
	t.Helper()
	var key common.Hash
	if err := storetest.DB(t, s).Get(&key, `SELECT key_hash FROM agents WHERE id = $1`, agent.ID); err != nil {
		t.Fatal(err)
	}
	return key
}

// read reads the available events and reports whether the position has expired.
func (r *reader) read() (expired bool) {
	r.t.Helper()
	for {
		batch, err := r.s.Events(r.t.Context(), r.query)
		if market.KindOf(err) == market.KindCursorExpired {
			return true
		}
		storetest.Must(batch, err)
		r.events = append(r.events, batch.Events...)
		for _, e := range batch.Events {
			text := fmt.Sprintf("%s %s%s", e.Kind, e.TaskStatus, e.ApplicationStatus)
			if e.Kind == store.EventActivity {
				text = fmt.Sprintf("item %s", e.Activity.Amount)
			}
			r.said = append(r.said, text)
		}
		// Format and parse the position, as a client does.
		r.query.After = storetest.Must(store.ParseEventPosition(batch.Next.String()))
		if !batch.More {
			return false
		}
	}
}

// until reads repeatedly until the reader has received count events.
func (r *reader) until(count int) {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); len(r.said) < count; time.Sleep(5 * time.Millisecond) {
		if r.read(); time.Now().After(end) {
			r.t.Fatalf("%d events were read in a minute, want %d", len(r.said), count)
		}
	}
}

// addItem inserts an activity item that can be identified by its amount.
const addItem = `
	INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key)
	VALUES ($1, $2, 'agent', 'task', 'task_funded', $3::wei, 'confirmed', $3::text)`

// Readers wait for a transaction that reserved its ids early and commits late.
func TestEventsWaitForLowerIDs(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r, slow := follow(t, s, agent), beginTx(t, s)
	slow.MustExecContext(t.Context(), addItem, storetest.NewID(), agent.ID, 1)
	slow.MustExecContext(t.Context(), `SET CONSTRAINTS ALL IMMEDIATE`) // runs the deferred triggers as a COMMIT would, but does not make the rows visible
	storetest.Execute(t, s, addItem, storetest.NewID(), agent.ID, 2)
	for range 3 {
		if r.read(); len(r.said) > 0 {
			t.Fatalf("read %v while a transaction with earlier ids is open", r.said)
		}
	}
	if err := slow.Commit(); err != nil {
		t.Fatal(err)
	}
	r.until(2)
	if diff := cmp.Diff([]string{"item 1", "item 2"}, r.said); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// A long transaction, such as a fold during a backfill, does not delay the events of other
// transactions, because events are in commit order.
func TestEventsDoNotWaitForOpenTransactions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r, slow := follow(t, s, agent), beginTx(t, s)
	slow.MustExecContext(t.Context(), addItem, storetest.NewID(), agent.ID, 1)
	storetest.Execute(t, s, addItem, storetest.NewID(), agent.ID, 2)
	r.until(1)
	if err := slow.Commit(); err != nil {
		t.Fatal(err)
	}
	r.until(2)
	if diff := cmp.Diff([]string{"item 2", "item 1"}, r.said); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// A transaction's lock becomes visible a moment after the transaction has read the last id. If
// others commit in between, the last settled id moves back. A reader that is already past this id
// is not reset and does not receive events twice.
func TestEventsContinueWhenTheSettledIDGoesBack(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r := follow(t, s, agent)
	for i := range 3 {
		storetest.Execute(t, s, addItem, storetest.NewID(), agent.ID, i)
	}
	r.until(3)
	late := beginTx(t, s)
	late.MustExecContext(t.Context(), `SELECT pg_advisory_xact_lock_shared(1163284563, (last_event() - 2)::integer)`)
	if r.read() {
		t.Error("a reader past the settled id was reset")
	}
	late.MustExecContext(t.Context(), addItem, storetest.NewID(), agent.ID, 3)
	if err := late.Commit(); err != nil {
		t.Fatal(err)
	}
	r.until(4)
	if diff := cmp.Diff([]string{"item 0", "item 1", "item 2", "item 3"}, r.said); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// Intermediate states within a transaction cause no events, even if the transaction deletes a
// record and inserts it again.
func TestEventsOmitIntermediateStates(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	task := storetest.Task(t, s, agent)
	kept := storetest.Application(t, s, task, storetest.Human(t, s))
	moved := storetest.Application(t, s, task, storetest.Human(t, s))
	addActivity(t, s, agent, market.ActivityTask, 1)
	r, tx := follow(t, s, agent), beginTx(t, s)
	for _, statement := range []string{
		`UPDATE applications SET status = 'released'`,
		`CREATE TEMPORARY TABLE gone ON COMMIT DROP AS SELECT * FROM applications WHERE id = '` + kept.ID.String() + `'`,
		`DELETE FROM applications WHERE id = '` + kept.ID.String() + `'`,
		`INSERT INTO applications SELECT * FROM gone`,
		`UPDATE applications SET status = 'new'`,
		`UPDATE applications SET status = 'rejected', decision = 'rejected' WHERE id = '` + moved.ID.String() + `'`,
		`UPDATE activities SET status = 'reverted', chain_id = 1, block_hash = sha256(''), block_number = 1`,
		`UPDATE tasks SET changed_block = 7`,
		`UPDATE activities SET status = 'confirmed'`,
		`UPDATE tasks SET changed_block = 0`,
	} {
		tx.MustExecContext(t.Context(), statement)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	r.until(1)
	if diff := cmp.Diff([]string{"application rejected"}, r.said); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	var noted int
	if err := storetest.DB(t, s).Get(&noted, `SELECT count(*) FROM changed_records`); err != nil || noted != 0 {
		t.Errorf("%d changed records remain after their transaction, %v; want 0", noted, err)
	}
}

// beginTx opens a transaction that is rolled back at the end of the test.
func beginTx(t *testing.T, s *store.Store) *sqlx.Tx {
	t.Helper()
	tx, err := storetest.DB(t, s).BeginTxx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// A reader receives every event once while concurrent writers commit or roll back in any order.
func TestEventsOfConcurrentWritersAreReadOnce(t *testing.T) {
	t.Parallel()
	const writers, each = 6, 30
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r, db := follow(t, s, agent), storetest.DB(t, s)
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			for i := range each {
				writeItem(t, db, agent, w*each+i)
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		r.read()
	}
	r.until(writers * each * 2 / 3)
	seen := make(map[string]int)
	for _, title := range r.said {
		seen[title]++
	}
	for w := range writers {
		for i := range each {
			want := 1
			if i%3 == 0 {
				want = 0 // every third transaction is rolled back
			}
			if title := fmt.Sprintf("item %d", w*each+i); seen[title] != want {
				t.Errorf("%s was read %d times, want %d", title, seen[title], want)
			}
		}
	}
}

// writeItem inserts an item in a slow transaction. Every third transaction is rolled back.
func writeItem(t *testing.T, db *sqlx.DB, agent market.Agent, i int) {
	t.Helper()
	tx, err := db.BeginTxx(t.Context(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), addItem, storetest.NewID(), agent.ID, i); err != nil {
		t.Error(err)
	}
	if _, err := tx.ExecContext(t.Context(), `SELECT pg_sleep($1)`, float64(i%5)/500); err != nil {
		t.Error(err)
	}
	if i%3 == 0 {
		return
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
}

// A user can read only the events that are addressed to this user, and only with valid credentials.
func TestEventsOfOneUser(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, other := storetest.Agent(t, s), storetest.Agent(t, s)
	mine, theirs := follow(t, s, agent), follow(t, s, other)
	addActivity(t, s, agent, market.ActivityTask, 1)
	addActivity(t, s, other, market.ActivityTask, 2)
	task := storetest.Task(t, s, agent)
	storetest.Escrowed(t, s, task, storetest.Genesis, nil)
	human := storetest.Human(t, s)
	storetest.Application(t, s, task, human)
	mine.until(4)
	theirs.until(1)
	if diff := cmp.Diff([]string{"item 1", "task new", "task funded", "application new"}, mine.said); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"item 2"}, theirs.said); diff != "" {
		t.Errorf("the other agent's events (-want +got):\n%s", diff)
	}
	stolen := mine.query
	stolen.Credential = theirs.query.Credential
	_, err := s.Events(t.Context(), stolen)
	storetest.WantKind(t, "another agent's key", err, market.KindUnauthorized)
	storetest.Execute(t, s, `UPDATE agents SET key_hash = $2 WHERE id = $1`, agent.ID, storetest.NewHash())
	_, err = s.Events(t.Context(), mine.query)
	storetest.WantKind(t, "a replaced key", err, market.KindUnauthorized)
}

// A position expires if events after it have been deleted, if it is beyond the end of the log, or if
// it belongs to another epoch.
func TestEventPositionsExpire(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r := follow(t, s, agent)
	addActivity(t, s, agent, market.ActivityTask, 1)
	r.until(1)
	before := *r
	addActivity(t, s, agent, market.ActivityTask, 2)
	age(t, s)
	addActivity(t, s, agent, market.ActivityTask, 3)
	r.until(3)
	if early := before; early.read() || len(early.said) != 3 {
		t.Errorf("a reader before the deletion read %v", early.said)
	}
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !before.read() || len(before.said) != 1 {
		t.Errorf("a reader before the deleted events read %v", before.said)
	}
	if r.read() {
		t.Error("the position at the end of the log expired")
	}
	future := *r
	future.query.After = storetest.Must(store.ParseEventPosition(r.query.After.String()[:9] + "999999999999999"))
	if !future.read() {
		t.Error("a position after the end of the log is valid")
	}
	if err := s.RevokeCredentials(t.Context()); err != nil {
		t.Fatal(err)
	}
	restored := follow(t, s, agent)
	if restored.query.After = r.query.After; !restored.read() {
		t.Error("a position from before the restore is valid")
	}
}

// A commit on one server wakes the readers on other servers.
func TestEventsWakeOtherServers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	other := storetest.Open(t, storetest.URL(t, s))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	wakes := other.ListenEvents(ctx)
	for {
		if err := s.SignOut(ctx, storetest.NewHash()); err != nil { // any committed transaction triggers a notification
			t.Fatal(err)
		}
		select {
		case <-wakes:
			return
		case <-time.After(50 * time.Millisecond): // retry: the listener might not be connected yet
		case <-ctx.Done():
			t.Fatal("no reader was woken")
		}
	}
}

// A listener receives no notifications for commits that happened before LISTEN or while the
// connection was lost. It therefore wakes its reader when it starts to listen and after each
// reconnection.
func TestListenEventsWakesOnConnect(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	wakes := s.ListenEvents(t.Context())
	for _, moment := range []string{"the first LISTEN", "the LISTEN after a loss"} {
		select {
		case <-wakes: // received although there was no commit
		case <-time.After(30 * time.Second):
			t.Fatalf("no wake-up after %s", moment)
		}
		storetest.Execute(t, s, `
			SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND query ILIKE 'LISTEN %'`)
	}
}

// Notifications can use a different URL from other statements, for example one that bypasses a proxy.
func TestListenEventsUsesItsURL(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	u, err := url.Parse(storetest.URL(t, s))
	if err != nil {
		t.Fatal(err)
	}
	direct := gate.New(t, u.Host)
	direct.Shut()
	u.Host = direct.Addr()
	other := storetest.Open(t, storetest.URL(t, s), store.WithListenURL(u.String()))
	wakes := other.ListenEvents(t.Context())
	select {
	case <-wakes:
		t.Error("a reader was woken, although the URL for notifications cannot be reached")
	case <-time.After(time.Second):
	}
	direct.Open()
	select {
	case <-wakes:
	case <-time.After(30 * time.Second):
		t.Error("no wake-up after the URL for notifications could be reached")
	}
}

// The query for a user's events uses an index.
func TestEventsPlan(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	r := follow(t, s, agent)
	storetest.Execute(t, s, `
		INSERT INTO events (audience_id, kind, subject_id, status)
		SELECT CASE i % 1000 WHEN 0 THEN $1 ELSE gen_random_uuid() END, 'task', gen_random_uuid(), 'new'
		FROM generate_series(1, 100000) i`, agent.ID)
	storetest.Execute(t, s, `ANALYZE events`)
	r.query.After = storetest.Must(store.ParseEventPosition(r.query.After.String()[:9] + "50000"))
	for name, statement := range s.EventStatements(r.query) {
		p, text := storetest.Explain(t, storetest.DB(t, s), statement.SQL, statement.Args...)
		if touched := p.Hit + p.Read; touched > 60 || p.Scans("events") {
			t.Errorf("%s touches %d blocks:\n%s", name, touched, text)
		}
	}
}
