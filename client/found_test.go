package client_test

import (
	"context"
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
