package client_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/market"
)

// A plan contains the exact call, and making the plan signs and changes nothing. Allow receives the
// same plan before the signature, and nothing is sent if Allow returns an error.
func TestPlansOfActions(t *testing.T) {
	w := newWorld(t)
	no := errors.New("no")
	for _, a := range actionCases() {
		t.Run(string(a.name), func(t *testing.T) {
			s := w.scene(t, string(a.name), a.steps)
			var reviewed client.Plan
			c := w.client(t, func(o *client.Options) {
				o.Signer = mute{w.Agent, t}
				o.Allow = func(_ context.Context, p client.Plan) error {
					reviewed = p
					return no
				}
			})
			before := w.nonce(t)
			plan, err := c.Plan(t.Context(), a.request(s))
			if err != nil {
				t.Fatal(err)
			}
			got := chain.Call{To: plan.Transaction.To, Data: plan.Transaction.Data}
			if diff := cmp.Diff(a.call(w, s), got); diff != "" || !plan.Simulated || plan.Done || plan.Consequence == "" || plan.Transaction.Gas == 0 {
				t.Errorf("%+v: %s", plan, diff)
			}
			w.unwatched(s.task) // the fake API shows an action as done as soon as it is proposed
			if err := a.do(t.Context(), c, s); !errors.Is(err, no) || reviewed.ID != plan.ID || w.nonce(t) != before {
				t.Errorf("planned %s, reviewed %s, error %v, %d transactions", plan.ID, reviewed.ID, err, w.nonce(t)-before)
			}
			if flows, err := c.Unfinished(t.Context()); err != nil || len(flows) != 0 {
				t.Errorf("left %+v, error %v", flows, err)
			}
		})
	}
}

// unwatched restores the task in the fake API to its state before any proposal.
func (w *world) unwatched(task client.Task) {
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	record := w.api.tasks[task.ID.String()]
	record["status"] = string(task.Status)
	delete(record, "agent_approved_at")
}

// Planning an action that the chain would reject returns an error.
func TestPlanRejectedByChain(t *testing.T) {
	w := newWorld(t)
	c := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	for _, a := range actionCases() {
		if a.name == market.ActionAccept {
			continue // at this stage the acceptance is already done, which is not an error
		}
		s := w.scene(t, string(a.name), 2-a.steps) // a stage at which the contract rejects the action
		_, err := c.Plan(t.Context(), a.request(s))
		if refused, ok := errors.AsType[*rpc.RevertError](err); !ok || refused.Name == "" {
			t.Errorf("%s: error %v", a.name, err)
		}
	}
}

// The plan for an action that the chain already shows contains no transaction.
func TestPlanOfDoneAction(t *testing.T) {
	w := newWorld(t)
	for _, a := range actionCases() {
		s := w.scene(t, string(a.name), a.steps)
		if err := a.do(t.Context(), w.client(t), s); err != nil {
			t.Fatal(err)
		}
		before := w.nonce(t)
		silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
		plan, err := silent.Plan(t.Context(), a.request(s))
		if err != nil || !plan.Done || plan.Transaction != nil {
			t.Errorf("%s: got plan %+v, error %v", a.name, plan, err)
		}
		if err := a.do(t.Context(), silent, s); err != nil || w.nonce(t) != before {
			t.Errorf("%s: repeated request: error %v, %d transactions", a.name, err, w.nonce(t)-before)
		}
	}
}
