package store_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// equalAmounts compares amounts by value.
var equalAmounts = cmp.Comparer(func(a, b *big.Int) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Cmp(b) == 0
})

func TestCreateTask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.SetChainTime(t, s, storetest.Genesis)
	task := storetest.NewTask(s, storetest.Agent(t, s))
	created := storetest.Must(s.CreateTask(t.Context(), task))
	ignored := cmpopts.IgnoreFields(market.Task{}, "CreatedAt", "UpdatedAt")
	if diff := cmp.Diff(task, created, equalAmounts, ignored); diff != "" {
		t.Errorf("CreateTask() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(created, storetest.Must(s.Task(t.Context(), task.ID)), equalAmounts); diff != "" {
		t.Errorf("Task() (-want +got):\n%s", diff)
	}
	if age := time.Since(created.CreatedAt); age < -time.Minute || age > time.Minute {
		t.Errorf("CreateTask().CreatedAt = %s, want about now", created.CreatedAt)
	}
}

func TestCreateTaskConstraints(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	tooMuch := new(big.Int).Lsh(big.NewInt(1), 256)
	for name, test := range map[string]struct {
		change func(*market.Task)
		want   market.Kind
	}{
		"no title":          {func(t *market.Task) { t.Title = "" }, market.KindInvalid},
		"long title":        {func(t *market.Task) { t.Title = strings.Repeat("ß", market.MaxTitle+1) }, market.KindInvalid},
		"longest title":     {func(t *market.Task) { t.Title = strings.Repeat("ß", market.MaxTitle) }, ""},
		"no description":    {func(t *market.Task) { t.Description = "" }, market.KindInvalid},
		"long description":  {func(t *market.Task) { t.Description = strings.Repeat("x", market.MaxDescription+1) }, market.KindInvalid},
		"NUL in the title":  {func(t *market.Task) { t.Title = "a\x00b" }, market.KindInvalid},
		"eleven skills":     {func(t *market.Task) { t.Skills = make([]string, market.MaxSkills+1) }, market.KindInvalid},
		"long location":     {func(t *market.Task) { t.Location = strings.Repeat("x", market.MaxLocation+1) }, market.KindInvalid},
		"below the minimum": {func(t *market.Task) { t.Amount = new(big.Int).Sub(market.MinimumEscrow(), big.NewInt(1)) }, market.KindInvalid},
		"the minimum":       {func(t *market.Task) { t.Amount = market.MinimumEscrow() }, ""},
		"2^256":             {func(t *market.Task) { t.Amount = tooMuch }, market.KindInvalid},
		"2^256-1":           {func(t *market.Task) { t.Amount = new(big.Int).Sub(tooMuch, big.NewInt(1)) }, ""},
		"fee over the cap":  {func(t *market.Task) { t.FeeBasisPoints = market.MaxFeeBasisPoints + 1 }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task := storetest.NewTask(s, agent)
			test.change(&task)
			_, err := s.CreateTask(t.Context(), task)
			storetest.WantKind(t, "CreateTask()", err, test.want)
		})
	}
}

// Concurrent requests cannot exceed the limit of unfunded tasks. Funded and lapsed tasks do not count,
// and a repeated request returns its task.
func TestCreateTaskLimitsUnfundedTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, other := storetest.Agent(t, s), storetest.Agent(t, s)
	for range market.MaxUnfundedTasks - 3 {
		storetest.Task(t, s, agent)
	}
	storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	tasks := make([]market.Task, 10)
	for i := range tasks {
		tasks[i] = storetest.NewTask(s, agent)
	}
	created, refused := 0, 0
	for i, err := range storetest.Race(len(tasks), func(i int) error { _, err := s.CreateTask(t.Context(), tasks[i]); return err }) {
		if err == nil {
			created++
			if repeated := storetest.Must(s.CreateTask(t.Context(), tasks[i])); repeated.ID != tasks[i].ID {
				t.Errorf("CreateTask() repeated = %s, want %s", repeated.ID, tasks[i].ID)
			}
			continue
		}
		refused++
		storetest.WantKind(t, "CreateTask() above the limit", err, market.KindTooManyUnfunded)
		var refusal *market.Error
		if !errors.As(err, &refusal) || refusal.RetryAfter != 0 || !strings.HasSuffix(refusal.Hint, "the oldest has 6 days 23 hours 59 minutes left") {
			t.Errorf("CreateTask() above the limit = %v, want the ways out in the hint", err)
		}
	}
	if created != 3 || refused != 7 {
		t.Errorf("%d tasks were created and %d refused, want 3 and 7", created, refused)
	}
	storetest.Must(s.CreateTask(t.Context(), storetest.NewTask(s, other)))
	storetest.Execute(t, s, `UPDATE tasks SET lapsed_at = now() WHERE id = (SELECT id FROM tasks WHERE agent_id = $1 AND status = 'new' LIMIT 1)`, agent.ID)
	storetest.Must(s.CreateTask(t.Context(), storetest.NewTask(s, agent)))
}

func TestTaskNotFound(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	_, err := s.Task(t.Context(), storetest.NewID())
	storetest.WantKind(t, "Task()", err, market.KindNotFound)
}

func TestTaskFinality(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.SetChainTime(t, s, storetest.Genesis)
	storetest.Execute(t, s, `UPDATE chain_head SET safe = 20, finalized = 10`)
	task := storetest.Task(t, s, storetest.Agent(t, s))
	for block, want := range map[int]market.Finality{
		0: market.FinalityFinal, 10: market.FinalityFinal, 11: market.FinalitySafe, 20: market.FinalitySafe, 21: market.FinalitySeen,
	} {
		storetest.Execute(t, s, `UPDATE tasks SET changed_block = $2 WHERE id = $1`, task.ID, block)
		if got := storetest.Must(s.Task(t.Context(), task.ID)); got.Finality != want {
			t.Errorf("Task().Finality at block %d = %s, want %s", block, got.Finality, want)
		}
	}
}
