package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"taskmarket/gen/client"
)

// Only a party can dispute submitted work, with a reason of 1 to 4,000 characters, and only once.
// TestWindowsUseChainTime covers the dispute window.
func TestDisputesHappenOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	dispute := func(by *user, reason string) reply {
		return r.do("POST", "/api/v1/tasks/"+task.ID.String()+"/dispute", `{"reason":`+reason+`}`, r.credentials(by)...)
	}
	for _, who := range []*user{agent, human} {
		if got := dispute(who, `"Blurred."`); got.status != http.StatusBadRequest || errorOf(t, got.body) != "wrong_status" {
			t.Errorf("before the submission = %d %s", got.status, got.body)
		}
	}
	r.submit(human, task.ID)
	for name, test := range map[string]struct {
		reason string
		want   int
	}{
		"no text": {`""`, 400}, "blanks": {`" \n\t"`, 400}, "null": {`null`, 400}, "a number": {`1`, 400}, "NUL": {`"a\u0000"`, 400}, "half a pair": {`"\ud800"`, 400},
		"4,001 characters": {`"` + strings.Repeat("ä", 4001) + `"`, 400}, "a megabyte": {`"` + strings.Repeat("a", 1<<20) + `"`, 413},
		"4,000 characters": {`"` + strings.Repeat("ä", 4000) + `"`, 200},
	} {
		if got := dispute(agent, test.reason); got.status != test.want {
			t.Errorf("%s = %d %.300s, want %d", name, got.status, got.body, test.want)
		}
	}
	for name, who := range map[string]*user{
		"another human": r.human(r.net.OtherHuman), "another agent": r.verifiedAgent(r.net.OtherAgent), "a validator": r.human(r.net.Validators[0]),
	} {
		if got := dispute(who, `"Mine."`); got.status != http.StatusForbidden {
			t.Errorf("%s disputes = %d %s", name, got.status, got.body)
		}
	}
	r.net.Dispute(t, agent.signer, 1)
	r.settle()
	if got := dispute(agent, `"Twice."`); got.status != http.StatusOK || !strings.Contains(got.body, `"already_done":true`) {
		t.Errorf("the agent again = %d %s", got.status, got.body)
	}
	if got := dispute(human, `"Me too."`); got.status != http.StatusBadRequest || errorOf(t, got.body) != "wrong_status" {
		t.Errorf("the other party of a disputed task = %d %s", got.status, got.body)
	}
	for _, party := range []*user{agent, human} {
		r.wantReverted(party.signer, r.net.Contracts.DisputeTask(r.net.Deployment.Escrow, 1))
	}
}

func TestDisputeIsDraftUntilTheChainShowsIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, stranger := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	validator := r.human(r.net.Validators[0])
	task := r.submitted(agent, human)
	get := func(as *user) *client.GetDisputeResponse {
		t.Helper()
		got, err := as.GetDisputeWithResponse(t.Context(), task.ID)
		if err != nil {
			t.Fatalf("GET dispute: %v", err)
		}
		return got
	}
	if got := get(agent); got.StatusCode() != 404 {
		t.Errorf("before = %s", answer(got))
	}
	dispute := func(as *user, reason string) *client.DisputeTaskResponse {
		t.Helper()
		got, err := as.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: reason})
		if err != nil {
			t.Fatalf("dispute: %v", err)
		}
		return got
	}
	if got := dispute(stranger, "Hm."); got.StatusCode() != 403 {
		t.Errorf("a stranger = %s", answer(got))
	}
	if got := dispute(human, "They asked for blur."); got.JSON200 == nil {
		t.Fatalf("the human's draft = %s", answer(got))
	}
	if got := get(validator); got.StatusCode() != 404 {
		t.Errorf("the human's draft is shown to a validator: %s", answer(got))
	}
	first, second := dispute(agent, "Blurred."), dispute(agent, "All of them are blurred.")
	if second.JSON200 == nil || first.JSON200 == nil || first.JSON200.DisputeID != second.JSON200.DisputeID {
		t.Fatalf("dispute = %s, %s", answer(first), answer(second))
	}
	if got := get(agent); got.JSON200 == nil || got.JSON200.Status != "draft" || got.JSON200.Reason != "All of them are blurred." {
		t.Errorf("draft = %s", answer(got))
	}
	if got := get(human); got.JSON200 == nil || got.JSON200.FiledByAgent || got.JSON200.Reason != "They asked for blur." {
		t.Errorf("the other party reads %s, want its own draft", answer(got))
	}
	if got := r.task(human, task.ID).Status; got != client.TaskStatusSubmitted {
		t.Errorf("a draft changed the status to %s", got)
	}
	r.send(agent.signer, second.JSON200.To, second.JSON200.DisputeTaskCalldata)
	if got := get(human); got.JSON200 == nil || got.JSON200.Status != "open" || !got.JSON200.FiledByAgent || got.JSON200.Deadline.IsZero() {
		t.Errorf("open = %s", answer(got))
	}
	if got := dispute(agent, "Another reason."); got.JSON200 == nil || got.JSON200.AlreadyDone == nil {
		t.Errorf("again = %s", answer(got))
	}
	if got := dispute(human, "Me too."); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("the other party = %s", answer(got))
	}
	r.vote(task.ID, false, 2)
	r.net.Decide(t, 1, r.workHash(task.ID), 1, false)
	r.settle()
	if got := get(human); got.JSON200 == nil || got.JSON200.Status != "resolved" || *got.JSON200.Outcome != "rejected" || got.JSON200.ResolvedAt == nil {
		t.Errorf("resolved = %s", answer(got))
	}
}

func (u *user) answers(r *rig, task client.Task, response string) *client.AnswerDisputeResponse {
	r.t.Helper()
	got, err := u.AnswerDisputeWithResponse(r.t.Context(), task.ID, nil, client.AnswerDisputeRequest{Response: response})
	if err != nil {
		r.t.Fatalf("respond to the dispute: %v", err)
	}
	return got
}

// disputed creates a task with submitted work that the given party disputes.
func (r *rig) disputed(agent, human, by *user) client.Task {
	r.t.Helper()
	task := r.submitted(agent, human)
	got, err := by.DisputeTaskWithResponse(r.t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("dispute = %s, %v", answer(got), err)
	}
	r.send(by.signer, got.JSON200.To, got.JSON200.DisputeTaskCalldata)
	task = r.task(agent, task.ID)
	if task.DisputedAt == nil {
		r.t.Fatalf("after the dispute on-chain the task = %+v", task)
	}
	return task
}

func TestDisputeIsAnsweredOnceByTheOtherParty(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, validator := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.Validators[0])
	task := r.disputed(agent, human, human)
	if got := human.answers(r, task, "Me!"); got.JSON403 == nil {
		t.Errorf("answered by the disputing party = %s", answer(got))
	}
	if got := agent.answers(r, task, " \n"); got.JSON400 == nil {
		t.Errorf("a blank response = %s", answer(got))
	}
	got := agent.answers(r, task, "secret")
	if got.JSON201 == nil || got.JSON201.Status != "voting" || *got.JSON201.AgentResponse != "secret" || got.JSON201.Reason != "Blurred." {
		t.Fatalf("answered = %s", answer(got))
	}
	if again := agent.answers(r, task, "secret"); again.JSON409 == nil || again.JSON409.Error != "already_exists" {
		t.Errorf("again = %s", answer(again))
	}
	for _, who := range []*user{agent, human, validator} {
		read, err := who.GetDisputeWithResponse(t.Context(), task.ID)
		if err != nil || read.JSON200 == nil || *read.JSON200.AgentResponse != "secret" || read.JSON200.Status != "voting" {
			t.Errorf("dispute = %s, %v", answer(read), err)
		}
	}
	r.wantToldOfTheAnswer(human, 1)
	r.wantToldOfTheAnswer(agent, 0)
}

func (r *rig) wantToldOfTheAnswer(who *user, want int) {
	r.t.Helper()
	feed, err := who.ListActivityWithResponse(r.t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeDispute)})
	if err != nil || feed.JSON200 == nil {
		r.t.Fatalf("feed = %s, %v", answer(feed), err)
	}
	told := 0
	for _, item := range feed.JSON200.Activities {
		if item.Title == "Dispute answered" {
			told++
		}
		if strings.Contains(item.Title+item.Description, "secret") {
			r.t.Errorf("the feed contains the response: %+v", item)
		}
	}
	if told != want {
		r.t.Errorf("%d items about the response, want %d", told, want)
	}
}

// When several responses are sent concurrently, exactly one is stored.
func TestOneOfConcurrentDisputeResponsesIsStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.disputed(agent, human, human)
	count := concurrently(8, func(int) int {
		return r.do("POST", "/api/v1/tasks/"+task.ID.String()+"/dispute/response", `{"response":"No."}`, "X-API-Key", agent.key).status
	})
	if count[201] != 1 || count[409] != 7 {
		t.Errorf("statuses %v, want one 201 and seven 409", count)
	}
}

func TestDisputeAnswerAfterTheDeadlineIsRejected(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.disputed(agent, human, agent)
	r.net.Warp(t, 48*time.Hour)
	r.settle()
	if got := human.answers(r, task, "Late."); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("after 48 h = %s", answer(got))
	}
	r.vote(task.ID, false, 2)
	r.net.Decide(t, 1, r.workHash(task.ID), 1, false)
	r.settle()
	if got := human.answers(r, task, "Too late."); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("after the end = %s", answer(got))
	}
}

// A response is refused after a reorganisation has dropped the dispute.
func TestDroppedDisputeCannotBeAnswered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.disputed(agent, human, agent)
	r.net.Reorg(t, 1)
	r.settle()
	if got := human.answers(r, task, "No."); got.JSON404 == nil {
		t.Errorf("after the reorganisation = %s", answer(got))
	}
}
