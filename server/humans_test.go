package server_test

import (
	"net/http"
	"strings"
	"testing"

	"taskmarket/gen/client"
)

func TestHumansEditTheirProfile(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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

func TestHumansVerifyWithAPost(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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
