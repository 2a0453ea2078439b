package server_test

import (
	"net/http"
	"strings"
	"testing"

	"taskmarket/gen/client"
	"taskmarket/store/storetest"
)

func (u *user) profile(r *rig, username string) client.Profile {
	r.t.Helper()
	got, err := u.GetProfileWithResponse(r.t.Context(), username, nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("profile = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

func TestProfilesAreConditional(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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
	r := newIdleRig(t)
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
