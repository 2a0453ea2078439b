package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/market"
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
func TestThreat71FeedIsVisibleToItsOwnerOnly(t *testing.T) {
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
	r := newRig(t)
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
