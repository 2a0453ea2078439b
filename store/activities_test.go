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

// addActivity adds an item with the amount i to an agent's feed, i hours after genesis.
func addActivity(t *testing.T, s *store.Store, agent market.Agent, kind market.ActivityType, i int) {
	t.Helper()
	execute(t, s, `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key, created_at)
		VALUES ($1, $2, 'agent', $3, 'task_funded', $4, 'confirmed', $5, $6)`,
		newID(), agent.ID, kind, i, newName(), genesis.Add(time.Duration(i)*time.Hour))
}

func TestActivities(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, other := storetest.Agent(t, s), storetest.Agent(t, s)
	for i := range 4 {
		addActivity(t, s, agent, []market.ActivityType{market.ActivityTask, market.ActivityPayout}[i%2], i)
	}
	addActivity(t, s, other, market.ActivityTask, 9)
	at := func(i int) time.Time { return genesis.Add(time.Duration(i) * time.Hour) }
	for name, test := range map[string]struct {
		query store.ActivityQuery
		want  []int64
	}{
		"all, newest first":                   {store.ActivityQuery{}, []int64{3, 2, 1, 0}},
		"one type":                            {store.ActivityQuery{Type: market.ActivityPayout}, []int64{3, 1}},
		"after (exclusive)":                   {store.ActivityQuery{After: at(1)}, []int64{3, 2}},
		"before (exclusive)":                  {store.ActivityQuery{Before: at(1)}, []int64{0}},
		"between":                             {store.ActivityQuery{After: at(0), Before: at(3)}, []int64{2, 1}},
		"an empty range":                      {store.ActivityQuery{After: at(3), Before: at(0)}, []int64{}},
		"another time zone":                   {store.ActivityQuery{After: at(2).In(time.FixedZone("", 14*3600))}, []int64{3}},
		"a time zone that PostgreSQL rejects": {store.ActivityQuery{After: at(2).In(time.FixedZone("", 23*3600)), Before: at(4).In(time.FixedZone("", -23*3600))}, []int64{3}},
	} {
		t.Run(name, func(t *testing.T) {
			test.query.Principal = agentPrincipal(agent)
			page := ok(s.Activities(t.Context(), test.query))
			got := []int64{}
			for _, item := range page.Items {
				got = append(got, item.Amount.Int64())
			}
			if diff := cmp.Diff(test.want, got); diff != "" || page.Total != len(test.want) {
				t.Errorf("Activities() of %d (-want +got):\n%s", page.Total, diff)
			}
		})
	}
}

// While a feed grows, its pages contain each initial item exactly once, even if many items were
// created at the same time.
func TestActivitiesCursor(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	for range 11 {
		addActivity(t, s, agent, market.ActivityTask, 1)
	}
	query := store.ActivityQuery{Principal: agentPrincipal(agent), PageQuery: store.PageQuery{PageSize: 3}}
	seen := map[uuid.UUID]bool{}
	for pages := 0; ; pages++ {
		page := ok(s.Activities(t.Context(), query))
		for _, item := range page.Items {
			if seen[item.ID] {
				t.Errorf("item %s was listed twice", item.ID)
			}
			seen[item.ID] = true
		}
		if query.Cursor = page.NextCursor; query.Cursor == "" || pages > 20 {
			break
		}
		addActivity(t, s, agent, market.ActivityTask, 2)
	}
	if len(seen) != 11 {
		t.Errorf("%d items were listed, want the initial 11", len(seen))
	}
}

// A list without a stored length is counted only up to the last page that can be requested.
func TestActivitiesInATimeRangeAreCountedUpToTheCap(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	execute(t, s, `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
		SELECT gen_random_uuid(), $1, 'agent', 'task', 'task_funded', 'confirmed', i::text FROM generate_series(1, 5001) i`, agent.ID)
	for span, want := range map[time.Time]int{{}: 5_001, genesis: 5_000} {
		query := store.ActivityQuery{Principal: agentPrincipal(agent), After: span}
		if got := ok(s.Activities(t.Context(), query)).Total; got != want {
			t.Errorf("Activities(after %s).Total = %d of 5,001, want %d", span, got, want)
		}
	}
}
