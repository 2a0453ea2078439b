package server_test

import (
	"net/http"
	"strings"
	"testing"

	"taskmarket/server"
	"taskmarket/server/gate"
)

// The largest accepted limit also works in the database's buckets. A larger limit is refused with
// an error that names the maximum.
func TestLimitsAreBounded(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"1000000/s:1": "", "60000000/min:1": "", "2147483647/hour:1": "", "1/hour:8760": "",
		"1000001/s:1": "the maximum is 1000000", "60000001/min:1": "the maximum is 60000000", "1/hour:8761": "the maximum is 8760",
	} {
		if _, err := gate.ParseLimit(text); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("ParseLimit(%q) = %v, want %q", text, err, says)
		}
	}
	largest, err := gate.ParseLimit("60000000/min:2147483647")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(o *server.Options) { o.Limits = map[string]gate.Limit{"*": largest} })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	for range 3 {
		if got := r.do("POST", "/api/v1/tasks/"+task.ID.String()+"/messages/", `{"content":"x"}`, r.credentials(agent)...); got.status >= http.StatusInternalServerError {
			t.Errorf("a message under the largest limit = %d %s", got.status, got.body)
		}
		if got := r.do("GET", "/api/v1/tasks/", "", r.credentials(agent)...); got.status != http.StatusOK {
			t.Errorf("a list under the largest limit = %d %s", got.status, got.body)
		}
	}
}
