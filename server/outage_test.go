package server_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store"
	"taskmarket/store/storetest"
	netgate "taskmarket/test/gate"
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	u, err := url.Parse(storetest.URL(t, r.records))
	if err != nil {
		t.Fatal(err)
	}
	g := netgate.New(t, u.Host)
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

// If no node responds, records are still served, and contract calls are returned without a
// simulation. Operations that need data from the chain return an error.
func TestRecordsAreServedWithoutANode(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	r.rpc.Close()
	if got, err := agent.GetAgentMeWithResponse(t.Context(), nil); err != nil || got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
		t.Errorf("agents/me = %s, %v", answer(got), err)
	}
	if got := r.task(agent, task.ID); got.Status != client.TaskStatusFunded {
		t.Errorf("task = %+v", got)
	}
	got, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || got.JSON200 == nil || got.JSON200.Simulated {
		t.Errorf("cancel = %s, %v", answer(got), err)
	}
}

// commitRounds is the number of tasks that each kind of client creates while connections are closed
// at a COMMIT.
const commitRounds = 40

// Tasks are created while connections to the database are cut just before and just after a COMMIT.
// A client that repeats a request with its Idempotency-Key until it succeeds has exactly one task.
// A client that does not repeat it has one task after a success, and at most one after a failure.
func TestLostCommits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	proxy, database := newCommitProxy(t, storetest.URL(t, r.records))
	s := openStore(t, database, r.net.Deployment)
	cut := r.replica(func(o *server.Options) { o.Store = s })
	told := make(map[string]bool)
	for i := range commitRounds {
		told[cut.createOnce(agent, fmt.Sprintf("once %d", i))] = true
		cut.createUntilAccepted(agent, fmt.Sprintf("repeated %d", i))
	}
	before, after := proxy.cuts()
	t.Logf("%d commits and %d answers were lost", before, after)
	if before == 0 || after == 0 {
		t.Error("nothing was cut")
	}

	var tasks []struct {
		Title string
		Count int
	}
	if err := storetest.DB(t, r.records).Select(&tasks, `SELECT title, count(*) FROM tasks GROUP BY title`); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]int)
	for _, task := range tasks {
		found[task.Title] = task.Count
		if task.Count != 1 {
			t.Errorf("%d tasks have the title %q", task.Count, task.Title)
		}
	}
	for i := range commitRounds {
		if title := fmt.Sprintf("repeated %d", i); found[title] == 0 {
			t.Errorf("task %q is lost", title)
		}
		if title := fmt.Sprintf("once %d", i); told[title] && found[title] == 0 {
			t.Errorf("task %q was confirmed, but is lost", title)
		}
	}
}

// If a request was carried out but its response was not stored, repeating it with its idempotency key
// returns the record that it created.
func TestRepeatAfterALostResponse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.earn(agent, human)
	task := r.funded(agent)
	for name, request := range map[string]func() (uuid.UUID, any){
		"claim": func() (id uuid.UUID, got any) {
			claimed, err := agent.ClaimRewardsWithResponse(t.Context(), &client.ClaimRewardsParams{IdempotencyKey: new("claim")})
			if err == nil && claimed.JSON201 != nil {
				id = claimed.JSON201.ID
			}
			return id, answer(claimed)
		},
		"application": func() (id uuid.UUID, got any) {
			applied, err := human.ApplyForTaskWithResponse(t.Context(), task.ID,
				&client.ApplyForTaskParams{IdempotencyKey: new("apply")}, client.ApplyForTaskRequest{ApplicationMessage: "I am near."})
			if err == nil && applied.JSON201 != nil {
				id = applied.JSON201.Application.ID
			}
			return id, answer(applied)
		},
	} {
		made, first := request()
		r.loseAnswers()
		if found, again := request(); made == uuid.Nil || found != made {
			t.Errorf("%s: first %s, again %s", name, first, again)
		}
	}
}

// createOnce creates a task and returns its title if that succeeds. Any other response must be a
// server error.
func (r *rig) createOnce(agent *user, title string) string {
	r.t.Helper()
	switch got := r.create(agent, title); got.status {
	case 201:
		return title
	case 500, 503:
		return ""
	default:
		r.t.Errorf("create %q = %d %s", title, got.status, got.body)
		return ""
	}
}

// createUntilAccepted repeats the request until a task is created.
func (r *rig) createUntilAccepted(agent *user, title string) {
	r.t.Helper()
	for range 100 {
		got := r.create(agent, title, "Idempotency-Key", strings.ReplaceAll(title, " ", "-"))
		switch got.status {
		case 201:
			return
		case 409: // the key of an unfinished request stays locked for a few seconds
			r.freeKeys()
		case 500, 503:
		default:
			r.t.Fatalf("create %q = %d %s", title, got.status, got.body)
		}
	}
	r.t.Fatalf("create %q failed a hundred times", title)
}

func (r *rig) create(agent *user, title string, headers ...string) reply {
	r.t.Helper()
	body := fmt.Sprintf(`{"title":%q,"description":"D","escrow_amount":"10000000000000000"}`, title)
	return r.do("POST", "/api/v1/tasks/", body, append(headers, "X-API-Key", agent.key)...)
}

// freeKeys makes unfinished requests old enough that their idempotency keys are no longer locked.
func (r *rig) freeKeys() {
	r.t.Helper()
	if _, err := storetest.DB(r.t, r.records).Exec(`UPDATE idempotency_keys SET held_until = now() - interval '1 s'`); err != nil {
		r.t.Fatal(err)
	}
}

// loseAnswers deletes the stored responses of all requests with an idempotency key.
func (r *rig) loseAnswers() {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = now() - interval '1 s'`)
	if err != nil {
		r.t.Fatal(err)
	}
}

// commitProxy is a proxy in front of PostgreSQL that sometimes closes a connection at a COMMIT.
// It drops the COMMIT or its response, with equal probability.
type commitProxy struct {
	upstream string
	mu       sync.Mutex
	random   *rand.Rand
	before   int // number of dropped COMMITs
	after    int // number of dropped responses to a COMMIT
}

// lostOf sets the loss rate: on average, the proxy drops one in lostOf COMMITs and one in lostOf responses.
const lostOf = 8

// lostSeed seeds the choice of dropped messages, so that a failing run can usually be reproduced.
const lostSeed = 39

// newCommitProxy starts a proxy in front of the database and returns the database URL through it.
func newCommitProxy(tb testing.TB, database string) (*commitProxy, string) {
	tb.Helper()
	u, err := url.Parse(database)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = listener.Close() })
	c := &commitProxy{upstream: u.Host, random: rand.New(rand.NewPCG(lostSeed, lostSeed))}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	u.Host = listener.Addr().String()
	return c, u.String()
}

// serve forwards one connection until it ends or is closed on purpose.
func (c *commitProxy) serve(client net.Conn) {
	defer client.Close()
	upstream, err := net.Dial("tcp", c.upstream)
	if err != nil {
		return
	}
	defer upstream.Close()
	answers := &valve{to: client}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer client.Close()
		_, _ = io.Copy(answers, upstream)
	}()
	defer func() { <-done }()
	defer upstream.Close()
	if err := startup(client, upstream); err != nil {
		return
	}
	for {
		message, err := next(client, 1)
		if err != nil {
			return
		}
		if bytes.HasPrefix(message[5:], []byte("COMMIT")) && message[0] == 'Q' {
			switch c.choose() {
			case 1:
				return
			case 2:
				answers.shut()
			}
		}
		if _, err := upstream.Write(message); err != nil {
			return
		}
	}
}

// choose returns 1 to drop a COMMIT, 2 to drop its response, and any other number to forward both.
func (c *commitProxy) choose() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	choice := c.random.IntN(lostOf)
	switch choice {
	case 1:
		c.before++
	case 2:
		c.after++
	}
	return choice
}

func (c *commitProxy) cuts() (before, after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before, c.after
}

// startup forwards the startup message, which has no type byte.
func startup(client io.Reader, upstream io.Writer) error {
	message, err := next(client, 0)
	if err != nil {
		return err
	}
	_, err = upstream.Write(message)
	return err
}

// next reads a message of the PostgreSQL protocol: typed bytes of message type (0 or 1), the
// length, which includes its own four bytes, and the content.
func next(from io.Reader, typed int) ([]byte, error) {
	const lengthSize = 4
	head := make([]byte, typed+lengthSize)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	message := make([]byte, typed+int(binary.BigEndian.Uint32(head[typed:])))
	copy(message, head)
	_, err := io.ReadFull(from, message[len(head):])
	return message, err
}

// valve forwards bytes until it is shut. Writes then fail, which closes the connection.
type valve struct {
	to     io.Writer
	mu     sync.Mutex
	closed bool
}

func (g *valve) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// Write implements io.Writer.
func (g *valve) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return 0, io.ErrClosedPipe
	}
	return g.to.Write(p)
}

// A node that returns `0x` for every call counts as unavailable: operations that need the chain do
// not fail with an internal error.
func TestEmptyNodeAnswersAreNotInternalErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	asked, node := r.behindNode()
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	empty := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x"}`))
	}
	node.say.Store(&empty)
	for name, got := range map[string]reply{
		"an application": asked.do("POST", "/api/v1/tasks/"+task.ID.String()+"/applications", `{"application_message":"I can."}`, r.credentials(human)...),
		"a claim":        asked.do("POST", "/api/v1/agents/claim", "", r.credentials(agent)...),
		"a profile":      asked.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...),
	} {
		if got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
}

// No operation answers 503 while one provider is honest, whatever error the other one returns with HTTP status 200. With
// that provider alone, the health names the node.
func TestErrorsOfOneProviderAreNotSeenByUsers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	id := "/api/v1/tasks/" + task.ID.String()
	behind := func(node *rpc.Node) *rig {
		reader := chain.NewReader(node, r.net.Contracts)
		head := r.monitor(reader, 20*time.Millisecond)
		return r.replica(func(o *server.Options) { o.Reader, o.Head, o.Verifier = reader, head, chain.NewVerifier(node) })
	}
	bad := chaintest.NewProxy(t, r.net.Dev.URL())
	options := rpc.NodeOptions{CallTimeout: 2 * time.Second, Tries: 1}
	both, alone := chaintest.DialWith(t, options, bad.URL, r.net.Dev.URL()), chaintest.DialWith(t, options, bad.URL)
	served, unserved := behind(both), behind(alone)
	for name, fault := range chaintest.ProviderFaults() {
		bad.Intercept(func(c *chaintest.Exchange) bool { c.Fault = &fault; return true })
		for what, got := range map[string]reply{
			"a profile":       served.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...),
			"an application":  served.do("POST", id+"/applications", `{"application_message":"I can."}`, r.credentials(human)...),
			"a cancellation":  served.do("POST", id+"/cancel", "", r.credentials(agent)...),
			"a confirmation":  served.do("POST", id+"/confirm-create", `{"tx_hash":"0x`+nines(64)+`"}`, r.credentials(agent)...),
			"a claim":         served.do("POST", "/api/v1/agents/claim", "", r.credentials(agent)...),
			"the health":      served.do("GET", "/api/v1/health", ""),
			"the human's own": served.do("GET", "/api/v1/humans/me", "", r.credentials(human)...),
		} {
			if got.status >= http.StatusInternalServerError || strings.Contains(got.body, "node_unavailable") {
				t.Errorf("%s: %s = %d %s", name, what, got.status, got.body)
			}
		}
		if got := unserved.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...); got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" {
			t.Errorf("%s, the only provider: a profile = %d %s", name, got.status, got.body)
		}
	}
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got := unserved.do("GET", "/api/v1/health", "")
		if strings.Contains(got.body, "node_unavailable") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("health = %d %s, want the reason node_unavailable", got.status, got.body)
		}
	}
	if states := both.Providers(); states[0].Failures == 0 {
		t.Errorf("the providers are %+v, want failures of the first one", states)
	}
}

// quick is the maximum 90th percentile of the durations of requests that a fault must not delay. A delayed
// request waits for at least two seconds: a node call times out after two seconds, and a lock after three. An
// undelayed request takes about a tenth of a second with the race detector on a busy machine.
const quick = time.Second

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
func TestInvalidNodeAnswersAreRejected(t *testing.T) {
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
//
// It does not run in parallel, because it measures durations.
func TestHeldLockDelaysOnlyItsRow(t *testing.T) {
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
func TestServerSurvivesADatabaseOutage(t *testing.T) {
	t.Parallel()
	const restarts, sides = 10, 4
	r := newIdleRig(t)
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
//
// It does not run in parallel, because it measures durations.
func TestOverloadRefusesReadsFirst(t *testing.T) {
	// A lock on files delays the handler of the agent's reads. A lock on sessions delays the
	// authentication of the human's reads.
	for table, byHuman := range map[string]bool{"files": false, "sessions": true} {
		t.Run(table, func(t *testing.T) {
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
//
// It does not run in parallel, because it measures durations.
func TestOverloadRefusesWritesBeforeExits(t *testing.T) {
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
