package store_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// world is a store with a chain, an agent, a human and a task by the agent that is not funded.
type world struct {
	s     *store.Store
	chain *storetest.Chain
	agent market.Agent
	human market.Human
	task  market.Task
}

func newWorld(t *testing.T, options ...func(*market.Task)) world {
	t.Helper()
	s := storetest.New(t)
	w := world{s: s, chain: storetest.NewChain(t, s), agent: storetest.Agent(t, s), human: storetest.Human(t, s)}
	w.task = storetest.Task(t, s, w.agent, options...)
	return w
}

// deadline sets a task's deadline, relative to the start of the chain.
func deadline(d time.Duration) func(*market.Task) {
	return func(t *market.Task) {
		at := time.Now().UTC().Truncate(time.Second).Add(d - time.Hour)
		t.Deadline = &at
	}
}

func wantStatus(t *testing.T, s *store.Store, task market.Task, want market.Status) market.Task {
	t.Helper()
	got, err := s.Task(t.Context(), task.ID)
	if err != nil {
		t.Fatalf("Task() error = %v", err)
	}
	if got.Status != want {
		t.Fatalf("task status = %s, want %s", got.Status, want)
	}
	return got
}

func wantApplication(t *testing.T, s *store.Store, task market.Task, human market.Human, want market.ApplicationStatus) market.Application {
	t.Helper()
	got, err := s.ApplicationOf(t.Context(), task.ID, human.ID)
	if err != nil {
		t.Fatalf("ApplicationOf() error = %v", err)
	}
	if got.Status != want {
		t.Fatalf("application status = %s, want %s", got.Status, want)
	}
	return got
}

// kindsAndStatuses returns the kinds and statuses of one party's feed items, sorted by kind.
func kindsAndStatuses(t *testing.T, w world, audience uuid.UUID) []string {
	t.Helper()
	var items []string
	err := storetest.DB(t, w.s).Select(&items, `
		SELECT kind || ' ' || status FROM activities WHERE audience_id = $1 ORDER BY 1`, audience)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

var keeperAccount = common.Address{0xEE}

// dueWorld returns a world with a task that is due for settlement, and a keeper's lease.
func dueWorld(t *testing.T) (world, market.Lease) {
	t.Helper()
	w := newWorld(t)
	of := storetest.Of(w.task)
	w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, of, w.human.Wallet),
		storetest.Accept(t, of, w.human.Wallet), storetest.Submit(t, of, newHash()), storetest.Approve(t, of))
	wantJobs(t, w)
	w.chain.Wait(t, market.ApprovedReview-2*storetest.BlockTime)
	wantJobs(t, w)
	w.chain.Mine(t)
	return w, ok(w.s.LeadKeeper(t.Context(), "keeper", keeperAccount, time.Minute))
}

func wantJobs(t *testing.T, w world, want ...market.Job) {
	t.Helper()
	got, err := w.s.OpenJobs(t.Context(), 10)
	if err != nil {
		t.Fatalf("OpenJobs() error = %v", err)
	}
	if len(want) == 0 && len(got) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("OpenJobs() (-want +got):\n%s", diff)
	}
}
