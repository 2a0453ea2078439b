package server_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// Health is degraded while a component is down, and recovers when the component does. Only a process
// that cannot serve requests is unavailable.
func TestHealthReportsEachFault(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	u, err := url.Parse(storetest.URL(t, r.records))
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	var halted, stopping, unread atomic.Bool
	asked, node := r.behindNode(func(o *server.Options) {
		o.Store = openStore(t, u.String(), r.net.Deployment)
		o.Halted, o.Stopping = halted.Load, stopping.Load
		head := o.Head
		o.Head = func() (market.Block, error) {
			if unread.Load() {
				return market.Block{}, market.ErrHeadUnread
			}
			return head()
		}
	})
	fails := func(w http.ResponseWriter) { http.Error(w, "no", http.StatusBadGateway) }
	good := func() { // polls, because the node's circuit breaker closes only after a moment
		t.Helper()
		for end := time.Now().Add(15 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			got := asked.do("GET", "/api/v1/health", "")
			if got.status == 200 && strings.Contains(got.body, `"status":"ok"`) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("health = %d %s, want ok", got.status, got.body)
			}
		}
	}
	for _, fault := range []struct {
		name       string
		begin, end func()
		status     int
		says       []string
	}{
		{"the node fails", func() { node.say.Store(&fails) }, func() { node.say.Store(nil) }, 200, []string{`"status":"degraded"`, `"reasons":["node_unavailable"]`, `"database":"ok"`}},
		{"the node does not respond", func() { node.delay.Store(int64(time.Minute)) }, func() { node.delay.Store(0) }, 200, []string{`"status":"degraded"`, `"reasons":["node_unavailable"]`, `"database":"ok"`}},
		{"the database is down", g.Shut, g.Open, 503, []string{`"status":"unavailable"`, `"reasons":["database_unavailable"]`, `"database":"unavailable"`}},
		{"the watcher has stopped", func() { halted.Store(true) }, func() { halted.Store(false) }, 503, []string{`"status":"unavailable"`, `"reasons":["watcher_halted"]`, `"database":"ok"`}},
		{"no node was asked for the head yet", func() { unread.Store(true) }, func() { unread.Store(false) }, 503, []string{`"status":"unavailable"`, `"reasons":["starting"]`, `"database":"ok"`}},
		{"the process stops", func() { stopping.Store(true) }, func() { stopping.Store(false) }, 503, []string{`"status":"unavailable"`, `"reasons":["stopping"]`, `"database":"ok"`}},
	} {
		good()
		fault.begin()
		var got reply
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			began := time.Now()
			got = asked.do("GET", "/api/v1/health", "")
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%s: health took %s", fault.name, took)
			}
			if !strings.Contains(got.body, `"status":"ok"`) {
				break
			}
		}
		for _, said := range fault.says {
			if got.status != fault.status || !strings.Contains(got.body, said) {
				t.Errorf("%s: health = %d %s, want %d %s", fault.name, got.status, got.body, fault.status, said)
			}
		}
		fault.end()
	}
	good()
	behind := r.replica(func(o *server.Options) {
		read := o.Head
		o.Head = func() (market.Block, error) { // reports a head one hour ahead of the followed blocks
			head, err := read()
			head.Number, head.Time = head.Number+1800, head.Time.Add(time.Hour)
			return head, err
		}
	})
	got, err := behind.anonymous().GetHealthWithResponse(t.Context())
	if err != nil || got.JSON200 == nil || got.JSON200.Status != client.HealthStatusDegraded || *got.JSON200.Chain.LagSeconds != 3600 || *got.JSON200.Chain.LagBlocks != 1800 {
		t.Errorf("an hour behind: health = %s, %v", answer(got), err)
	}
}

// A slow node, which takes 2.5 s per call, does not degrade health, and health requests do not call
// the node.
func TestHealthSendsNoNodeRequest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	p.delay.Store(int64(2500 * time.Millisecond))
	reader := chain.NewReader(chaintest.Dial(t, p.URL), r.net.Contracts)
	head := r.monitor(reader, 20*time.Millisecond)
	slow := r.replica(func(o *server.Options) { o.Reader, o.Head = reader, head })
	before, began := p.requests.Load(), time.Now()
	for range 200 {
		if got := slow.do("GET", "/api/v1/health", ""); got.status != http.StatusOK || !strings.Contains(got.body, `"status":"ok"`) {
			t.Fatalf("health = %d %s, want ok", got.status, got.body)
		}
	}
	if asked, most := p.requests.Load()-before, 2+int64(time.Since(began)/(2500*time.Millisecond)); asked > most {
		t.Errorf("the node was called %d times in %s, want at most %d", asked, time.Since(began), most)
	}
}

func TestHealthReportsTheFollowedHeight(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	got, err := r.anonymous().GetHealthWithResponse(t.Context())
	if err != nil || got.JSON200 == nil {
		t.Fatalf("health = %s, %v", answer(got), err)
	}
	h := *got.JSON200
	if h.Status != "ok" || h.Database != "ok" || h.Version != "test" || *h.Chain.Head != *h.Chain.Cursor || *h.Chain.LagBlocks != 0 || *h.Chain.LagSeconds != 0 {
		t.Errorf("health = %s", got.Body)
	}
	if err := r.store.Close(); err != nil {
		t.Fatal(err)
	}
	down, err := r.anonymous().GetHealthWithResponse(t.Context())
	if err != nil || down.JSON503 == nil || down.JSON503.Database != "unavailable" {
		t.Errorf("without a database = %s, %v", answer(down), err)
	}
}

// A process that is starting serves the web app and the static documents, and refuses all API
// requests. /livez returns 200, and /readyz 503.
func TestStartingServer(t *testing.T) {
	t.Parallel()
	var starting atomic.Bool
	r := newIdleRig(t, withApp, func(o *server.Options) { o.Starting = starting.Load })
	starting.Store(true)
	for path, want := range map[string]int{
		"/livez": 200, "/readyz": 503, "/": 200, "/tasks": 200, "/openapi.json": 200, "/openapi.yaml": 200, "/docs": 200, "/rescue": 200,
		"/api/v1/health": 503, "/api/v1/tasks/": 503, "/api/v1/board": 503, "/api/v1/config/skills": 503, "/nothing": 404,
	} {
		got := r.read("GET", path)
		if got.status != want || want == 503 && path != "/readyz" && got.header.Get("Retry-After") == "" {
			t.Errorf("GET %s = %d %q, %v, want %d", path, got.status, got.body, got.header, want)
		}
	}
	if got := r.read("GET", "/readyz"); got.body != "starting\n" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("GET /readyz = %q, %v", got.body, got.header)
	}
	starting.Store(false)
	if got := r.read("GET", "/readyz"); got.status != http.StatusOK || got.body != "ok\n" {
		t.Errorf("GET /readyz when it has started = %d %q", got.status, got.body)
	}
	if got := r.read("GET", "/api/v1/board"); got.status != http.StatusOK {
		t.Errorf("GET /board when it has started = %d %q", got.status, got.body)
	}
}

// Readiness lists every reason why the process cannot serve requests; liveness has no dependencies.
func TestReadinessListsItsReasons(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	r := newRig(t)
	line, address := newLine(t, storetest.URL(t, r.records))
	records := openStore(t, address, r.net.Deployment)
	apart := r.replica(func(o *server.Options) { o.Store, o.Stopping = records, stopping.Load })
	degraded := r.replica(func(o *server.Options) {
		o.Problems = func(context.Context) []market.HealthReason { return []market.HealthReason{market.ReasonDiskFull} }
	})
	if got := degraded.read("GET", "/readyz"); got.status != http.StatusOK {
		t.Errorf("GET /readyz of a degraded server = %d %q, want 200", got.status, got.body)
	}
	line.set(lineRefuses)
	stopping.Store(true)
	if got := apart.read("GET", "/readyz"); got.status != http.StatusServiceUnavailable || got.body != "database_unavailable\nstopping\n" {
		t.Errorf("GET /readyz = %d %q", got.status, got.body)
	}
	if got := apart.read("GET", "/livez"); got.status != http.StatusOK || got.body != "ok\n" {
		t.Errorf("GET /livez = %d %q", got.status, got.body)
	}
}
