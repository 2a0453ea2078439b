package server_test

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
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
		if _, err := m.store.Moderation.Lift(m.t.Context(), d.ID, "ada"); err != nil {
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

// refusedTo contains the operations that are refused to accounts in each state, as x-refused-to in
// openapi.yaml lists them.
var refusedTo = map[market.AccountState][]string{
	market.AccountLimited:   {"applyForTask", "createTask", "startConversation"},
	market.AccountSuspended: {"applyForTask", "changeAgentUsername", "changeHumanMe", "createReport", "createTask", "postDirectMessage", "reviewTask", "startConversation"},
}

// moneyOperations move or confirm money, or are needed to do so.
var moneyOperations = []string{
	"acceptApplication", "answerDispute", "approveTask", "cancelTask", "claimRewards", "confirmApplication", "confirmTaskFunding", "disputeTask",
	"downloadTaskFile", "getAgentMe", "getDispute", "getHumanMe", "getSession", "getSiweMessage", "getTask", "getTaskNext", "listTaskApplications",
	"listTaskFiles", "listTasks", "listValidations", "listVerdicts", "loginWithEthereum", "logout", "postTaskMessage", "postVerdict", "recoverAPIKey",
	"rejectApplication", "rotateAPIKey", "submitWork", "uploadTaskFile", "verifyAgent", "verifyAgentMe", "verifyHuman", "withdrawApplication",
}

// openapi.yaml does not refuse any operation that moves money, regardless of the state of the account.
func TestSuspensionRefusesNoMoneyOperation(t *testing.T) {
	t.Parallel()
	got := map[market.AccountState][]string{}
	for id, d := range operationsByID(t) {
		states, _ := d.op.Extensions["x-refused-to"].([]any)
		for _, state := range states {
			if slices.Contains(moneyOperations, id) {
				t.Errorf("%s is refused to accounts in the state %v", id, state)
			}
			name, _ := state.(string)
			got[market.AccountState(name)] = append(got[market.AccountState(name)], id)
		}
	}
	for _, list := range got {
		slices.Sort(list)
	}
	if diff := cmp.Diff(refusedTo, got); diff != "" {
		t.Errorf("x-refused-to differs (-want +got):\n%s", diff)
	}
}

// neverBlocksMoney repeats the authorisation table for the parties while their accounts are hidden,
// limited and suspended. The outcomes must be the same as without a measure, except for the operations of
// refusedTo, messages about ended tasks, and the cells that unaffected excludes.
func (s *scene) neverBlocksMoney(t *testing.T) {
	t.Helper()
	accounts := map[string]uuid.UUID{
		"owner": s.owner.id, "assigned": s.humanID(s.assigned), "applicant": s.humanID(s.applicant), "validator": s.humanID(s.validator),
	}
	// Accept all conversations, because a request allows only three messages, and each repetition sends one.
	storetest.DB(t, s.records).MustExec(`UPDATE conversations SET agent_requested = false, human_requested = false`)
	before := s.outcomesOf(t, accounts, nil)
	for _, measure := range []market.Measure{market.MeasureHide, market.MeasureLimit, market.MeasureSuspend} {
		for _, id := range accounts {
			s.decide(market.SubjectProfile, id, measure)
		}
		for c, got := range s.outcomesOf(t, accounts, nil) {
			want := before[c]
			late := c.operation == "postTaskMessage" && c.record == "ended" && want == "201" // no money depends on it
			switch {
			case slices.Contains(refusedTo[measure.AccountState()], c.operation) && want != "401 unauthorized",
				late && measure == market.MeasureSuspend:
				want = "403 account_restricted"
			case !unaffected(c, measure):
				continue
			}
			if got != want {
				t.Errorf("%s: %s of %s as %s = %s, want %s", measure, c.operation, c.record, c.principal, got, want)
			}
		}
	}
	t.Logf("%d cells, three measures", len(before))
}

// neverBlocksMoneyOfTasks repeats the authorisation table while all tasks are hidden and then removed:
// an operation that moves money and was possible must stay possible.
func (s *scene) neverBlocksMoneyOfTasks(t *testing.T) {
	t.Helper()
	accounts := map[string]uuid.UUID{
		"owner": s.owner.id, "assigned": s.humanID(s.assigned), "applicant": s.humanID(s.applicant), "validator": s.humanID(s.validator),
	}
	before := s.outcomesOf(t, accounts, moneyOperations)
	var tasks []uuid.UUID
	if err := storetest.DB(t, s.records).Select(&tasks, `
		SELECT id FROM tasks t
		WHERE NOT EXISTS (SELECT 1 FROM moderation_decisions d WHERE d.subject_id = t.id AND d.ended_at IS NULL)`); err != nil {
		t.Fatal(err)
	}
	for _, measure := range []market.Measure{market.MeasureHide, market.MeasureRemove} {
		for _, id := range tasks {
			s.decide(market.SubjectTask, id, measure)
		}
		compared := 0
		for c, got := range s.outcomesOf(t, accounts, moneyOperations) {
			want := before[c]
			read := regexp.MustCompile(`^(get|list|download)`).MatchString(c.operation)
			if want >= "4" || read && c.principal != "owner" {
				continue // hidden tasks are withheld from other users
			}
			compared++
			if got != want {
				t.Errorf("%s: %s of %s as %s = %s, want %s", measure, c.operation, c.record, c.principal, got, want)
			}
		}
		t.Logf("%s: %d cells", measure, compared)
	}
}

// tableCell names a cell of the authorisation table.
type tableCell struct{ operation, record, principal string }

// outcomesOf sends the requests of the authorisation table as the principals in accounts: those of the
// operations in only, or all if only is nil. It returns the status and the error code of each response.
func (s *scene) outcomesOf(t *testing.T, accounts map[string]uuid.UUID, only []string) map[tableCell]string {
	t.Helper()
	principals, table := readAuthorisation(t)
	documented, outcomes := operationsByID(t), map[tableCell]string{}
	for _, row := range table {
		if only != nil && !slices.Contains(only, row.operation) {
			continue
		}
		for _, principal := range principals {
			if _, party := accounts[principal]; !party {
				continue
			}
			got := s.ask(s.request(documented[row.operation], row.record), s.credentialsOf(principal, row.operation)...)
			outcome := strconv.Itoa(got.status)
			if got.status >= http.StatusBadRequest {
				outcome += " " + errorOf(t, got.body)
			}
			outcomes[tableCell{row.operation, row.record, principal}] = outcome
		}
	}
	return outcomes
}

// unaffected reports whether a cell must be the same under the measure. Measures change three kinds of cells:
// hidden profiles are not returned, a decision closes the reports, so that users can report again, and the open
// tasks of a suspended agent are not shown to others.
func unaffected(c tableCell, measure market.Measure) bool {
	switch {
	case c.operation == "getProfile" && measure == market.MeasureHide, c.operation == "createReport":
		return false
	case measure == market.MeasureSuspend && (c.record == "open" || c.record == "funded"):
		return c.principal == "owner" || c.principal == "applicant" && c.record == "funded"
	case measure == market.MeasureSuspend && slices.Contains([]string{"misplaced", "crossed", "missing"}, c.record):
		return c.principal == "owner"
	}
	return true
}

// stage is a task in one state. Unless the task is new, the human and the applicant have applied for it.
type stage struct {
	id      uuid.UUID
	number  uint64      // in the escrow contract
	hired   uuid.UUID   // application of the human, which was accepted unless binding is zero
	spare   uuid.UUID   // application of the applicant, whose stake is locked
	funding common.Hash // transaction that posted the task
	binding common.Hash // transaction that accepted the human
}

// moneyScene has a task in each state in which money is locked, can be locked, or was paid.
type moneyScene struct {
	*rig
	users  map[string]*user // by role
	stages map[string]*stage
}

func newMoneyScene(t *testing.T) *moneyScene {
	t.Helper()
	r := newRig(t)
	m := &moneyScene{rig: r, stages: make(map[string]*stage), users: map[string]*user{
		"agent": r.verifiedAgent(r.net.Agent), "human": r.human(r.net.Human), "applicant": r.human(r.net.OtherHuman),
		"validator": r.human(r.net.Validators[0]), "second validator": r.human(r.net.Validators[1]),
	}}
	agent, human := m.users["agent"], m.users["human"]
	m.submits("silent, due")
	m.disputes(m.submits("disputed by the human, due"), human)
	m.warp(market.SettleDelay - market.EmergencyDelay - time.Hour)
	m.submits("silent, emergency release due")
	m.warp(market.EmergencyDelay + 2*time.Hour - market.DisputedReview)
	m.disputes(m.submits("disputed by the agent, due"), agent)
	m.approves(m.submits("approved, due"))
	m.warp(market.DisputedReview - market.DisputeWindow - time.Hour)
	m.submits("in review")
	soon := market.TimeOf(m.net.Head(t).Time.Add(time.Hour))
	m.appliedFor(m.fund("expired", &soon))
	m.hires(m.fund("expired, hired", &soon))
	m.warp(market.DisputeWindow + time.Hour + time.Minute)
	m.unpaid()
	return m
}

// unpaid adds the stages that do not depend on time.
func (m *moneyScene) unpaid() {
	agent, human := m.users["agent"], m.users["human"]
	m.stages["new"] = &stage{id: m.create(nil).ID}
	m.net.Post(m.t, agent.signer, chaintest.Tokens(1), common.Hash{}) // funds no task
	m.appliedFor(m.fund("funded", nil))
	m.hires(m.fund("active", nil))
	m.net.Cancel(m.t, human.signer, m.hires(m.fund("resigned", nil)).number)
	m.net.Cancel(m.t, agent.signer, m.appliedFor(m.fund("cancelled", nil)).number)
	m.submits("submitted")
	m.disputes(m.submits("disputed by the agent"), agent)
	m.disputes(m.submits("disputed by the human"), human)
	m.approves(m.submits("approved"))
	paid, refunded := m.approves(m.submits("paid")), m.disputes(m.submits("refunded"), agent)
	m.net.Decide(m.t, paid.number, m.workHash(paid.id), 0, true)
	m.net.Decide(m.t, refunded.number, m.workHash(refunded.id), 1, false)
	m.settle()
}

// in returns the scene for a subtest.
func (m *moneyScene) in(t *testing.T) *moneyScene {
	t.Helper()
	here, r := *m, *m.rig
	r.t, here.rig = t, &r
	return &here
}

func (m *moneyScene) warp(d time.Duration) {
	m.net.Warp(m.t, d)
	m.settle()
}

func (m *moneyScene) create(deadline *market.Time) client.Task {
	m.t.Helper()
	created, err := m.users["agent"].CreateTaskWithResponse(m.t.Context(), nil, client.CreateTaskRequest{
		Title: "Photograph the harbour", Description: "Ten photos.", EscrowAmount: chaintest.Tokens(1).String(), Deadline: deadline,
	})
	if err != nil || created.JSON201 == nil {
		m.t.Fatalf("create task = %s, %v", answer(created), err)
	}
	return *created.JSON201
}

func (m *moneyScene) fund(name string, deadline *market.Time) *stage {
	m.t.Helper()
	task := m.create(deadline)
	number, receipt := m.net.Post(m.t, m.users["agent"].signer, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	m.stages[name] = &stage{id: task.ID, number: number, funding: receipt.TxHash}
	m.settle()
	return m.stages[name]
}

// appliedFor makes both humans apply and lock a stake.
func (m *moneyScene) appliedFor(s *stage) *stage {
	m.t.Helper()
	s.hired, _ = m.apply("human", s)
	s.spare, _ = m.apply("applicant", s)
	m.settle()
	return s
}

func (m *moneyScene) apply(role string, s *stage) (id uuid.UUID, number uint64) {
	m.t.Helper()
	as := m.users[role]
	got, err := as.ApplyForTaskWithResponse(m.t.Context(), s.id, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
	if err != nil || got.JSON201 == nil {
		m.t.Fatalf("%s applies = %s, %v", role, answer(got), err)
	}
	number, _ = m.net.Apply(m.t, as.signer, s.number, chaintest.Tokens(1))
	return got.JSON201.Application.ID, number
}

func (m *moneyScene) hires(s *stage) *stage {
	m.t.Helper()
	s.spare, _ = m.apply("applicant", s)
	var number uint64
	s.hired, number = m.apply("human", s)
	s.binding = m.net.Accept(m.t, m.users["agent"].signer, s.number, number).TxHash
	m.settle()
	return s
}

func (m *moneyScene) submits(name string) *stage {
	m.t.Helper()
	s := m.hires(m.fund(name, nil))
	m.submit(m.users["human"], s.id)
	return s
}

func (m *moneyScene) approves(s *stage) *stage {
	m.net.Approve(m.t, m.users["agent"].signer, s.number)
	m.settle()
	return s
}

func (m *moneyScene) disputes(s *stage, by *user) *stage {
	m.t.Helper()
	got, err := by.DisputeTaskWithResponse(m.t.Context(), s.id, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("dispute = %s, %v", answer(got), err)
	}
	m.send(by.signer, got.JSON200.To, got.JSON200.DisputeTaskCalldata)
	return s
}

// votes makes both validators give a verdict.
func (m *moneyScene) votes(s *stage, approve bool) {
	m.t.Helper()
	record, err := m.store.Task(m.t.Context(), s.id)
	if err != nil {
		m.t.Fatal(err)
	}
	data := chain.VerdictTypedData(m.net.Deployment.Escrow, m.net.Deployment.ChainID, s.number, record.Escrow.WorkHash, record.Escrow.Round().Number, approve)
	for _, role := range []string{"validator", "second validator"} {
		signature, err := m.users[role].signer.SignTypedData(m.t.Context(), data)
		if err != nil {
			m.t.Fatal(err)
		}
		if got := m.postVerdict(m.users[role], s.id, approve, hexutil.Encode(signature)); got.JSON201 == nil {
			m.t.Errorf("verdict of the %s = %s", role, answer(got))
		}
	}
}

// leaves ends some tasks while only the acting users are suspended, and the others while all users are.
func (m *moneyScene) leaves(t *testing.T) {
	t.Helper()
	for _, part := range []struct {
		name      string
		suspended []string
		act       func(*moneyScene)
	}{
		{"humans act while suspended", []string{"human", "applicant"}, (*moneyScene).humansAct},
		{"an agent acts while suspended", []string{"agent"}, (*moneyScene).agentActs},
		{"validators act while suspended", []string{"validator", "second validator"}, (*moneyScene).validatorsAct},
		{"all money leaves while everyone is suspended", slices.Collect(maps.Keys(m.users)), (*moneyScene).allLeaves},
	} {
		t.Run(part.name, func(t *testing.T) {
			m := m.in(t)
			defer m.suspend(part.suspended...)()
			part.act(m)
		})
	}
}

func (m *moneyScene) wantStatus(name string, want client.TaskStatus) {
	m.t.Helper()
	if got := m.task(m.users["agent"], m.stages[name].id).Status; got != want {
		m.t.Errorf("%s: the task is %s, want %s", name, got, want)
	}
}

func (m *moneyScene) humansAct() {
	human := m.users["human"]
	m.sendNext(human, m.stages["active"].id, client.TaskActionResign)
	m.wantStatus("active", client.TaskStatusCancelled)
	m.submit(human, m.stages["expired, hired"].id)
	m.wantStatus("expired, hired", client.TaskStatusSubmitted)
	m.disputes(m.stages["submitted"], human)
	m.wantStatus("submitted", client.TaskStatusDisputed)
	m.sendNext(human, m.stages["silent, emergency release due"].id, client.TaskActionEmergencyRelease)
	m.wantStatus("silent, emergency release due", client.TaskStatusApproved)
	if got := human.answers(m.rig, m.task(human, m.stages["disputed by the agent"].id), "No."); got.JSON201 == nil {
		m.t.Errorf("the human's answer = %s", answer(got))
	}
	m.withdraws(m.users["applicant"], "resigned", m.stages["resigned"].spare)
	m.withdraws(human, "expired", m.stages["expired"].hired)
}

func (m *moneyScene) agentActs() {
	agent := m.users["agent"]
	m.cancels("expired")
	m.sendNext(agent, m.stages["silent, due"].id, client.TaskActionSettle)
	m.wantStatus("silent, due", client.TaskStatusApproved)
	for _, name := range []string{"submitted", "disputed by the human"} {
		if got := agent.answers(m.rig, m.task(agent, m.stages[name].id), "No."); got.JSON201 == nil {
			m.t.Errorf("%s: the agent's answer = %s", name, answer(got))
		}
	}
	m.approvesByAPI("submitted")

	// The agent signed the posting before its suspension.
	posted := m.stages["new"]
	_, receipt := m.net.Post(m.t, agent.signer, chaintest.Tokens(1), common.HexToHash(m.task(agent, posted.id).TermsHash))
	got, err := agent.ConfirmTaskFundingWithResponse(m.t.Context(), posted.id, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || got.JSON200 == nil || got.JSON200.Status != client.TaskStatusFunded {
		m.t.Errorf("confirm the funding = %s, %v", answer(got), err)
	}
	m.cancels("new")

	for _, action := range m.agentActions(agent).Actions {
		if action.ActionType == client.AgentActionKindCancelPosting {
			m.send(agent.signer, action.Calldata.To, action.Calldata.Data)
		}
	}
}

func (m *moneyScene) validatorsAct() {
	m.votes(m.stages["disputed by the agent"], false)
	m.votes(m.stages["in review"], true)
}

func (m *moneyScene) cancels(name string) {
	m.t.Helper()
	agent := m.users["agent"]
	got, err := agent.CancelTaskWithResponse(m.t.Context(), m.stages[name].id)
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("%s: cancel = %s, %v", name, answer(got), err)
	}
	m.send(agent.signer, got.JSON200.To, got.JSON200.CancelTaskCalldata)
	m.wantStatus(name, client.TaskStatusCancelled)
}

func (m *moneyScene) approvesByAPI(name string) {
	m.t.Helper()
	agent := m.users["agent"]
	got, err := agent.ApproveTaskWithResponse(m.t.Context(), m.stages[name].id, client.ApproveTaskRequest{})
	if err != nil || got.JSON200 == nil {
		m.t.Fatalf("%s: approve = %s, %v", name, answer(got), err)
	}
	m.send(agent.signer, got.JSON200.To, got.JSON200.ApproveTaskCalldata)
}

// withdraws makes the human withdraw the stake of an application, unless that has already been done.
func (m *moneyScene) withdraws(as *user, name string, application uuid.UUID) {
	m.t.Helper()
	got, err := as.WithdrawApplicationWithResponse(m.t.Context(), m.stages[name].id, application)
	switch {
	case err != nil || got.JSON200 == nil || got.JSON200.WithdrawStakeCalldata == nil:
		m.t.Errorf("%s: withdraw = %s, %v", name, answer(got), err)
	case got.JSON200.AlreadyDone == nil:
		m.send(as.signer, *got.JSON200.To, *got.JSON200.WithdrawStakeCalldata)
	}
}

// allLeaves hires the human for a task, lets the keeper end all tasks, withdraws the remaining stakes, requires
// that the contracts have no money left, and claims a reward. The accounts of all users are suspended.
func (m *moneyScene) allLeaves() {
	agent, s := m.users["agent"], m.stages["funded"]
	accepted, err := agent.AcceptApplicationWithResponse(m.t.Context(), s.id, s.hired)
	if err != nil || accepted.JSON200 == nil {
		m.t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	tx := m.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	bound, err := agent.ConfirmApplicationWithResponse(m.t.Context(), s.id, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || bound.JSON200 == nil || bound.JSON200.Status != client.TaskStatusActive {
		m.t.Errorf("confirm the application = %s, %v", answer(bound), err)
	}
	m.submit(m.users["human"], s.id)
	m.approvesByAPI("funded")
	m.votes(s, true)
	m.fundRewards(chaintest.Tokens(1))
	m.keep()
	m.ends("funded", "disputed by the agent", "in review", "approved, due", "disputed by the agent, due", "disputed by the human, due")
	m.wantStatus("disputed by the agent", client.TaskStatusRejected)
	m.wantStatus("in review", client.TaskStatusApproved)
	m.warp(market.SettleDelay + time.Minute)
	m.ends(slices.Collect(maps.Keys(m.stages))...)
	for name, s := range m.stages {
		if s.spare != uuid.Nil {
			m.withdraws(m.users["applicant"], name, s.spare)
		}
	}
	m.withdraws(m.users["human"], "cancelled", m.stages["cancelled"].hired)
	left, _, err := m.net.Reader.Balances(m.t.Context(), m.net.Deployment.Escrow)
	staked, _, failure := m.net.Reader.Balances(m.t.Context(), m.net.Deployment.Staking)
	if sum := new(big.Int).Add(left, staked); errors.Join(err, failure) != nil || sum.Sign() != 0 {
		m.t.Errorf("the contracts still have %s wei, %v", sum, errors.Join(err, failure))
	}
	m.net.Mine(m.t, 200) // the payments become final
	m.settle()
	if got := m.claim(agent); got.JSON201 == nil {
		m.t.Fatalf("claim = %s", answer(got))
	}
	m.awaitClaim(agent, client.ClaimStatusPaid)
}

// ends waits until the stages' tasks have ended.
func (m *moneyScene) ends(names ...string) {
	m.t.Helper()
	agent, began := m.users["agent"], time.Now()
	for _, name := range names {
		for !market.Status(m.task(agent, m.stages[name].id).Status).Ended() {
			if time.Since(began) > time.Minute {
				m.t.Fatalf("%s: the task is still %s", name, m.task(agent, m.stages[name].id).Status)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
