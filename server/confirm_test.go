package server_test

import (
	"testing"

	"taskmarket/gen/client"
)

// lose deletes the logs of the last block from the database, as if the node had omitted them.
func (r *rig) lose() {
	r.t.Helper()
	r.settle()
	cursor, err := r.store.Cursor(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	if changed, err := r.store.Repair(r.t.Context(), cursor, cursor.Block, nil); err != nil || changed == 0 {
		r.t.Fatalf("Repair() = %d, %v, want the logs of block %d deleted", changed, err, cursor.Block.Number)
	}
}

// A confirmation makes the watcher reread a followed block if a receipt proves a log that the
// watcher did not find in it.
func TestThreat43ConfirmRereadsAReorganisedBlock(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)

	task := r.funded(agent)
	r.lose()
	if lost := r.task(agent, task.ID); lost.Status != client.TaskStatusNew {
		t.Fatalf("task is %s after the loss, want new", lost.Status)
	}
	funded, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: *task.EscrowCreationTxHash})
	if err != nil || funded.JSON200 == nil || funded.JSON200.Status != client.TaskStatusFunded {
		t.Fatalf("confirm-create = %s, %v, want the task funded", answer(funded), err)
	}

	_, tx := r.hire(agent, human, task.ID)
	r.lose()
	active, err := agent.ConfirmApplicationWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: tx.Hex()})
	if err != nil || active.JSON200 == nil || active.JSON200.Status != client.TaskStatusActive {
		t.Errorf("confirm = %s, %v, want the task active", answer(active), err)
	}
}
