package client_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// The journal is lost between payment and confirmation: the same request with
// the same key finds its record by the key and its payment on the chain.
func TestPaymentFoundWithoutAJournal(t *testing.T) {
	w := newWorld(t)
	task := request("found")
	w.api.refuseConfirm = []market.Kind{market.KindTxMismatch}
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil {
		t.Fatal("it was confirmed")
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

// renamed puts the only flow of a journal where programs before this one kept it:
// under the caller's key alone, beside what is left of it.
func (w *world) renamed(t *testing.T, key string, left func(*client.Flow) bool) {
	t.Helper()
	flows, err := w.options.Flows.List(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	beside := flows[0]
	if left(&beside) {
		err = w.options.Flows.Save(t.Context(), &beside)
	} else {
		err = w.options.Flows.Remove(t.Context(), flows[0].Key)
	}
	if err != nil {
		t.Fatal(err)
	}
	flows[0].Key = key
	if err := w.options.Flows.Save(t.Context(), &flows[0]); err != nil {
		t.Fatal(err)
	}
}

// A payment was signed and not sent when the program was replaced by this one,
// which names journals otherwise: it goes on, whichever way it is asked for, and is
// paid once.
func TestPaymentsOfAnOlderProgramGoOn(t *testing.T) {
	w := newWorld(t)
	create := func(c *client.Client, task client.TaskRequest) (client.Task, error) {
		return c.CreateTask(t.Context(), task)
	}
	resume := func(c *client.Client, _ client.TaskRequest) (client.Task, error) {
		flows, err := c.Unfinished(t.Context())
		if err != nil || len(flows) != 1 {
			return client.Task{}, fmt.Errorf("got flows %+v, error %w", flows, err)
		}
		got, err := c.Resume(t.Context(), flows[0])
		return got.Task, err
	}
	for name, c := range map[string]struct {
		again func(*client.Client, client.TaskRequest) (client.Task, error)
		left  func(*client.Flow) bool
	}{
		"asked for again":       {create, func(*client.Flow) bool { return false }},
		"resumed":               {resume, func(*client.Flow) bool { return false }},
		"begun anew since":      {create, func(f *client.Flow) bool { f.Transactions = nil; return true }},
		"killed while it moved": {create, func(*client.Flow) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			w.options.Flows = client.FileFlows(t.TempDir())
			task := request(name)
			w.unsent(t, func(c *client.Client) error { _, err := c.CreateTask(t.Context(), task); return err })
			w.renamed(t, task.Key, c.left)
			silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
			if plan, err := silent.PlanCreateTask(t.Context(), task); err != nil || !plan.Resumes {
				t.Errorf("got plan %+v, error %v", plan, err)
			}
			got, err := c.again(silent, task)
			if err != nil {
				t.Fatal(err)
			}
			w.paidOnce(t, got, task, name)
			w.finish(t, task, name)
			if flows, err := silent.Unfinished(t.Context()); err != nil || len(flows) != 0 {
				t.Errorf("left %+v, error %v", flows, err)
			}
		})
	}
}

// Somebody else posts the agent's terms with the least amount: that is no
// payment for the task.
func TestPaymentOfAnotherIsNotOurs(t *testing.T) {
	w := newWorld(t)
	task := request("forged")
	no := errors.New("no")
	decline := func(o *client.Options) {
		o.Review = func(_ context.Context, p client.Plan) error {
			w.Send(t, w.OtherAgent, w.Contracts.ApproveToken(w.Deployment.Escrow, chaintest.Tokens(1)))                //nolint:contextcheck // it ends with the test
			w.Send(t, w.OtherAgent, w.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, *p.TermsHash)) //nolint:contextcheck // it ends with the test
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
