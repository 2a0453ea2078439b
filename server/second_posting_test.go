package server_test

import (
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

// The error for a second posting contains the call that refunds it, before the posting is final. While the
// chain's state is in doubt, there is no call.
func TestSecondPostingIsRefundedAtOnce(t *testing.T) {
	t.Parallel()
	var halted atomic.Bool
	r := newRig(t, func(o *server.Options) { o.Finality, o.Halted = market.FinalityFinal, halted.Load })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	amount, err := market.ParseWei(task.EscrowAmount)
	if err != nil {
		t.Fatal(err)
	}
	_, receipt := r.net.Post(t, r.net.Agent, amount, common.HexToHash(task.TermsHash))
	second := client.ConfirmRequest{TxHash: receipt.TxHash.Hex()}
	got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "tx_mismatch" || got.JSON400.Details == nil {
		t.Fatalf("confirm = %s, %v", answer(got), err)
	}
	halted.Store(true)
	if got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second); err != nil || got.JSON503 == nil {
		t.Errorf("confirm while the watcher has stopped = %s, %v", answer(got), err)
	}
}
