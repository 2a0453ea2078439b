package server_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
)

// rejects sends the rejection of an application; an empty reason is omitted.
func (r *rig) rejects(agent *user, task, application uuid.UUID, reason string) *client.RejectApplicationResponse {
	r.t.Helper()
	request := client.RejectApplicationRequest{}
	if reason != "" {
		request.Reason = &reason
	}
	got, err := agent.RejectApplicationWithResponse(r.t.Context(), task, application, request)
	if err != nil {
		r.t.Fatalf("reject: %v", err)
	}
	return got
}

// wantReasons compares the rejection reasons in the task's applications: agents are the reasons
// that the agent reads, and humans those that the human reads. "" means no reason.
func (r *rig) wantReasons(agent, human *user, task uuid.UUID, agents, humans []string) {
	r.t.Helper()
	reasons := func(all []client.Application) []string {
		read := []string{}
		for _, a := range all {
			if a.TaskID != task {
				continue
			}
			if a.RejectionReason == nil {
				a.RejectionReason = new("")
			}
			read = append(read, *a.RejectionReason)
		}
		return read
	}
	list, err := agent.ListTaskApplicationsWithResponse(r.t.Context(), task, nil)
	if err != nil || list.JSON200 == nil {
		r.t.Fatalf("the task's applications = %s, %v", answer(list), err)
	}
	if diff := cmp.Diff(agents, reasons(list.JSON200.Applications)); diff != "" {
		r.t.Errorf("the agent reads (-want +got):\n%s", diff)
	}
	own, err := human.ListHumanApplicationsWithResponse(r.t.Context(), nil)
	if err != nil || own.JSON200 == nil {
		r.t.Fatalf("the human's applications = %s, %v", answer(own), err)
	}
	if diff := cmp.Diff(humans, reasons(own.JSON200.Applications)); diff != "" {
		r.t.Errorf("the human reads (-want +got):\n%s", diff)
	}
}

// The reason for a rejection is visible only to the agent until the rejection is on-chain, then
// also to the human.
func TestRejectionReasonIsReadableAfterTheRejection(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	id := r.applied(human, task.ID).ID
	for _, said := range []struct{ reason, kept string }{{"Spam.", "Spam."}, {"**Spam**, twice.", "**Spam**, twice."}} {
		if without := r.rejects(agent, task.ID, id, ""); without.JSON400 == nil || without.JSON400.Error != "reason_required" {
			t.Errorf("reject without a reason = %s", answer(without))
		}
		got := r.rejects(agent, task.ID, id, said.reason)
		if got.JSON200 == nil || got.JSON200.Application.Status != "pending" {
			t.Fatalf("reject with %q = %s", said.reason, answer(got))
		}
		r.wantReasons(agent, human, task.ID, []string{said.kept}, []string{""})
		if kept := got.JSON200.Application.RejectionReason; (kept == nil) != (said.kept == "") || kept != nil && *kept != said.kept {
			t.Errorf("reject with %q returns the reason %v, want %q", said.reason, kept, said.kept)
		}
	}
	withdraw, err := human.WithdrawApplicationWithResponse(t.Context(), task.ID, id)
	if err != nil || withdraw.JSON200 == nil || withdraw.JSON200.Application.RejectionReason != nil {
		t.Errorf("withdraw = %s, %v", answer(withdraw), err)
	}
	stranger := r.verifiedAgent(r.net.OtherAgent)
	if got := r.rejects(stranger, task.ID, id, "Mine."); got.StatusCode() != http.StatusForbidden {
		t.Errorf("reject by another agent = %s", answer(got))
	}

	reject := r.rejects(agent, task.ID, id, "**Spam**, twice.").JSON200
	r.send(agent.signer, *reject.To, *reject.RejectApplicationCalldata)
	r.wantReasons(agent, human, task.ID, []string{"**Spam**, twice."}, []string{"**Spam**, twice."})
	if again := r.rejects(agent, task.ID, id, "Something else."); again.JSON200 == nil || again.JSON200.AlreadyDone == nil {
		t.Errorf("reject again = %s", answer(again))
	}
	r.wantReasons(agent, human, task.ID, []string{"**Spam**, twice."}, []string{"**Spam**, twice."})
	r.wantReasons(agent, other, task.ID, []string{"**Spam**, twice."}, []string{})
	for name, got := range map[string]func() (*client.ListTaskApplicationsResponse, error){
		"the human": func() (*client.ListTaskApplicationsResponse, error) {
			return human.ListTaskApplicationsWithResponse(t.Context(), task.ID, nil)
		},
		"another agent": func() (*client.ListTaskApplicationsResponse, error) {
			return stranger.ListTaskApplicationsWithResponse(t.Context(), task.ID, nil)
		},
	} {
		if list, err := got(); err != nil || list.JSON200 != nil {
			t.Errorf("%s reads the task's applications: %s, %v", name, answer(list), err)
		}
	}
}

// An application without a stake is rejected immediately, and the reason is stored.
func TestRejectionWithoutStakeStoresTheReason(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	applied, err := human.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
	if err != nil || applied.JSON201 == nil {
		t.Fatalf("apply = %s, %v", answer(applied), err)
	}
	for _, reason := range []string{"Too far away.", "Something else.", ""} {
		got := r.rejects(agent, task.ID, applied.JSON201.Application.ID, reason)
		if got.JSON200 == nil || got.JSON200.Application.RejectionReason == nil || *got.JSON200.Application.RejectionReason != "Too far away." {
			t.Errorf("reject with %q = %s", reason, answer(got))
		}
		r.wantReasons(agent, human, task.ID, []string{"Too far away."}, []string{"Too far away."})
	}
}

// An agent can reject at most five staked applications for a task.
func TestSixthForfeitIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	for range market.MaxForfeits {
		reject := r.rejects(agent, task.ID, r.applied(human, task.ID).ID, "Spam.").JSON200
		r.send(agent.signer, *reject.To, *reject.RejectApplicationCalldata)
	}
	sixth := r.rejects(agent, task.ID, r.applied(human, task.ID).ID, "Spam.")
	if sixth.JSON400 == nil || sixth.JSON400.Error != "wrong_status" {
		t.Errorf("the sixth rejection = %s", answer(sixth))
	}
}
