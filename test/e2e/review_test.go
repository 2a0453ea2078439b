package e2e_test

import (
	"testing"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

// disputed returns a task that the agent has disputed.
func (w *world) disputed() client.Task {
	w.t.Helper()
	task := w.submitted()
	_, err := w.agent.Dispute(w.ctx, task.ID, "The photographs show another harbour.")
	w.must(err)
	return w.await(task.ID, gen.TaskStatusDisputed)
}

// TestDisputeWonByTheAgent: the agent is refunded, and the human's stake is transferred to the
// treasury.
func TestDisputeWonByTheAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.disputed()
	w.vote(task.ID, false)
	w.await(task.ID, gen.TaskStatusRejected)
	w.wantGains(before, refunded)
}
