package main

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
)

// fault is a failure that the runbook covers.
type fault struct {
	alert    string            // the alert that calls the operator
	prepare  func(*world)      // what happens before the server starts; optional
	inject   func(*world)      // what happens while it runs; optional
	resolved func(*world) bool // whether the fault and its consequences are gone
}

var faults = map[string]fault{
	"stuck-transaction": {alert: "TaskmarketTransactionStuck", inject: swallowTransactions, resolved: (*world).paid},
	"empty-keeper": {alert: "TaskmarketKeeperBalanceEmpty", inject: emptyKeeper, resolved: func(w *world) bool {
		return w.paid() && w.funded()
	}},
	"dishonest-node": {alert: "TaskmarketAuditMismatch", prepare: omitLogs, resolved: func(w *world) bool {
		return w.approved() && w.count(`SELECT count(*) FROM chain_findings`) == 0 && w.follows()
	}},
	"full-queue": {alert: "TaskmarketJobsOverdue", prepare: limitKeeper, inject: fillQueue, resolved: (*world).paid},
	"stopped-watcher": {alert: "TaskmarketWatcherStopped", inject: dropFinalBlocks, resolved: func(w *world) bool {
		return w.follows() && !w.approved()
	}},
}

// swallowTransactions makes both nodes accept transactions without passing them on.
func swallowTransactions(w *world) {
	for _, node := range w.nodes[:2] {
		node.Intercept(func(call *chaintest.Exchange) bool {
			var raw hexutil.Bytes
			var tx types.Transaction
			if call.Method != "eth_sendRawTransaction" || json.Unmarshal(call.Params[0], &raw) != nil || tx.UnmarshalBinary(raw) != nil {
				return false
			}
			var err error
			call.Result, err = json.Marshal(tx.Hash())
			return err == nil
		})
	}
	w.makePayable(3)
	w.age("sent")
}

var (
	dust       = big.NewInt(10_000_000_000_000)           // less than any transaction costs
	lowBalance = big.NewInt(1_000_000_000_000_000)        // TaskmarketKeeperBalanceEmpty fires below this
	tightLimit = big.NewInt(500_000_000_000_000).String() // pays for a few transactions
)

// emptyKeeper leaves the keeper's account with less than a transaction costs.
func emptyKeeper(w *world) {
	w.must(w.net.Dev.SetBalance(w.ctx, w.net.Keeper.Address(), dust))
	w.makePayable(3)
}

// limitKeeper sets a daily limit that suffices for a few payments.
func limitKeeper(w *world) { w.variables["KEEPER_DAILY_LIMIT"] = tightLimit }

// fillQueue makes more payments due than the keeper handles in one step.
func fillQueue(w *world) {
	w.makePayable(36)
	w.age("pending")
}

// spam is the creation code of a contract that emits 700 logs with different topics, which fill the
// block's bloom filter.
var spam = hexutil.MustDecode("0x6102bc5b8060006000a160019003806003575b00")

// omitLogs approves a task in a block with so many other logs that the block's bloom filter cannot
// reveal an omitted one, as on a busy chain. Both nodes, which belong to one company, omit the
// approval from their answers about logs. The block is already final when the server reads it.
func omitLogs(w *world) {
	w.changed = w.net.Submitted(w, common.Hash{4}, common.Hash{5})
	approve := w.net.Contracts.ApproveTask(w.net.Deployment.Escrow, w.changed)
	w.must(w.net.Dev.SetMining(w.ctx, false))
	approval := w.send(map[string]any{"from": w.net.Agent.Address(), "to": approve.To, "data": hexutil.Bytes(approve.Data), "gas": hexutil.Uint64(send.MostGas)})
	w.send(map[string]any{"from": w.net.Owner.Address(), "data": hexutil.Bytes(spam), "gas": hexutil.Uint64(5_000_000)})
	w.net.Mine(w, 1)
	w.must(w.net.Dev.SetMining(w.ctx, true))
	w.net.Mine(w, 4*slotsPerEpoch)
	for _, node := range w.nodes[:2] {
		node.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				omit(call, approval)
			}
			return true
		})
	}
}

// omit removes a transaction's logs from the result of eth_getLogs.
func omit(call *chaintest.Exchange, tx common.Hash) {
	var logs []json.RawMessage
	if call.Method != "eth_getLogs" || json.Unmarshal(call.Result, &logs) != nil {
		return
	}
	logs = slices.DeleteFunc(logs, func(raw json.RawMessage) bool {
		var log types.Log
		return json.Unmarshal(raw, &log) == nil && log.TxHash == tx
	})
	if changed, err := json.Marshal(logs); err == nil {
		call.Result = changed
	}
}

// send sends a transaction that anvil signs.
func (w *world) send(tx map[string]any) (hash common.Hash) {
	w.must(w.net.Dev.Client().Client().CallContext(w.ctx, &hash, "eth_sendTransaction", tx))
	return hash
}

// dropFinalBlocks makes the chain drop final blocks with an approval.
func dropFinalBlocks(w *world) {
	w.changed = w.net.Submitted(w, common.Hash{4}, common.Hash{5})
	w.net.Mine(w, 3*slotsPerEpoch)
	submitted := w.net.Head(w)
	w.net.Approve(w, w.net.Agent, w.changed)
	w.net.Mine(w, 4*slotsPerEpoch)
	w.await("the approval to be final", func() bool {
		return w.approved() && w.count(`SELECT finalized FROM chain_head`) > int(submitted.Number)+1
	})
	w.net.Reorg(w, int(w.net.Head(w).Number-submitted.Number))
}
