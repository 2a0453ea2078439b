package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

// Who may do what to a task of somebody else: 403, never its content, and 404
// for what does not exist.
func TestTasksAreTheirPartiesOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	foreign, stranger, validator := r.verifiedAgent(r.net.OtherAgent), r.human(r.net.OtherHuman), r.human(r.net.Validators[0])
	fresh, open, done := r.createTask(agent), r.funded(agent), r.submitted(agent, human)
	application := r.applied(stranger, open.ID)

	get := func(id uuid.UUID, rest string) string { return "GET /api/v1/tasks/" + id.String() + rest }
	post := func(id uuid.UUID, rest string) string { return "POST /api/v1/tasks/" + id.String() + rest }
	app := "/applications/" + application.ID.String()
	tx := `{"tx_hash":"0x` + nines(64) + `"}`
	none := uuid.Must(uuid.NewV7())
	for _, test := range []struct {
		operation, body                            string
		agent, foreign, human, stranger, validator int
	}{
		{get(fresh.ID, "/"), "", 200, 403, 403, 403, 403},
		{get(open.ID, "/"), "", 200, 200, 200, 200, 200},
		{get(done.ID, "/"), "", 200, 403, 200, 403, 200},
		{get(none, "/"), "", 404, 404, 404, 404, 404},
		{get(open.ID, "/applications"), "", 200, 403, 401, 401, 401},
		{get(open.ID, "/files/"), "", 200, 403, 403, 403, 403},
		{get(open.ID, "/verdicts"), "", 200, 403, 403, 403, 403},
		{get(done.ID, "/files/"), "", 200, 403, 200, 403, 200},
		{get(done.ID, "/verdicts"), "", 200, 403, 200, 403, 200},
		{get(done.ID, "/dispute"), "", 404, 403, 404, 403, 404},
		{get(fresh.ID, "/next"), "", 200, 403, 403, 403, 403},
		{get(open.ID, "/next"), "", 200, 200, 200, 200, 200},
		{get(done.ID, "/next"), "", 200, 403, 200, 403, 200},
		{get(none, "/next"), "", 404, 404, 404, 404, 404},
		{post(fresh.ID, "/confirm-create"), tx, 400, 403, 401, 401, 401},
		{post(open.ID, "/confirm"), tx, 400, 403, 401, 401, 401},
		{post(open.ID, "/cancel"), "", 200, 403, 401, 401, 401},
		{post(done.ID, "/cancel"), "", 400, 403, 401, 401, 401},
		{post(done.ID, "/approve"), "", 200, 403, 401, 401, 401},
		{post(open.ID, app+"/accept"), "", 200, 403, 401, 401, 401},
		{post(open.ID, app+"/reject"), "", 200, 403, 401, 401, 401},
		{post(done.ID, app+"/accept"), "", 404, 403, 401, 401, 401},
		{post(open.ID, app+"/withdraw"), "", 401, 401, 403, 200, 403},
		{post(done.ID, app+"/withdraw"), "", 401, 401, 404, 404, 404},
		{post(open.ID, "/dispute"), `{"reason":"r"}`, 400, 403, 403, 403, 403},
		{post(done.ID, "/dispute"), `{"reason":"r"}`, 200, 403, 200, 403, 403},
		{post(open.ID, "/dispute/response"), `{"response":"r"}`, 404, 403, 403, 403, 403},
		{post(done.ID, "/dispute/response"), `{"response":"r"}`, 404, 403, 404, 403, 403},
		{post(none, "/dispute/response"), `{"response":"r"}`, 404, 404, 404, 404, 404},
		{post(done.ID, "/reviews"), `{"rating":5}`, 400, 403, 400, 403, 403},
		{post(open.ID, "/reviews"), `{"rating":5}`, 400, 403, 403, 403, 403},
		{post(none, "/reviews"), `{"rating":5}`, 404, 404, 404, 404, 404},
		{post(done.ID, "/submission"), `{"note":"","file_ids":[]}`, 401, 401, 400, 403, 403},
		{post(done.ID, "/verdicts"), `{"approved":true,"reason":"r","signature":"0x00"}`, 401, 401, 403, 403, 400},
		{post(done.ID, "/applications"), `{"message":""}`, 401, 401, 403, 403, 400},
	} {
		method, path, _ := strings.Cut(test.operation, " ")
		for name, who := range map[string]struct {
			as   *user
			want int
		}{
			"agent": {agent, test.agent}, "other agent": {foreign, test.foreign}, "human": {human, test.human},
			"other human": {stranger, test.stranger}, "validator": {validator, test.validator},
		} {
			got := r.do(method, path, test.body, r.credentials(who.as)...)
			if got.status != who.want {
				t.Errorf("%s as %s = %d, want %d: %s", test.operation, name, got.status, who.want, got.body)
			}
		}
	}
}

func (r *rig) credentials(u *user) []string {
	if u.key != "" {
		return []string{"X-API-Key", u.key}
	}
	return []string{"Cookie", u.cookie(r.t, r.url).String(), "Origin", r.url, "X-CSRF-Token", u.csrf}
}

// An applicant who was not chosen sees the task, but not the work.
func TestApplicantsDoNotSeeTheWork(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	r.applied(other, task.ID)
	chosen := r.applied(human, task.ID)
	accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, chosen.ID)
	if err != nil || accepted.JSON200 == nil {
		t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	r.submit(human, task.ID)
	got := r.task(other, task.ID)
	if got.SubmissionNote != nil || got.ProofURL != nil || got.HasApplied == nil || !*got.HasApplied {
		t.Errorf("the applicant sees %+v", got)
	}
	list, err := other.ListTasksWithResponse(t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.Tasks[0].SubmissionNote != nil {
		t.Errorf("list = %s, %v", answer(list), err)
	}
}

// While no node answers, records are still served; what needs the chain says so.
func TestWithoutANodeTheRecordsAreServed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.rpc.Close()
	if got, err := agent.GetAgentMeWithResponse(t.Context()); err != nil || got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
		t.Errorf("agents/me = %s, %v", answer(got), err)
	}
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusFunded {
		t.Errorf("task = %+v", got)
	}
	got, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON200 == nil || got.JSON200.Simulated {
		t.Errorf("cancel = %s, %v", answer(got), err)
	}
}

// Calls are given out only for what the configured depth has buried.
func TestCallsWaitForTheConfiguredDepth(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.Finality = market.FinalityFinal })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	got, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("at once = %s, %v", answer(got), err)
	}
	r.net.Mine(t, 200)
	r.settle()
	got, err = agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON200 == nil {
		t.Errorf("later = %s, %v", answer(got), err)
	}
}

// What breaks inside is told to nobody outside.
func TestInternalErrorsShowNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.agent(r.net.Agent)
	if err := r.store.Close(); err != nil {
		t.Fatal(err)
	}
	got := r.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key)
	if got.status != http.StatusInternalServerError && got.status != http.StatusServiceUnavailable {
		t.Fatalf("= %d %s", got.status, got.body)
	}
	for _, leak := range []string{"sql", "pq", "database is closed", "goroutine", ".go"} {
		if strings.Contains(got.body, leak) {
			t.Errorf("the body shows %q: %s", leak, got.body)
		}
	}
}
