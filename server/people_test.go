package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/store/storetest"
)

func (u *user) review(r *rig, task uuid.UUID, rating int, comment *string) *client.ReviewTaskResponse {
	r.t.Helper()
	got, err := u.ReviewTaskWithResponse(r.t.Context(), task, nil, client.ReviewRequest{Rating: rating, Comment: comment})
	if err != nil {
		r.t.Fatalf("review: %v", err)
	}
	return got
}

func (u *user) profile(r *rig, username string) client.Profile {
	r.t.Helper()
	got, err := u.GetProfileWithResponse(r.t.Context(), username, nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("profile = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

func TestPartiesReviewEachOther(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	foreign, stranger := r.verifiedAgent(r.net.OtherAgent), r.human(r.net.OtherHuman)
	task := r.active(agent, human)
	if got := agent.review(r, task.ID, 5, nil); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("before the end = %s", answer(got))
	}
	r.submit(human, task.ID)
	task = r.task(agent, task.ID)
	r.net.Approve(t, agent.signer, 1)
	r.net.Decide(t, 1, common.HexToHash(*task.WorkHash), 0, true)
	r.settle()
	for name, who := range map[string]*user{"another agent": foreign, "another human": stranger} {
		if got := who.review(r, task.ID, 5, nil); got.JSON403 == nil {
			t.Errorf("%s reviews = %s", name, answer(got))
		}
	}
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
	if got := agent.review(r, task.ID, 1, nil); got.JSON409 == nil || got.JSON409.Error != "already_exists" {
		t.Errorf("a second review = %s", answer(got))
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

func TestHumansEditTheirProfile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	change := func(body string) reply {
		return r.do(http.MethodPatch, "/api/v1/humans/me", body, r.credentials(human)...)
	}
	for name, test := range map[string]struct {
		body string
		want int
	}{
		"no fields":                          {`{}`, 400},
		"a taken name":                       {`{"username":"` + strings.ToUpper(other.username(r)) + `"}`, 409},
		"a reserved name":                    {`{"username":"Admin"}`, 400},
		"a blank name":                       {`{"display_name":" "}`, 400},
		"a name with right-to-left override": {`{"display_name":"a\u202eb"}`, 400},
		"a blank skill":                      {`{"skills":["  "]}`, 400},
		"a location with a line break":       {`{"location":"a\nb"}`, 400},
		"a read-only field":                  {`{"is_verified":true}`, 400},
		"another wallet":                     {`{"wallet_address":"` + other.signer.Address().Hex() + `"}`, 400},
		"a negative rate":                    {`{"hourly_rate":"-1"}`, 400},
		"a rate above 2^256":                 {`{"hourly_rate":"` + nines(78) + `"}`, 400},
		"the current name":                   {`{"username":"` + strings.ToUpper(human.username(r)) + `"}`, 200},
	} {
		if got := change(test.body); got.status != test.want {
			t.Errorf("%s = %d %s, want %d", name, got.status, got.body, test.want)
		}
	}
	got, err := human.ChangeHumanMeWithResponse(t.Context(), client.ChangeHumanRequest{
		DisplayName: new("Mara"), Bio: new("Photographs harbours."), Skills: &[]string{"photography"}, Location: new("São Paulo"),
		HourlyRate: new("5"), IsAvailable: new(true), Username: new("mara"),
	})
	if err != nil || got.JSON200 == nil || *got.JSON200.Location != "São Paulo" || *got.JSON200.HourlyRate != "5" || got.JSON200.Username != "mara" {
		t.Fatalf("change = %s, %v", answer(got), err)
	}
	for query, want := range map[string]int{
		"": 1, "?q=harbours": 1, "?q=-harbours": 0, "?q=%22": 0, "?skill=photography": 1, "?skill=Photo": 0, "?location=sao": 1, "?location=S%C3%83O%20PA": 1,
		"?location=aulo": 0, "?remote=true": 1, "?remote=false": 0, "?min_rating=1": 0, "?verified=false": 1, "?verified=true": 0,
		"?q=harbours&location=berlin": 0, "?q=mara&skill=photography&location=s&verified=false": 1,
	} {
		found := r.do("GET", "/api/v1/humans/available"+query, "", "X-API-Key", agent.key)
		if found.status != 200 || strings.Count(found.body, `"username":"mara"`) != want || strings.Contains(found.body, "wallet") {
			t.Errorf("%s = %d %s, want %d humans", query, found.status, found.body, want)
		}
	}
	for _, query := range []string{"?location=%25", "?min_rating=0.5", "?min_rating=x", "?page=51", "?q=", "?verified=1"} {
		if found := r.do("GET", "/api/v1/humans/available"+query, "", "X-API-Key", agent.key); found.status != 400 {
			t.Errorf("%s = %d %s", query, found.status, found.body)
		}
	}
	if got := change(`{"location":"","hourly_rate":"0","is_available":false}`); got.status != 200 || strings.Contains(got.body, "hourly_rate") || strings.Contains(got.body, "location") {
		t.Errorf("clear the fields = %d %s", got.status, got.body)
	}
	if found := r.do("GET", "/api/v1/humans/available", "", "X-API-Key", agent.key); strings.Contains(found.body, "mara") {
		t.Errorf("a human who is not available is listed: %s", found.body)
	}
}

func TestAgentChangesUsernameOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	former := agent.username(r)
	change := func(who *user, username string) *client.ChangeAgentUsernameResponse {
		got, err := who.ChangeAgentUsernameWithResponse(t.Context(), client.ChangeAgentUsernameRequest{Username: username})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := change(agent, "support"); got.JSON400 == nil {
		t.Errorf("a reserved username = %s", answer(got))
	}
	if got := change(agent, strings.ToUpper(other.username(r))); got.JSON409 == nil || got.JSON409.Error != "username_taken" {
		t.Errorf("another agent's username = %s", answer(got))
	}
	if got := change(agent, former); got.JSON200 == nil || got.JSON200.UsernameChanged {
		t.Errorf("the current username = %s", answer(got))
	}
	if profile := other.profile(r, former); *profile.UsernameChanged || profile.IsAvailable == nil || *profile.IsAvailable {
		t.Errorf("before the change, profile = %+v", profile)
	}
	for range 2 { // the second request changes nothing
		if got := change(agent, "second-name"); got.JSON200 == nil || !got.JSON200.UsernameChanged || got.JSON200.Username != "second-name" {
			t.Fatalf("change = %s", answer(got))
		}
	}
	if me, err := agent.GetAgentMeWithResponse(t.Context(), nil); err != nil || me.JSON200.Username != "second-name" || !me.JSON200.UsernameChanged || me.JSON200.IsAvailable {
		t.Errorf("agents/me = %s, %v", answer(me), err)
	}
	if profile := other.profile(r, "Second-Name"); !*profile.UsernameChanged {
		t.Errorf("after the change, profile = %+v", profile)
	}
	if got := change(agent, former); got.JSON409 == nil || got.JSON409.Error != "already_exists" {
		t.Errorf("the second change = %s", answer(got))
	}
	if got := change(other, strings.ToUpper(former)); got.JSON409 == nil || got.JSON409.Error != "username_taken" {
		t.Errorf("the former username of another agent = %s", answer(got))
	}
}

// A human can send the whole profile with the current username even if that is reserved, such as the username
// of an erased account.
func TestReservedUsernameIsKept(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	storetest.DB(t, r.records).MustExec(`UPDATE users SET username = 'deleted-5f0c7b1e9a2d' WHERE id = $1`, r.humanID(human))
	for username, want := range map[string]int{"deleted-5f0c7b1e9a2d": 200, "deleted-5f0c7b1e9a2e": 400} {
		body := `{"username":"` + username + `","bio":"I am back."}`
		if got := r.do("PATCH", "/api/v1/humans/me", body, r.credentials(human)...); got.status != want {
			t.Errorf("PATCH /humans/me with %s = %d %s, want %d", username, got.status, got.body, want)
		}
	}
}

func TestHumansVerifyWithAPost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human, other := r.human(r.net.Human), r.human(r.net.OtherHuman)
	code := func(who *user) string {
		me, err := who.GetHumanMeWithResponse(t.Context())
		if err != nil || me.JSON200 == nil || me.JSON200.VerificationCode == nil {
			t.Fatalf("humans/me = %s, %v", answer(me), err)
		}
		return *me.JSON200.VerificationCode
	}
	verify := func(who *user, post string) *client.VerifyHumanResponse {
		got, err := who.VerifyHumanWithResponse(t.Context(), client.VerifyHumanRequest{PostURL: new(post)})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := verify(human, r.social.Post("mara", code(other))); got.JSON400 == nil || got.JSON400.Error != "verification_failed" {
		t.Errorf("another human's code = %s", answer(got))
	}
	got := verify(human, r.social.Post("mara", code(human)))
	if got.JSON200 == nil || got.JSON200.HumanID != human.id || got.JSON200.Handle != "mara" {
		t.Fatalf("verify = %s", answer(got))
	}
	if got := verify(other, r.social.Post("mara", code(other))); got.JSON409 == nil || got.JSON409.Error != "social_account_taken" {
		t.Errorf("the same account = %s", answer(got))
	}
	if me, err := human.GetHumanMeWithResponse(t.Context()); err != nil || !me.JSON200.IsVerified || *me.JSON200.Handle != "mara" {
		t.Errorf("humans/me = %s, %v", answer(me), err)
	}
	if profile := other.profile(r, human.username(r)); !profile.IsVerified || *profile.Handle != "mara" {
		t.Errorf("profile = %+v", profile)
	}
}

func TestHumansListTheirWork(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task, open := r.active(agent, human), r.funded(agent)
	r.applied(human, open.ID)
	for who, want := range map[*user][2]int64{human: {1, 2}, other: {0, 0}} {
		tasks, err := who.ListHumanTasksWithResponse(t.Context(), nil)
		if err != nil || tasks.JSON200 == nil || tasks.JSON200.Total != want[0] || tasks.JSON200.Tasks == nil {
			t.Errorf("tasks = %s, %v, want %d", answer(tasks), err, want[0])
		}
		applications, err := who.ListHumanApplicationsWithResponse(t.Context(), nil)
		if err != nil || applications.JSON200 == nil || applications.JSON200.Total != want[1] {
			t.Errorf("applications = %s, %v, want %d", answer(applications), err, want[1])
		}
	}
	page, err := human.ListHumanApplicationsWithResponse(t.Context(), &client.ListHumanApplicationsParams{PageSize: new(1)})
	if err != nil || page.JSON200 == nil || page.JSON200.NextCursor == nil || page.JSON200.Applications[0].TaskID != open.ID {
		t.Fatalf("first page = %s, %v", answer(page), err)
	}
	page, err = human.ListHumanApplicationsWithResponse(t.Context(), &client.ListHumanApplicationsParams{PageSize: new(1), Cursor: page.JSON200.NextCursor})
	if err != nil || page.JSON200 == nil || page.JSON200.NextCursor != nil || page.JSON200.Applications[0].TaskID != task.ID {
		t.Errorf("second page = %s, %v", answer(page), err)
	}
	done, err := human.ListHumanTasksWithResponse(t.Context(), &client.ListHumanTasksParams{Status: &[]client.TaskStatus{client.TaskStatusApproved}})
	if err != nil || done.JSON200 == nil || done.JSON200.Total != 0 {
		t.Errorf("approved ones = %s, %v", answer(done), err)
	}
}

func TestProfilesAreConditional(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	path := "/api/v1/profiles/" + strings.ToUpper(agent.username(r))
	first := r.do("GET", path, "", "X-API-Key", agent.key)
	tag := first.header.Get("ETag")
	if first.status != 200 || tag == "" || strings.Contains(first.body, "wallet") || strings.Contains(first.body, "code") {
		t.Fatalf("profile = %d %s", first.status, first.body)
	}
	if again := r.do("GET", path, "", "X-API-Key", agent.key, "If-None-Match", tag); again.status != 304 || again.body != "" {
		t.Errorf("again = %d %s", again.status, again.body)
	}
	for path, want := range map[string]int{"/profiles/nobody-here": 404, "/profiles/-x": 400, "/profiles/%25": 400, "/humans/" + agent.id.String(): 404} {
		if got := r.do("GET", "/api/v1"+path, "", "X-API-Key", agent.key); got.status != want {
			t.Errorf("%s = %d %s", path, got.status, got.body)
		}
	}
	if got := r.do("GET", path, ""); got.status != 401 {
		t.Errorf("a stranger = %d", got.status)
	}
}

// A display name must not look like the service or its staff. The current name passes, because clients send whole
// profiles.
func TestReservedDisplayNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	rename := func(name string) reply {
		return r.do("PATCH", "/api/v1/humans/me", `{"display_name":"`+name+`","bio":"x"}`, r.credentials(human)...)
	}
	for _, name := range []string{"Task Market Support", "Admin", "Аdmin", "Ａｄｍｉｎ", "✅ Verified", "Ada (verified)", `\u2800`, "🙂", "!!!"} {
		got := rename(name)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"field":"display_name"`) {
			t.Errorf("%q = %d %s", name, got.status, got.body)
		}
	}
	if got := rename(`\u2068Mara Lind\u2069`); got.status != http.StatusOK || !strings.Contains(got.body, `"display_name":"Mara Lind"`) {
		t.Errorf("a pasted name = %d %s", got.status, got.body)
	}
	storetest.DB(t, r.records).MustExec(`UPDATE users SET name = 'Admin' WHERE id = $1`, human.id)
	if got := rename("Admin"); got.status != http.StatusOK {
		t.Errorf("the current name = %d %s", got.status, got.body)
	}
}
