package e2e_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"taskmarket/chain/devnet"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// watcherStopped is part of the message that the server logs when it no longer follows the chain.
const watcherStopped = "the watcher has stopped"

// TestReorgBelowFinality: after a reorganisation of finalized blocks, the server serves
// only reads and returns no calls that move money, until the operator runs reindex to follow the
// other branch.
func TestReorgBelowFinality(t *testing.T) {
	t.Parallel()
	const slots = 2
	w := newWorld(t, devnet.Options{SlotsPerEpoch: slots})
	defer w.end()
	task := w.active(w.net.Head(t).Time.AddDate(0, 0, 7))
	w.net.Mine(t, 3*slots)
	w.settle()
	fork := w.net.Head(t).Number
	_, err := w.human().Submit(w.ctx, task.ID, "The photographs are attached.")
	w.must(err)
	w.await(task.ID, gen.TaskStatusSubmitted)
	w.net.Mine(t, 3*slots)
	w.settle()

	w.net.Reorg(t, int(w.net.Head(t).Number-fork))
	w.server.expected = watcherStopped
	for w.ask("GET", "/health", "").status != http.StatusServiceUnavailable {
		w.pause("wait for the server to become unhealthy")
	}
	if !strings.Contains(w.logs(), watcherStopped) {
		t.Error("the log does not report that the watcher has stopped")
	}
	w.await(task.ID, gen.TaskStatusSubmitted) // the records do not change until reindex is run
	for path, body := range map[string]string{"approve": `{}`, "dispute": `{"reason":"No photographs."}`} {
		got := w.ask("POST", "/tasks/"+task.ID.String()+"/"+path, body, "X-API-Key", w.agent.Key)
		if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, string(market.KindChainUnavailable)) || got.header.Get("Retry-After") == "" {
			t.Errorf("%s = %d %s, want 503", path, got.status, got.body)
		}
	}

	w.must(w.server.stop())
	w.operate(w.database, "reindex", "--from", strconv.FormatUint(fork, 10))
	w.must(w.server.start(w.ctx))
	w.await(task.ID, gen.TaskStatusActive) // the new branch has no submission
	cancelled, err := w.agent.Cancel(w.ctx, task.ID)
	w.must(err)
	w.wantStatus(w.await(task.ID, gen.TaskStatusCancelled), cancelled.Task.Status)
}
