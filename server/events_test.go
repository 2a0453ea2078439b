package server_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// Events are delivered in order and only to their user, by every server. A reconnected client
// continues after the last event that it received.
func TestEventsResumeAtAnotherServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	replica := r.replica()
	me, them := r.me(agent).ID, r.humanID(human)
	stream, theirs := r.listen(t, agent, ""), replica.listen(t, human, "")
	var got, want []string
	for i := range 12 {
		want = append(want, strconv.Itoa(i))
		r.notify(me, "agent", i)
		r.notify(them, "human", 100)
		if i%3 == 2 { // reconnect, each time to the next server
			at := stream.lastID
			stream.close()
			stream = []*rig{r, replica, r.replica()}[i/3%3].listen(t, agent, at)
		}
		if i%3 != 1 {
			continue
		}
		for len(got) < i {
			got = append(got, *stream.next().Activity.Amount)
		}
	}
	for len(got) < len(want) {
		got = append(got, *stream.next().Activity.Amount)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for range 12 {
		if event := theirs.next(); event.Activity == nil || *event.Activity.Amount != "100" {
			t.Errorf("the human receives %+v", event)
		}
	}
}

// Events that occur after GET /auth/session or a login, but before the stream opens, are in the
// stream.
func TestEventsResumeAfterTheSession(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	human := r.newUser(nil)
	message := r.siwe(human, signer.Address().Hex()).Message
	login, err := human.LoginWithEthereumWithResponse(t.Context(), client.LoginRequest{Message: message, Signature: signText(t, signer, message)})
	if err != nil || login.JSON200 == nil {
		t.Fatalf("login = %s, %v", answer(login), err)
	}
	me := login.JSON200.Human.ID
	r.notify(me, "human", 1)
	session, err := human.GetSessionWithResponse(t.Context())
	if err != nil || session.JSON200 == nil {
		t.Fatalf("GET session = %s, %v", answer(session), err)
	}
	r.notify(me, "human", 2)
	for at, want := range map[string]string{
		login.JSON200.EventsAfter:   "1",
		session.JSON200.EventsAfter: "2",
	} {
		if event := r.listen(t, human, at).next(); event.Activity == nil || *event.Activity.Amount != want {
			t.Errorf("the first event = %+v, want %q", event, want)
		}
	}
}

// A stream subscribes before its first read. An event that is committed during that read, but not
// found by it, wakes the stream.
func TestEventsCommittedDuringTheFirstRead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	me, them := r.me(agent).ID, r.humanID(human)
	theirs := r.listen(t, human, "") // the open stream makes the server poll the event log
	r.notify(them, "human", 100)
	theirs.next()
	time.Sleep(2 * server.EventPoll) // wait until the other stream has finished its first read
	tx, err := storetest.DB(t, r.records).Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	tx.MustExec(`LOCK TABLE event_log IN ACCESS EXCLUSIVE MODE`) // blocks the streams' queries, but not the server's poll
	opened := make(chan *listener, 1)
	go func() { opened <- r.listenAgain(t, agent, theirs.lastID) }()
	r.awaitBlocked(tx)
	r.notify(me, "agent", 1)
	time.Sleep(2 * server.EventPoll) // wait until the server has polled and woken the streams
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	stream := <-opened
	stream.silent = true
	if event := stream.next(); event.Activity == nil || *event.Activity.Amount != "1" {
		t.Errorf("the first event = %+v", event)
	}
}

// A stream without new events runs no query, although the server polls for all users' events.
func TestEventsWithoutAudienceWakeNoStream(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	me, them := r.me(agent).ID, r.humanID(human)
	stream := r.listen(t, agent, "")
	r.notify(me, "agent", 1)
	stream.next()
	time.Sleep(2 * server.EventPoll) // wait until pending wake-ups are handled
	tx, err := storetest.DB(t, r.records).Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	tx.MustExec(`LOCK TABLE event_log IN ACCESS EXCLUSIVE MODE`) // blocks the streams' queries, but not the server's poll
	r.notify(them, "human", 2)
	for end := time.Now().Add(3 * server.EventPoll); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if r.blocked(tx) {
			t.Fatal("a stream runs a query although its user has no events")
		}
	}
}

// awaitBlocked returns once a statement waits for a lock of the transaction.
func (r *rig) awaitBlocked(tx *sqlx.Tx) {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); !r.blocked(tx); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatal("no statement waits for the lock")
		}
	}
}

func (r *rig) blocked(tx *sqlx.Tx) bool {
	r.t.Helper()
	var blocked bool
	err := tx.Get(&blocked, `
		SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)))`)
	if err != nil {
		r.t.Fatal(err)
	}
	return blocked
}

// The event position in a session response is read before the other data, so a change during the
// request has a later position.
func TestEventsIncludeChangesDuringTheSessionRequest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	me := r.humanID(human)
	tx, err := storetest.DB(t, r.records).Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	tx.MustExec(`LOCK TABLE chain_parameters IN ACCESS EXCLUSIVE MODE`) // reading the account requires the list of validators
	answered := make(chan string, 1)
	go func() {
		session, err := human.GetSessionWithResponse(t.Context())
		if err != nil || session.JSON200 == nil {
			t.Errorf("GET session = %s, %v", answer(session), err)
			answered <- ""
			return
		}
		answered <- session.JSON200.EventsAfter
	}()
	r.awaitBlocked(tx)
	r.notify(me, "human", 1)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	stream := r.listen(t, human, <-answered)
	stream.silent = true
	if event := stream.next(); event.Activity == nil || *event.Activity.Amount != "1" {
		t.Errorf("the first event = %+v", event)
	}
}

// During database outages some streams end and others continue. A client that reconnects receives
// each event once.
func TestEventsResumeAfterADatabaseOutage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	me := r.me(agent).ID
	through, g := r.behindGate(t)
	stream := through.listen(t, agent, "")
	var got, want []string
	for i := range 6 {
		want = append(want, strconv.Itoa(i))
		g.Shut()
		r.notify(me, "agent", i)
		g.Open()
		if i%2 == 0 {
			g.Cut()
		}
		for len(got) < len(want) {
			event, data, more := stream.block()
			switch {
			case data:
				got = append(got, *event.Activity.Amount)
			case !more:
				stream = through.listenAgain(t, agent, stream.lastID)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func (r *rig) humanID(u *user) uuid.UUID {
	r.t.Helper()
	got, err := u.GetHumanMeWithResponse(r.t.Context())
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /humans/me = %s, %v", answer(got), err)
	}
	return got.JSON200.ID
}

// Both parties to a task receive its events up to the assignment.
func TestPartiesReceiveEventsOfTheirTask(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	stream, theirs := r.listen(t, agent, ""), r.listen(t, human, "")
	task := r.active(agent, human)
	for _, l := range []*listener{stream, theirs} {
		for {
			event := l.next()
			if event.Type == client.EventTypeTask && *event.TaskID == task.ID && *event.TaskStatus == client.TaskStatusActive {
				break
			}
		}
	}
}

// A stream ends when its credentials are revoked. No event is sent after that.
func TestEventsEndWhenAccessIsRevoked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	replica := r.replica()
	stream, theirs := replica.listen(t, agent, ""), replica.listen(t, human, "")
	r.rotate(agent)
	stream.ended()
	if got, err := human.LogoutWithResponse(t.Context()); err != nil || got.JSON200 == nil {
		t.Fatalf("logout = %s, %v", answer(got), err)
	}
	theirs.ended()
	if again := replica.listen(t, agent, stream.lastID); again.reply.StatusCode != http.StatusUnauthorized {
		t.Errorf("again = %s", again.reply.Status)
	}
}

// A stream that has been idle for longer than the write timeout still ends with the final chunk. Without that
// chunk, browsers and proxies report an error.
func TestIdleStreamEndsCompletely(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	stream := r.listen(t, human, "")
	time.Sleep(11 * time.Second) // longer than the write timeout, but shorter than the heartbeat interval
	if got, err := human.LogoutWithResponse(t.Context()); err != nil || got.JSON200 == nil {
		t.Fatalf("logout = %s, %v", answer(got), err)
	}
	stream.ended()
}

// A request with a position whose events are no longer stored gets 410. A stream without a position begins at
// the current end of the log.
func TestEventPositionExpires(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	got, err := agent.StreamEventsWithResponse(t.Context(), &client.StreamEventsParams{After: new("00000000-1")})
	if err != nil || got.JSON410 == nil || market.Kind(got.JSON410.Error) != market.KindCursorExpired {
		t.Errorf("events of another log = %s, %v", answer(got), err)
	}
	if again := r.listen(t, agent, ""); again.reply.StatusCode != http.StatusOK {
		t.Errorf("without a position = %s", again.reply.Status)
	}
}

// The number of open streams per user is limited. When a stream ends, another can be opened.
func TestEventsAreLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	var open []*listener
	for range server.MaxStreamsEach {
		open = append(open, r.listen(t, agent, ""))
	}
	if over := r.listen(t, agent, ""); over.reply.StatusCode != http.StatusTooManyRequests || over.reply.Header.Get("Retry-After") == "" {
		t.Errorf("one more = %s, Retry-After %q", over.reply.Status, over.reply.Header.Get("Retry-After"))
	}
	open[0].close()
	for end := time.Now().Add(time.Minute); ; {
		again := r.listen(t, agent, "")
		if again.reply.StatusCode == http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after one was closed = %s", again.reply.Status)
		}
	}
}

// A server that shuts down closes its streams and accepts no new ones.
func TestEventsEndAtShutdown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	var stopping atomic.Bool
	replica := r.replica(func(o *server.Options) { o.Stopping = stopping.Load })
	stream := replica.listen(t, agent, "")
	stopping.Store(true)
	stream.ended()
	if again := replica.listen(t, agent, ""); again.reply.StatusCode != http.StatusServiceUnavailable || again.reply.Header.Get("Retry-After") == "" {
		t.Errorf("again = %s", again.reply.Status)
	}
}

// The HTTP server's timeouts do not apply to event streams, but a client that does not read is
// disconnected.
func TestEventStreamsIgnoreTheServersTimeouts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	me := r.me(agent).ID
	var gone atomic.Int32
	impatient := r.impatient(func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			gone.Add(1)
		}
	})
	stream := r.at(impatient.URL).listen(t, agent, "")
	for i := range 3 {
		time.Sleep(time.Second) // together, longer than the server's timeouts
		r.notify(me, "agent", i)
		if event := stream.next(); *event.Activity.Amount != strconv.Itoa(i) {
			t.Errorf("event %d = %+v", i, event)
		}
	}
	stream.close()
	r.wantSlowReaderGone(t, impatient.Listener.Addr().String(), agent, me, &gone)
}

// impatient starts another server with timeouts of two seconds.
func (r *rig) impatient(connState func(net.Conn, http.ConnState), options ...option) *httptest.Server {
	r.t.Helper()
	o := r.options(r.host)
	for _, change := range append(options, generous) {
		change(&o)
	}
	handler, err := server.New(o)
	if err != nil {
		r.t.Fatal(err)
	}
	impatient := httptest.NewUnstartedServer(handler)
	impatient.Config.ReadTimeout, impatient.Config.WriteTimeout = 2*time.Second, 2*time.Second
	impatient.Config.ConnState = connState
	impatient.Start()
	r.t.Cleanup(impatient.Close)
	return impatient
}

// wantSlowReaderGone requests all events and reads none of them. It fails the test unless the
// server closes the connection.
func (r *rig) wantSlowReaderGone(t *testing.T, address string, agent *user, me uuid.UUID, gone *atomic.Int32) {
	t.Helper()
	from := r.listen(t, agent, "")
	_, err := storetest.DB(t, r.records).Exec(`
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, status, dedupe_key)
		SELECT gen_random_uuid(), $1, 'agent', 'task', 'task_expired', 'confirmed', i::text FROM generate_series(1, 50000) i`, me)
	if err != nil {
		t.Fatal(err)
	}
	before := gone.Load()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil { //nolint:forcetypeassert,errcheck // dialled as TCP
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: %s\r\nLast-Event-ID: %s\r\n\r\n", agent.key, from.lastID)
	for end := time.Now().Add(time.Minute); gone.Load() == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a client that does not read is still served after a minute")
		}
	}
}

// Heartbeats of an idle stream need no database: they are sent while it is down. A stream that is
// still reading an earlier event at that moment ends; the test then reconnects.
func TestHeartbeatsRunNoQuery(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	through, g := r.behindGate(t)
	for range 5 {
		stream := through.listen(t, agent, "")
		g.Shut()
		for stream.lines.Scan() {
			if stream.lines.Text() == ":" {
				g.Open()
				return
			}
		}
		g.Open()
	}
	t.Error("five streams ended without a heartbeat")
}
