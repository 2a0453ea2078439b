package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

const (
	// keptLengths selects the stored list lengths. countedLengths counts the rows of the lists.
	keptLengths = `
		SELECT scope_id, list, sum(items)::bigint AS items
		FROM (SELECT scope_id, list, items FROM list_counts UNION ALL SELECT scope_id, list, items FROM list_changes) k
		GROUP BY 1, 2
		HAVING sum(items) <> 0`

	countedLengths = `
		SELECT agent_id AS scope_id, 'tasks' AS list, count(*) AS items FROM tasks WHERE lapsed_at IS NULL GROUP BY 1
		UNION ALL SELECT agent_id, 'tasks ' || status, count(*) FROM tasks WHERE lapsed_at IS NULL GROUP BY agent_id, status
		UNION ALL SELECT human_id, 'work', count(*) FROM tasks WHERE human_id IS NOT NULL GROUP BY 1
		UNION ALL SELECT human_id, 'work ' || status, count(*) FROM tasks WHERE human_id IS NOT NULL GROUP BY human_id, status
		UNION ALL SELECT all_users, 'board', count(*) FROM tasks, all_users WHERE status = 'funded' GROUP BY 1
		UNION ALL SELECT all_users, 'humans', count(*) FROM humans, all_users WHERE available GROUP BY 1
		UNION ALL SELECT task_id, 'applications', count(*) FROM applications GROUP BY 1
		UNION ALL SELECT human_id, 'applications', count(*) FROM applications GROUP BY 1
		UNION ALL SELECT audience_id, 'activities', count(*) FROM activities GROUP BY 1
		UNION ALL SELECT audience_id, 'activities ' || type, count(*) FROM activities GROUP BY audience_id, type
		UNION ALL SELECT agent_id, 'claims', count(*) FROM claims GROUP BY 1
		UNION ALL SELECT task_id, 'messages', count(*) FROM task_messages GROUP BY 1
		UNION ALL SELECT conversation_id, 'messages', count(*) FROM direct_messages GROUP BY 1
		UNION ALL SELECT member, list, count(*) FROM sides GROUP BY 1, 2
		UNION ALL SELECT member, 'unread', sum(unread) FROM sides WHERE unread > 0 AND list = 'conversations' AND NOT muted GROUP BY 1`

	// miscounted selects the lists whose stored and counted lengths differ in one snapshot.
	miscounted = `
		WITH all_users (all_users) AS (VALUES ('00000000-0000-0000-0000-000000000000'::uuid)),
		     sides (member, unread, muted, list) AS (
		         SELECT agent_id, agent_unread, agent_muted, 'conversations' || CASE
		             WHEN agent_blocked THEN ' blocked' WHEN agent_requested THEN ' requests' ELSE '' END
		         FROM conversations
		         UNION ALL
		         SELECT human_id, human_unread, human_muted, 'conversations' || CASE
		             WHEN human_blocked THEN ' blocked' WHEN human_requested THEN ' requests' ELSE '' END
		         FROM conversations),
		     kept AS (` + keptLengths + `), counted AS (` + countedLengths + `)
		SELECT list, scope_id, k.items AS kept, c.items AS counted
		FROM kept k FULL JOIN counted c USING (scope_id, list)
		WHERE k.items IS DISTINCT FROM c.items`
)

func wantCounted(t *testing.T, s *store.Store) {
	t.Helper()
	if diff := cmp.Diff([]string(nil), storetest.Rows(t, s, miscounted)); diff != "" {
		t.Errorf("lists with wrong lengths (-want +got):\n%s", diff)
	}
}

func compact(t *testing.T, s *store.Store) {
	t.Helper()
	if err := s.CompactCounts(t.Context()); err != nil {
		t.Fatalf("CompactCounts() error = %v", err)
	}
}

func TestCompactCountsChangesNoLength(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	// Insert changes to more lists than one transaction compacts. Some of the lists become empty.
	execute(t, s, `
		INSERT INTO list_changes (scope_id, list, items)
		SELECT md5((i % 2500)::text)::uuid, 'made', CASE WHEN i > 2500 THEN -1 WHEN i % 5 = 0 THEN 3 ELSE 4 END
		FROM generate_series(1, 10000) i`)
	before := storetest.Rows(t, s, keptLengths)
	compact(t, s)
	if diff := cmp.Diff(before, storetest.Rows(t, s, keptLengths)); diff != "" {
		t.Errorf("lengths (-before +compacted):\n%s", diff)
	}
	if left := storetest.Rows(t, s, `SELECT * FROM list_changes`); left != nil {
		t.Errorf("CompactCounts() leaves %d changes", len(left))
	}
	execute(t, s, `INSERT INTO list_changes (scope_id, list, items) SELECT scope_id, list, -items FROM list_counts WHERE items > 0`)
	compact(t, s)
	if left := storetest.Rows(t, s, keptLengths); len(left) != 0 {
		t.Errorf("%d lists have items after all were deleted, want none", len(left))
	}
}

// A page past the end of a list has the same total as the first page.
func TestTotalsPastTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agent, human, last := agentPrincipal(w.agent), humanPrincipal(w.human), store.PageQuery{Page: 50}
	for name, list := range map[string]func(store.PageQuery) (int, error){
		"activities": func(q store.PageQuery) (int, error) {
			page, err := w.s.Activities(t.Context(), store.ActivityQuery{PageQuery: q, Principal: agent})
			return page.Total, err
		},
		"activities of a type": func(q store.PageQuery) (int, error) {
			page, err := w.s.Activities(t.Context(), store.ActivityQuery{PageQuery: q, Principal: agent, Type: market.ActivityTask, After: genesis})
			return page.Total, err
		},
		"applications": func(q store.PageQuery) (int, error) {
			page, err := w.s.Applications(t.Context(), w.task.ID, q)
			return page.Total, err
		},
		"applications of a human": func(q store.PageQuery) (int, error) {
			page, err := w.s.ApplicationsOf(t.Context(), w.human.ID, q)
			return page.Total, err
		},
		"board": func(q store.PageQuery) (int, error) { page, err := w.s.Board(t.Context(), q); return page.Total, err },
		"claims": func(q store.PageQuery) (int, error) {
			page, err := w.s.Claims(t.Context(), w.agent.ID, q)
			return page.Total, err
		},
		"conversations": func(q store.PageQuery) (int, error) {
			page, err := w.s.Conversations(t.Context(), store.ConversationQuery{PageQuery: q, Member: agent})
			return page.Total, err
		},
		"humans": func(q store.PageQuery) (int, error) {
			page, err := w.s.AvailableHumans(t.Context(), store.HumanQuery{PageQuery: q})
			return page.Total, err
		},
		"messages": func(q store.PageQuery) (int, error) {
			page, err := w.s.Messages(t.Context(), store.MessageQuery{PageQuery: q, TaskID: w.task.ID, Reader: agent})
			return page.Total, err
		},
		"reviews": func(q store.PageQuery) (int, error) {
			page, err := w.s.Reviews(t.Context(), store.ReviewQuery{PageQuery: q, SubjectKind: agent.Kind, SubjectID: agent.ID})
			return page.Total, err
		},
		"tasks": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{PageQuery: q, Viewer: agent, Scope: store.ScopeMine})
			return page.Total, err
		},
		"tasks of statuses": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{
				PageQuery: q, Viewer: agent, Scope: store.ScopeMine, Status: []market.Status{market.StatusNew, market.StatusExpired},
			})
			return page.Total, err
		},
		"tasks on the board": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{PageQuery: q, Viewer: agent, Scope: store.ScopeBoard})
			return page.Total, err
		},
		"tasks on the board of another status": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{
				PageQuery: q, Viewer: agent, Scope: store.ScopeBoard, Status: []market.Status{market.StatusActive},
			})
			return page.Total, err
		},
		"tasks searched": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{PageQuery: q, Viewer: agent, Scope: store.ScopeBoard, Q: "window"})
			return page.Total, err
		},
		"tasks of a human": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{PageQuery: q, Viewer: human, Scope: store.ScopeMine})
			return page.Total, err
		},
		"work": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{PageQuery: q, Viewer: human, Scope: store.ScopeHired})
			return page.Total, err
		},
		"work of a status": func(q store.PageQuery) (int, error) {
			page, err := w.s.Tasks(t.Context(), store.TaskQuery{
				PageQuery: q, Viewer: human, Scope: store.ScopeHired, Status: []market.Status{market.StatusActive},
			})
			return page.Total, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			first, firstErr := list(store.PageQuery{})
			past, err := list(last)
			if err := errors.Join(firstErr, err); err != nil || past != first {
				t.Errorf("total = %d past the end, %d at the beginning, %v", past, first, err)
			}
		})
	}
}

// There are no deadlocks and every snapshot has correct counts, while users read and write, the
// watcher follows blocks and reorganisations, and the counts are compacted.
func TestCountsUnderLoad(t *testing.T) {
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
				if err := act(ctx, people, db, random.IntN(7), task, human); err != nil && ctx.Err() == nil {
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
	wantCounted(t, s)
	compact(t, s)
	wantCounted(t, s)
	wantNoDeadlock(t, s, people)
}

// act performs the action with the number what, usually as a user. The store can reject the action.
func act(ctx context.Context, s *store.Store, db *sqlx.DB, what int, task market.Task, human market.Human) error {
	var err error
	switch what {
	case 0:
		fresh := task
		fresh.ID = newID()
		fresh.TermsHash = fresh.Terms().Hash()
		_, err = s.CreateTask(ctx, fresh)
	case 1:
		_, err = s.CreateApplication(ctx, newApplication(task, human))
	case 2:
		var page store.Page[market.Application]
		if page, err = s.Applications(ctx, task.ID, store.PageQuery{}); err == nil && len(page.Items) > 0 {
			_, err = s.UpdateApplication(ctx, task.ID, page.Items[0].ID, (*market.Application).Reject)
		}
	case 3:
		_, err = s.AddMessage(ctx, market.Message{
			ID: newID(), TaskID: task.ID, SenderKind: market.PrincipalAgent, SenderID: task.AgentID, Content: "?",
		})
	case 4:
		err = s.CompactCounts(ctx)
	case 5: // writes to the feeds in either order, as future handlers might
		for _, order := range []string{"human DESC", "human"} {
			if err == nil {
				_, err = db.ExecContext(ctx, fmt.Sprintf(notifyAll, order))
			}
		}
	default:
		var differ []string
		err = db.SelectContext(ctx, &differ, `SELECT to_jsonb(m)::text FROM (`+miscounted+`) m`)
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
