package client_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// unsent runs an action that is killed after its transaction was signed and saved, but before it
// was sent.
func (w *world) unsent(t *testing.T, do func(*client.Client) error) {
	t.Helper()
	flows := &saved{FlowStore: w.options.Flows, fail: func(flow *client.Flow) error {
		if len(flow.Transactions) > 0 {
			return errKilled
		}
		return nil
	}}
	if err := do(w.client(t, func(o *client.Options) { o.Flows = flows })); !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
}

// scene is a task with one application.
type scene struct {
	task        client.Task
	id, stake   uint64
	application uuid.UUID
}

func (w *world) scene(t *testing.T, title string, steps int) scene {
	t.Helper()
	var s scene
	s.task, s.id = w.created(t, title)
	s.application, s.stake = w.applied(t, s.id)
	if steps > 0 {
		w.Accept(t, w.Agent, s.id, s.stake)
	}
	if steps > 1 {
		w.submitted(t, s.task, s.id)
	}
	return s
}

// decided sets the application's status in the fake API.
func (w *world) decided(application uuid.UUID, status string) {
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	for _, a := range w.api.apps {
		if a["id"] == application.String() {
			a["status"] = status
		}
	}
}

// actionCase is one of the library's actions, applied to a scene.
type actionCase struct {
	name    market.Action
	steps   int // state of the task before the action; 0: open, 1: accepted, 2: submitted
	request func(scene) client.ActionRequest
	call    func(*world, scene) chain.Call // the call that the plan should contain
}

// do plans and executes the action.
func (a actionCase) do(ctx context.Context, c *client.Client, s scene) error {
	plan, err := c.Plan(ctx, a.request(s))
	if err != nil {
		return err
	}
	_, err = c.Execute(ctx, plan)
	return err
}

func actionCases() []actionCase {
	onTask := func(call func(*chain.Contracts, common.Address, uint64) chain.Call) func(*world, scene) chain.Call {
		return func(w *world, s scene) chain.Call { return call(w.Contracts, w.Deployment.Escrow, s.id) }
	}
	return []actionCase{
		{
			market.ActionAccept, 0, func(s scene) client.ActionRequest { return client.Accept(s.task.ID, s.application) },
			func(w *world, s scene) chain.Call {
				return w.Contracts.AcceptApplication(w.Deployment.Escrow, s.id, s.stake)
			},
		},
		{
			market.ActionReject, 0, func(s scene) client.ActionRequest {
				return client.Reject(s.task.ID, s.application, "No photos of yours.")
			},
			func(w *world, s scene) chain.Call { return w.Contracts.RejectApplication(s.stake) },
		},
		{
			market.ActionCancel, 0, func(s scene) client.ActionRequest { return client.Cancel(s.task.ID) }, onTask((*chain.Contracts).CancelTask),
		},
		{
			market.ActionApprove, 2, func(s scene) client.ActionRequest { return client.Approve(s.task.ID) }, onTask((*chain.Contracts).ApproveTask),
		},
		{
			market.ActionDispute, 2, func(s scene) client.ActionRequest { return client.Dispute(s.task.ID, "No photo shows the harbour.") },
			onTask((*chain.Contracts).DisputeTask),
		},
	}
}

func (s scene) secondApplication(t *testing.T, w *world) uuid.UUID {
	t.Helper()
	stake, _ := w.Apply(t, w.OtherHuman, s.id, chaintest.Tokens(1))
	other := uuid.New()
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	w.api.apps = append(w.api.apps, object{
		"id": other.String(), "status": "pending", "human_wallet": w.OtherHuman.Address().Hex(),
		"onchain_application_id": fmt.Sprint(stake),
	})
	return other
}
