package client_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"taskmarket/client"
)

// A planned action can be discarded only once. A signed action cannot be discarded.
func TestDiscard(t *testing.T) {
	w := newWorld(t)
	planned := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if f.TaskID != nil {
			return errKilled
		}
		return nil
	}}
	stop := func(o *client.Options) { o.Flows = planned }
	if _, err := w.client(t, stop).CreateTask(t.Context(), request("planned")); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
	c := w.client(t)
	flows, err := c.Unfinished(t.Context())
	if err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); err != nil || w.unfinished(t) != 0 {
		t.Errorf("left %d flows, error %v", w.unfinished(t), err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); !errors.Is(err, client.ErrEnded) {
		t.Errorf("discarded twice: error %v", err)
	}
	w.signedOnly(t, request("signed"))
	if flows, err = c.Unfinished(t.Context()); err != nil || len(flows) != 1 {
		t.Fatalf("got flows %+v, error %v", flows, err)
	}
	if err := c.Discard(t.Context(), flows[0].Key); !errors.Is(err, client.ErrSigned) || w.unfinished(t) != 1 {
		t.Errorf("signed flow: left %d flows, error %v", w.unfinished(t), err)
	}
}

// A finished creation cannot be discarded, because its key would pay again: another program may have finished it after
// the caller looked. Forget removes it, and nothing else.
func TestForget(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	if _, err := c.CreateTask(t.Context(), request("finished")); err != nil {
		t.Fatal(err)
	}
	finished, open := request("finished").FlowKey(), w.signedOnly(t, request("open")).Key
	if err := c.Discard(t.Context(), finished); !errors.Is(err, client.ErrEnded) {
		t.Errorf("discarded a finished creation: error %v", err)
	}
	if plan, err := c.Plan(t.Context(), client.Fund(request("finished"))); err != nil || !plan.Done {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	if err := c.Forget(t.Context(), open); err == nil || w.unfinished(t) != 1 {
		t.Errorf("forgot an unfinished creation: error %v", err)
	}
	for range 2 { // another program may have done it before
		if err := c.Forget(t.Context(), finished); err != nil {
			t.Error(err)
		}
	}
	if plan, err := c.Plan(t.Context(), client.Fund(request("finished"))); err != nil || plan.Done {
		t.Errorf("got plan %+v, error %v", plan, err)
	}
}

// A creation that was prepared for another program can be discarded unless that program has paid. Discard waits
// for its pending transaction.
func TestDiscardPaidElsewhere(t *testing.T) {
	w := newWorld(t)
	for _, paid := range []bool{false, true} {
		task := request(fmt.Sprint("elsewhere ", paid))
		prepared := w.client(t, func(o *client.Options) { o.Signer = absent{w.Agent} })
		if _, err := prepared.CreateTask(t.Context(), task); !errors.Is(err, errAbsent) {
			t.Fatalf("got error %v", err)
		}
		flows, err := prepared.Unfinished(t.Context())
		if err != nil || len(flows) != 1 || !flows[0].Agreed {
			t.Fatalf("got flows %+v, error %v", flows, err)
		}
		if paid {
			plan, err := prepared.Plan(t.Context(), client.Fund(task))
			if err != nil {
				t.Fatal(err)
			}
			w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, task.Amount))
			w.waiting(t, w.Contracts.PostTask(task.Amount, plan.FeeBasisPoints, *plan.TermsHash))
			time.AfterFunc(time.Second, func() { _ = w.Dev.Mine(t.Context(), 1) })
		}
		err = w.client(t).Discard(t.Context(), flows[0].Key)
		if errors.Is(err, client.ErrSigned) != paid || !paid && err != nil || (w.unfinished(t) == 1) != paid {
			t.Errorf("paid %v: left %d flows, error %v", paid, w.unfinished(t), err)
		}
	}
}
