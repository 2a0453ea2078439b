package store_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/lib/pq"
	"pgregory.net/rapid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

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
