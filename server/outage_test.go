package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/server"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
	"taskmarket/test/process"
)

// question is a request to an operation with the tag. The operation reads or writes the table.
type question struct {
	tag, table         string
	method, path, body string
	headers            []string
}

// questions returns a request for each tag. Requests about a task use one with submitted work.
func (r *rig) questions() []question {
	r.t.Helper()
	owner, worker := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	agent, human, task := r.credentials(owner), r.credentials(worker), r.submitted(owner, worker)
	at, name := "/tasks/"+task.ID.String(), *task.HumanUsername
	return []question{
		{"config", "tasks", "GET", "/board", "", nil},
		{"agents", "claims", "GET", "/agents/claims", "", agent},
		{"auth", "challenges", "GET", "/auth/siwe/message?address=" + (common.Address{1}).Hex(), "", nil},
		{"humans", "humans", "GET", "/humans/available", "", agent},
		{"profiles", "reviews", "GET", "/profiles/" + name, "", agent},
		{"reviews", "reviews", "GET", "/humans/" + worker.id.String() + "/reviews", "", agent},
		{"tasks", "tasks", "GET", at + "/next", "", agent},
		{"applications", "applications", "GET", at + "/applications", "", agent},
		{"files", "files", "GET", at + "/files/", "", human},
		{"submissions", "submissions", "POST", at + "/submission", `{"note":"","file_ids":[]}`, human},
		{"disputes", "disputes", "GET", at + "/dispute", "", human},
		{"verdicts", "verdicts", "GET", at + "/verdicts", "", agent},
		{"messages", "task_messages", "GET", at + "/messages/", "", human},
		{"activity", "activities", "GET", "/activity", "", human},
		{"account", "reports", "GET", "/account/export", "", human},
		{"moderation", "moderation_decisions", "GET", "/notices", "", human},
	}
}

func (r *rig) ask(q question) reply {
	r.t.Helper()
	return r.do(q.method, "/api/v1"+q.path, q.body, q.headers...)
}

// A failed SQL statement is an internal error in every part of the service: the cause is logged
// with the request id, and not returned.
func TestInternalErrorsAreLoggedAndNotReturned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	db := storetest.DB(t, r.records)
	for _, q := range r.questions() {
		t.Run(q.tag, func(t *testing.T) {
			before := r.ask(q)
			db.MustExec(`ALTER TABLE ` + q.table + ` RENAME TO lost`)
			failed := r.ask(q)
			db.MustExec(`ALTER TABLE lost RENAME TO ` + q.table)
			if failed.status != http.StatusInternalServerError || errorOf(t, failed.body) != "internal_error" {
				t.Errorf("%s %s without %s = %d %s", q.method, q.path, q.table, failed.status, failed.body)
			}
			r.wantLogged(failed, `relation \"`+q.table+`\" does not exist`)
			if after := r.ask(q); before.status >= http.StatusInternalServerError || after.status != before.status {
				t.Errorf("%s %s = %d before and %d %s after", q.method, q.path, before.status, after.status, after.body)
			}
		})
	}
}

// While the database is down, every part of the service returns a retryable error. It recovers
// without a restart.
func TestDatabaseOutageReturnsUnavailable(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	line, address := newLine(t, storetest.URL(t, r.records))
	records := openStore(t, address, r.net.Deployment)
	apart := r.replica(func(o *server.Options) { o.Store = records })
	for _, q := range r.questions() {
		for _, how := range []lineState{lineRefuses, lineHangsUp} {
			t.Run(fmt.Sprintf("%s, the line %s", q.tag, how), func(t *testing.T) {
				before := apart.ask(q)
				line.set(how)
				away := apart.ask(q)
				line.set(lineWorks)
				if away.status != http.StatusServiceUnavailable || errorOf(t, away.body) != "unavailable" {
					t.Errorf("%s %s = %d %s", q.method, q.path, away.status, away.body)
				}
				r.wantLogged(away, `"cause"`)
				if after := apart.ask(q); before.status >= http.StatusInternalServerError || after.status != before.status {
					t.Errorf("%s %s = %d before and %d %s after", q.method, q.path, before.status, after.status, after.body)
				}
			})
		}
	}
}

// unknown sends a request to the operation about unknown records, with credentials that it accepts.
func (r *rig) unknown(d documented, agent, human []string) reply {
	r.t.Helper()
	body, headers := bodies[d.id], []string{}
	switch {
	case d.key:
		headers = agent
	case d.session:
		headers = human
	}
	if d.media() == "multipart/form-data" {
		kind, bytes := form(r.t, [3]string{"file", "a.txt", "A."})
		body, headers = string(bytes), append([]string{"Content-Type", kind}, headers...)
	}
	return r.do(d.method, d.path+queries[d.id], strings.ReplaceAll(body, "{username}", "nobody-has-this"), headers...)
}

// While all processes of the database are suspended, every operation returns within ten seconds, although
// the connections remain open and more requests arrive than there are connections. The health report does
// not wait. When the processes resume, the service works without a restart.
func TestOutageOfASuspendedDatabaseReturnsUnavailable(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.credentials(r.verifiedAgent(r.net.Agent)), r.credentials(r.human(r.net.Human))
	databaseURL, suspend, resume := storetest.NewCluster(t)
	apart := r.replica(func(o *server.Options) { o.Store = openStore(t, databaseURL, r.net.Deployment) })
	all := operations(t)
	before := make(map[string]reply)
	for _, d := range all {
		before[d.id] = apart.unknown(d, agent, human)
	}
	suspend()
	for _, path := range []string{"/api/v1/health", "/readyz"} {
		began := time.Now()
		got := apart.read("GET", path)
		if took := time.Since(began); got.status != http.StatusServiceUnavailable || took > 2*time.Second ||
			!strings.Contains(got.body, "database_unavailable") || strings.Contains(got.body, "disk") {
			t.Errorf("GET %s = %d %s after %s", path, got.status, got.body, took)
		}
	}
	var asked sync.WaitGroup
	for _, d := range all {
		asked.Go(func() {
			began := time.Now()
			got := apart.unknown(d, agent, human)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s returned %d after %s", d.id, got.status, took)
			}
			if got.status != http.StatusServiceUnavailable && got.status != before[d.id].status {
				t.Errorf("%s = %d %s, want 503, or %d without the database", d.id, got.status, got.body, before[d.id].status)
			}
		})
	}
	asked.Wait()
	resume()
	for _, d := range all {
		got := apart.unknown(d, agent, human)
		for end := time.Now().Add(20 * time.Second); got.status != before[d.id].status && time.Now().Before(end); {
			got = apart.unknown(d, agent, human)
		}
		if got.status != before[d.id].status {
			t.Errorf("%s = %d %s after the outage, %d before", d.id, got.status, got.body, before[d.id].status)
		}
	}
}

// A request whose outcome is unknown because the database stopped responding, and that the client repeats
// with the same key, creates one record.
func TestWritesDuringAnOutageHappenOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	u, err := url.Parse(storetest.URL(t, r.records))
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	apart := r.replica(func(o *server.Options) { o.Store = openStore(t, u.String(), r.net.Deployment) })
	const tasks = 12
	begun := make(chan bool, tasks)
	var created sync.WaitGroup
	for i := range tasks {
		created.Go(func() {
			headers := append(r.credentials(agent), "Idempotency-Key", fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
			ask := func() reply { return apart.do("POST", "/api/v1/tasks/", bodies["createTask"], headers...) }
			time.Sleep(time.Duration(i) * 3 * time.Millisecond) // so that the outage finds the requests in different states
			begun <- true
			got := ask()
			for end := time.Now().Add(time.Minute); got.status != http.StatusCreated && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				got = ask()
			}
			if got.status != http.StatusCreated {
				t.Errorf("create task %d = %d %s", i, got.status, got.body)
			}
		})
	}
	for range tasks / 2 {
		<-begun
	}
	release := g.Hold()
	time.Sleep(8 * time.Second) // longer than the requests wait for the database
	release()
	created.Wait()
	if rows := storetest.Rows(t, r.records, `SELECT id FROM tasks`); len(rows) != tasks {
		t.Errorf("%d tasks were created, want %d", len(rows), tasks)
	}
}

// A locked row delays only the requests that need it, at most for the database's lock timeout.
func TestLockedRowReturnsBusy(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	locked, free := r.funded(agent), r.funded(agent)
	tx := storetest.DB(t, r.records).MustBegin()
	if _, err := tx.Exec(`SELECT FROM tasks WHERE id = $1 FOR UPDATE`, locked.ID); err != nil {
		t.Fatal(err)
	}
	busy := r.upload(agent, locked.ID, "a.txt", "x")
	if busy.JSON503 == nil || busy.JSON503.Error != "unavailable" || busy.HTTPResponse.Header.Get("Retry-After") != "1" {
		t.Errorf("an upload to the locked task = %s, Retry-After %q", answer(busy), busy.HTTPResponse.Header.Get("Retry-After"))
	}
	if got := r.task(agent, locked.ID); got.ID != locked.ID {
		t.Errorf("the locked task = %+v", got)
	}
	if got := r.upload(agent, free.ID, "a.txt", "x"); got.JSON201 == nil {
		t.Errorf("an upload to another task = %s", answer(got))
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := r.upload(agent, locked.ID, "a.txt", "x"); got.JSON201 == nil {
		t.Errorf("an upload afterwards = %s", answer(got))
	}
}

// lineState is the state of a connection proxy.
type lineState string

const (
	lineWorks   lineState = "works"
	lineRefuses lineState = "refuses"  // refuses new connections
	lineHangsUp lineState = "hangs up" // closes each connection after accepting it
)

// line is a proxy for connections to the database that can be cut.
type line struct {
	t        testing.TB
	upstream string
	address  string

	mu       sync.Mutex
	state    lineState
	listener net.Listener
	open     map[net.Conn]bool
}

// newLine starts a proxy and returns it with the database URL through it.
func newLine(tb testing.TB, database string) (*line, string) {
	tb.Helper()
	u, err := url.Parse(database)
	if err != nil {
		tb.Fatalf("parse URL: %v", err)
	}
	port, err := process.FreePort() // stays free while the line refuses connections
	if err != nil {
		tb.Fatalf("find a port: %v", err)
	}
	l := &line{t: tb, upstream: u.Host, address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), open: make(map[net.Conn]bool)}
	l.set(lineWorks)
	tb.Cleanup(func() { l.set(lineRefuses) })
	u.Host = l.address
	return l, u.String()
}

// set changes the state and closes the open connections.
func (l *line) set(state lineState) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
	if l.listener != nil {
		_ = l.listener.Close()
	}
	for conn := range l.open {
		_ = conn.Close()
	}
	if state == lineRefuses {
		return
	}
	listener, err := new(net.ListenConfig).Listen(context.WithoutCancel(l.t.Context()), "tcp", l.address)
	if err != nil {
		l.t.Fatalf("listen: %v", err)
	}
	l.listener = listener
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go l.carry(conn)
		}
	}()
}

// carry copies bytes in both directions until one side closes.
func (l *line) carry(client net.Conn) {
	defer client.Close()
	if !l.keep(client) {
		return
	}
	defer l.drop(client)
	server, err := new(net.Dialer).DialContext(context.WithoutCancel(l.t.Context()), "tcp", l.upstream)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// keep registers an open connection. It returns false unless the state is lineWorks.
func (l *line) keep(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = true
	return l.state == lineWorks
}

func (l *line) drop(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, conn)
}

// internals are texts that must not appear in responses, because they reveal the driver, SQL, Go or
// file names.
var internals = []string{"pq:", "sql:", "SELECT ", "relation", "goroutine", ".go:", "panic", "dial tcp", "EOF", "/tmp/", "connection re"}

// checkSecrecy fails the test if an error response reveals internals of the service.
func checkSecrecy(tb testing.TB, name string, body []byte) {
	tb.Helper()
	for _, word := range internals {
		if strings.Contains(string(body), word) {
			tb.Errorf("%s: the body contains %q: %s", name, word, body)
		}
	}
}
