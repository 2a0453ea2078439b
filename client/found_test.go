package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// If the journal is lost between payment and confirmation, repeating the request with the same key
// finds the record by its idempotency key and the payment on the chain.
func TestPaymentFoundWithoutAJournal(t *testing.T) {
	w := newWorld(t)
	task := request("found")
	w.api.refuseConfirm = []market.Kind{market.KindTxMismatch}
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil {
		t.Fatal("the payment was confirmed")
	}
	w.Mine(t, 5)
	lost := func(o *client.Options) { o.Flows = client.FileFlows(t.TempDir()) }
	silent := w.client(t, lost, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	got, err := silent.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "found")
}

// If several nodes share one URL, the payment's log can be available before its receipt. In that case,
// the task does not count as unpaid: nothing is signed until both are available.
func TestPaymentWithoutReceipt(t *testing.T) {
	w := newWorld(t)
	task := request("behind")
	w.api.refuseConfirm = []market.Kind{market.KindTxMismatch}
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil {
		t.Fatal("the payment was confirmed")
	}
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == "eth_getTransactionReceipt" {
				call.Result = json.RawMessage("null")
			}
		}
		return true
	})
	lost := func(o *client.Options) { o.Flows, o.RPCURL = client.FileFlows(t.TempDir()), proxy.URL }
	silent := w.client(t, lost, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.CreateTask(t.Context(), task); market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("CreateTask() error = %v, want %s", err, market.KindChainUnavailable)
	}
	proxy.Misbehave(nil)
	got, err := silent.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "behind")
}

// The search for a payment ends with an error if the node reports an impossible head, or the same time
// for all blocks.
func TestSearchForPaymentEnds(t *testing.T) {
	w := newWorld(t)
	task := request("endless")
	prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
	if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
		t.Fatalf("got error %v", err)
	}
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	for _, number := range []uint64{1<<53 + 1, 1 << 50} {
		proxy.Misbehave(func(calls []*chaintest.Exchange) bool { return endlessChain(calls, number) })
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		_, err := w.client(t, func(o *client.Options) { o.RPCURL = proxy.URL }).Plan(ctx, client.Fund(task))
		if market.KindOf(err) != market.KindChainUnavailable || ctx.Err() != nil {
			t.Errorf("Plan() with head %d: error = %v, want %s", number, err, market.KindChainUnavailable)
		}
		cancel()
	}
}

// endlessChain responds like a node whose chain has the head, no logs, and the current time in all
// blocks.
func endlessChain(calls []*chaintest.Exchange, head uint64) bool {
	for _, call := range calls {
		switch call.Method {
		case "eth_getLogs":
			call.Result, call.Fault = json.RawMessage("[]"), nil
		case "eth_getBlockByNumber":
			number := call.Params[0]
			if string(number) == `"latest"` {
				number, _ = json.Marshal(hexutil.Uint64(head))
			}
			call.Result, _ = json.Marshal(types.Header{
				Number: new(big.Int).SetUint64(head), Difficulty: new(big.Int), Time: uint64(time.Now().Unix()),
			})
			var block object
			if json.Unmarshal(call.Result, &block) != nil {
				return false
			}
			block["number"] = number
			call.Result, _ = json.Marshal(block)
		}
	}
	return true
}

// If another wallet posts the agent's terms with the same amount, this does not count as a payment
// for the task.
func TestForeignPaymentIsIgnored(t *testing.T) {
	w := newWorld(t)
	task := request("forged")
	no := errors.New("no")
	decline := func(o *client.Options) {
		o.Allow = func(_ context.Context, p client.Plan) error {
			w.Send(t, w.OtherAgent, w.Contracts.ApproveToken(w.Deployment.Escrow, chaintest.Tokens(1)))                //nolint:contextcheck // the context ends with the test
			w.Send(t, w.OtherAgent, w.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, *p.TermsHash)) //nolint:contextcheck // the context ends with the test
			return no
		}
	}
	if _, err := w.client(t, decline).CreateTask(t.Context(), task); !errors.Is(err, no) {
		t.Fatalf("got error %v", err)
	}
	before := w.nonce(t)
	if _, err := w.client(t).CreateTask(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	if w.nonce(t) != before+1 {
		t.Errorf("sent %d transactions", w.nonce(t)-before)
	}
}
