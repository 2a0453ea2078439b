package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/server"
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

// No operation answers 503 while one provider is honest, whatever error the other one returns with HTTP status 200. With
// that provider alone, the health names the node.
func TestErrorsOfOneProviderAreNotSeenByUsers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.funded(agent)
	id := "/api/v1/tasks/" + task.ID.String()
	behind := func(node *rpc.Node) *rig {
		reader := chain.NewReader(node, r.net.Contracts)
		head := r.monitor(reader, 20*time.Millisecond)
		return r.replica(func(o *server.Options) { o.Reader, o.Head, o.Verifier = reader, head, chain.NewVerifier(node) })
	}
	bad := chaintest.NewProxy(t, r.net.Dev.URL())
	options := rpc.NodeOptions{CallTimeout: 2 * time.Second, Tries: 1}
	both, alone := chaintest.DialWith(t, options, bad.URL, r.net.Dev.URL()), chaintest.DialWith(t, options, bad.URL)
	served, unserved := behind(both), behind(alone)
	for name, fault := range chaintest.ProviderFaults() {
		bad.Intercept(func(c *chaintest.Exchange) bool { c.Fault = &fault; return true })
		for what, got := range map[string]reply{
			"a profile":       served.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...),
			"an application":  served.do("POST", id+"/applications", `{"application_message":"I can."}`, r.credentials(human)...),
			"a cancellation":  served.do("POST", id+"/cancel", "", r.credentials(agent)...),
			"a confirmation":  served.do("POST", id+"/confirm-create", `{"tx_hash":"0x`+nines(64)+`"}`, r.credentials(agent)...),
			"a claim":         served.do("POST", "/api/v1/agents/claim", "", r.credentials(agent)...),
			"the health":      served.do("GET", "/api/v1/health", ""),
			"the human's own": served.do("GET", "/api/v1/humans/me", "", r.credentials(human)...),
		} {
			if got.status >= http.StatusInternalServerError || strings.Contains(got.body, "node_unavailable") {
				t.Errorf("%s: %s = %d %s", name, what, got.status, got.body)
			}
		}
		if got := unserved.do("GET", "/api/v1/agents/me", "", r.credentials(agent)...); got.status != http.StatusServiceUnavailable || errorOf(t, got.body) != "chain_unavailable" {
			t.Errorf("%s, the only provider: a profile = %d %s", name, got.status, got.body)
		}
	}
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got := unserved.do("GET", "/api/v1/health", "")
		if strings.Contains(got.body, "node_unavailable") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("health = %d %s, want the reason node_unavailable", got.status, got.body)
		}
	}
	if states := both.Providers(); states[0].Failures == 0 {
		t.Errorf("the providers are %+v, want failures of the first one", states)
	}
}
