package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
)

// killer simulates a crash of the client at its n-th external step: a request to the API, a call to
// the node, or a change to the journal. The crash happens before the step takes effect or, if after
// is true, afterwards. The client cannot distinguish the two.
type killer struct {
	mu    sync.Mutex
	at    int
	after bool
	kill  context.CancelFunc
	count int
	dead  bool
	done  []string // names of the steps so far, for failure messages
}

var errKilled = errors.New("killed")

// step executes one step unless the client is already dead. If it kills the client at this step, it
// executes the step only if after is true, and returns errKilled.
func (k *killer) step(name string, do func() error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return errKilled
	}
	k.count++
	k.done = append(k.done, name)
	k.dead = k.count == k.at
	if k.dead {
		defer k.kill()
	}
	if k.dead && !k.after {
		return errKilled
	}
	if err := do(); err != nil || !k.dead {
		return err
	}
	return errKilled
}

func (k *killer) wrap(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		err := k.step(name+r.URL.Path, func() error {
			next.ServeHTTP(answer, r)
			return nil
		})
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		for header, values := range answer.Header() {
			w.Header()[header] = values
		}
		w.WriteHeader(answer.Code)
		if _, err := w.Write(answer.Body.Bytes()); err != nil {
			panic(http.ErrAbortHandler)
		}
	})
}

// journal is a FlowStore whose changes count as steps for the killer.
type journal struct {
	client.FlowStore
	*killer
}

func (j journal) Save(ctx context.Context, flow *client.Flow) error {
	return j.step("save", func() error { return j.FlowStore.Save(ctx, flow) })
}

func (j journal) Remove(ctx context.Context, key string) error {
	return j.step("remove", func() error { return j.FlowStore.Remove(ctx, key) })
}

// killed runs CreateTask and reports whether the killer stopped it.
func (w *world) killed(t *testing.T, task client.TaskRequest, k *killer) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	k.kill = cancel
	node, err := url.Parse(w.Dev.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := w.client(t, func(o *client.Options) {
		o.BaseURL = serve(t, k.wrap("API ", w.api))
		o.RPCURL = serve(t, k.wrap("node ", httputil.NewSingleHostReverseProxy(node)))
		o.Flows = journal{o.Flows, k}
	})
	_, err = c.CreateTask(ctx, task)
	if k.dead && err == nil {
		t.Errorf("killed at %q without an error", k.done[len(k.done)-1])
	}
	return k.dead
}

// After a crash at any step, repeating the request returns the same task and pays once.
func TestCreateTaskSurvivesEveryCrash(t *testing.T) {
	w := newWorld(t)
	for _, after := range []bool{false, true} {
		steps := 0
		for at := 1; ; at++ {
			task := request(fmt.Sprintf("crash %v %d", after, at))
			k := &killer{at: at, after: after}
			if !w.killed(t, task, k) {
				break
			}
			steps++
			w.finish(t, task, fmt.Sprintf("%s (step %d, after %v)", k.done[len(k.done)-1], at, after))
		}
		if steps < 20 {
			t.Errorf("killed at only %d steps", steps)
		}
	}
}

// finish requests the task again and checks that it was recorded and paid for only once.
func (w *world) finish(t *testing.T, task client.TaskRequest, when string) {
	t.Helper()
	c := w.client(t)
	got, err := c.CreateTask(t.Context(), task)
	if err != nil {
		t.Fatalf("killed at %s: second request: %v", when, err)
	}
	w.paidOnce(t, got, task, when)
	again, err := c.CreateTask(t.Context(), task)
	if err != nil || again.ID != got.ID {
		t.Errorf("killed at %s: third request: task %s, error %v", when, again.ID, err)
	}
	w.paidOnce(t, got, task, when)
}

func (w *world) paidOnce(t *testing.T, got client.Task, task client.TaskRequest, when string) {
	t.Helper()
	if got.Status != "funded" || got.Title != task.Title {
		t.Errorf("%s: got task %q in status %s", when, got.Title, got.Status)
	}
	var paid int
	for _, hash := range w.posted(t) {
		if hash == common.HexToHash(got.TermsHash) {
			paid++
		}
	}
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	var records int
	for _, record := range w.api.tasks {
		if record["title"] == task.Title {
			records++
		}
	}
	if paid != 1 || records != 1 {
		t.Errorf("%s: %d payments for %d records", when, paid, records)
	}
}
