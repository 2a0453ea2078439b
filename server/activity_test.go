package server_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"taskmarket/gen/client"
)

// feed reads all of somebody's feed, page by page.
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
				r.t.Errorf("total = %d of a feed of %d", page.JSON200.Total, len(all))
			}
			return all
		}
		params.Cursor = page.JSON200.NextCursor
	}
}

// related is where the record that an item points at is read; empty for those
// that have no page of their own.
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

// Each feed holds what happened to its owner: no item is in two, each points at
// what its owner may read, and totals count nothing that is hidden.
func TestThreat71FeedsAreTheirOwnersOwn(t *testing.T) {
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
	disputed, err := human.DisputeTaskWithResponse(t.Context(), task.ID, client.DisputeTaskRequest{Reason: "secret"})
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
					t.Errorf("the feed of the %s points at %s: %d %s", name, path, got.status, got.body)
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
