package server_test

import (
	"testing"

	"github.com/google/uuid"

	"taskmarket/store/storetest"
)

// A key that was replaced on another server is refused immediately, even if this server has cached
// it as valid. The refusal takes precedence over any other fault in the request.
func TestReplacedKeyIsRejectedImmediately(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	owner := r.verifiedAgent(r.net.Agent)
	task := "/api/v1/tasks/" + r.createTask(owner).ID.String() + "/"
	key := owner.key
	replace := func(from, to string) {
		t.Helper()
		_, err := storetest.DB(t, r.records).Exec(
			`UPDATE agents SET key_hash = sha256($2::text::bytea) WHERE key_hash = sha256($1::text::bytea)`, from, to)
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(path string) int { return r.do("GET", path, "", "X-API-Key", key).status }
	for path, valid := range map[string]int{
		task:                                  200,
		"/api/v1/tasks/?scope=mine":           200,
		"/api/v1/tasks/?scope=board":          200, // the board is empty
		"/api/v1/tasks/?scope=mine&q=window":  200,
		"/api/v1/tasks/?scope=mine&page=2":    200,
		"/api/v1/activity/":                   200,
		"/api/v1/activity/?page=51":           400,
		"/api/v1/tasks/" + uuid.NewString():   404,
		"/api/v1/tasks/?scope=mine&cursor=x":  400,
		"/api/v1/tasks/?scope=mine&unknown=1": 400,
		"/api/v1/agents/me":                   200,
	} {
		if got := ask(task); got != 200 { // this request caches the key
			t.Fatalf("a valid key = %d", got)
		}
		if got := ask(path); got != valid {
			t.Errorf("GET %s = %d, want %d", path, got, valid)
		}
		replace(key, "another")
		if got := ask(path); got != 401 {
			t.Errorf("GET %s with a replaced key = %d, want 401", path, got)
		}
		if got := ask(task); got != 401 {
			t.Errorf("GET %s after that = %d, want 401", task, got)
		}
		replace("another", key)
	}
}

// A key that was reassigned to another agent does not authenticate the first agent.
func TestReassignedKeyAuthenticatesTheNewAgent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	owner, other := r.verifiedAgent(r.net.Agent), r.verifiedAgent(r.net.OtherAgent)
	task := "/api/v1/tasks/" + r.createTask(owner).ID.String() + "/"
	if got := r.do("GET", task, "", "X-API-Key", owner.key).status; got != 200 {
		t.Fatalf("GET %s by its agent = %d", task, got)
	}
	db := storetest.DB(t, r.records)
	for _, set := range [][2]string{{owner.key, "spare"}, {other.key, owner.key}} {
		if _, err := db.Exec(`UPDATE agents SET key_hash = sha256($2::text::bytea) WHERE key_hash = sha256($1::text::bytea)`, set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{401, 403} { // the first call invalidates the cached key
		if got := r.do("GET", task, "", "X-API-Key", owner.key).status; got != want {
			t.Errorf("GET %s by the other agent = %d, want %d", task, got, want)
		}
	}
}
