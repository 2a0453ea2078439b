package client_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

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
	name  market.Action
	steps int // state of the task before the action; 0: open, 1: accepted, 2: submitted
	do    func(context.Context, *client.Client, scene) error
}

func actionCases() []actionCase {
	return []actionCase{
		{market.ActionAccept, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.AcceptApplication(ctx, s.task.ID, s.application)
			return err
		}},
		{market.ActionReject, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.RejectApplication(ctx, s.task.ID, s.application, "No photos of yours.")
			return err
		}},
		{market.ActionCancel, 0, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Cancel(ctx, s.task.ID)
			return err
		}},
		{market.ActionApprove, 2, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Approve(ctx, s.task.ID)
			return err
		}},
		{market.ActionDispute, 2, func(ctx context.Context, c *client.Client, s scene) error {
			_, err := c.Dispute(ctx, s.task.ID, "No photo shows the harbour.")
			return err
		}},
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
