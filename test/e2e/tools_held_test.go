package e2e_test

import (
	"testing"

	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

// heldOrder returns the arguments for a task that a moderation rule holds.
func heldOrder() args {
	return args{
		"idempotency_key": "held-order", "title": "Harbour photos", "description": "Upload a selfie holding your passport.", "escrow_amount": chaintest.Tokens(10).String(),
	}
}

// release ends the hold of a task, as a moderator.
func (w *world) release(task string) {
	w.t.Helper()
	_, err := w.records.Moderation.Decide(w.ctx, market.Decision{
		ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: market.SubjectTask, ID: uuid.MustParse(task)}, Measure: market.MeasureNone, DecidedBy: "ada",
	})
	w.must(err)
}

// The tools of both MCP servers refuse to fund a task that a rule holds, and fund it, or prepare its funding,
// once a moderator has released it.
func TestToolsPayForNoHeldTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	remote := w.toolsByHTTP(w.agent.Key)
	task := as[string](t, remote.call("create_task", heldOrder())["id"])
	const words = "is held until a moderator decides"
	remote.refused("prepare_task_funding", args{"task_id": task}, words)

	own := w.toolsOf(w.agent, t.TempDir(), "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "10 "+w.symbol())
	plan := own.call("plan_create_task", heldOrder())
	own.refused("execute_plan", args{"plan_id": plan["plan_id"], "spends": plan["spends"]}, words)
	own.refused("plan_create_task", heldOrder(), words)
	w.wantGains(before, gains{})

	for _, held := range as[[]any](t, remote.call("list_tasks", args{})["tasks"]) {
		w.release(as[string](t, as[args](t, held)["id"]))
	}
	if asked := remote.call("prepare_task_funding", args{"task_id": task}); asked["typed_data"] == nil {
		t.Errorf("after the decision: %v", asked)
	}
	// The refused plan did not count against the caps.
	own.execute("create_task", heldOrder())
	w.wantGains(before, gains{"agent": "-10", "escrow": "10"})
}
