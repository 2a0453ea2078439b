package server_test

import (
	"net/http"
	"strings"
	"testing"

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

// A former applicant can read the task, but not the submitted work.
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
	list, err := other.ListTasksWithResponse(t.Context(), &client.ListTasksParams{Scope: new(client.TaskScopeMine)})
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.Tasks[0].SubmissionNote != nil {
		t.Errorf("list = %s, %v", answer(list), err)
	}
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

// Contract calls are returned only once the task's last change is at the configured block depth.
func TestCallsWaitForTheConfiguredDepth(t *testing.T) {
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

// The cause of an internal error is logged, but not sent to the client.
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
