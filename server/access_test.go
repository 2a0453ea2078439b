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

// credentials returns the request headers that authenticate the user.
func (r *rig) credentials(u *user) []string {
	if u.key != "" {
		return []string{"X-API-Key", u.key}
	}
	return []string{"Cookie", u.cookie(r.t, r.url).String(), "Origin", r.url, "X-CSRF-Token", u.csrf}
}

// An applicant who was not hired can read the task, but not the submitted work or the hired human's identity.
func TestApplicantsCannotReadTheSubmission(t *testing.T) {
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
		t.Errorf("the applicant reads %+v", got)
	}
	if got.HumanID != nil || got.HumanUsername != nil || got.HumanWalletAddress != nil {
		t.Errorf("the applicant reads who was hired: %+v", got)
	}
	if theirs := r.task(agent, task.ID); theirs.HumanID == nil || theirs.HumanUsername == nil || theirs.HumanWalletAddress == nil {
		t.Errorf("the agent reads %+v, want the hired human", theirs)
	}
	list, err := other.ListTasksWithResponse(t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.Tasks[0].SubmissionNote != nil || list.JSON200.Tasks[0].HumanID != nil {
		t.Errorf("list = %s, %v", answer(list), err)
	}
}

// A human who withdrew an application cannot read the task after another human was hired. A rejected applicant
// can read the task, but not the hired human's identity.
func TestFormerApplicantsDoNotReadWhoWasHired(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task, rejected := r.funded(agent), r.funded(agent)
	apply := func(to client.Task) client.Application {
		t.Helper()
		got, err := other.ApplyForTaskWithResponse(t.Context(), to.ID, nil, client.ApplyForTaskRequest{})
		if err != nil || got.JSON201 == nil {
			t.Fatalf("apply = %s, %v", answer(got), err)
		}
		return got.JSON201.Application
	}
	hire := func(id uuid.UUID) {
		t.Helper()
		accepted, err := agent.AcceptApplicationWithResponse(t.Context(), id, r.applied(human, id).ID)
		if err != nil || accepted.JSON200 == nil {
			t.Fatalf("accept = %s, %v", answer(accepted), err)
		}
		r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	}
	if got, err := other.WithdrawApplicationWithResponse(t.Context(), task.ID, apply(task).ID); err != nil || got.JSON200 == nil {
		t.Fatalf("withdraw = %s, %v", answer(got), err)
	}
	if got := r.mine(other); len(got) != 1 {
		t.Errorf("%d tasks while the task is open, want 1", len(got))
	}
	hire(task.ID)
	if got, err := other.GetTaskWithResponse(t.Context(), task.ID, nil); err != nil || got.JSON403 == nil {
		t.Errorf("the task after a withdrawal = %s, %v", answer(got), err)
	}
	if got := r.mine(other); len(got) != 0 {
		t.Errorf("%d tasks after another human was hired, want none", len(got))
	}

	reject, err := agent.RejectApplicationWithResponse(t.Context(), rejected.ID, apply(rejected).ID, client.RejectApplicationRequest{})
	if err != nil || reject.JSON200 == nil {
		t.Fatalf("reject = %s, %v", answer(reject), err)
	}
	hire(rejected.ID)
	if got := r.task(other, rejected.ID); got.HumanID != nil || got.HumanUsername != nil || got.HumanWalletAddress != nil {
		t.Errorf("a rejected applicant reads who was hired: %+v", got)
	}
}

// mine returns the first page of the user's tasks.
func (r *rig) mine(u *user) []client.Task {
	r.t.Helper()
	got, err := u.ListTasksWithResponse(r.t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("list = %s, %v", answer(got), err)
	}
	return got.JSON200.Tasks
}

// If no node responds, records are still served, and contract calls are returned without a
// simulation. Operations that need data from the chain return an error.
func TestRecordsAreServedWithoutANode(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.rpc.Close()
	if got, err := agent.GetAgentMeWithResponse(t.Context(), nil); err != nil || got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
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

// Contract calls are returned only once the task's last change has the configured finality.
func TestCallsWaitForTheConfiguredFinality(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.Finality = market.FinalityFinal })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	got, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("immediately = %s, %v", answer(got), err)
	}
	r.net.Mine(t, 200)
	r.settle()
	got, err = agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON200 == nil {
		t.Errorf("later = %s, %v", answer(got), err)
	}
}

// The response to an internal error does not reveal its cause.
func TestInternalErrorsHaveNoDetails(t *testing.T) {
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
			t.Errorf("the body contains %q: %s", leak, got.body)
		}
	}
}
