package server_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

// wantReverted mines the call, and fails the test unless the contract reverts it.
func (r *rig) wantReverted(from *chain.KeySigner, call chain.Call) {
	r.t.Helper()
	receipt := r.net.Attempt(r.t, r.net.Head(r.t).Time.Add(time.Second), from.Address(), call)
	if receipt.Status != types.ReceiptStatusFailed {
		r.t.Errorf("the contract executed a call that it should revert: %s", receipt.TxHash)
	}
	r.settle()
}

// The contract reverts calls that the service returned before the task changed, and the service still shows the
// task's state on the chain.
func TestCallsOfAChangedTaskRevert(t *testing.T) {
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

// When the watcher has stopped, the service still serves reads, but it is not ready and returns no
// contract calls.
func TestHaltedWatcherServesReadsOnly(t *testing.T) {
	t.Parallel()
	var halted atomic.Bool
	r := newRig(t, func(o *server.Options) { o.Halted = halted.Load })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	halted.Store(true)
	if got := r.do("GET", "/api/v1/health", ""); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("health = %d %s", got.status, got.body)
	}
	if got, err := agent.GetTaskWithResponse(t.Context(), task.ID, nil); err != nil || got.JSON200 == nil {
		t.Errorf("a read = %s, %v", answer(got), err)
	}
	if got, err := agent.CancelTaskWithResponse(t.Context(), task.ID); err != nil || got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
		t.Errorf("a call = %s, %v", answer(got), err)
	}
	halted.Store(false)
	if got, err := agent.CancelTaskWithResponse(t.Context(), task.ID); err != nil || got.JSON200 == nil {
		t.Errorf("a call afterwards = %s, %v", answer(got), err)
	}
}
