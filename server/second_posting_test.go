package server_test

import (
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
)

// The call that refunds a second posting contains the posting's on-chain task id, which a
// reorganisation can change, so it is returned only with the configured finality.
func TestCalldataOfASecondPostingWaitsForTheConfiguredFinality(t *testing.T) {
	t.Parallel()
	for finality, given := range map[market.Finality]bool{market.FinalitySeen: true, market.FinalityFinal: false} {
		var halted atomic.Bool
		r := newRig(t, func(o *server.Options) { o.Finality, o.Halted = finality, halted.Load })
		agent := r.verifiedAgent(r.net.Agent)
		task := r.funded(agent)
		amount, err := market.ParseWei(task.EscrowAmount)
		if err != nil {
			t.Fatal(err)
		}
		_, receipt := r.net.Post(t, r.net.Agent, amount, common.HexToHash(task.TermsHash))
		second := client.ConfirmRequest{TxHash: receipt.TxHash.Hex()}
		got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second)
		if err != nil || got.JSON400 == nil || got.JSON400.Error != "tx_mismatch" {
			t.Fatalf("%s: confirm = %s, %v", finality, answer(got), err)
		}
		if (got.JSON400.Details != nil) != given {
			t.Errorf("%s: response %s, want a call: %t", finality, answer(got), given)
		}
		halted.Store(true)
		if got, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, second); err != nil || got.JSON503 == nil {
			t.Errorf("%s: confirm while the watcher has stopped = %s, %v", finality, answer(got), err)
		}
	}
}
