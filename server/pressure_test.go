package server_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
	netgate "taskmarket/test/gate"
)

// quick is the maximum 90th percentile of the durations of requests that a fault must not delay. A delayed
// request waits for at least two seconds: a node call times out after two seconds, and a lock after three. An
// undelayed request takes about a tenth of a second with the race detector on a busy machine.
const quick = time.Second

// wantQuick requires that requests of a few concurrent clients succeed during a fault, and that nine
// of ten take at most quick.
func wantQuick(tb testing.TB, ask func() reply) {
	tb.Helper()
	const sides, each = 4, 25
	took := make([]time.Duration, sides*each)
	var group sync.WaitGroup
	for side := range sides {
		group.Go(func() {
			for i := range each {
				began := time.Now()
				if got := ask(); got.status >= http.StatusMultipleChoices {
					tb.Errorf("a request during the fault = %d %s", got.status, got.body)
				}
				took[side*each+i] = time.Since(began)
			}
		})
	}
	group.Wait()
	slices.Sort(took)
	if most := took[len(took)*9/10]; most > quick {
		tb.Errorf("the 90th percentile was %s during the fault, want at most %s", most, quick)
	}
}

// press calls ask repeatedly from n goroutines until the returned function is called.
func press(n int, ask func()) (end func()) {
	var over atomic.Bool
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			for !over.Load() {
				ask()
			}
		})
	}
	return func() { over.Store(true); group.Wait() }
}

// nodeProxy is a proxy in front of the rig's node. A test can delay and count requests, and replace the
// node's responses.
type nodeProxy struct {
	*httptest.Server
	requests atomic.Int64
	lookups  atomic.Int64 // number of requests for a transaction or a receipt
	delay    atomic.Int64
	waiting  atomic.Int64 // number of requests that are being delayed
	say      atomic.Pointer[func(http.ResponseWriter)]
}

func newNodeProxy(tb testing.TB, upstream string) *nodeProxy {
	tb.Helper()
	target, err := url.Parse(upstream)
	if err != nil {
		tb.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(target)
	p := &nodeProxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		body, err := io.ReadAll(r.Body) // the server detects a disconnected client only after reading the body
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte(`"eth_getTransaction`)) {
			p.lookups.Add(1)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		p.waiting.Add(1)
		select {
		case <-time.After(time.Duration(p.delay.Load())):
		case <-r.Context().Done():
		}
		p.waiting.Add(-1)
		if r.Context().Err() != nil {
			return
		}
		if say := p.say.Load(); say != nil {
			(*say)(w)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	tb.Cleanup(p.Close)
	return p
}

// impatient are node options with a timeout of two seconds and no retries.
var impatient = rpc.NodeOptions{CallTimeout: 2 * time.Second, Tries: 1}

// behindNode starts another server that calls the chain through a nodeProxy. It uses the rig's
// watcher.
func (r *rig) behindNode(options ...option) (*rig, *nodeProxy) {
	r.t.Helper()
	p := newNodeProxy(r.t, r.net.Dev.URL())
	node := chaintest.DialWith(r.t, impatient, p.URL)
	reader := chain.NewReader(node, r.net.Contracts)
	head := r.monitor(reader, 500*time.Millisecond)
	slow := func(o *server.Options) { o.Reader, o.Head, o.Verifier = reader, head, chain.NewVerifier(node) }
	return r.replica(append([]option{slow}, options...)...), p
}

// Requests that wait for a slow node hold no database connection, and wait no longer than the node
// options allow.
func TestThreat55SlowNodeHoldsNoConnection(t *testing.T) {
	t.Parallel()
	const confirmations = 200
	r := newRig(t)
	slow, node := r.behindNode()
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	read := func() reply { return slow.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key) }
	node.delay.Store(int64(30 * time.Second))
	end := press(confirmations, func() {
		began := time.Now()
		got := slow.do("POST", "/api/v1/tasks/"+task+"/confirm-create", `{"tx_hash":"0x`+nines(64)+`"}`, "X-API-Key", agent.key)
		if took := time.Since(began); got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" || took > 15*time.Second {
			t.Errorf("a confirmation = %d %s after %s", got.status, got.body, took)
		}
	})
	defer end()
	for began := time.Now(); node.waiting.Load() < confirmations/2; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d requests wait for the node", node.waiting.Load())
		}
	}
	wantQuick(t, read)
}

// Confirmations of invented hashes cause no more node requests than the agent's limit allows.
func TestThreat56InventedHashesAreLimited(t *testing.T) {
	t.Parallel()
	const confirmations, burst = 1_000, 10
	r := newRig(t)
	limited, node := r.behindNode(func(o *server.Options) {
		o.Limits["confirmTaskFunding"] = gate.Limit{Count: 30, Period: time.Minute, Burst: burst}
		o.Now = func() time.Time { return time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC) }
	})
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	asked := node.lookups.Load()
	count := map[string]int{}
	for i := range confirmations {
		body := `{"tx_hash":"` + common.BigToHash(chaintest.Tokens(int64(i))).Hex() + `"}`
		got := limited.do("POST", "/api/v1/tasks/"+task+"/confirm-create", body, "X-API-Key", agent.key)
		count[errorOf(t, got.body)]++
	}
	if count["tx_not_found"] != burst || count["rate_limited"] != confirmations-burst {
		t.Errorf("answers = %v, want %d tx_not_found, the others rate_limited", count, burst)
	}
	if asked = node.lookups.Load() - asked; asked < burst || asked > 3*burst {
		t.Errorf("the node received %d lookups of transactions, want %d to %d", asked, burst, 3*burst)
	}
}

// endlessly writes the same text until the client stops reading or 64 MiB are written, and stores
// the length of the longest response in longest. After the largest response that a client may read, it writes
// slowly: socket buffers would otherwise store much more while a busy client has not closed the connection.
func endlessly(w http.ResponseWriter, longest *atomic.Int64, text string) {
	const largest, enough = 16 << 20, 64 << 20
	for written := int64(0); written < enough; {
		if written > largest {
			time.Sleep(100 * time.Millisecond)
		}
		n, err := io.WriteString(w, text)
		written += int64(n)
		for seen := longest.Load(); written > seen && !longest.CompareAndSwap(seen, written); {
			seen = longest.Load()
		}
		if err != nil {
			return
		}
	}
}

// An invalid response from the node does not make a request slow, and the server does not read beyond the size
// of the longest valid response.
func TestThreat65InvalidNodeAnswersAreRejected(t *testing.T) {
	t.Parallel()
	const bound = 25 << 20 // the largest response that is read, plus socket buffers
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	odd, node := r.behindNode()
	const head = `{"jsonrpc":"2.0","id":1,"result":`
	spaces, zeros := strings.Repeat(" ", 1<<20), strings.Repeat("0", 1<<20)
	var longest atomic.Int64
	for name, say := range map[string]func(http.ResponseWriter){
		"empty response":             func(http.ResponseWriter) {},
		"truncated JSON":             func(w http.ResponseWriter) { jsonAnswer(w, head) },
		"an HTML page":               func(w http.ResponseWriter) { jsonAnswer(w, "<html>busy</html>") },
		"a list":                     func(w http.ResponseWriter) { jsonAnswer(w, "[]") },
		"a number":                   func(w http.ResponseWriter) { jsonAnswer(w, "5") },
		"null":                       func(w http.ResponseWriter) { jsonAnswer(w, "null") },
		"no result":                  func(w http.ResponseWriter) { jsonAnswer(w, `{"jsonrpc":"2.0","id":1}`) },
		"another JSON type":          func(w http.ResponseWriter) { jsonAnswer(w, head+`{"a":[]}}`) },
		"invalid hexadecimal digits": func(w http.ResponseWriter) { jsonAnswer(w, head+`"0xzz"}`) },
		"too many digits":            func(w http.ResponseWriter) { jsonAnswer(w, head+`"0x1`+zeros+`"}`) },
		"an error": func(w http.ResponseWriter) {
			jsonAnswer(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}`)
		},
		"too many requests": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"bad gateway":       func(w http.ResponseWriter) { http.Error(w, "no", http.StatusBadGateway) },
		"a redirect": func(w http.ResponseWriter) {
			w.Header().Set("Location", r.net.Dev.URL())
			w.WriteHeader(http.StatusTemporaryRedirect)
		},
		"an aborted connection": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"deep nesting":          func(w http.ResponseWriter) { jsonAnswer(w, head+strings.Repeat("[", 1<<20)) },
		"endless white space":   func(w http.ResponseWriter) { endlessly(w, &longest, spaces) },
		"an endless string":     func(w http.ResponseWriter) { _, _ = io.WriteString(w, head+`"0x`); endlessly(w, &longest, zeros) },
		"an endless error":      func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway); endlessly(w, &longest, spaces) },
		"endless headers": func(w http.ResponseWriter) {
			w.Header().Set("X", strings.Repeat("x", 11<<20))
			jsonAnswer(w, head+`"0x1"}`)
		},
	} {
		longest.Store(0)
		node.say.Store(&say)
		began := time.Now()
		for _, got := range []reply{
			odd.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key),
			odd.do("POST", "/api/v1/tasks/"+task+"/confirm-create", `{"tx_hash":"0x`+nines(64)+`"}`, "X-API-Key", agent.key),
		} {
			absent := got.status == 400 && (name == "null" || name == "no result") // null means that the transaction does not exist
			if got.status != 503 && !absent {
				t.Errorf("%s = %d %s", name, got.status, got.body)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: two requests took %s", name, took)
		}
		if got := longest.Load(); got > bound {
			t.Errorf("%s: %d bytes of one response were read", name, got)
		}
	}
}

// A held lock blocks only the requests that need its row, and only for a limited time, even if
// there are many such requests.
func TestThreat84HeldLockDelaysOnlyItsRow(t *testing.T) {
	t.Parallel()
	const waiting = 40
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	held, other := r.active(agent, human).ID, r.createTask(agent).ID.String()
	read := func() reply { return r.do("GET", "/api/v1/tasks/"+other, "", "X-API-Key", agent.key) }
	write := func() reply {
		return r.do("POST", "/api/v1/messages/", `{"username":"`+human.username(r)+`","content":"x"}`, "X-API-Key", agent.key)
	}
	tx := storetest.DB(t, r.records).MustBeginTx(t.Context(), nil)
	tx.MustExecContext(t.Context(), `SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE`, held)
	end := press(waiting, func() {
		if got := r.do("POST", "/api/v1/tasks/"+held.String()+"/messages/", `{"content":"x"}`, "X-API-Key", agent.key); got.status != http.StatusServiceUnavailable {
			t.Errorf("a request for the locked row = %d %s", got.status, got.body)
		}
	})
	time.Sleep(300 * time.Millisecond) // most requests wait for the lock
	wantQuick(t, read)
	wantQuick(t, write)
	end()
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := r.do("POST", "/api/v1/tasks/"+held.String()+"/messages/", `{"content":"x"}`, "X-API-Key", agent.key); got.status != http.StatusCreated {
		t.Errorf("afterwards = %d %s", got.status, got.body)
	}
}

// behindGate starts another server with a network gate between it and the database.
func (r *rig) behindGate(t *testing.T) (*rig, *netgate.Gate) {
	t.Helper()
	u, err := url.Parse(storetest.URL(t, r.records))
	if err != nil {
		t.Fatal(err)
	}
	g := netgate.New(t, u.Host)
	u.Host = g.Addr()
	return r.replica(func(o *server.Options) { o.Store = openStore(t, u.String(), r.net.Deployment) }), g
}

// During database outages, requests succeed or return a retryable error, and each successful write
// is stored once.
func TestThreat85ServerSurvivesADatabaseOutage(t *testing.T) {
	t.Parallel()
	const restarts, sides = 10, 4
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	through, g := r.behindGate(t)
	var over atomic.Bool
	var group sync.WaitGroup
	var refused atomic.Int64
	made := make([]map[string]bool, sides)
	for side := range sides {
		made[side] = map[string]bool{}
		group.Go(func() {
			for i := 0; !over.Load(); i++ {
				title := fmt.Sprintf("task %d-%d", side, i)
				got := through.do("POST", "/api/v1/tasks/", strings.Replace(goodTask, `"T"`, strconv.Quote(title), 1), "X-API-Key", agent.key)
				switch got.status {
				case http.StatusCreated:
					made[side][title] = true
				case http.StatusServiceUnavailable:
					refused.Add(1)
				default:
					t.Errorf("%s = %d %s", title, got.status, got.body)
				}
				if got := through.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key); got.status != 200 && got.status != 503 {
					t.Errorf("list = %d %s", got.status, got.body)
				}
			}
		})
	}
	for i := range restarts {
		if i%2 == 0 {
			g.Shut()
			time.Sleep(50 * time.Millisecond)
			g.Open()
		} else {
			storetest.DB(t, r.records).MustExecContext(t.Context(),
				`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		}
		began := time.Now()
		for through.do("GET", "/api/v1/health", "").status != 200 {
			if time.Since(began) > 5*time.Second {
				t.Fatal("the service does not recover")
			}
		}
		time.Sleep(100 * time.Millisecond) // let some requests through between the outages
	}
	over.Store(true)
	group.Wait()
	var kept []string
	if err := storetest.DB(t, r.records).SelectContext(t.Context(), &kept, `SELECT title FROM tasks WHERE title LIKE 'task %'`); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, title := range kept {
		count[title]++
	}
	answered := 0
	for _, titles := range made {
		for title := range titles {
			answered++
			if count[title] != 1 {
				t.Errorf("%s was confirmed and is stored %d times", title, count[title])
			}
		}
	}
	if refused.Load() == 0 {
		t.Error("no request was sent while the database was down")
	}
	t.Logf("%d tasks were confirmed, %d are stored, %d requests were refused", answered, len(kept), refused.Load())
}
