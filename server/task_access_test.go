package server_test

import (
	"testing"

	"github.com/google/uuid"

	"taskmarket/gen/client"
)

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
