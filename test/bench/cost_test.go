//go:build linux

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/market"
	"taskmarket/store"
)

var updateCosts = flag.Bool("update", false, "write the measured costs to testdata/costs.txt")

// costsFile lists the maximum costs of each request: allocations of the server, statements, and bytes
// of write-ahead log. 0 means that a cost is not measured.
var costsFile = filepath.Join("testdata", "costs.txt")

const (
	costWarmUp   = 60
	costRequests = 120
)

// Costs vary a little, because memory is pooled and index pages are split.
const (
	allocationSlack = 1.05
	walSlack        = 1.10
)

// cost is the cost of a request or of a call to the store. Allocations and wal are averages. 0 means not
// measured.
type cost struct {
	name        string
	allocations float64
	statements  int
	wal         float64
}

// The costs of requests do not grow. Unlike durations, these figures do not depend on the machine. If a
// change makes a request more expensive for a good reason, run
//
//	go test ./test/bench -run TestCosts -update
//
// and explain the new figures in the commit.
func TestCosts(t *testing.T) {
	measured := measureCosts(t)
	if *updateCosts {
		if err := os.WriteFile(costsFile, formatCosts(measured), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	limits := readCosts(t)
	for _, got := range measured {
		limit, known := limits[got.name]
		if !known {
			t.Errorf("%s has no limit: run go test ./test/bench -run TestCosts -update", got.name)
			continue
		}
		delete(limits, got.name)
		if got.allocations > limit.allocations*allocationSlack {
			t.Errorf("%s takes %.0f allocations, and the limit is %.0f", got.name, got.allocations, limit.allocations)
		}
		if got.statements > limit.statements {
			t.Errorf("%s takes %d statements, and the limit is %d", got.name, got.statements, limit.statements)
		}
		if got.wal > limit.wal*walSlack {
			t.Errorf("%s writes %.0f bytes of log, and the limit is %.0f", got.name, got.wal, limit.wal)
		}
	}
	for name := range limits {
		t.Errorf("%s has a limit but is not measured: remove it from %s", name, costsFile)
	}
}

// costBench is the environment of the measured requests, with a server in this process.
type costBench struct {
	t       *testing.T
	world   *world
	service *service
	records *store.Store
	handler http.Handler
}

func measureCosts(t *testing.T) []cost {
	t.Helper()
	b := newCostBench(t)
	var costs []cost
	for _, q := range endpoints {
		costs = append(costs, b.request(q))
	}
	costs = append(costs, b.request(endpoint{
		name: "creating a task", method: http.MethodPost, status: http.StatusCreated, path: fixed("/tasks/"),
		body: `{"title":"Say hello","description":"Say hello.","escrow_amount":"10000000000000000"}`,
	}))
	return append(costs, b.applying())
}

func newCostBench(t *testing.T) *costBench {
	t.Helper()
	ctx := t.Context()
	w, err := newWorld(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	s, err := newService(ctx, w, size{agents: 30, tasks: 200, activities: 25})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	records, err := store.Open(ctx, w.database.URL("service"), w.deployment, store.WithQuotas(store.Quotas{Unfunded: 1_000_000}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = records.Close() })
	reader := chain.NewReader(w.node, chain.NewContracts(w.deployment))
	handler, err := newHandler(serveConfig{Listen: "127.0.0.1:1", Deployment: w.deployment}, records, w.node, reader, chain.NewHeadMonitor(reader, time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return &costBench{t: t, world: w, service: s, records: records, handler: handler}
}

// request measures an endpoint.
func (b *costBench) request(q endpoint) cost {
	b.t.Helper()
	b.send(q, b.prepare(q, costWarmUp))
	c := cost{name: q.name}
	requests := b.prepare(q, costRequests)
	var before, after runtime.MemStats
	from := b.wal()
	runtime.ReadMemStats(&before)
	b.send(q, requests)
	runtime.ReadMemStats(&after)
	c.allocations = float64(after.Mallocs-before.Mallocs) / costRequests
	if q.method != http.MethodGet {
		c.wal = float64(b.wal()-from) / costRequests
	}
	again := b.prepare(q, 2)
	c.statements = b.countStatements(func() { b.send(q, again[:1]) }, func() { b.send(q, again[1:]) })
	return c
}

// prepare returns requests of one caller, so that preparing them is not measured.
func (b *costBench) prepare(q endpoint, count int) []*http.Request {
	random, who := rand.New(rand.NewPCG(seed, 0)), b.service.callers[0]
	requests := make([]*http.Request, count)
	for i := range requests {
		r := httptest.NewRequestWithContext(context.Background(), q.method, "/api/v1"+q.path(b.service, random, who), strings.NewReader(q.body))
		r.Header.Set("X-API-Key", who.key)
		if q.body == "" {
			r.Body = http.NoBody // as net/http's server does
		} else {
			r.Header.Set("Content-Type", "application/json")
		}
		requests[i] = r
	}
	return requests
}

func (b *costBench) send(q endpoint, requests []*http.Request) {
	b.t.Helper()
	for _, r := range requests {
		w := discarder{header: make(http.Header)}
		b.handler.ServeHTTP(&w, r)
		if w.status != q.status {
			b.t.Fatalf("%s %s: status %d, want %d", r.Method, r.URL, w.status, q.status)
		}
	}
}

// discarder is a response writer that keeps only the status.
type discarder struct {
	header http.Header
	status int
}

func (d *discarder) Header() http.Header         { return d.header }
func (d *discarder) WriteHeader(status int)      { d.status = status }
func (d *discarder) Write(p []byte) (int, error) { return len(p), nil }

// applying measures an application without HTTP, because a human would need a session.
func (b *costBench) applying() cost {
	b.t.Helper()
	ctx := b.t.Context()
	var human uuid.UUID
	if err := b.service.db.QueryRowContext(ctx, `SELECT id FROM users WHERE username = 'helper'`).Scan(&human); err != nil {
		b.t.Fatal(err)
	}
	next := 0
	apply := func() {
		a := market.Application{
			ID: uuid.Must(uuid.NewV7()), TaskID: b.service.board[next], HumanID: human, Message: "I can do this.", StakeAmount: market.MinimumEscrow(),
		}
		next++
		if _, err := b.records.CreateApplication(ctx, a); err != nil {
			b.t.Fatal(err)
		}
	}
	apply()
	c := cost{name: "applying", statements: b.countStatements(apply, apply)}
	const count = 40
	from := b.wal()
	for range count {
		apply()
	}
	c.wal = float64(b.wal()-from) / count
	return c
}

// wal returns the position in the write-ahead log, in bytes.
func (b *costBench) wal() (position int64) {
	b.t.Helper()
	err := b.service.db.QueryRowContext(b.t.Context(), `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint`).Scan(&position)
	if err != nil {
		b.t.Fatal(err)
	}
	return position
}

// countStatements runs do and returns the number of statements that PostgreSQL logged in that time. It
// runs warm first, because a session can use the former setting for one more command. Notifications that wake event
// streams are not counted: they are sent at most once in an interval.
func (b *costBench) countStatements(warm, do func()) int {
	b.t.Helper()
	b.configure("ALTER SYSTEM SET log_statement = 'all'")
	defer b.configure("ALTER SYSTEM RESET log_statement")
	time.Sleep(300 * time.Millisecond) // wait until the sessions have received the signal
	warm()
	before := len(b.log())
	do()
	count := 0
	for line := range bytes.Lines(b.log()[before:]) {
		if (bytes.Contains(line, []byte("LOG:  execute ")) || bytes.Contains(line, []byte("LOG:  statement: "))) && !bytes.Contains(line, []byte("NOTIFY")) {
			count++
		}
	}
	return count
}

func (b *costBench) log() []byte {
	b.t.Helper()
	log, err := os.ReadFile(b.world.path("postgres.log"))
	if err != nil {
		b.t.Fatal(err)
	}
	return log
}

func (b *costBench) configure(statement string) {
	b.t.Helper()
	for _, sql := range []string{statement, "SELECT pg_reload_conf()"} {
		if _, err := b.world.admin.ExecContext(b.t.Context(), sql); err != nil {
			b.t.Fatal(err)
		}
	}
}

func formatCosts(costs []cost) []byte {
	var out bytes.Buffer
	fmt.Fprintln(&out, "# name | allocations | statements | bytes of write-ahead log; see TestCosts")
	for _, c := range costs {
		fmt.Fprintf(&out, "%s | %.0f | %d | %.0f\n", c.name, c.allocations, c.statements, c.wal)
	}
	return out.Bytes()
}

func readCosts(t *testing.T) map[string]cost {
	t.Helper()
	text, err := os.ReadFile(costsFile)
	if err != nil {
		t.Fatal(err)
	}
	costs := make(map[string]cost)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " | ")
		c := cost{name: name}
		if _, err := fmt.Sscanf(rest, "%f | %d | %f", &c.allocations, &c.statements, &c.wal); err != nil {
			t.Fatalf("%s: line %q: %v", costsFile, line, err)
		}
		costs[name] = c
	}
	return costs
}
