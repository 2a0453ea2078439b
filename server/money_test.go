package server_test

import (
	"context"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// moneyAct is an operation that returns or confirms a transaction that moves money, or on which such a
// transaction depends. It sends no transaction, so repeating it returns the same response.
type moneyAct struct {
	role, name string
	do         func(context.Context, *user, *stage) (any, error)
	ofAccount  bool // true: the operation does not depend on the task
}

func moneyActs() []moneyAct {
	dispute := func(ctx context.Context, u *user, s *stage) (any, error) {
		return u.DisputeTaskWithResponse(ctx, s.id, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	}
	next := func(ctx context.Context, u *user, s *stage) (any, error) { return u.GetTaskNextWithResponse(ctx, s.id) }
	return []moneyAct{
		{role: "agent", name: "next", do: next},
		{role: "human", name: "next", do: next},
		{role: "applicant", name: "next", do: next},
		{role: "validator", name: "next", do: next},
		{role: "agent", name: "dispute", do: dispute},
		{role: "human", name: "dispute", do: dispute},
		{role: "agent", name: "confirm the funding", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.ConfirmTaskFundingWithResponse(ctx, s.id, client.ConfirmRequest{TxHash: s.funding.Hex()})
		}},
		{role: "agent", name: "confirm the application", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.ConfirmApplicationWithResponse(ctx, s.id, client.ConfirmRequest{TxHash: s.binding.Hex()})
		}},
		{role: "agent", name: "accept", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.AcceptApplicationWithResponse(ctx, s.id, s.hired)
		}},
		{role: "agent", name: "reject", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.RejectApplicationWithResponse(ctx, s.id, s.spare, client.RejectApplicationRequest{Reason: new("No.")})
		}},
		{role: "agent", name: "approve", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.ApproveTaskWithResponse(ctx, s.id, client.ApproveTaskRequest{})
		}},
		{role: "agent", name: "cancel", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.CancelTaskWithResponse(ctx, s.id)
		}},
		{role: "agent", name: "list actions", ofAccount: true, do: func(ctx context.Context, u *user, _ *stage) (any, error) {
			return u.ListAgentActionsWithResponse(ctx, &client.ListAgentActionsParams{PageSize: new(client.PageSize(100))})
		}},
		{role: "human", name: "submit", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.SubmitWorkWithResponse(ctx, s.id, nil, client.SubmitWorkRequest{Note: "Eleven photos.", FileIds: []uuid.UUID{}})
		}},
		{role: "human", name: "withdraw", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.WithdrawApplicationWithResponse(ctx, s.id, s.hired)
		}},
		{role: "applicant", name: "withdraw", do: func(ctx context.Context, u *user, s *stage) (any, error) {
			return u.WithdrawApplicationWithResponse(ctx, s.id, s.spare)
		}},
		{role: "validator", name: "verdict", do: func(ctx context.Context, u *user, s *stage) (any, error) { // refused only because of its signature
			return u.PostVerdictWithResponse(ctx, s.id, nil, client.PostVerdictRequest{Approved: true, Reason: "Yes.", Signature: "0x" + nines(130)})
		}},
		{role: "validator", name: "list validations", ofAccount: true, do: func(ctx context.Context, u *user, _ *stage) (any, error) {
			return u.ListValidationsWithResponse(ctx, nil)
		}},
	}
}

// moneyCell identifies an act of a role on the task of a stage.
type moneyCell struct{ stage, role, act string }

// movesMoney reports whether the outcome shows that the role can move money. The validator's verdicts have
// invalid signatures, so they count if they are refused only for that reason.
func (c moneyCell) movesMoney(outcome string) bool {
	if c.act == "next" {
		return strings.HasPrefix(outcome, "200 ")
	}
	return strings.HasPrefix(outcome, "2") || strings.HasSuffix(outcome, "signature_invalid")
}

// outcomes performs every act on every stage, all roles concurrently, and returns the outcomes of those that
// move money. If before is not nil, it performs only the acts in before, and returns all their outcomes.
func (m *moneyScene) outcomes(users map[string]*user, before map[moneyCell]string) map[moneyCell]string {
	var group sync.WaitGroup
	var mu sync.Mutex
	all := make(map[moneyCell]string)
	for _, role := range []string{"agent", "human", "applicant", "validator"} {
		group.Go(func() {
			for name, s := range m.stages {
				for _, act := range moneyActs() {
					c := moneyCell{name, role, act.name}
					if act.role != role || act.ofAccount && name != "new" || before != nil && before[c] == "" {
						continue
					}
					got := outcomeOf(act.do(m.t.Context(), users[role], s))
					if before != nil || c.movesMoney(got) {
						mu.Lock()
						all[c] = got
						mu.Unlock()
					}
				}
			}
		})
	}
	group.Wait()
	return all
}

var (
	errorCode = regexp.MustCompile(`"error":"(\w+)"`)
	hexBytes  = regexp.MustCompile(`0x[0-9a-fA-F]{8,}`)
)

// outcomeOf returns the status of a response with its error code, or with the transactions that it
// contains. From the next actions, it omits reviews and the actions that lock new money.
func outcomeOf(response any, err error) string {
	if err != nil {
		return err.Error()
	}
	if next, ok := response.(*client.GetTaskNextResponse); ok && next.JSON200 != nil {
		shown := []string{"200"}
		for _, a := range next.JSON200.Actions {
			if slices.Contains([]client.TaskAction{client.TaskActionFund, client.TaskActionApply, client.TaskActionReview}, a.Action) {
				continue
			}
			shown = append(shown, names(client.TaskNext{Actions: []client.NextAction{a}}))
			if a.Transaction != nil {
				shown = append(shown, a.Transaction.To, a.Transaction.Data)
			}
		}
		return strings.Join(shown, " ")
	}
	text := answer(response)
	if code := errorCode.FindStringSubmatch(text); code != nil {
		return text[:4] + code[1]
	}
	return text[:4] + strings.Join(hexBytes.FindAllString(text, -1), " ")
}

// compares repeats the acts in before, and fails the test if an outcome differs.
func (m *moneyScene) compares(users map[string]*user, before map[moneyCell]string) {
	m.t.Helper()
	for c, got := range m.outcomes(users, before) {
		if want := before[c]; got != want {
			m.t.Errorf("%s: %s by the %s = %s, want %s", c.stage, c.act, c.role, got, want)
		}
	}
}

// suspend suspends the roles' accounts. The returned function reinstates them.
func (m *moneyScene) suspend(roles ...string) (lift func()) {
	var all []market.Decision
	for _, role := range roles {
		all = append(all, m.decide(market.SubjectProfile, m.users[role].id, market.MeasureSuspend))
	}
	return func() { m.lift(all) }
}

func (m *moneyScene) lift(decisions []market.Decision) {
	m.t.Helper()
	for _, d := range decisions {
		if _, err := m.store.Lift(m.t.Context(), d.ID, "ada"); err != nil {
			m.t.Fatal(err)
		}
	}
}

// moderate imposes the measure on every task. The returned function lifts it.
func (m *moneyScene) moderate(measure market.Measure) (lift func()) {
	var all []market.Decision
	for _, s := range m.stages {
		all = append(all, m.decide(market.SubjectTask, s.id, measure))
	}
	return func() { m.lift(all) }
}

// hold puts every task on hold. The service puts a task on hold only when it is created, but such a task can
// then be funded and continue in the contracts.
func (m *moneyScene) hold() (lift func()) {
	db := storetest.DB(m.t, m.records)
	db.MustExec(`UPDATE tasks SET visibility = 'held', hold_rule = 'identity', hold_due_at = date_trunc('milliseconds', now())`)
	return func() { db.MustExec(`UPDATE tasks SET visibility = 'shown', hold_rule = NULL, hold_due_at = NULL`) }
}

// sanctioned starts a server that has all users' wallets on its sanctions list and forbids the humans' country,
// and returns the users as clients of that server.
func (m *moneyScene) sanctioned() map[string]*user {
	m.t.Helper()
	var wallets []string
	for role, u := range m.users {
		wallets = append(wallets, u.signer.Address().Hex())
		if role == "agent" {
			continue
		}
		if got, err := u.ChangeHumanMeWithResponse(m.t.Context(), client.ChangeHumanRequest{Location: new("Lisbon")}); err != nil || got.JSON200 == nil {
			m.t.Fatalf("location = %s, %v", answer(got), err)
		}
	}
	screen := screenOf(m.t, `{"forbidden_countries": ["PT"], "sanctioned_wallets": ["`+strings.Join(wallets, `","`)+`"]}`)
	strict := m.replica(func(o *server.Options) { o.Screen = screen })
	users := map[string]*user{"agent": strict.withKey(m.users["agent"].key)}
	for _, role := range []string{"human", "applicant", "validator"} {
		users[role] = strict.human(m.users[role].signer)
	}
	strict.url = m.url // the origin of the web app
	return users
}

// Suspension, moderation of tasks, a sanctions list and forbidden countries can prevent new payments into the
// contracts, but never payments out of them. In every state of a task, each role gets the same calls as without
// a measure. Then suspended users and the keeper end all tasks, and no money is left in the contracts.
func TestMeasuresNeverBlockMoney(t *testing.T) {
	t.Parallel()
	m := newMoneyScene(t)
	m.hasEveryStatus()
	m.listsActions()
	before := m.outcomes(m.users, nil)
	t.Logf("%d acts move money", len(before))
	listed := m.sanctioned()
	everyone := slices.Collect(maps.Keys(m.users))
	hide := func(m *moneyScene) func() { return m.moderate(market.MeasureHide) }
	remove := func(m *moneyScene) func() { return m.moderate(market.MeasureRemove) }
	for _, test := range []struct {
		name      string
		suspended []string
		moderate  func(*moneyScene) (lift func())
		fundable  bool
		users     map[string]*user
	}{
		{name: "suspended agent", suspended: []string{"agent"}},
		{name: "suspended human", suspended: []string{"human"}, fundable: true},
		{name: "suspended applicant", suspended: []string{"applicant"}, fundable: true},
		{name: "suspended validators", suspended: []string{"validator", "second validator"}, fundable: true},
		{name: "everyone suspended", suspended: everyone},
		{name: "held tasks", moderate: (*moneyScene).hold},
		{name: "hidden tasks", moderate: hide},
		{name: "removed tasks", moderate: remove},
		{name: "everyone suspended and tasks hidden", suspended: everyone, moderate: hide},
		{name: "everyone suspended, sanctioned and in a forbidden country", suspended: everyone, users: listed},
		{name: "reinstated", fundable: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := m.in(t)
			defer m.suspend(test.suspended...)()
			if test.moderate != nil {
				defer test.moderate(m)()
			}
			users := test.users
			if users == nil {
				users = m.users
			}
			m.compares(users, before)
			next := names(m.next(users["agent"], m.stages["new"].id))
			if fundable := strings.Contains(next, "fund"); fundable != test.fundable {
				t.Errorf("next actions of the new task are %q, want funding: %v", next, test.fundable)
			}
		})
	}
	m.leaves(t)
}

// hasEveryStatus fails the test unless each task status has a stage.
func (m *moneyScene) hasEveryStatus() {
	m.t.Helper()
	missing := market.Statuses()
	for _, s := range m.stages {
		status := market.Status(m.task(m.users["agent"], s.id).Status)
		missing = slices.DeleteFunc(missing, func(other market.Status) bool { return other == status })
	}
	if len(missing) > 0 {
		m.t.Errorf("no task is %v", missing)
	}
}

// listsActions compares the actions in the lists of each party's tasks with those of the tasks themselves.
func (m *moneyScene) listsActions() {
	m.t.Helper()
	mine, most := client.TaskScopeMine, client.PageSize(100)
	for _, role := range []string{"agent", "human", "applicant"} {
		u := m.users[role]
		listed, err := u.ListTasksWithResponse(m.t.Context(), &client.ListTasksParams{Scope: &mine, PageSize: &most})
		if err != nil || listed.JSON200 == nil {
			m.t.Fatalf("list tasks as %s = %s, %v", role, answer(listed), err)
		}
		tasks := listed.JSON200.Tasks
		if role == "human" {
			hired, err := u.ListHumanTasksWithResponse(m.t.Context(), &client.ListHumanTasksParams{PageSize: &most})
			if err != nil || hired.JSON200 == nil {
				m.t.Fatalf("list the human's tasks = %s, %v", answer(hired), err)
			}
			tasks = append(tasks, hired.JSON200.Tasks...)
		}
		if len(tasks) < len(m.stages)-1 { // humans cannot read the new task
			m.t.Errorf("as %s: %d tasks, want all of %d", role, len(tasks), len(m.stages))
		}
		for _, task := range tasks {
			want := []client.AllowedAction{}
			for _, a := range m.next(u, task.ID).Actions {
				want = append(want, client.AllowedAction{Action: a.Action, OpensAt: a.OpensAt, Deadline: a.Deadline})
			}
			if task.Actions == nil || !reflect.DeepEqual(*task.Actions, want) {
				m.t.Errorf("as %s, %s task: the list shows %+v, want %+v", role, task.Status, task.Actions, want)
			}
		}
	}
}
