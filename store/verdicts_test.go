package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// verdict inserts the validator's verdict on the task's work.
func verdict(t *testing.T, s *store.Store, task market.Task, validator market.Human, approved bool) market.Verdict {
	t.Helper()
	v := storetest.NewVerdict(task, validator, approved)
	if err := s.AddVerdict(t.Context(), task, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// underReview returns a new agent's task with work that a new human has submitted.
func underReview(t *testing.T, s *store.Store) market.Task {
	t.Helper()
	task := storetest.Task(t, s, storetest.Agent(t, s))
	return storetest.Escrowed(t, s, task, storetest.Genesis.Add(48*time.Hour), storetest.Submitted(storetest.Human(t, s), storetest.NewHash()))
}

func relays(t *testing.T, s *store.Store) int {
	t.Helper()
	var n int
	if err := storetest.DB(t, s).Get(&n, `SELECT count(*) FROM outbox WHERE kind = 'verdicts'`); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAddVerdict(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Panel(t, s, 2)
	task, other := underReview(t, s), underReview(t, s)
	one, two, three := storetest.Human(t, s), storetest.Human(t, s), storetest.Human(t, s)
	first := verdict(t, s, task, one, true)
	verdict(t, s, other, two, true)
	second := verdict(t, s, task, two, false)
	if got := relays(t, s); got != 0 {
		t.Errorf("%d relays before a quorum of equal verdicts, want none", got)
	}
	third := verdict(t, s, task, three, true)
	if err := s.AddVerdict(t.Context(), task, third); err != nil {
		t.Errorf("AddVerdict() repeated = %v", err) // a client repeats the call if the response to the COMMIT was lost
	}
	if got := relays(t, s); got != 1 {
		t.Errorf("%d relays at quorum, want 1", got)
	}
	got := storetest.Must(s.Verdicts(t.Context(), task.ID))
	ignored := cmpopts.IgnoreFields(market.Verdict{}, "CreatedAt")
	if diff := cmp.Diff([]market.Verdict{first, second, third}, got, ignored); diff != "" {
		t.Errorf("Verdicts() (-want +got):\n%s", diff)
	}
	view := storetest.Must(s.TaskView(t.Context(), task.ID))
	if want := (store.Tally{Approvals: 2, Rejections: 1}); view.Tally != want || view.Quorum != 2 {
		t.Errorf("TaskView() = %+v of %d, want %+v of 2", view.Tally, view.Quorum, want)
	}
	storetest.WantKind(t, "AddVerdict() again", s.AddVerdict(t.Context(), task, storetest.NewVerdict(task, one, false)), market.KindAlreadyExists)
}

// A task has the quorum and size of its own panel, and before an acceptance those of the current panel. Rows
// from an older version of the service have no size.
func TestTaskViewHasThePanelOfTheTask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	d := s.Deployment()
	storetest.Panel(t, s, 1, storetest.Human(t, s).Wallet)
	storetest.Execute(t, s, `INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum, validators)
		VALUES ($1, $2, 3, 2, 3), ($1, $2, 5, 4, 6)`, d.ChainID, d.Escrow)
	storetest.Execute(t, s, `UPDATE chain_quorums SET quorum = 5 WHERE from_panel = 5`)
	storetest.Execute(t, s, `UPDATE chain_parameters SET panel = 5`)
	agent := storetest.Agent(t, s)
	tasks := map[uint64]market.Task{0: storetest.Task(t, s, agent)}
	for number := range uint64(5) {
		tasks[number+1] = storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, func(e *market.EscrowTask) { e.Panel = number + 1 })
	}
	type panel struct{ Size, Quorum int }
	want := map[uint64]panel{0: {6, 5}, 1: {1, 1}, 2: {1, 1}, 3: {3, 2}, 4: {3, 2}, 5: {6, 5}}
	check := func() {
		t.Helper()
		for number, task := range tasks {
			view := storetest.Must(s.TaskView(t.Context(), task.ID))
			if got := (panel{view.PanelSize, view.Quorum}); got != want[number] {
				t.Errorf("panel %d = %+v, want %+v", number, got, want[number])
			}
		}
	}
	check()
	storetest.Execute(t, s, `DELETE FROM chain_quorums WHERE from_panel = 5`)
	want[0], want[5] = panel{3, 2}, panel{3, 2}
	check()
	storetest.Execute(t, s, `DELETE FROM chain_quorums`)
	clear(want) // no panels
	check()
}

func TestAddVerdictRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Panel(t, s, 2)
	task, validator := underReview(t, s), storetest.Human(t, s)
	ended := storetest.Escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), storetest.Genesis, storetest.Released(storetest.Human(t, s)))
	for name, test := range map[string]struct {
		task   market.Task
		change func(*market.Verdict)
		want   market.Kind
	}{
		"other work":        {task, func(v *market.Verdict) { v.WorkHash = storetest.NewHash() }, market.KindWrongStatus},
		"another round":     {task, func(v *market.Verdict) { v.Round = 1 }, market.KindWrongStatus},
		"an ended task":     {ended, func(*market.Verdict) {}, market.KindWrongStatus},
		"a short signature": {task, func(v *market.Verdict) { v.Signature = storetest.RandomBytes(64) }, market.KindInvalid},
		"no reason":         {task, func(v *market.Verdict) { v.Reason = "" }, market.KindInvalid},
		"a long reason":     {task, func(v *market.Verdict) { v.Reason = strings.Repeat("x", market.MaxReason+1) }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			v := storetest.NewVerdict(test.task, validator, true)
			test.change(&v)
			storetest.WantKind(t, "AddVerdict()", s.AddVerdict(t.Context(), test.task, v), test.want)
		})
	}
}

// If two concurrent verdicts complete a quorum, both are counted and one relay is enqueued.
func TestAddVerdictRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Panel(t, s, 2)
	validators := []market.Human{storetest.Human(t, s), storetest.Human(t, s)}
	for i := range 5 {
		task := underReview(t, s)
		for _, err := range storetest.Race(2, func(i int) error {
			return s.AddVerdict(t.Context(), task, storetest.NewVerdict(task, validators[i], true))
		}) {
			storetest.WantKind(t, "AddVerdict()", err, "")
		}
		if got := relays(t, s); got != i+1 {
			t.Errorf("%d relays after %d quorums", got, i+1)
		}
		again := underReview(t, s)
		errs := storetest.Race(2, func(i int) error {
			return s.AddVerdict(t.Context(), again, storetest.NewVerdict(again, validators[0], i == 0))
		})
		storetest.WantOneWinner(t, "AddVerdict() twice", errs, market.KindAlreadyExists)
	}
}

// A reorganisation can replace the submitted work. A verdict on the former work no longer counts,
// and its validator can submit another one.
func TestAddVerdictAfterReorganisation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.Panel(t, s, 2)
	task, one, two := underReview(t, s), storetest.Human(t, s), storetest.Human(t, s)
	verdict(t, s, task, one, true)
	work := storetest.NewHash()
	storetest.Execute(t, s, `UPDATE onchain_tasks SET work_hash = $2 WHERE id = $1`, task.Escrow.ID, work)
	task = storetest.Must(s.Task(t.Context(), task.ID))
	verdict(t, s, task, two, true)
	if got := relays(t, s); got != 0 {
		t.Errorf("%d relays of verdicts on different work, want none", got)
	}
	verdict(t, s, task, one, true)
	if got := relays(t, s); got != 1 {
		t.Errorf("%d relays at quorum, want 1", got)
	}
}

// reviews returns tasks that are under review for each of the four possible reasons, ordered by the
// end of their rounds. A validator of panel 1 can decide them at chain time genesis + 48 h.
func reviews(t *testing.T, s *store.Store) []market.Task {
	t.Helper()
	human := storetest.Human(t, s)
	return []market.Task{
		reviewed(t, s, human, func(e *market.EscrowTask) {
			e.AgentApproved, e.ApprovedAt, e.LastActivityAt = true, after(5), after(5)
		}),
		reviewed(t, s, human, func(e *market.EscrowTask) {
			e.Status, e.DisputedBy, e.DisputedAt, e.LastActivityAt = market.ChainDisputed, e.Agent, after(3), after(3)
		}),
		reviewed(t, s, human, func(*market.EscrowTask) {}),
		reviewed(t, s, human, func(e *market.EscrowTask) {
			e.Status, e.DisputedBy, e.DisputedAt, e.LastActivityAt = market.ChainDisputed, e.Human, after(4), after(4)
		}),
	}
}

// after returns the time h hours after genesis.
func after(h int) time.Time { return storetest.Genesis.Add(time.Duration(h) * time.Hour) }

// reviewed returns a new agent's task with work submitted by the human.
func reviewed(t *testing.T, s *store.Store, human market.Human, change func(*market.EscrowTask)) market.Task {
	t.Helper()
	return storetest.Escrowed(t, s, storetest.Task(t, s, storetest.Agent(t, s)), after(48), func(e *market.EscrowTask) {
		storetest.Submitted(human, storetest.NewHash())(e)
		change(e)
	})
}

func TestValidations(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	validator, other, human := storetest.Human(t, s), storetest.Human(t, s), storetest.Human(t, s)
	storetest.Panel(t, s, 2, validator.Wallet, other.Wallet)
	want := reviews(t, s)
	reviewed(t, s, validator, func(*market.EscrowTask) {})            // excluded, because the validator submitted the work
	reviewed(t, s, human, func(e *market.EscrowTask) { e.Panel = 0 }) // excluded, because the validator was not on this panel
	reviewed(t, s, human, storetest.Released(human))
	storetest.SetChainTime(t, s, after(48))
	mine := verdict(t, s, want[1], validator, false)
	verdict(t, s, want[1], other, true)

	got := storetest.Must(s.Validations(t.Context(), validator.Wallet, store.PageQuery{}))
	if len(got.Items) != len(want) || got.Total != len(want) {
		t.Fatalf("Validations() = %d of %d items, want %d", len(got.Items), got.Total, len(want))
	}
	for i, item := range got.Items {
		if item.Task.ID != want[i].ID || item.Quorum != 2 {
			t.Errorf("Validations()[%d] = task %s with quorum %d, want %s with 2", i, item.Task.ID, item.Quorum, want[i].ID)
		}
	}
	if item := got.Items[1]; item.Mine == nil || item.Mine.ID != mine.ID || item.Tally != (store.Tally{Approvals: 1, Rejections: 1}) {
		t.Errorf("Validations() tally = %+v, mine = %v, want one each and %s", item.Tally, item.Mine, mine.ID)
	}
	first := storetest.Must(s.Validations(t.Context(), validator.Wallet, store.PageQuery{PageSize: 2}))
	rest := storetest.Must(s.Validations(t.Context(), validator.Wallet, store.PageQuery{PageSize: 2, Cursor: first.NextCursor}))
	if len(rest.Items) != 2 || rest.Items[0].Task.ID != want[2].ID {
		t.Errorf("Validations() after the cursor = %d items, want the other two", len(rest.Items))
	}
	_, err := s.Validations(t.Context(), human.Wallet, store.PageQuery{})
	storetest.WantKind(t, "Validations() for another wallet", err, market.KindForbidden)
}

// The query and package market compute the same end for each round, to the millisecond.
func TestValidationsUntilRoundCloses(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	validator := storetest.NewWallet()
	storetest.Panel(t, s, 2, validator)
	for _, task := range reviews(t, s) {
		closes := task.Escrow.Round().Closes
		for at, want := range map[time.Time]bool{closes.Add(-time.Millisecond): true, closes: false} {
			storetest.SetChainTime(t, s, at)
			if got := lists(storetest.Must(s.Validations(t.Context(), validator, store.PageQuery{})), task); got != want {
				t.Errorf("Validations() at %s lists a round that closes at %s: %t, want %t", at, closes, got, want)
			}
		}
	}
}

func lists(page store.Page[store.Validation], task market.Task) bool {
	for _, item := range page.Items {
		if item.Task.ID == task.ID {
			return true
		}
	}
	return false
}
