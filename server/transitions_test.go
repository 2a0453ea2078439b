package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/store/storetest"
)

// Only a party to an ended task can review it, with a rating from 1 to 5. Each party can write one review
// and cannot change it.
func TestThreat113ReviewsHappenOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, stranger := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.submitted(agent, human)
	path := "/api/v1/tasks/" + task.ID.String() + "/reviews"
	review := func(by *user, body string) reply { return r.do("POST", path, body, r.credentials(by)...) }
	const good = `{"rating":5}`
	for _, who := range []*user{agent, human} {
		if got := review(who, good); got.status != http.StatusBadRequest || errorOf(t, got.body) != "wrong_status" {
			t.Errorf("before the end = %d %s", got.status, got.body)
		}
	}
	r.net.Approve(t, agent.signer, 1)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	for _, rating := range []string{"0", "6", "-1", "1000000000", "1e9", "4.5", `"5"`, "null", "true", "[5]", "5,\"rating\":1"} {
		if got := review(agent, `{"rating":`+rating+`}`); got.status != http.StatusBadRequest {
			t.Errorf("rating %s = %d %s", rating, got.status, got.body)
		}
	}
	for name, body := range map[string]string{
		"no rating": `{}`, "oneself": `{"rating":5,"reviewee_id":"` + agent.id.String() + `"}`, "a long comment": `{"rating":5,"comment":"` + strings.Repeat("a", 2001) + `"}`,
	} {
		if got := review(agent, body); got.status != http.StatusBadRequest {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	for name, who := range map[string]*user{"another human": stranger, "another agent": r.verifiedAgent(r.net.OtherAgent), "a validator": r.human(r.net.Validators[0])} {
		if got := review(who, good); got.status != http.StatusForbidden {
			t.Errorf("%s reviews = %d %s", name, got.status, got.body)
		}
	}
	for name, who := range map[string]*user{"agent": agent, "human": human} {
		count := concurrently(20, func(i int) int { return review(who, fmt.Sprintf(`{"rating":%d}`, 1+i%5)).status })
		if count[201] != 1 || count[409] != 19 {
			t.Errorf("20 reviews of the %s at once = %v", name, count)
		}
	}
	for _, method := range []string{"PUT", "PATCH", "DELETE"} {
		if got := r.do(method, path, good, r.credentials(agent)...); got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s of a review = %d", method, got.status)
		}
	}
	if profile := stranger.profile(r, human.username(r)); profile.Stats.TotalReviews != 1 {
		t.Errorf("the human's profile = %+v", profile.Stats)
	}
}

// Only a party can dispute submitted work, with a reason of 1 to 4,000 characters, and only once.
// TestThreat54WindowsUseChainTime covers the dispute window.
func TestThreat114DisputesHappenOnce(t *testing.T) {
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

// wantReverted mines the call, and fails the test unless the contract reverts it.
func (r *rig) wantReverted(from *chain.KeySigner, call chain.Call) {
	r.t.Helper()
	receipt := r.net.Attempt(r.t, r.net.Head(r.t).Time.Add(time.Second), from.Address(), call)
	if receipt.Status != types.ReceiptStatusFailed {
		r.t.Errorf("the contract executed a call that it should revert: %s", receipt.TxHash)
	}
	r.settle()
}

// Once an operator has removed an agent's verification, the agent counts as unverified in every request that
// begins afterwards, even if several servers have cached the key and earlier requests are still running.
func TestThreat115RevokedVerificationStopsConcurrentRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	servers := []*rig{r, r.replica()}
	body := `{"title":"T","description":"D","escrow_amount":"10000000000000000"}`
	create := func(i int) int {
		return servers[i%2].do("POST", "/api/v1/tasks/", body, "X-API-Key", agent.key).status
	}
	for i := range servers { // both servers cache the key
		if got := create(i); got != http.StatusCreated {
			t.Fatalf("create = %d", got)
		}
	}
	var revoked atomic.Bool
	var late, early atomic.Int32
	end := press(4, func() {
		after := revoked.Load()
		status := create(int(early.Load()))
		switch {
		case status == http.StatusCreated && after:
			late.Add(1)
		case status == http.StatusCreated:
			early.Add(1)
		case status != http.StatusForbidden:
			t.Errorf("create = %d", status)
		}
	})
	for early.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	storetest.DB(t, r.records).MustExec(`
		UPDATE users SET social_network = NULL, social_handle = NULL, social_account_id = NULL, social_post_id = NULL, social_posted_at = NULL, linked_code = NULL, verified_at = NULL
		WHERE id = $1`, agent.id)
	revoked.Store(true)
	time.Sleep(200 * time.Millisecond)
	end()
	if late.Load() > 0 {
		t.Errorf("%d requests that began later created a task", late.Load())
	}
	for i := range servers {
		if got := create(i); got != http.StatusForbidden {
			t.Errorf("server %d: create afterwards = %d", i, got)
		}
	}
}

// A task is funded only at the fee that it was created with. After a change of the platform's fee the
// contract rejects the old fee, the service rejects the new one, and the task can be funded once the
// fees are equal again.
func TestThreat124FeeChangesBetweenCreationAndFunding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	setFee := func(basisPoints uint16) {
		r.net.Send(t, r.net.Owner, chain.Call{To: r.net.Deployment.Escrow, Data: contracts.NewEscrow().PackSetPlatformFee(basisPoints)})
		r.settle()
	}
	const raised = chaintest.FeeBasisPoints + 100
	post := func(basisPoints uint16) chain.Call {
		return r.net.Contracts.PostTask(chaintest.Tokens(1), basisPoints, common.HexToHash(task.TermsHash))
	}
	r.net.Send(t, agent.signer, r.net.Contracts.ApproveToken(r.net.Deployment.Escrow, chaintest.Tokens(10)))
	setFee(raised)
	quoted := r.task(agent, task.ID)
	if quoted.FeeBasisPoints != task.FeeBasisPoints || quoted.PayoutAmount != task.PayoutAmount || quoted.Fundable {
		t.Errorf("after the change, the task = %+v", quoted)
	}
	r.wantReverted(agent.signer, post(chaintest.FeeBasisPoints))
	dear := r.net.Send(t, agent.signer, post(raised))
	r.settle()
	got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: dear.TxHash.Hex()})
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "tx_mismatch" {
		t.Errorf("confirm at another fee = %s, %v", answer(got), err)
	}
	if now := r.task(agent, task.ID); now.Status != client.TaskStatusNew {
		t.Errorf("the task is %s", now.Status)
	}
	setFee(chaintest.FeeBasisPoints)
	if again := r.task(agent, task.ID); !again.Fundable {
		t.Error("with the former fee the task cannot be funded")
	}
	funded := r.net.Send(t, agent.signer, post(chaintest.FeeBasisPoints))
	got, err = agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: funded.TxHash.Hex()})
	if err != nil || got.JSON200 == nil || got.JSON200.FeeBasisPoints != task.FeeBasisPoints || got.JSON200.Status != client.TaskStatusFunded {
		t.Errorf("confirm at the former fee = %s, %v", answer(got), err)
	}
}

// The contract reverts calls that the service returned before the task changed, and the service still shows the
// task's state on the chain.
func TestThreat125CallsOfAChangedTaskRevert(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	callOf := func(to, data string) chain.Call {
		return chain.Call{To: common.HexToAddress(to), Data: hexutil.MustDecode(data)}
	}

	task := r.funded(agent)
	application := r.applied(human, task.ID)
	accept, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, application.ID)
	if err != nil || accept.JSON200 == nil || !accept.JSON200.Simulated {
		t.Fatalf("accept = %s, %v", answer(accept), err)
	}
	withdraw, err := human.WithdrawApplicationWithResponse(t.Context(), task.ID, application.ID)
	if err != nil || withdraw.JSON200 == nil {
		t.Fatalf("withdraw = %s, %v", answer(withdraw), err)
	}
	r.send(human.signer, *withdraw.JSON200.To, *withdraw.JSON200.WithdrawStakeCalldata)
	r.wantReverted(agent.signer, callOf(accept.JSON200.To, accept.JSON200.AcceptApplicationCalldata))
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusFunded {
		t.Errorf("after a late acceptance the task is %s", got.Status)
	}

	cancel, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancel.JSON200 == nil {
		t.Fatalf("cancel = %s, %v", answer(cancel), err)
	}
	r.hire(agent, other, task.ID)
	draft, err := other.SubmitWorkWithResponse(t.Context(), task.ID, nil, client.SubmitWorkRequest{Note: "Done.", FileIds: []uuid.UUID{}})
	if err != nil || draft.JSON201 == nil {
		t.Fatalf("submit = %s, %v", answer(draft), err)
	}
	r.send(other.signer, draft.JSON201.To, draft.JSON201.SubmitTaskCalldata)
	r.wantReverted(agent.signer, callOf(cancel.JSON200.To, cancel.JSON200.CancelTaskCalldata))
	r.wantReverted(other.signer, callOf(draft.JSON201.To, draft.JSON201.SubmitTaskCalldata))
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusSubmitted {
		t.Errorf("after a late cancellation the task is %s", got.Status)
	}

	dispute, err := agent.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "Blurred."})
	if err != nil || dispute.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(dispute), err)
	}
	approve, err := agent.ApproveTaskWithResponse(t.Context(), task.ID, client.ApproveTaskRequest{})
	if err != nil || approve.JSON200 == nil {
		t.Fatalf("approve = %s, %v", answer(approve), err)
	}
	r.send(agent.signer, approve.JSON200.To, approve.JSON200.ApproveTaskCalldata)
	r.wantReverted(agent.signer, callOf(dispute.JSON200.To, dispute.JSON200.DisputeTaskCalldata))
	if got, err := agent.GetDisputeWithResponse(t.Context(), task.ID); err != nil || got.JSON200 == nil || got.JSON200.Status != "draft" {
		t.Errorf("after a late dispute, the dispute = %s, %v", answer(got), err)
	}
}
