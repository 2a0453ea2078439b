package e2e_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// TestFundingWithoutConfirmation: the watcher finds a funding transaction that was never submitted
// for confirmation.
func TestFundingWithoutConfirmation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	task := w.record(w.agent, "Photograph the harbour")
	id, receipt := w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(task.TermsHash))
	task = w.await(task.ID, gen.TaskStatusFunded)
	if got := escrowID(t, task); got != id || *task.EscrowCreationTxHash != receipt.TxHash.Hex() {
		t.Errorf("the task is number %d by %s, want %d by %s", got, *task.EscrowCreationTxHash, id, receipt.TxHash)
	}
}

// TestConfirmRefuses: the API refuses to confirm a transaction that does not fund the task, and changes
// no rows.
func TestConfirmRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	other := w.newAgent(w.net.OtherAgent, "rival-agent")
	ten := chaintest.Tokens(10)
	task := w.record(w.agent, "Photograph the harbour")
	terms := common.HexToHash(task.TermsHash)

	tests := map[string]struct {
		tx   func() common.Hash
		want market.Kind
	}{
		"threat 01: another agent's": {func() common.Hash {
			theirs := w.record(other, "Photograph the station")
			_, receipt := w.net.Post(t, w.net.OtherAgent, ten, common.HexToHash(theirs.TermsHash))
			return receipt.TxHash
		}, market.KindTxMismatch},
		"threat 01: another agent's with these terms": {func() common.Hash {
			_, receipt := w.net.Post(t, w.net.OtherAgent, ten, terms)
			return receipt.TxHash
		}, market.KindTxMismatch},
		"threat 01: another task's": {func() common.Hash {
			second := w.record(w.agent, "Photograph the lighthouse")
			_, receipt := w.net.Post(t, w.net.Agent, ten, common.HexToHash(second.TermsHash))
			return receipt.TxHash
		}, market.KindTxMismatch},
		"threat 06: one wei short": {func() common.Hash {
			_, receipt := w.net.Post(t, w.net.Agent, new(big.Int).Sub(ten, big.NewInt(1)), terms)
			return receipt.TxHash
		}, market.KindTxMismatch},
		"threat 06: without the fee": {func() common.Hash { return w.postWithoutFee(terms) }, market.KindTxMismatch},
		"threat 05: failed": {func() common.Hash {
			receipt, ok := w.attempt(w.net.Agent, w.net.Contracts.PostTask(ten, chaintest.FeeBasisPoints, terms), time.Time{})
			if ok {
				t.Fatal("a posting without an allowance succeeded")
			}
			return receipt.TxHash
		}, market.KindTxFailed},
		"threat 04: forged event": {func() common.Hash { return w.forgePosting(terms) }, market.KindTxMismatch},
		"threat 02: reused": {func() common.Hash {
			third := w.record(w.agent, "Photograph the market")
			_, receipt := w.net.Post(t, w.net.Agent, ten, common.Hash{})
			if _, refusal := w.confirm(w.agent.API, third.ID, receipt.TxHash); refusal != "" {
				t.Fatalf("confirm a posting without terms: %s", refusal)
			}
			return receipt.TxHash
		}, market.KindTxAlreadyUsed},
		"threat 05: no posting": {func() common.Hash {
			return w.net.Send(t, w.net.Agent, w.net.Contracts.TransferToken(w.net.Human.Address(), ten)).TxHash
		}, market.KindTxMismatch},
		"threat 05: unknown": {func() common.Hash { return common.HexToHash("0xabcdef") }, market.KindTxNotFound},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tx := test.tx()
			w.settle()
			before := w.snapshot()
			if _, refusal := w.confirm(w.agent.API, task.ID, tx); refusal != test.want {
				t.Errorf("confirm: %q, want %q", refusal, test.want)
			}
			wantUnchanged(t, before, w.snapshot())
		})
	}
	t.Run("threat 01: the owner confirms it", func(t *testing.T) {
		theirs := w.record(other, "Photograph the bridge")
		_, receipt := w.net.Post(t, w.net.OtherAgent, ten, common.HexToHash(theirs.TermsHash))
		if _, refusal := w.confirm(w.agent.API, task.ID, receipt.TxHash); refusal != market.KindTxMismatch {
			t.Errorf("confirm with the funding of another task: %q, want %q", refusal, market.KindTxMismatch)
		}
		if got, refusal := w.confirm(other.API, theirs.ID, receipt.TxHash); refusal != "" || got.Status != gen.TaskStatusFunded {
			t.Errorf("confirm by the owner: %q, task is %s", refusal, got.Status)
		}
	})
	t.Run("threat 05: not mined yet", func(*testing.T) { w.wantConfirmedOnceMined() })
	w.wantConfirmed(task, other)
}

// postWithoutFee posts these terms while the platform takes no fee.
func (w *world) postWithoutFee(terms common.Hash) common.Hash {
	w.t.Helper()
	setFee := func(basisPoints uint16) {
		w.net.Send(w.t, w.net.Owner, chain.Call{To: w.net.Deployment.Escrow, Data: contracts.NewEscrow().PackSetPlatformFee(basisPoints)})
	}
	setFee(0)
	defer setFee(chaintest.FeeBasisPoints)
	ten := chaintest.Tokens(10)
	w.net.Send(w.t, w.net.Agent, w.net.Contracts.ApproveToken(w.net.Deployment.Escrow, ten))
	return w.net.Send(w.t, w.net.Agent, w.net.Contracts.PostTask(ten, 0, terms)).TxHash
}

// wantConfirmedOnceMined checks that a posting cannot be confirmed while it is in the mempool, and
// can be once it is mined.
func (w *world) wantConfirmedOnceMined() {
	w.t.Helper()
	ten, late := chaintest.Tokens(10), w.record(w.agent, "Photograph the pier")
	deadline, signature := w.net.SignPermit(w.t, w.net.Agent, w.net.Deployment.Escrow, ten)
	call, err := w.net.Contracts.PostTaskWithPermit(ten, chaintest.FeeBasisPoints, common.HexToHash(late.TermsHash), deadline, signature)
	w.must(err)
	w.settle()
	w.must(w.net.Dev.SetMining(w.ctx, false))
	tx := w.dispatch(w.net.Agent, &call.To, call.Data)
	before := w.snapshot()
	if _, refusal := w.confirm(w.agent.API, late.ID, tx); refusal != market.KindTxNotFound {
		w.t.Errorf("confirm a pending transaction: %q, want %q", refusal, market.KindTxNotFound)
	}
	wantUnchanged(w.t, before, w.snapshot())
	w.must(w.net.Dev.SetMining(w.ctx, true))
	w.net.Mine(w.t, 1)
	if got, refusal := w.confirm(w.agent.API, late.ID, tx); refusal != "" || got.Status != gen.TaskStatusFunded {
		w.t.Errorf("confirm once it is mined: %q, task is %s", refusal, got.Status)
	}
}

// forgePosting emits the events of a posting with these terms from another contract.
func (w *world) forgePosting(terms common.Hash) common.Hash {
	w.t.Helper()
	_, receipt := w.net.Post(w.t, w.net.Agent, chaintest.Tokens(10), common.HexToHash("0x01"))
	var events []*types.Log
	for _, log := range receipt.Logs {
		if log.Address != w.net.Deployment.Escrow {
			continue
		}
		for i, topic := range log.Topics {
			if topic == common.HexToHash("0x01") && i == 2 {
				log.Topics[i] = terms
			}
		}
		events = append(events, log)
	}
	if len(events) != 2 {
		w.t.Fatalf("a posting has %d events, want TaskPosted and TaskTerms", len(events))
	}
	return w.forge(w.net.Agent, events)
}

// wantConfirmed funds the task, and checks that only its agent can confirm the funding, and can do so
// repeatedly.
func (w *world) wantConfirmed(task gen.Task, other *agent) {
	w.t.Helper()
	id, receipt := w.net.Post(w.t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(task.TermsHash))
	if _, refusal := w.confirm(other.API, task.ID, receipt.TxHash); refusal != market.KindForbidden {
		w.t.Errorf("another agent's confirmation: %q, want %q", refusal, market.KindForbidden)
	}
	for range 2 {
		got, refusal := w.confirm(w.agent.API, task.ID, receipt.TxHash)
		if refusal != "" || got.Status != gen.TaskStatusFunded || escrowID(w.t, got) != id {
			w.t.Errorf("confirm: %q, task is %s", refusal, got.Status)
		}
	}
}

// TestDoublePosting: the second posting of the same terms funds nothing; the error states this and
// contains the call that refunds the agent.
func TestDoublePosting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.post(time.Time{})
	_, receipt := w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(task.TermsHash))
	refused, err := w.agent.API.ConfirmTaskFundingWithResponse(w.ctx, task.ID, gen.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	w.must(err)
	if refused.JSON400 == nil || refused.JSON400.Error != string(market.KindTxMismatch) || refused.JSON400.Details == nil {
		t.Fatalf("confirm the second posting: %s", refused.Body)
	}
	w.wantGains(before, gains{"agent": "-20", "escrow": "20"})
	call := map[string]string{}
	for _, d := range *refused.JSON400.Details {
		call[d.Field] = d.Message
	}
	_, err = send.NewSender(w.net.Node, w.net.Agent).Send(w.ctx, chain.Call{
		To: common.HexToAddress(call["to"]), Data: common.FromHex(call["cancel_task_calldata"]),
	})
	w.must(err)
	w.settle()
	w.wantGains(before, gains{"agent": "-10", "escrow": "10"})
	if now := w.await(task.ID, gen.TaskStatusFunded); *now.EscrowTaskID != *task.EscrowTaskID {
		t.Errorf("the task is number %s, want still %s", *now.EscrowTaskID, *task.EscrowTaskID)
	}
}
