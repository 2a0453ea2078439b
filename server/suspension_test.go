package server_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// A human who lives in a country that the operator forbids cannot apply, even if the profile named the
// country before the rule existed. A change of the location is checked too.
func TestHumanInAForbiddenCountryCannotApply(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	moved, err := human.ChangeHumanMeWithResponse(t.Context(), client.ChangeHumanRequest{Location: new("Lisbon")})
	if err != nil || moved.JSON200 == nil {
		t.Fatalf("location = %s, %v", answer(moved), err)
	}
	strict := r.replica(func(o *server.Options) { o.Screen = screenOf(t, `{"forbidden_countries": ["PT"]}`) })
	json := append([]string{"Content-Type", "application/json"}, r.credentials(human)...)
	apply := func() reply {
		return strict.do("POST", "/api/v1/tasks/"+task.ID.String()+"/applications", bodies["applyForTask"], json...)
	}
	move := func(to string) reply {
		return strict.do("PATCH", "/api/v1/humans/me", `{"location":"`+to+`"}`, json...)
	}
	for what, got := range map[string]reply{"application": apply(), "change of the location": move("Porto")} {
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"forbidden"`) || !strings.Contains(got.body, "location") {
			t.Errorf("%s = %d %s", what, got.status, got.body)
		}
	}
	if got := move("Madrid"); got.status != http.StatusOK {
		t.Fatalf("move to another country = %d %s", got.status, got.body)
	}
	if got := apply(); got.status != http.StatusCreated {
		t.Errorf("application from another country = %d %s", got.status, got.body)
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

// A wallet can be an agent and a human. A measure on one of them also restricts the other, even if that account is
// created later.
func TestSuspensionReachesTheOtherAccountOfTheWallet(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	suspend := func(account uuid.UUID) (lift func()) {
		d := r.decide(market.SubjectProfile, account, market.MeasureSuspend)
		return func() {
			_, err := r.store.Lift(t.Context(), d.ID, "ada")
			must(t, err)
		}
	}
	agent := r.verifiedAgent(r.net.Agent)
	lift := suspend(agent.id)
	human := r.human(r.net.Agent)
	change := func() int {
		return r.do("PATCH", "/api/v1/humans/me", `{"bio":"New text."}`, r.credentials(human)...).status
	}
	if got := change(); got != http.StatusForbidden {
		t.Errorf("a change of the profile while the wallet's agent is suspended = %d", got)
	}
	lift()
	if got := change(); got != http.StatusOK {
		t.Errorf("a change of the profile after the measure = %d", got)
	}
	lift = suspend(human.id)
	create := func() int {
		return r.do("POST", "/api/v1/tasks/", bodies["createTask"], r.credentials(agent)...).status
	}
	if got := create(); got != http.StatusForbidden {
		t.Errorf("a new task while the wallet's human is suspended = %d", got)
	}
	lift()
	if got := create(); got != http.StatusCreated {
		t.Errorf("a new task after the measure = %d", got)
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
