package server_test

import (
	"sync/atomic"
	"testing"

	"taskmarket/server"
)

// When the watcher has stopped, the service still serves reads, but it is not ready and returns no
// contract calls.
func TestHaltedWatcherServesReadsOnly(t *testing.T) {
	t.Parallel()
	var halted atomic.Bool
	r := newRig(t, func(o *server.Options) { o.Halted = halted.Load })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	halted.Store(true)
	if got := r.do("GET", "/api/v1/health", ""); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("health = %d %s", got.status, got.body)
	}
	if got, err := agent.GetTaskWithResponse(t.Context(), task.ID, nil); err != nil || got.JSON200 == nil {
		t.Errorf("a read = %s, %v", answer(got), err)
	}
	if got, err := agent.CancelTaskWithResponse(t.Context(), task.ID); err != nil || got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
		t.Errorf("a call = %s, %v", answer(got), err)
	}
	halted.Store(false)
	if got, err := agent.CancelTaskWithResponse(t.Context(), task.ID); err != nil || got.JSON200 == nil {
		t.Errorf("a call afterwards = %s, %v", answer(got), err)
	}
}
