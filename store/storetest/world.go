package storetest

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
)

// World is a store with a chain, an agent, a human and a task by the agent that is not funded.
type World struct {
	Store *store.Store
	Chain *Chain
	Agent market.Agent
	Human market.Human
	Task  market.Task
}

// NewWorld returns a new world. The options change its task.
func NewWorld(t *testing.T, options ...func(*market.Task)) World {
	t.Helper()
	s := New(t)
	w := World{Store: s, Chain: NewChain(t, s), Agent: Agent(t, s), Human: Human(t, s)}
	w.Task = Task(t, s, w.Agent, options...)
	return w
}

// WithDeadline sets a task's deadline, relative to the start of the chain.
func WithDeadline(d time.Duration) func(*market.Task) {
	return func(t *market.Task) {
		at := time.Now().UTC().Truncate(time.Second).Add(d - time.Hour)
		t.Deadline = &at
	}
}

// WantStatus returns the task, which must have the status.
func WantStatus(t *testing.T, s *store.Store, task market.Task, want market.Status) market.Task {
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

// WantApplication returns the human's application, which must have the status.
func WantApplication(t *testing.T, s *store.Store, task market.Task, human market.Human, want market.ApplicationStatus) market.Application {
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

// KindsAndStatuses returns the kinds and statuses of one party's feed items, sorted by kind.
func KindsAndStatuses(t *testing.T, w World, audience uuid.UUID) []string {
	t.Helper()
	var items []string
	err := DB(t, w.Store).Select(&items, `
		SELECT kind || ' ' || status FROM activities WHERE audience_id = $1 ORDER BY 1`, audience)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// KeeperAccount is the account of the keeper in DueWorld.
var KeeperAccount = common.Address{0xEE}

// DueWorld returns a world with a task that is due for settlement, and a keeper's lease.
func DueWorld(t *testing.T) (World, market.Lease) {
	t.Helper()
	w := NewWorld(t)
	of := Of(w.Task)
	w.Chain.Mine(t, Post(t, w.Task, false), Stake(t, of, w.Human.Wallet),
		Accept(t, of, w.Human.Wallet), Submit(t, of, NewHash()), Approve(t, of))
	WantJobs(t, w)
	w.Chain.Wait(t, market.ApprovedReview-2*BlockTime)
	WantJobs(t, w)
	w.Chain.Mine(t)
	return w, Must(w.Store.Outbox.LeadKeeper(t.Context(), "keeper", KeeperAccount, time.Minute))
}

// WantJobs fails the test unless these jobs of the keeper are due.
func WantJobs(t *testing.T, w World, want ...market.Job) {
	t.Helper()
	got, err := w.Store.Outbox.OpenJobs(t.Context(), 10)
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
