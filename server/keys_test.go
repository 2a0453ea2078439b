package server_test

import (
	"testing"

	"github.com/google/uuid"

	"taskmarket/store/storetest"
)

// A key that was replaced on another server is refused immediately, even if this server has just accepted it.
// The refusal takes precedence over any other fault in the request.
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
		"/api/v1/activity/?page=51":           400,
		"/api/v1/account/export":              200, // its limit is shared
		"/api/v1/tasks/" + uuid.NewString():   404,
		"/api/v1/tasks/?scope=mine&cursor=x":  400,
		"/api/v1/tasks/?scope=mine&unknown=1": 400,
		"/api/v1/agents/me":                   200,
	} {
		if got := ask(task); got != 200 {
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
