package gate_test

import (
	"strings"
	"sync"
	"testing"
)

func TestIdempotencyKeyReturnsTheStoredAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := r.verifiedAgent(), r.verifiedAgent()
	create := func(key, body string, who *user) reply {
		return r.do("POST", "/api/v1/tasks/", body, "X-API-Key", who.key, "Idempotency-Key", key)
	}
	first := create("a", goodTask, agent)
	if first.status != 201 {
		t.Fatalf("first = %d %s", first.status, first.body)
	}
	if again := create("a", goodTask, agent); again.status != 201 || again.body != first.body {
		t.Errorf("again = %d %s, want the first response", again.status, again.body)
	}
	if twin := r.do("POST", "/api/v1/tasks", goodTask, "X-API-Key", agent.key, "Idempotency-Key", "a"); twin.body != first.body {
		t.Errorf("with a trailing slash = %d %s", twin.status, twin.body)
	}
	if changed := create("a", strings.Replace(goodTask, `"T"`, `"U"`, 1), agent); changed.status != 409 || errorOf(t, changed.body) != "idempotency_key_reused" {
		t.Errorf("other body = %d %s", changed.status, changed.body)
	}
	if foreign := create("a", goodTask, other); foreign.status != 201 || foreign.body == first.body {
		t.Errorf("other agent = %d %s", foreign.status, foreign.body)
	}
	if fresh := create("b", goodTask, agent); fresh.status != 201 || fresh.body == first.body {
		t.Errorf("other key = %d %s", fresh.status, fresh.body)
	}
	// An error response is not stored, so the same key can be used again.
	if refused := create("c", `{"title":"","description":"D","escrow_amount":"10000000000000000"}`, agent); refused.status != 400 {
		t.Errorf("refused = %d", refused.status)
	}
	if retried := create("c", goodTask, agent); retried.status != 201 {
		t.Errorf("retried = %d %s", retried.status, retried.body)
	}
	for _, key := range []string{strings.Repeat("x", 256), "a b", "ключ"} {
		if got := create(key, goodTask, agent); got.status != 400 {
			t.Errorf("key %.20q = %d %s", key, got.status, got.body)
		}
	}
}

func TestConcurrentIdempotencyKeysCreateOneTask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	var wg sync.WaitGroup
	bodies := make(chan string, 20)
	for range cap(bodies) {
		wg.Go(func() {
			got := r.do("POST", "/api/v1/tasks/", goodTask, "X-API-Key", agent.key, "Idempotency-Key", "k")
			if got.status == 201 {
				bodies <- got.body
			} else if errorOf(t, got.body) != "request_in_progress" {
				t.Errorf("= %d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	close(bodies)
	different := map[string]bool{}
	for body := range bodies {
		different[body] = true
	}
	if created := r.stub.created.Load(); created != 1 || len(different) != 1 {
		t.Errorf("%d different responses, %d calls of the handler", len(different), created)
	}
}
