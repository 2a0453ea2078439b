package store_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"pgregory.net/rapid"

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

// The default number of histories is smaller than rapid's, because each history needs a separate
// database. The flag -rapid.checks overrides it.
func init() {
	if err := flag.Set("rapid.checks", "5"); err != nil {
		panic(err)
	}
}

// TestEventsAreTheCommittedChanges runs random histories with reorganisations and compares each
// user's events with the rows in the database. A transaction must add exactly one event, with the
// committed state, for each record that it changed.
func TestEventsAreTheCommittedChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		acts := rapid.SliceOfN(rapid.Uint64(), 30, 60).Draw(rt, "acts")
		var difference string
		t.Run("history", func(t *testing.T) { difference = checkHistory(t, acts) })
		if difference != "" {
			rt.Fatal(difference)
		}
	})
}

// checkHistory performs one action for each seed and returns the first difference between the
// events and the rows.
func checkHistory(t *testing.T, acts []uint64) string {
	t.Helper()
	h := storetest.NewHistory(t, 0)
	o := newObserver(t, h)
	for i, seed := range acts {
		h.Random = rand.New(rand.NewPCG(seed, 1))
		if h.Random.IntN(5) > 0 {
			h.Act(t, 12+h.Random.IntN(88))
		} else if !h.Rewind(t) { // rewind only drops blocks; a later action mines new ones
			continue
		}
		if diff := o.compare(t); diff != "" {
			return fmt.Sprintf("act %d: %s", i, diff)
		}
	}
	return ""
}

// record is a row for which every change of State is reported as an event.
type record struct {
	Kind      string         `db:"kind"`
	ID        uuid.UUID      `db:"id"`
	Status    string         `db:"status"`
	State     string         `db:"state"` // compared before and after each action
	Audiences pq.StringArray `db:"audiences"`
}

const recordStates = `
	SELECT 'activity' AS kind, id, status, status AS state, ARRAY[audience_id] AS audiences
	FROM activities
	UNION ALL
	SELECT 'application', a.id, a.status, a.status AS state, ARRAY[t.agent_id, a.human_id]
	FROM applications a JOIN tasks t ON t.id = a.task_id
	UNION ALL
	SELECT 'task', id, status, concat_ws(' ', status, human_id, escrow_task_id, changed_block),
	       array_remove(ARRAY[agent_id, human_id], NULL)
	FROM tasks`

// observer reads every user's events and remembers the previous rows.
type observer struct {
	history *storetest.History
	records map[string]record // keyed by kind and id
	begin   store.EventPosition
	after   map[uuid.UUID]store.EventPosition
	keys    map[uuid.UUID]common.Hash // SHA-256 of each agent's API key, keyed by agent id
}

func newObserver(t *testing.T, h *storetest.History) *observer {
	t.Helper()
	o := &observer{
		history: h, records: recordsOf(t, h.Store), begin: follow(t, h.Store, h.Agents[0]).query.After,
		after: make(map[uuid.UUID]store.EventPosition), keys: make(map[uuid.UUID]common.Hash),
	}
	for _, agent := range h.Agents {
		o.keys[agent.ID] = keyOf(t, h.Store, agent)
	}
	return o
}

func recordsOf(t *testing.T, s *store.Store) map[string]record {
	t.Helper()
	var rows []record
	if err := storetest.DB(t, s).Select(&rows, recordStates); err != nil {
		t.Fatal(err)
	}
	records := make(map[string]record, len(rows))
	for _, r := range rows {
		records[r.Kind+r.ID.String()] = r
	}
	return records
}

// compare checks the new events against the changes to the rows since the last call and returns the
// difference.
func (o *observer) compare(t *testing.T) string {
	t.Helper()
	now := recordsOf(t, o.history.Store)
	var want []string
	for key, r := range now {
		before, known := o.records[key]
		if known && before.State == r.State {
			continue
		}
		for _, user := range audiencesOf(before, r) {
			want = append(want, fmt.Sprintf("%s: %s %s is %s", user, r.Kind, r.ID, r.Status))
		}
	}
	o.records = now
	got := o.read(t)
	slices.Sort(want)
	slices.Sort(got)
	return cmp.Diff(want, got)
}

// audiencesOf returns the users related to either state, because a human that is no longer assigned
// is notified as well.
func audiencesOf(before, after record) []string {
	users := slices.Concat(before.Audiences, after.Audiences)
	slices.Sort(users)
	return slices.Compact(users)
}

// read returns the new events of all users.
func (o *observer) read(t *testing.T) []string {
	t.Helper()
	credentials := maps.Clone(o.keys)
	maps.Copy(credentials, o.history.Session)
	var all []string
	for user, credential := range credentials {
		r := &reader{t: t, s: o.history.Store, query: store.EventQuery{UserID: user, Credential: credential, Limit: 7, After: o.begin}}
		if at, known := o.after[user]; known {
			r.query.After = at
		}
		if r.read() {
			t.Errorf("the position of %s expired", user)
		}
		o.after[user] = r.query.After
		for _, e := range r.events {
			all = append(all, fmt.Sprintf("%s: %s", user, stateIn(e)))
		}
	}
	return all
}

// stateIn formats an event in the same way as compare formats a change.
func stateIn(e store.Event) string {
	switch e.Kind {
	case store.EventTask:
		return fmt.Sprintf("task %s is %s", e.TaskID, e.TaskStatus)
	case store.EventApplication:
		return fmt.Sprintf("application %s is %s", e.ApplicationID, e.ApplicationStatus)
	case store.EventActivity:
		return fmt.Sprintf("activity %s is %s", e.Activity.ID, e.Activity.Status)
	}
	return fmt.Sprintf("an event of the kind %q", e.Kind)
}

// When a human is hired, there is one event for each transition of the application.
func TestEventsOfHiring(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	r := follow(t, w.Store, w.Agent)
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	storetest.Application(t, w.Store, w.Task, w.Human)
	w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
	w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
	r.read()
	var got []string
	for _, text := range r.said {
		if status, found := strings.CutPrefix(text, "application "); found {
			got = append(got, status)
		}
	}
	want := []string{string(market.ApplicationNew), string(market.ApplicationPending), string(market.ApplicationAccepted)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses of the application in the stream (-want +got):\n%s", diff)
	}
}

// age moves all events, with their partition, two months into the past.
func age(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Execute(t, s, `DO $$
		DECLARE
			former text := event_partition(now());
			aged text := event_partition(month_start(now(), -2));
		BEGIN
			EXECUTE format('UPDATE %I SET created_at = created_at - make_interval(days => 62)', former);
			EXECUTE format('ALTER TABLE events DETACH PARTITION %I', former);
			EXECUTE format('ALTER TABLE %I RENAME TO %I', former, aged);
			EXECUTE format('ALTER INDEX %I RENAME TO %I', former || '_pkey', aged || '_pkey');
			EXECUTE format('ALTER INDEX %I RENAME TO %I', former || '_audience_id_id_idx', aged || '_audience_id_id_idx');
			EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', aged, month_start(now(), -1));
		END $$`)
}

// Sweep drops a month whose events are older than the retention period. The partitions of this and
// the next month exist afterwards. A transaction creates a missing partition.
func TestSweepEventPartitions(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	addActivity(t, s, agent, market.ActivityTask, 1)
	age(t, s)
	addActivity(t, s, agent, market.ActivityTask, 2)
	for range 2 {
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var partitions []string
	err := storetest.DB(t, s).Select(&partitions, `
		SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	want := []string{month.Format("events_2006_01"), month.AddDate(0, 1, 0).Format("events_2006_01")}
	if diff := cmp.Diff(want, partitions); diff != "" {
		t.Errorf("partitions after Sweep() (-want +got):\n%s", diff)
	}
}

// readOldEvents returns a store with a month that Sweep can drop, and a transaction that reads it.
func readOldEvents(t *testing.T) (*store.Store, *sqlx.Tx) {
	t.Helper()
	s := storetest.New(t)
	addActivity(t, s, storetest.Agent(t, s), market.ActivityTask, 1)
	age(t, s)
	tx := storetest.DB(t, s).MustBegin()
	t.Cleanup(func() { _ = tx.Rollback() })
	tx.MustExec(`SELECT count(*) FROM events`)
	return s, tx
}

// If several servers sweep at the same time, only one of them drops a month. All of them first wait
// for the transaction that reads it.
func TestConcurrentSweepsDropAMonthOnce(t *testing.T) {
	t.Parallel()
	s, tx := readOldEvents(t)
	errs := make(chan error)
	const servers = 4
	for range servers {
		go func() { errs <- s.Sweep(t.Context()) }()
	}
	var first time.Time // when a sweep was first seen waiting
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var waiting int
		if err := tx.Get(&waiting, `SELECT count(*) FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted`); err != nil {
			t.Fatal(err)
		}
		if waiting > 0 && first.IsZero() {
			first = time.Now()
		}
		// A sweep waits for the lock for at most two seconds.
		if waiting == servers || !first.IsZero() && time.Since(first) > 300*time.Millisecond {
			break
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range servers {
		if err := <-errs; err != nil {
			t.Errorf("Sweep() = %v", err)
		}
	}
}

// If a month has no partition, concurrent transactions create it once, and none of them fails.
func TestConcurrentWritersCreateAPartitionOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	age(t, s)
	db := storetest.DB(t, s)
	errs := make(chan error)
	const writers = 8
	for i := range writers {
		go func() {
			_, err := db.Exec(addItem, uuid.New(), agent.ID, i)
			errs <- err
		}()
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Errorf("write = %v", err)
		}
	}
}

// If the clock is months behind the clock at the migration, no new partition is needed, because the first
// one contains all earlier times.
func TestEventsBeforeTheFirstPartition(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	db := storetest.DB(t, s)
	for _, months := range []int{0, -1, -3} {
		db.MustExec(`SELECT create_event_partition(month_start(now(), $1))`, months)
		db.MustExec(`
			INSERT INTO events (audience_id, kind, subject_id, status, created_at)
			VALUES ($1, 'access', $1, 'ended', month_start(now(), $2))`, agent.ID, months)
	}
	var partitions int
	if err := db.Get(&partitions, `SELECT count(*) FROM event_partitions()`); err != nil || partitions != 1 {
		t.Errorf("events have %d partitions, %v; want 1", partitions, err)
	}
}

// A long read makes Sweep fail after a short wait, so that it does not block writers, and the next
// Sweep deletes the month.
func TestSweepEventsDuringARead(t *testing.T) {
	t.Parallel()
	s, tx := readOldEvents(t)
	began := time.Now()
	storetest.WantKind(t, "Sweep() during a read", s.Sweep(t.Context()), market.KindUnavailable)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("Sweep() waited %s", took)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context()); err != nil {
		t.Errorf("Sweep() after the read = %v", err)
	}
}
