package e2e_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TestCallsUseTheTasksContract: the service is configured with new contracts, in which task
// IDs start again at 1. A task in the old contracts is still approved and paid there.
func TestCallsUseTheTasksContract(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	old := *w.net
	task := w.submitted()
	w.must(w.server.stop())
	w.redeploy()
	w.must(w.server.start(w.ctx))
	other := w.record(w.agent, "Photograph the station")
	id, _ := w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(other.TermsHash))
	other = w.await(other.ID, gen.TaskStatusFunded)
	if id != escrowID(t, task) || other.EscrowAddress == task.EscrowAddress {
		t.Fatalf("the tasks are %s in %s and %s in %s, want the same number in two contracts",
			*task.EscrowTaskID, task.EscrowAddress, *other.EscrowTaskID, other.EscrowAddress)
	}

	approval, err := w.agent.API.ApproveTaskWithResponse(w.ctx, task.ID, gen.ApproveTaskRequest{})
	w.must(err)
	if approval.JSON200 == nil || !approval.JSON200.Simulated {
		t.Fatalf("approve = %s: %s", approval.Status(), approval.Body)
	}
	call := chain.Call{To: common.HexToAddress(approval.JSON200.To), Data: common.FromHex(approval.JSON200.ApproveTaskCalldata)}
	w.wantCall(call, approval.JSON200.ChainID, old.Contracts.ApproveTask(old.Deployment.Escrow, id))
	w.net.Send(t, w.net.Agent, call)
	w.net.Warp(t, 73*time.Hour) // more than the time limit for a verdict
	before, _, err := old.Reader.Balances(w.ctx, w.net.Human.Address())
	w.must(err)
	w.net.Send(t, w.net.Owner, old.Contracts.Settle(old.Deployment.Escrow, id))
	after, _, err := old.Reader.Balances(w.ctx, w.net.Human.Address())
	w.must(err)
	if got := formatTokens(after.Sub(after, before)); got != "10" { // the payment and the returned stake
		t.Errorf("the human got %s tokens from the old escrow, want 10", got)
	}

	cancel, err := w.agent.API.CancelTaskWithResponse(w.ctx, other.ID)
	w.must(err)
	if cancel.JSON200 == nil {
		t.Fatalf("cancel = %s: %s", cancel.Status(), cancel.Body)
	}
	w.wantCall(chain.Call{To: common.HexToAddress(cancel.JSON200.To), Data: common.FromHex(cancel.JSON200.CancelTaskCalldata)},
		cancel.JSON200.ChainID, w.net.Contracts.CancelTask(w.net.Deployment.Escrow, id))
}

// wantCall compares a call from the API with the expected one.
func (w *world) wantCall(got chain.Call, chainID int64, want market.Call) {
	w.t.Helper()
	if got.To != want.To || string(got.Data) != string(want.Data) || chainID != int64(w.net.Deployment.ChainID) {
		w.t.Errorf("the call is %s to %s on chain %d, want %s to %s", common.Bytes2Hex(got.Data), got.To, chainID,
			common.Bytes2Hex(want.Data), want.To)
	}
}

// redeploy deploys new contracts on the world's chain, and gives tokens to the agent.
func (w *world) redeploy() {
	w.t.Helper()
	var panel []common.Address
	for _, v := range w.net.Validators {
		panel = append(panel, v.Address())
	}
	var err error
	w.net.Deployment, err = send.Deploy(w.ctx, w.net.Node, w.net.Owner, send.DeployParams{
		Name: "Task Token", Symbol: "TASK", Supply: chaintest.Tokens(1_000), Holder: w.net.Agent.Address(),
		Owner: w.net.Owner.Address(), Guardian: w.net.Owner.Address(), FeeBasisPoints: chaintest.FeeBasisPoints,
		Validators: panel, Quorum: 2, RewardSigner: w.net.Rewarder.Address(), DailyBudget: chaintest.Tokens(100),
	})
	w.must(err)
	w.net.Contracts = chain.NewContracts(w.net.Deployment)
	w.net.Reader = chain.NewReader(w.net.Node, w.net.Contracts)
}
