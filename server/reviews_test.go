package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/gen/client"
)

// Only a party to an ended task can review it, with a rating from 1 to 5. Each party can write one review
// and cannot change it.
func TestReviewsHappenOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, stranger := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.submitted(agent, human)
	path := "/api/v1/tasks/" + task.ID.String() + "/reviews"
	review := func(by *user, body string) reply { return r.do("POST", path, body, r.credentials(by)...) }
	const good = `{"rating":5}`
	for _, who := range []*user{agent, human} {
		if got := review(who, good); got.status != http.StatusBadRequest || errorOf(t, got.body) != "wrong_status" {
			t.Errorf("before the end = %d %s", got.status, got.body)
		}
	}
	r.net.Approve(t, agent.signer, 1)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	for _, rating := range []string{"0", "6", "-1", "1000000000", "1e9", "4.5", `"5"`, "null", "true", "[5]", "5,\"rating\":1"} {
		if got := review(agent, `{"rating":`+rating+`}`); got.status != http.StatusBadRequest {
			t.Errorf("rating %s = %d %s", rating, got.status, got.body)
		}
	}
	for name, body := range map[string]string{
		"no rating": `{}`, "oneself": `{"rating":5,"reviewee_id":"` + agent.id.String() + `"}`, "a long comment": `{"rating":5,"comment":"` + strings.Repeat("a", 2001) + `"}`,
	} {
		if got := review(agent, body); got.status != http.StatusBadRequest {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	for name, who := range map[string]*user{"another human": stranger, "another agent": r.verifiedAgent(r.net.OtherAgent), "a validator": r.human(r.net.Validators[0])} {
		if got := review(who, good); got.status != http.StatusForbidden {
			t.Errorf("%s reviews = %d %s", name, got.status, got.body)
		}
	}
	for name, who := range map[string]*user{"agent": agent, "human": human} {
		count := concurrently(20, func(i int) int { return review(who, fmt.Sprintf(`{"rating":%d}`, 1+i%5)).status })
		if count[201] != 1 || count[409] != 19 {
			t.Errorf("20 reviews of the %s at once = %v", name, count)
		}
	}
	for _, method := range []string{"PUT", "PATCH", "DELETE"} {
		if got := r.do(method, path, good, r.credentials(agent)...); got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s of a review = %d", method, got.status)
		}
	}
	if profile := stranger.profile(r, human.username(r)); profile.Stats.TotalReviews != 1 {
		t.Errorf("the human's profile = %+v", profile.Stats)
	}
}

func (u *user) review(r *rig, task uuid.UUID, rating int, comment *string) *client.ReviewTaskResponse {
	r.t.Helper()
	got, err := u.ReviewTaskWithResponse(r.t.Context(), task, nil, client.ReviewRequest{Rating: rating, Comment: comment})
	if err != nil {
		r.t.Fatalf("review: %v", err)
	}
	return got
}

func TestPartiesReviewEachOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	foreign, stranger := r.verifiedAgent(r.net.OtherAgent), r.human(r.net.OtherHuman)
	task := r.submitted(agent, human)
	r.net.Approve(t, agent.signer, 1)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	if got := agent.review(r, uuid.Must(uuid.NewV7()), 5, nil); got.JSON404 == nil {
		t.Errorf("an unknown task = %s", answer(got))
	}
	if got := agent.review(r, task.ID, 4, new(" \n")); got.JSON400 == nil {
		t.Errorf("a blank comment = %s", answer(got))
	}
	given := agent.review(r, task.ID, 4, new("secret praise"))
	if given.JSON201 == nil || given.JSON201.RevieweeID != human.id || given.JSON201.ReviewerType != client.PartyAgent {
		t.Fatalf("review = %s", answer(given))
	}
	if got := human.review(r, task.ID, 5, nil); got.JSON201 == nil {
		t.Errorf("the human's review = %s", answer(got))
	}
	list, err := foreign.ListHumanReviewsWithResponse(t.Context(), human.id, nil)
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.AverageRating == nil ||
		*list.JSON200.AverageRating != 4 || *list.JSON200.Reviews[0].Comment != "secret praise" {
		t.Errorf("the human's reviews = %s, %v", answer(list), err)
	}
	none, err := human.ListAgentReviewsWithResponse(t.Context(), foreign.id, nil)
	if err != nil || none.JSON200 == nil || none.JSON200.AverageRating != nil || none.JSON200.Reviews == nil {
		t.Errorf("reviews of a new account = %s, %v", answer(none), err)
	}
	wrongKind, err := human.ListAgentReviewsWithResponse(t.Context(), human.id, nil)
	if err != nil || wrongKind.JSON404 == nil {
		t.Errorf("reviews of an agent with a human's id = %s, %v", answer(wrongKind), err)
	}
	for _, who := range []*user{agent, human} {
		feed, err := who.ListActivityWithResponse(t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeReview)})
		if err != nil || feed.JSON200 == nil || feed.JSON200.Total != 1 || strings.Contains(string(feed.Body), "secret") ||
			*feed.JSON200.Activities[0].RelatedID == uuid.Nil {
			t.Errorf("feed = %s, %v", answer(feed), err)
		}
	}
	r.net.Mine(t, 200) // completed tasks are final
	r.settle()
	profile := stranger.profile(r, strings.ToUpper(human.username(r)))
	if profile.Stats.TasksCompleted != 1 || profile.Stats.Counterparties != 1 || profile.Stats.TotalReviews != 1 || len(profile.Reviews) != 1 || profile.Type != client.PartyHuman {
		t.Errorf("profile = %+v", profile)
	}
}

// Reviews after a cancellation are displayed, but do not count toward averages.
func TestReviewsAfterACancellationDoNotCount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human)
	cancelled, err := agent.CancelTaskWithResponse(t.Context(), task.ID)
	if err != nil || cancelled.JSON200 == nil {
		t.Fatalf("cancel = %s, %v", answer(cancelled), err)
	}
	r.send(agent.signer, cancelled.JSON200.To, cancelled.JSON200.CancelTaskCalldata)
	if got := human.review(r, task.ID, 1, nil); got.JSON201 == nil {
		t.Fatalf("review = %s", answer(got))
	}
	profile := human.profile(r, agent.username(r))
	if profile.Stats.TotalReviews != 1 || profile.Stats.AvgRating != nil || profile.Stats.TasksCancelledAfterAcceptance != 1 {
		t.Errorf("profile = %+v", profile)
	}
	open := r.funded(agent)
	cancelled, err = agent.CancelTaskWithResponse(t.Context(), open.ID)
	if err != nil || cancelled.JSON200 == nil {
		t.Fatalf("cancel = %s, %v", answer(cancelled), err)
	}
	r.send(agent.signer, cancelled.JSON200.To, cancelled.JSON200.CancelTaskCalldata)
	if got := agent.review(r, open.ID, 1, nil); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("a task without a human = %s", answer(got))
	}
}
