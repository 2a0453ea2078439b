package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
)

func TestRejectedAndWithdrawnApplications(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	staked := r.applied(human, task.ID)
	second, err := human.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{})
	if err != nil || second.JSON400 == nil {
		t.Errorf("a second application = %s, %v", answer(second), err)
	}
	foreign, err := other.WithdrawApplicationWithResponse(t.Context(), task.ID, staked.ID)
	if err != nil || foreign.StatusCode() != http.StatusForbidden {
		t.Errorf("withdraw another human's application = %s, %v", answer(foreign), err)
	}
	withdraw, err := human.WithdrawApplicationWithResponse(t.Context(), task.ID, staked.ID)
	if err != nil || withdraw.JSON200 == nil || withdraw.JSON200.WithdrawStakeCalldata == nil {
		t.Fatalf("withdraw = %s, %v", answer(withdraw), err)
	}
	r.send(human.signer, *withdraw.JSON200.To, *withdraw.JSON200.WithdrawStakeCalldata)
	list, err := agent.ListTaskApplicationsWithResponse(t.Context(), task.ID, nil)
	if err != nil || list.JSON200 == nil || len(list.JSON200.Applications) != 1 || list.JSON200.Applications[0].Status != "withdrawn" {
		t.Errorf("applications = %s, %v", answer(list), err)
	}

	unstaked, err := other.ApplyForTaskWithResponse(t.Context(), task.ID, nil, client.ApplyForTaskRequest{ApplicationMessage: "Me."})
	if err != nil || unstaked.JSON201 == nil {
		t.Fatalf("apply = %s, %v", answer(unstaked), err)
	}
	id := unstaked.JSON201.Application.ID
	early, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, id)
	if err != nil || early.JSON400 == nil || early.JSON400.Error != "wrong_status" {
		t.Errorf("accept without a stake = %s, %v", answer(early), err)
	}
	for range 2 {
		reject, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, id, client.RejectApplicationRequest{})
		if err != nil || reject.JSON200 == nil || reject.JSON200.Application.Status != "rejected" || reject.JSON200.RejectApplicationCalldata != nil {
			t.Errorf("reject without a stake = %s, %v", answer(reject), err)
		}
	}
	restaked := r.applied(other, task.ID)
	reject, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, restaked.ID, client.RejectApplicationRequest{Reason: new("No.")})
	if err != nil || reject.JSON200 == nil || reject.JSON200.RejectApplicationCalldata == nil {
		t.Fatalf("reject with a stake = %s, %v", answer(reject), err)
	}
	r.send(agent.signer, *reject.JSON200.To, *reject.JSON200.RejectApplicationCalldata)
	after, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, restaked.ID, client.RejectApplicationRequest{})
	if err != nil || after.JSON200 == nil || after.JSON200.AlreadyDone == nil || after.JSON200.Application.Status != "rejected" {
		t.Errorf("reject again = %s, %v", answer(after), err)
	}
}

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

// An agent can reject at most five staked applications for a task. Rejections on the chain are public,
// in the task and in the agent's profile.
func TestSixthForfeitIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	for i := range market.MaxForfeits {
		r.wantRejections(human, task, i)
		id := r.applied(human, task.ID).ID
		reject := r.rejects(agent, task.ID, id, "Spam.").JSON200
		if !strings.Contains(reject.Message, "not rejected yet") {
			t.Errorf("the message of a rejection is %q, want 'not rejected yet' in it", reject.Message)
		}
		r.wantRejections(human, task, i)
		r.send(agent.signer, *reject.To, *reject.RejectApplicationCalldata)
	}
	r.wantRejections(human, task, market.MaxForfeits)
	last := r.applied(human, task.ID).ID
	sixth := r.rejects(agent, task.ID, last, "Spam.")
	if sixth.JSON400 == nil || sixth.JSON400.Error != "wrong_status" {
		t.Errorf("the sixth rejection = %s", answer(sixth))
	}
	if action := r.wantAgentAction(agent, client.AgentActionKindReviewApplication); !strings.Contains(action.Details, "Nothing happens until") {
		t.Errorf("the details of the action are %q, want 'Nothing happens until' in them", action.Details)
	}
}

// wantRejections compares the numbers of rejected applications in the task and in its agent's profile.
func (r *rig) wantRejections(human *user, task client.Task, want int) {
	r.t.Helper()
	if got := r.task(human, task.ID).RejectedApplications; got != want {
		r.t.Errorf("the task has %d rejected applications, want %d", got, want)
	}
	profile, err := human.GetProfileWithResponse(r.t.Context(), task.AgentUsername, nil)
	if err != nil || profile.JSON200 == nil || profile.JSON200.Stats.RejectedApplications == nil {
		r.t.Fatalf("the agent's profile = %s, %v", answer(profile), err)
	}
	if got := *profile.JSON200.Stats.RejectedApplications; got != want {
		r.t.Errorf("the agent has %d rejected applications, want %d", got, want)
	}
}

// A human who lost a stake through a final rejection can review the agent once. The review is marked, and
// does not count toward the average.
func TestRejectedHumanReviewsTheAgent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	stake := r.applied(human, task.ID)
	refused := func(when string, u *user, status int) {
		t.Helper()
		if got := u.review(r, task.ID, 1, nil); got.StatusCode() != status {
			t.Errorf("review %s = %s, want %d", when, answer(got), status)
		}
	}
	refused("before the rejection", human, http.StatusForbidden)
	reject := r.rejects(agent, task.ID, stake.ID, "Spam.").JSON200
	refused("before the rejection is sent", human, http.StatusForbidden)
	r.send(agent.signer, *reject.To, *reject.RejectApplicationCalldata)
	refused("before the rejection is final", human, http.StatusBadRequest)
	if next := r.next(human, task.ID); strings.Contains(names(next), "review") {
		t.Errorf("next before the rejection is final = %s", names(next))
	}
	r.net.Mine(t, 200)
	r.settle()
	if next := r.next(human, task.ID); !strings.Contains(names(next), "review") {
		t.Errorf("next after the rejection is final = %s, want a review", names(next))
	}
	refused("by a human who was not rejected", other, http.StatusForbidden)
	refused("by the agent", agent, http.StatusBadRequest)
	got := human.review(r, task.ID, 1, new("They take stakes."))
	if got.JSON201 == nil || !got.JSON201.AfterRejection || got.JSON201.RevieweeID != agent.id {
		t.Fatalf("review after the rejection = %s", answer(got))
	}
	refused("again", human, http.StatusConflict)
	if next := r.next(human, task.ID); strings.Contains(names(next), "review") {
		t.Errorf("next after the review = %s", names(next))
	}
	list, err := other.ListAgentReviewsWithResponse(t.Context(), agent.id, nil)
	if err != nil || list.JSON200 == nil || len(list.JSON200.Reviews) != 1 || !list.JSON200.Reviews[0].AfterRejection || list.JSON200.AverageRating != nil {
		t.Errorf("the agent's reviews = %s, %v; want the review, and no average", answer(list), err)
	}
}
