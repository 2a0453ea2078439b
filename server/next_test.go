package server_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
)

// next returns the actions that the user can take on a task.
func (r *rig) next(as *user, task uuid.UUID) client.TaskNext {
	r.t.Helper()
	got, err := as.GetTaskNextWithResponse(r.t.Context(), task)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET next = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

func names(next client.TaskNext) string {
	all := make([]string, len(next.Actions))
	for i, a := range next.Actions {
		all[i] = string(a.Action)
		if a.OpensAt != nil {
			all[i] += " later"
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// action returns one of the user's actions.
func (r *rig) action(as *user, task uuid.UUID, action client.TaskAction) client.NextAction {
	r.t.Helper()
	next := r.next(as, task)
	for _, a := range next.Actions {
		if a.Action == action {
			return a
		}
	}
	r.t.Fatalf("action %s is not among %s", action, names(next))
	return client.NextAction{}
}

// wantNext compares the possible actions of several users.
func (r *rig) wantNext(when string, task uuid.UUID, want map[*user]string) {
	r.t.Helper()
	for who, actions := range want {
		next := r.next(who, task)
		if got := names(next); got != actions {
			r.t.Errorf("%s, as %s: %s, want %s", when, next.Role, got, actions)
		}
	}
}

func TestActionsFollowTheTask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	other, validator := r.human(r.net.OtherHuman), r.human(r.net.Validators[0])
	foreign := r.verifiedAgent(r.net.OtherAgent)
	task := r.createTask(agent).ID
	r.wantNext("new", task, map[*user]string{agent: "fund"})
	post := r.action(agent, task, client.TaskActionFund)
	if post.Transaction == nil || post.Request == nil || !strings.HasSuffix(post.Request.Path, "/confirm-create") {
		t.Errorf("fund = %+v", post)
	}

	task = r.funded(agent).ID
	r.wantNext("funded", task, map[*user]string{agent: "cancel, upload_file", human: "apply", validator: "", foreign: ""})
	rejected := r.applied(other, task)
	chosen := r.applied(human, task)
	r.wantNext("applied for", task, map[*user]string{agent: "accept, cancel, reject, upload_file", human: "withdraw", other: "withdraw"})
	if path := r.action(other, task, client.TaskActionWithdraw).Request.Path; !strings.Contains(path, rejected.ID.String()) {
		t.Errorf("withdraw by %s", path)
	}
	accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task, chosen.ID)
	if err != nil || accepted.JSON200 == nil {
		t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	r.wantNext("active", task, map[*user]string{
		agent: "cancel, message, upload_file", human: "message, resign, submit, upload_file", other: "withdraw",
	})
	r.submit(human, task)
	r.wantNext("submitted", task, map[*user]string{
		agent: "approve, dispute, message, settle later, upload_file", validator: "settle later, verdict later",
		human: "dispute, emergency_release later, message, settle later, upload_file",
	})
	disputed, err := agent.DisputeTaskWithResponse(t.Context(), task, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	r.send(agent.signer, disputed.JSON200.To, disputed.JSON200.DisputeTaskCalldata)
	r.wantNext("disputed", task, map[*user]string{
		agent: "approve, message, settle later, upload_file", validator: "settle later, verdict",
		human: "emergency_release later, message, respond, settle later, upload_file",
	})
	if got := human.answers(r, r.task(human, task), "No."); got.JSON201 == nil || *got.JSON201.HumanResponse != "No." {
		t.Fatalf("answer = %s", answer(got))
	}
	r.vote(task, false, 1)
	r.wantNext("answered and voted on", task, map[*user]string{
		validator: "settle later", human: "emergency_release later, message, settle later, upload_file",
	})
	r.net.Warp(t, 120*time.Hour)
	r.settle()
	r.sendNext(human, task, client.TaskActionSettle)
	r.wantNext("settled", task, map[*user]string{agent: "message, review", human: "message, review", validator: ""})
	if action := r.wantAgentAction(agent, client.AgentActionKindLeaveReview); *action.TaskID != task || action.Deadline != nil {
		t.Errorf("after the end = %+v", action)
	}
	reviewed, err := agent.ReviewTaskWithResponse(t.Context(), task, nil, client.ReviewRequest{Rating: 4})
	if err != nil || reviewed.JSON201 == nil {
		t.Fatalf("review = %s, %v", answer(reviewed), err)
	}
	r.wantNoChore(agent)
	r.wantNext("reviewed", task, map[*user]string{agent: "message", human: "message, review"})
	if got := r.task(agent, task).Status; got != client.TaskStatusApproved {
		t.Errorf("after the settlement the task is %s", got)
	}
}

// sendNext sends the transaction for an action.
func (r *rig) sendNext(as *user, task uuid.UUID, action client.TaskAction) {
	r.t.Helper()
	tx := r.action(as, task, action).Transaction
	if tx == nil {
		r.t.Fatalf("%s has no transaction", action)
	}
	r.send(as.signer, tx.To, tx.Data)
}

// The announced payments if no party acts equal the amounts that the contracts pay.
func TestActionsContainTheContractsAmounts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	next := r.next(human, task.ID)
	transitions := next.IfNobodyActs.Turns
	if len(transitions) != 2 || transitions[0].Status != client.TaskStatusValidating || transitions[1].Status != client.TaskStatusApproved {
		t.Fatalf("transitions = %+v", transitions)
	}
	if !transitions[0].At.Equal(task.DisputeDeadline.Time) || len(transitions[0].Payments) != 0 {
		t.Errorf("first = %+v", transitions[0])
	}
	promised := new(big.Int)
	for _, p := range transitions[1].Payments {
		if p.To == client.NextPaymentToHuman {
			amount, _ := new(big.Int).SetString(p.Amount, 10)
			promised.Add(promised, amount)
		}
	}
	before, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	r.net.Warp(t, transitions[1].At.Sub(task.SubmittedAt.Time))
	r.settle()
	r.sendNext(human, task.ID, client.TaskActionEmergencyRelease)
	after, _, err := r.net.Reader.Balances(t.Context(), human.signer.Address())
	if err != nil {
		t.Fatal(err)
	}
	if got := after.Sub(after, before); got.Cmp(promised) != 0 {
		t.Errorf("the human received %s, want the announced %s", got, promised)
	}
}

// The human can leave an active task by sending a transaction.
func TestActionsIncludeResigning(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	r.sendNext(human, task.ID, client.TaskActionResign)
	if got := r.task(human, task.ID).Status; got != client.TaskStatusCancelled {
		t.Errorf("after the human resigned the task is %s", got)
	}
}

// Every request in an action is an operation of openapi.yaml.
func TestActionsNameDocumentedOperations(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range market.Acts() {
		item := spec.Paths.Value("/tasks/{id}" + act.Path)
		if act.Path != "" && (item == nil || item.Post == nil) {
			t.Errorf("%s: openapi.yaml has no POST /tasks/{id}%s", act.Action, act.Path)
		}
	}
}
