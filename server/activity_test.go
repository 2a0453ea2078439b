package server_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
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

// feed reads a user's whole activity feed, page by page.
func (r *rig) feed(as *user) []client.Activity {
	r.t.Helper()
	var all []client.Activity
	params := &client.ListActivityParams{PageSize: new(7)}
	for {
		page, err := as.ListActivityWithResponse(r.t.Context(), params)
		if err != nil || page.JSON200 == nil {
			r.t.Fatalf("GET /activity = %s, %v", answer(page), err)
		}
		all = append(all, page.JSON200.Activities...)
		if page.JSON200.NextCursor == nil {
			if int(page.JSON200.Total) != len(all) {
				r.t.Errorf("total = %d, but the feed has %d items", page.JSON200.Total, len(all))
			}
			return all
		}
		params.Cursor = page.JSON200.NextCursor
	}
}

// related returns the path of the record that an item refers to, or "" if there is none.
func related(item client.Activity) string {
	switch {
	case item.RelatedID == nil:
		return ""
	case item.EventType == client.ActivityTypeDM:
		return "/messages/" + item.RelatedID.String() + "/"
	case item.EventType == client.ActivityTypeApplication:
		return ""
	}
	return "/tasks/" + item.RelatedID.String() + "/"
}

// A feed contains only what happened to its owner: no item appears in two feeds, each item refers
// to a record that its owner may read, and the totals count only the owner's items.
func TestFeedIsVisibleToItsOwnerOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	foreign, stranger := r.verifiedAgent(r.net.OtherAgent), r.human(r.net.OtherHuman)
	theirs := r.funded(foreign)
	r.applied(stranger, theirs.ID)
	foreign.write(r, "", stranger, "Hello")
	stranger.write(r, "", foreign, "Hi")
	task := r.submitted(agent, human)
	agent.tell(r, task.ID, "When?")
	human.tell(r, task.ID, "Now")
	human.write(r, "", agent, "Hello")
	disputed, err := human.DisputeTaskWithResponse(t.Context(), task.ID, nil, client.DisputeTaskRequest{Reason: "secret"})
	if err != nil || disputed.JSON200 == nil {
		t.Fatalf("dispute = %s, %v", answer(disputed), err)
	}
	r.send(human.signer, disputed.JSON200.To, disputed.JSON200.DisputeTaskCalldata)

	owners, least := map[uuid.UUID]string{}, map[string]int{"agent": 5, "human": 3, "other agent": 3, "other human": 1, "newcomer": 0}
	for name, who := range map[string]*user{
		"agent": agent, "human": human, "other agent": foreign, "other human": stranger, "newcomer": r.human(newSigner(t)),
	} {
		items := r.feed(who)
		if len(items) < least[name] || least[name] == 0 && len(items) != 0 {
			t.Errorf("the feed of the %s has %d items: %+v", name, len(items), items)
		}
		types := map[client.ActivityType]int{}
		for _, item := range items {
			types[item.EventType]++
			if owner, taken := owners[item.ID]; taken {
				t.Errorf("%s has an item of %s: %+v", name, owner, item)
			}
			owners[item.ID] = name
			if path := related(item); path != "" {
				if got := r.do(http.MethodGet, "/api/v1"+path, "", r.credentials(who)...); got.status != 200 {
					t.Errorf("the feed of the %s refers to %s: %d %s", name, path, got.status, got.body)
				}
			}
		}
		for kind, count := range types {
			page, err := who.ListActivityWithResponse(t.Context(), &client.ListActivityParams{Type: &kind})
			if err != nil || page.JSON200 == nil || int(page.JSON200.Total) != count {
				t.Errorf("%s: %s items = %s, %v, want %d", name, kind, answer(page), err, count)
			}
		}
	}
}

// The bounds of a feed are exclusive, to the millisecond: an item is neither after nor before its
// own created_at, and a bound that differs by less than a millisecond is not rounded to it.
func TestFeedBoundsAreStrict(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	for range 12 { // without a pause, so that the items' times are close together
		human.tell(r, task.ID, "Here")
	}
	all := r.feed(agent)
	slices.Reverse(all)
	between := func(query url.Values) []uuid.UUID {
		t.Helper()
		query.Set("page_size", "100")
		got := r.do("GET", "/api/v1/activity?"+query.Encode(), "", "X-API-Key", agent.key)
		var page client.ActivityPage
		if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != 200 {
			t.Fatalf("%s = %d %s", query.Encode(), got.status, got.body)
		}
		slices.Reverse(page.Activities)
		return idsOf(page.Activities)
	}
	const little = 400 * time.Microsecond
	for _, item := range all {
		at := item.CreatedAt.Time
		for name, test := range map[string]struct {
			bound string
			time  time.Time
			want  func(time.Time) bool
		}{
			"after":                       {"after", at, at.Before},
			"before":                      {"before", at, at.After},
			"just before":                 {"after", at.Add(-little), func(o time.Time) bool { return !o.Before(at) }},
			"just after":                  {"after", at.Add(little), at.Before},
			"before, just after":          {"before", at.Add(little), func(o time.Time) bool { return !o.After(at) }},
			"after, in another time zone": {"after", at.In(time.FixedZone("", -3*60*60)), at.Before},
		} {
			want := idsOf(slices.DeleteFunc(slices.Clone(all), func(o client.Activity) bool { return !test.want(o.CreatedAt.Time) }))
			if diff := cmp.Diff(want, between(url.Values{test.bound: {test.time.Format(time.RFC3339Nano)}})); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", name, item.CreatedAt, diff)
			}
		}
	}
}

func idsOf(items []client.Activity) []uuid.UUID {
	ids := make([]uuid.UUID, len(items))
	for i, item := range items {
		ids[i] = item.ID
	}
	return ids
}

// An item contains only the fields that apply to it, in the feed and in the event stream, and no
// text written by another user.
func TestActivityItemsOmitInapplicableMembers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.submitted(agent, human)
	human.tell(r, task.ID, "A word of mine")
	human.write(r, "", agent, "Another word")
	agent.write(r, "", human, "A word back")
	if got := r.do("POST", "/api/v1/tasks/"+task.ID.String()+"/dispute", `{"reason":"A third word"}`, r.credentials(human)...); got.status != 200 {
		t.Fatalf("dispute = %d %s", got.status, got.body)
	}
	var items []map[string]any
	for _, who := range []*user{agent, human} {
		for _, path := range []string{"/api/v1/activity?page_size=100", "/api/v1/events?follow=false"} {
			got := r.do("GET", path, "", r.credentials(who)...)
			if strings.Contains(got.body, "null") {
				t.Errorf("%s has a null: %s", path, got.body)
			}
		}
		var page struct{ Activities []map[string]any }
		got := r.do("GET", "/api/v1/activity?page_size=100", "", r.credentials(who)...)
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			t.Fatal(err)
		}
		items = append(items, page.Activities...)
	}
	members := map[string]string{ // one + for each present field: amount, tx_hash, related_id
		"task_funded": "+++", "stake_locked": "+++", "human_assigned": " ++", "work_submitted": " ++",
		"application_created": "  +", "message_received": "  +", "dm_received": "  +",
	}
	for _, item := range items {
		kind, _ := item["kind"].(string)
		got := ""
		for _, name := range []string{"amount", "tx_hash", "related_id"} {
			if _, has := item[name]; has {
				got += "+"
			} else {
				got += " "
			}
		}
		if want, known := members[kind]; known && got != want {
			t.Errorf("%s has the fields %q, want %q: %v", kind, got, want, item)
		}
		delete(members, kind)
		_, hasTask := item["task_id"]
		if other := item["counterparty_username"]; (kind == "dm_received") == hasTask || kind != "task_funded" && other != agent.username(r) && other != human.username(r) {
			t.Errorf("%s does not name its task or the other party: %v", kind, item)
		}
		for _, text := range []string{"word", task.Title, task.Description, agent.username(r), human.username(r)} {
			if strings.Contains(fmt.Sprint(item["title"], item["description"]), text) {
				t.Errorf("%v contains %q of a user", item, text)
			}
		}
	}
	if len(members) != 0 {
		t.Errorf("no items like %v", members)
	}
}

// Every activity kind in openapi.yaml is delivered with its parameters, the title of its task and
// the text for its recipient.
func TestActivityKinds(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task, err := r.records.Task(t.Context(), r.createTask(agent).ID)
	if err != nil {
		t.Fatal(err)
	}
	application := storetest.Application(t, r.records, task, market.Human{ID: r.humanID(human)})
	kinds := []string{string(market.ActivityEventReverted)}
	for receiver, id := range map[market.PrincipalKind]uuid.UUID{market.PrincipalAgent: r.me(agent).ID, market.PrincipalHuman: r.humanID(human)} {
		want := map[uuid.UUID]client.Activity{}
		name, username := r.me(agent).DisplayName, agent.username(r)
		if receiver == market.PrincipalAgent {
			username = human.username(r)
			name = human.profile(r, username).DisplayName
		}
		for _, kind := range market.ActivityKinds(receiver) {
			kinds = append(kinds, string(kind))
			content := market.ActivityContent{Kind: kind}
			if kind == market.ActivityDisputeOpened {
				content.Actor = market.PrincipalHuman
			}
			related := task.ID
			if text, _ := content.TextFor(receiver); text.Type == market.ActivityApplication {
				related = application.ID
			}
			subject := client.Activity{RelatedID: &related, TaskID: &task.ID, TaskTitle: &task.Title}
			// The task has no human yet, so only an item about the application names one to the agent.
			if receiver == market.PrincipalHuman || related == application.ID {
				subject.CounterpartyName, subject.CounterpartyUsername = &name, &username
			}
			r.addItem(want, id, receiver, subject, content)
			content.Kind, content.RevertedKind = market.ActivityEventReverted, kind
			r.addItem(want, id, receiver, client.Activity{RelatedID: new(uuid.New())}, content)
		}
		who := agent
		if receiver == market.PrincipalHuman {
			who = human
		}
		got := map[uuid.UUID]client.Activity{}
		for _, item := range r.feed(who) {
			item.CreatedAt = market.Time{}
			got[item.ID] = item
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("feed of the %s (-want +got):\n%s", receiver, diff)
		}
	}
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, kind := range spec.Components.Schemas["ActivityKind"].Value.Enum {
		listed = append(listed, fmt.Sprint(kind))
	}
	slices.Sort(kinds)
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Compact(kinds), listed); diff != "" {
		t.Errorf("kinds in openapi.yaml (-want +got):\n%s", diff)
	}
}

// addItem adds an item about the subject in item to a user's feed. It also adds it to want, in the form that
// the API returns.
func (r *rig) addItem(
	want map[uuid.UUID]client.Activity, user uuid.UUID, receiver market.PrincipalKind, item client.Activity,
	content market.ActivityContent,
) {
	r.t.Helper()
	text, _ := content.TextFor(receiver)
	id := uuid.Must(uuid.NewV7())
	_, err := storetest.DB(r.t, r.records).Exec(`
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, actor, reverted_kind, related_id, status, dedupe_key)
		VALUES ($1::uuid, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''), $8, 'confirmed', $1::text)`,
		id, user, receiver, text.Type, content.Kind, content.Actor, content.RevertedKind, *item.RelatedID)
	if err != nil {
		r.t.Fatal(err)
	}
	item.ID, item.EventType, item.Kind = id, client.ActivityType(text.Type), client.ActivityKind(content.Kind)
	item.Title, item.Description, item.Status = text.Title, text.Description, client.ActivityStatusConfirmed
	if content.Actor != "" {
		item.Params.Actor = new(client.Party(content.Actor))
	}
	if content.RevertedKind != "" {
		item.Params.RevertedKind = new(client.ActivityKind(content.RevertedKind))
	}
	want[id] = item
}

// Events are delivered in order and only to their user, by every server. A reconnected client
// continues after the last event that it received.
func TestEventsResumeAtAnotherServer(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
