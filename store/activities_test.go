package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// addActivity adds an item with the amount i to an agent's feed, i hours after genesis.
func addActivity(t *testing.T, s *store.Store, agent market.Agent, kind market.ActivityType, i int) {
	t.Helper()
	storetest.Execute(t, s, `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key, created_at)
		VALUES ($1, $2, 'agent', $3, 'task_funded', $4, 'confirmed', $5, $6)`,
		storetest.NewID(), agent.ID, kind, i, storetest.NewName(), storetest.Genesis.Add(time.Duration(i)*time.Hour))
}

func TestActivities(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, other := storetest.Agent(t, s), storetest.Agent(t, s)
	for i := range 4 {
		addActivity(t, s, agent, []market.ActivityType{market.ActivityTask, market.ActivityPayout}[i%2], i)
	}
	addActivity(t, s, other, market.ActivityTask, 9)
	at := func(i int) time.Time { return storetest.Genesis.Add(time.Duration(i) * time.Hour) }
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
			test.query.Principal = storetest.AgentPrincipal(agent)
			page := storetest.Must(s.Activities(t.Context(), test.query))
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
	query := store.ActivityQuery{Principal: storetest.AgentPrincipal(agent), PageQuery: store.PageQuery{PageSize: 3}}
	seen := map[uuid.UUID]bool{}
	for pages := 0; ; pages++ {
		page := storetest.Must(s.Activities(t.Context(), query))
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

// The total of a feed is exact. Other lists, such as a feed in a time range, are counted up to 1,000 items,
// on every page.
func TestTotalsOfLongLists(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	storetest.Execute(t, s, `
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
		SELECT gen_random_uuid(), $1, 'agent', 'task', 'task_funded', 'confirmed', i::text FROM generate_series(1, 1010) i`, agent.ID)
	for span, want := range map[time.Time]int{{}: 1_010, storetest.Genesis: 1_000} {
		for _, page := range []int{1, 11, 12} {
			query := store.ActivityQuery{Principal: storetest.AgentPrincipal(agent), After: span, PageQuery: store.PageQuery{Page: page, PageSize: 100}}
			if got := storetest.Must(s.Activities(t.Context(), query)).Total; got != want {
				t.Errorf("Activities(after %s).Total = %d of 1,010 on page %d, want %d", span, got, page, want)
			}
		}
	}
}

// There are no deadlocks and every snapshot has correct counts of activities, while users read and write, and
// the watcher follows blocks and reorganisations.
func TestActivityCountsUnderLoad(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	people, db := storetest.Open(t, storetest.URL(t, s)), storetest.DB(t, s) // a second store, as another process would use
	const agents, tasksEach, blocks = 3, 8, 40
	var tasks []market.Task
	var wallets []market.Human
	for range agents {
		agent := storetest.Agent(t, s)
		for range tasksEach {
			tasks = append(tasks, storetest.Task(t, s, agent))
		}
	}
	for range 4 {
		wallets = append(wallets, storetest.Human(t, s))
	}
	chain := storetest.NewChain(t, s)

	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	failures := make(chan error, 8)
	for seed := range uint64(6) {
		working.Go(func() {
			random := rand.New(rand.NewPCG(seed, 2))
			for ctx.Err() == nil {
				task, human := tasks[random.IntN(len(tasks))], wallets[random.IntN(len(wallets))]
				if err := act(ctx, people, db, random.IntN(6), task, human); err != nil && ctx.Err() == nil {
					failures <- err
					return
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 3))
	for range blocks {
		var txs []storetest.Tx
		for range 12 {
			task, human := tasks[random.IntN(len(tasks))], wallets[random.IntN(len(wallets))]
			of := storetest.Of(task)
			txs = append(txs, []func() storetest.Tx{
				func() storetest.Tx { return storetest.Post(t, task, false) },
				func() storetest.Tx { return storetest.Stake(t, of, human.Wallet) },
				func() storetest.Tx { return storetest.Accept(t, of, human.Wallet) },
				func() storetest.Tx { return storetest.Cancel(t, of) },
			}[random.IntN(4)]())
		}
		chain.Mine(t, txs...)
		if random.IntN(5) == 0 {
			chain.Rewind(t, 1+random.IntN(min(3, chain.Length()-1)))
		}
	}
	stop()
	working.Wait()
	select {
	case err := <-failures:
		t.Fatal(err)
	default:
	}
	storetest.WantCounted(t, s)
	wantNoDeadlock(t, s, people)
}

// act performs the action with the number what, usually as a user. The store can reject the action.
func act(ctx context.Context, s *store.Store, db *sqlx.DB, what int, task market.Task, human market.Human) error {
	var err error
	switch what {
	case 0:
		fresh := task
		fresh.ID = storetest.NewID()
		fresh.TermsHash = fresh.Terms().Hash()
		_, err = s.CreateTask(ctx, fresh)
	case 1:
		_, err = s.CreateApplication(ctx, storetest.NewApplication(task, human))
	case 2:
		var page store.Page[market.Application]
		if page, err = s.Applications(ctx, task.ID, store.PageQuery{}); err == nil && len(page.Items) > 0 {
			_, err = s.UpdateApplication(ctx, task.ID, page.Items[0].ID, (*market.Application).Reject)
		}
	case 3:
		_, err = s.AddMessage(ctx, market.Message{
			ID: storetest.NewID(), TaskID: task.ID, SenderKind: market.PrincipalAgent, SenderID: task.AgentID, Content: "?",
		})
	case 4: // writes to the feeds in either order, as future handlers might
		for _, order := range []string{"human DESC", "human"} {
			if err == nil {
				_, err = db.ExecContext(ctx, fmt.Sprintf(notifyAll, order))
			}
		}
	default:
		var differ []string
		err = db.SelectContext(ctx, &differ, `SELECT to_jsonb(m)::text FROM (`+storetest.Miscounted+`) m`)
		if err == nil && len(differ) > 0 {
			err = fmt.Errorf("miscounted: %s", differ)
		}
	}
	if market.KindOf(err) != "" {
		return nil
	}
	return err
}

// notifyAll adds an item to the feed of each human in one transaction.
const notifyAll = `
	DO $$
	DECLARE
		human uuid;
	BEGIN
		FOR human IN SELECT h.id AS human FROM humans h ORDER BY %s LOOP
			INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
			VALUES (gen_random_uuid(), human, 'human', 'task', 'task_expired', 'confirmed', gen_random_uuid());
			PERFORM pg_sleep(0.002);
		END LOOP;
	END $$`

// wantNoDeadlock closes the stores before it reads the number of deadlocks, because a connection
// may report its statistics only when it is closed.
func wantNoDeadlock(t *testing.T, stores ...*store.Store) {
	t.Helper()
	db := storetest.DB(t, stores[0])
	for _, s := range stores {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second) // PostgreSQL writes the statistics with a delay
	var deadlocks int
	err := db.Get(&deadlocks, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)
	if err != nil || deadlocks > 0 {
		t.Errorf("%d deadlocks, %v; want none", deadlocks, err)
	}
}
