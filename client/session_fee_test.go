package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	"taskmarket/client"
)

// If the node reports a higher gas price after the plan was agreed to, the transaction still offers
// the agreed fee.
func TestGasIsLimitedToReview(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	var agreed client.Plan
	var before *big.Int
	c := w.client(t, func(o *client.Options) {
		o.RPCURL = proxy.URL
		o.Allow = func(_ context.Context, p client.Plan) error {
			agreed, before = p, w.coin(t) //nolint:contextcheck // the context ends with the test
			proxy.Misbehave(askForATip)
			return nil
		}
	})
	s := w.scene(t, "dear", 2)
	w.unwatched(s.task)
	if _, err := c.Approve(t.Context(), s.task.ID); err != nil {
		t.Fatal(err)
	}
	if paid := new(big.Int).Sub(before, w.coin(t)); paid.Sign() <= 0 || paid.Cmp(agreed.GasCost) > 0 {
		t.Errorf("gas cost %s wei, want at most %s as agreed", paid, agreed.GasCost)
	}
}

// Replacements never offer more than four times the first transaction's fee, even after the action is
// resumed. The error suggests a higher limit.
func TestReplacementsAreBounded(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "outgrown for good", 2)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	var first *big.Int
	flows := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if len(f.Transactions) == 1 {
			first = feeCap(t, f.Transactions[0])
			proxy.Misbehave(askForABaseFee)
		}
		return nil
	}}
	c := w.client(t, func(o *client.Options) {
		o.RPCURL, o.Flows, o.ReplaceAfter, o.MineTimeout = proxy.URL, flows, 10*time.Millisecond, 4*time.Second
		o.MaxOffer = chaintest.Tokens(1) // a high MaxOffer does not raise the limit for replacements
	})
	for range 2 {
		_, err := c.Approve(t.Context(), s.task.ID)
		if !errors.Is(err, client.ErrNotMined) || !errors.Is(err, send.ErrGasLimit) || !strings.Contains(err.Error(), "try again with a higher limit") {
			t.Fatalf("got error %v", err)
		}
	}
	if n := len(flows.last.Transactions); n < 2 {
		t.Errorf("%d transactions were signed", n)
	}
	most := new(big.Int).Lsh(first, 2)
	for _, raw := range flows.last.Transactions {
		if offer := feeCap(t, raw); offer.Cmp(most) > 0 {
			t.Errorf("a replacement offers %s wei, the first transaction %s", offer, first)
		}
	}
}

func feeCap(t *testing.T, raw []byte) *big.Int {
	t.Helper()
	var tx types.Transaction
	if err := tx.UnmarshalBinary(raw); err != nil {
		t.Fatal(err)
	}
	return tx.GasFeeCap()
}

// askForABaseFee makes a node report a base fee of 50,000 gwei.
func askForABaseFee(calls []*chaintest.Exchange) bool {
	for _, call := range calls {
		if call.Method != "eth_getBlockByNumber" {
			continue
		}
		var block map[string]json.RawMessage
		if json.Unmarshal(call.Result, &block) == nil && block != nil {
			block["baseFeePerGas"] = json.RawMessage(`"0x2d79883d2000"`)
			call.Result, _ = json.Marshal(block)
		}
	}
	return true
}

// An action is rejected if the node's gas estimate is higher than any call needs.
func TestExcessiveGasIsRejected(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	s := w.scene(t, "a block full", 2)
	proxy.Misbehave(answering("eth_estimateGas", `"0x1c9c380"`))
	_, err := w.client(t, func(o *client.Options) { o.RPCURL = proxy.URL }).Approve(t.Context(), s.task.ID)
	if flows, _ := w.client(t).Unfinished(t.Context()); !errors.Is(err, send.ErrTooMuchGas) || len(flows) != 0 {
		t.Errorf("got error %v, left %+v", err, flows)
	}
}

// The signed permit is the reviewed one, even if most of its validity passes between review and signature.
func TestReviewedPermitIsSigned(t *testing.T) {
	w := newWorld(t)
	var agreed client.Plan
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	c := w.client(t, func(o *client.Options) {
		o.Flows = flows
		o.Allow = func(_ context.Context, p client.Plan) error {
			agreed = p
			w.Warp(t, 40*time.Minute) //nolint:contextcheck // the context ends with the test
			return nil
		}
	})
	if _, err := c.CreateTask(t.Context(), request("late")); err != nil {
		t.Fatal(err)
	}
	var tx types.Transaction
	if err := tx.UnmarshalBinary(flows.last.Transactions[0]); err != nil {
		t.Fatal(err)
	}
	until := new(big.Int).SetBytes(tx.Data()[4+3*32 : 4+4*32])
	if agreed.Deadline == nil || until.Int64() != agreed.Deadline.Unix() {
		t.Errorf("the permit is valid until %s, want %s as agreed", until, agreed.Deadline)
	}
}

// askForATip makes a node suggest a tip of 50,000 gwei.
var askForATip = answering("eth_maxPriorityFeePerGas", `"0x2d79883d2000"`)

// answering makes a node return the result for every call to the method.
func answering(method, result string) func([]*chaintest.Exchange) bool {
	return func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == method {
				call.Result, call.Fault = json.RawMessage(result), nil
			}
		}
		return true
	}
}

// coin returns the agent's balance of the chain's coin, in wei.
func (w *world) coin(t *testing.T) *big.Int {
	t.Helper()
	coin, err := w.Dev.Client().BalanceAt(t.Context(), w.Agent.Address(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return coin
}
