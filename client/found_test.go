package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

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
	found, err := w.client(t, lost).FindPaid(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatalf("found %+v, error %v", found, err)
	}
	silent := w.client(t, lost, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	got, err := silent.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "found")
	again, err := silent.Resume(t.Context(), found[0])
	if err != nil || again.Task.ID != got.ID {
		t.Errorf("resumed task %s, error %v", again.Task.ID, err)
	}
}

// A node that has the payment's log but not its receipt, because several nodes share its URL, does
// not count as a node without the payment: nothing is signed or discarded until it has both.
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
	if _, err := silent.FindPaid(t.Context()); market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("FindPaid() error = %v, want %s", err, market.KindChainUnavailable)
	}
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

// If another wallet posts the agent's terms with the same amount, this does not count as a payment
// for the task.
func TestForeignPaymentIsIgnored(t *testing.T) {
	w := newWorld(t)
	task := request("forged")
	no := errors.New("no")
	decline := func(o *client.Options) {
		o.Review = func(_ context.Context, p client.Plan) error {
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
