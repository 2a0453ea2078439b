package server_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// load is an Observer that records the load.
type load struct {
	gate.NoObserver
	mu     sync.Mutex
	shed   map[gate.Priority]int
	states map[gate.Priority][2]int // the last numbers of running and waiting requests
}

func (l *load) Shed(p gate.Priority) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shed[p]++
}

func (l *load) Load(p gate.Priority, running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.states[p] = [2]int{running, waiting}
}

// running returns the last number of running requests.
func (l *load) running(p gate.Priority) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.states[p][0]
}

// While the database does not answer the query of a handler, or the query of the authentication, more
// clients read than the server can serve. Most reads are refused, while writes and exits are served
// quickly. Afterwards, the server recovers by itself.
func TestOverloadRefusesReadsFirst(t *testing.T) {
	t.Parallel()
	// A lock on files delays the handler of the agent's reads. A lock on sessions delays the
	// authentication of the human's reads.
	for table, byHuman := range map[string]bool{"files": false, "sessions": true} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			const connections, clients = 8, 300
			observed := &load{shed: map[gate.Priority]int{}, states: map[gate.Priority][2]int{}}
			r := newRig(t)
			owner, worker := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
			agent, task := r.credentials(owner), r.submitted(owner, worker)
			r = r.replica(func(o *server.Options) {
				o.Store = openStore(t, storetest.URL(t, r.records), r.net.Deployment, store.WithConnections(connections))
				o.Observer = observed
			})
			reader := agent
			if byHuman {
				reader = r.credentials(worker)
			}
			at := "/api/v1/tasks/" + task.ID.String()
			read := func() reply { return r.do(http.MethodGet, at+"/files/", "", reader...) }
			kept := map[string]func() reply{
				"a decision":  func() reply { return r.do(http.MethodGet, at+"/next", "", agent...) },
				"an approval": func() reply { return r.do(http.MethodPost, at+"/approve", "{}", agent...) },
				"a message":   func() reply { return r.do(http.MethodPost, at+"/messages/", `{"content":"Hello."}`, agent...) },
			}
			for name, ask := range kept {
				if got := ask(); got.status >= http.StatusMultipleChoices {
					t.Fatalf("%s = %d %s", name, got.status, got.body)
				}
			}

			lock := storetest.DB(t, r.records).MustBegin()
			lock.MustExec(`LOCK TABLE ` + table + ` IN ACCESS EXCLUSIVE MODE`)
			began := time.Now()
			var group sync.WaitGroup
			var refused atomic.Int64
			for range clients {
				group.Go(func() {
					got := read()
					switch {
					case got.status != http.StatusServiceUnavailable && got.status != http.StatusOK:
						t.Errorf("a read = %d %s", got.status, got.body)
					case strings.Contains(got.body, "This server is overloaded."):
						if got.header.Get("Retry-After") == "" || errorOf(t, got.body) != "unavailable" {
							t.Errorf("a refused read: Retry-After %q, %s", got.header.Get("Retry-After"), got.body)
						}
						refused.Add(1)
					}
				})
			}
			// Measure only after the first refusal: until then, sending the requests keeps the processor busy.
			for deadline := time.Now().Add(5 * time.Second); refused.Load() == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("no read was refused")
				}
			}
			wantQuick(t, kept["a decision"])
			for name, ask := range kept {
				if got := ask(); got.status >= http.StatusMultipleChoices {
					t.Errorf("%s during the overload = %d %s", name, got.status, got.body)
				}
			}
			for deadline := time.Now().Add(5 * time.Second); int(refused.Load()) < clients*3/4; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Errorf("%d of %d reads were refused because of the load", refused.Load(), clients)
					break
				}
			}
			if err := lock.Rollback(); err != nil {
				t.Fatal(err)
			}
			group.Wait()
			if observed.shed[gate.PriorityRead] != int(refused.Load()) || observed.shed[gate.PriorityWrite] != 0 {
				t.Errorf("reported as refused: %v, want %d reads", observed.shed, refused.Load())
			}
			if got := read(); got.status != http.StatusOK {
				t.Errorf("a read after the overload = %d %s", got.status, got.body)
			}
			// The server logs the number of refusals at most once a second, not each refusal.
			took := time.Since(began)
			if lines := strings.Count(r.log.String(), "overloaded"); lines == 0 || lines > 1+int(took.Seconds()) {
				t.Errorf("%d log lines for %d refusals in %s", lines, refused.Load(), took)
			}
			if state := observed.states[gate.PriorityRead]; state != [2]int{0, 0} {
				t.Errorf("running and waiting reads after the overload = %v, want none", state)
			}
		})
	}
}

// While the table of messages is locked, more clients write to a task than the server can serve. They are
// refused with Retry-After, while confirmations and exits succeed. Afterwards, the server recovers by itself.
func TestOverloadRefusesWritesBeforeExits(t *testing.T) {
	t.Parallel()
	const connections, clients = 8, 300
	observed := &load{shed: map[gate.Priority]int{}, states: map[gate.Priority][2]int{}}
	r := newRig(t)
	owner, worker := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	agent, written := r.credentials(owner), r.submitted(owner, worker)
	posted := r.createTask(owner)
	_, receipt := r.net.Post(t, owner.signer, chaintest.Tokens(1), common.HexToHash(posted.TermsHash))
	r = r.replica(func(o *server.Options) {
		o.Store = openStore(t, storetest.URL(t, r.records), r.net.Deployment, store.WithConnections(connections))
		o.Observer = observed
	})
	write := func() reply {
		return r.do(http.MethodPost, "/api/v1/tasks/"+written.ID.String()+"/messages/", `{"content":"Hello."}`, agent...)
	}
	exits := map[string]func() reply{
		"a confirmation": func() reply {
			return r.do(http.MethodPost, "/api/v1/tasks/"+posted.ID.String()+"/confirm-create", `{"tx_hash":"`+receipt.TxHash.Hex()+`"}`, agent...)
		},
		"an approval": func() reply {
			return r.do(http.MethodPost, "/api/v1/tasks/"+written.ID.String()+"/approve", "{}", agent...)
		},
		"a cancellation": func() reply {
			return r.do(http.MethodPost, "/api/v1/tasks/"+posted.ID.String()+"/cancel", "", agent...)
		},
	}
	if got := write(); got.status != http.StatusCreated {
		t.Fatalf("a write = %d %s", got.status, got.body)
	}

	lock := storetest.DB(t, r.records).MustBegin()
	lock.MustExec(`LOCK TABLE task_messages IN ACCESS EXCLUSIVE MODE`)
	var group sync.WaitGroup
	var refused atomic.Int64
	for range clients {
		group.Go(func() {
			got := write()
			if got.status != http.StatusServiceUnavailable && got.status != http.StatusCreated {
				t.Errorf("a write = %d %s", got.status, got.body)
			}
			if strings.Contains(got.body, "This server is overloaded.") {
				if got.header.Get("Retry-After") == "" || errorOf(t, got.body) != "unavailable" {
					t.Errorf("a refused write: Retry-After %q, %s", got.header.Get("Retry-After"), got.body)
				}
				refused.Add(1)
			}
		})
	}
	for deadline := time.Now().Add(10 * time.Second); refused.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no write was refused")
		}
	}
	if running := observed.running(gate.PriorityWrite); running < connections {
		t.Errorf("%d writes run during the overload, want at least one for each of %d connections", running, connections)
	}
	wantQuick(t, exits["a confirmation"])
	for _, name := range []string{"a confirmation", "an approval", "a cancellation"} {
		if got := exits[name](); got.status != http.StatusOK {
			t.Errorf("%s during the overload = %d %s", name, got.status, got.body)
		}
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	if observed.shed[gate.PriorityWrite] != int(refused.Load()) || observed.shed[gate.PriorityRead] != 0 {
		t.Errorf("reported as refused: %v, want %d writes", observed.shed, refused.Load())
	}
	if got := write(); got.status != http.StatusCreated {
		t.Errorf("a write after the overload = %d %s", got.status, got.body)
	}
}

// Every operation that confirms or withdraws money is marked to be shed last.
func TestExitsAreShedLast(t *testing.T) {
	t.Parallel()
	var last []string
	for _, d := range operations(t) {
		if d.op.Extensions["x-shed"] == "last" {
			last = append(last, d.id)
		}
	}
	for _, id := range []string{
		"confirmTaskFunding", "confirmApplication", "approveTask", "cancelTask", "withdrawApplication", "submitWork", "disputeTask",
		"answerDispute", "postVerdict", "claimRewards", "getTaskNext",
	} {
		if !slices.Contains(last, id) {
			t.Errorf("%s is not marked x-shed: last", id)
		}
	}
}
