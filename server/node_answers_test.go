package server_test

import (
	"net/http"
	"testing"
)

// A node that returns `0x` for every call counts as unavailable: operations that need the chain do
// not fail with an internal error.
func TestEmptyNodeAnswersAreNotInternalErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	asked, node := r.behindNode()
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	empty := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x"}`))
	}
	node.say.Store(&empty)
	for name, got := range map[string]reply{
		"an application": asked.do("POST", "/api/v1/tasks/"+task.ID.String()+"/applications", `{"application_message":"I can."}`, r.credentials(human)...),
		"a claim":        asked.do("POST", "/api/v1/agents/claim", "", r.credentials(agent)...),
		"a profile":      asked.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...),
	} {
		if got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
}
