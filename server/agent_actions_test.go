package server_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

func (r *rig) agentActions(agent *user) client.AgentActionPage {
	r.t.Helper()
	got, err := agent.ListAgentActionsWithResponse(r.t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /agents/me/actions = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// wantAgentAction returns the agent's only pending action, which must be of the kind.
func (r *rig) wantAgentAction(agent *user, kind client.AgentActionKind) client.AgentAction {
	r.t.Helper()
	page := r.agentActions(agent)
	if page.Total != 1 || len(page.Actions) != 1 || page.Actions[0].ActionType != kind {
		r.t.Fatalf("actions = %+v, want one %s", page, kind)
	}
	return page.Actions[0]
}

func (r *rig) wantNoChore(agent *user) {
	r.t.Helper()
	if page := r.agentActions(agent); page.Total != 0 || page.Actions == nil || len(page.Actions) != 0 {
		r.t.Errorf("actions = %+v, want none", page)
	}
}

func TestAgentActionsFollowATask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, foreign := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	human := r.human(r.net.Human)
	task := r.funded(agent)
	r.wantNoChore(agent)
	application := r.applied(human, task.ID)
	first := r.wantAgentAction(agent, client.AgentActionKindReviewApplication)
	if *first.TaskID != task.ID || !strings.Contains(first.Details, application.ID.String()+"/accept") || first.Deadline == nil || first.Calldata != nil {
		t.Errorf("application = %+v", first)
	}
	accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, application.ID)
	if err != nil || accepted.JSON200 == nil {
		t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	r.wantNoChore(agent)
	r.submit(human, task.ID)
	second := r.wantAgentAction(agent, client.AgentActionKindReviewSubmission)
	if submitted := r.task(agent, task.ID); second.Deadline == nil || !second.Deadline.Equal(submitted.DisputeDeadline.Time) {
		t.Errorf("submission = %+v", second)
	}
	disputed, err := human.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "secret"})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	r.send(human.signer, disputed.JSON200.To, disputed.JSON200.DisputeTaskCalldata)
	if third := r.wantAgentAction(agent, client.AgentActionKindAnswerDispute); strings.Contains(fmt.Sprint(third), "secret") {
		t.Errorf("dispute = %+v", third)
	}
	if got := agent.answers(r, task, "No."); got.JSON201 == nil {
		t.Fatalf("answer = %s", answer(got))
	}
	r.wantNoChore(agent)
	r.wantNoChore(foreign)
}

// The action to respond to a human's dispute expires after 48 hours. The agent's own dispute
// creates no such action.
func TestAgentActionsOfDisputesEnd(t *testing.T) {
	t.Parallel()
	for _, by := range []market.PrincipalKind{market.PrincipalAgent, market.PrincipalHuman} {
		r := newRig(t)
		agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
		filer := human
		if by == market.PrincipalAgent {
			filer = agent
		}
		r.disputed(agent, human, filer)
		if by == market.PrincipalHuman {
			r.wantAgentAction(agent, client.AgentActionKindAnswerDispute)
			r.net.Warp(t, 48*time.Hour)
			r.settle()
		}
		r.wantNoChore(agent)
	}
}

// balance returns the token balance of the user's wallet.
func (r *rig) balance(of *user) *big.Int {
	r.t.Helper()
	tokens, _, err := r.net.Reader.Balances(r.t.Context(), of.signer.Address())
	if err != nil {
		r.t.Fatal(err)
	}
	return tokens
}

// sendChore sends the calldata of the agent's only pending action. It fails the test unless the
// transaction returns exactly one token to the agent.
func (r *rig) sendChore(agent *user, kind client.AgentActionKind) {
	r.t.Helper()
	action := r.wantAgentAction(agent, kind)
	if action.Calldata == nil {
		r.t.Fatalf("%s has no calldata: %+v", kind, action)
	}
	before := r.balance(agent)
	r.send(agent.signer, action.Calldata.To, action.Calldata.Data)
	if back := new(big.Int).Sub(r.balance(agent), before); back.Cmp(chaintest.Tokens(1)) != 0 {
		r.t.Errorf("%s returned %s", kind, back)
	}
	r.wantNoChore(agent)
}

func TestAgentActionsReturnLockedAmounts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	r.settle()
	if second := r.agentActions(agent).Actions; len(second) != 1 || second[0].TaskID == nil || *second[0].TaskID != task.ID {
		t.Errorf("second posting = %+v", second)
	}
	feed, err := agent.ListActivityWithResponse(t.Context(), nil)
	if err != nil || feed.JSON200 == nil || !slices.ContainsFunc(feed.JSON200.Activities, func(a client.Activity) bool {
		return a.Kind == client.ActivityKindPostingUnlinked && *a.RelatedID == task.ID
	}) {
		t.Errorf("the feed = %s, %v", answer(feed), err)
	}
	r.sendChore(agent, client.AgentActionKindCancelPosting)
	if got := r.task(agent, task.ID).Status; got != client.TaskStatusFunded {
		t.Fatalf("the task itself is %s", got)
	}
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	r.settle()
	if unlinked := r.agentActions(agent).Actions; len(unlinked) != 1 || unlinked[0].TaskID != nil {
		t.Errorf("unlinked posting = %+v", unlinked)
	}
	r.sendChore(agent, client.AgentActionKindCancelPosting)
	r.net.Warp(t, 31*24*time.Hour)
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelExpiredTask)
}

// The call that cancels an expired task contains an on-chain task id that a reorganisation can change, so
// it is returned only once the task's last change has the configured finality. A posting that funds no task
// can be cancelled at once.
func TestActionCalldataWaitsForTheConfiguredFinality(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.Finality = market.FinalityFinal })
	agent := r.verifiedAgent(r.net.Agent)
	r.funded(agent)
	r.net.Warp(t, 31*24*time.Hour)
	r.settle()
	if action := r.wantAgentAction(agent, client.AgentActionKindCancelExpiredTask); action.Calldata != nil {
		t.Errorf("immediately = %+v", action)
	}
	r.net.Mine(t, 200)
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelExpiredTask)
	r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	r.settle()
	r.sendChore(agent, client.AgentActionKindCancelPosting)
}

func TestAgentActionsArePaged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.submitted(agent, human)
	for range 4 {
		r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.Hash{})
	}
	r.settle()
	whole := r.agentActions(agent)
	if whole.Total != 5 || whole.Actions[0].ActionType != client.AgentActionKindReviewSubmission {
		t.Fatalf("actions = %+v", whole)
	}
	var got []client.AgentAction
	params := client.ListAgentActionsParams{PageSize: new(2)}
	for range 3 {
		page, err := agent.ListAgentActionsWithResponse(t.Context(), &params)
		if err != nil || page.JSON200 == nil || page.JSON200.Total != 5 {
			t.Fatalf("page = %s, %v", answer(page), err)
		}
		got = append(got, page.JSON200.Actions...)
		params.Cursor = page.JSON200.NextCursor
	}
	if params.Cursor != nil || fmt.Sprint(details(got)) != fmt.Sprint(details(whole.Actions)) {
		t.Errorf("by pages %v, in one list %v", details(got), details(whole.Actions))
	}
}

func details(actions []client.AgentAction) []string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = a.Details
	}
	return all
}
