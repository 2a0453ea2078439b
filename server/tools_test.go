package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/client/mcp"
	"taskmarket/server"
	"taskmarket/server/gate"
)

// withTools serves the MCP tools.
func withTools(o *server.Options) {
	base := o.BaseURL
	o.Tools = func(api http.Handler) (http.Handler, error) {
		return mcp.NewHandler(mcp.HandlerOptions{API: api, BaseURL: base, Version: "test", Log: o.Log})
	}
}

// tool sends an MCP message that calls a tool.
func (r *rig) tool(name, arguments string, headers ...string) reply {
	r.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.url+"/mcp", strings.NewReader(body))
	if err != nil {
		r.t.Fatalf("make request: %v", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	return r.carry(request, headers...)
}

func TestToolsAreServed(t *testing.T) {
	t.Parallel()
	r := newRig(t, withTools)
	got := r.tool("get_board", "{}")
	if got.status != http.StatusOK || !strings.Contains(got.body, `"structuredContent":{`) {
		t.Fatalf("get_board = %d %s", got.status, got.body)
	}
	page := r.do("GET", "/api/v1/config/contracts", "")
	for _, name := range []string{
		"Cache-Control", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Content-Security-Policy", "Cross-Origin-Resource-Policy",
	} {
		want := page.header.Values(name)
		if name == "Cache-Control" {
			want = []string{"no-store"}
		}
		if diff := cmp.Diff(want, got.header.Values(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got.header.Get("X-Request-Id") == "" || got.header.Get("Mcp-Session-Id") != "" || got.header.Get("Set-Cookie") != "" {
		t.Errorf("headers %v", got.header)
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		if other := r.read(method, "/mcp"); other.status != http.StatusMethodNotAllowed || !strings.Contains(other.header.Get("Allow"), "POST") {
			t.Errorf("%s /mcp = %d, Allow %q", method, other.status, other.header.Get("Allow"))
		}
	}
	for _, path := range []string{"/llms.txt", "/skill.md"} {
		if page := r.read("GET", path); !strings.Contains(page.body, r.url+"/mcp") {
			t.Errorf("%s does not name the tools", path)
		}
	}
	without := newRig(t)
	if got := without.tool("get_board", "{}"); got.status != http.StatusNotFound || strings.Contains(without.read("GET", "/llms.txt").body, "/mcp") {
		t.Errorf("without tools = %d", got.status)
	}
}

// A page from another site cannot use the tools, even if its DNS name resolves to this machine.
func TestToolsRejectOtherOrigins(t *testing.T) {
	t.Parallel()
	r := newRig(t, withTools, func(o *server.Options) { // another site's requests must not use up the user's limit
		o.Limits = map[string]gate.Limit{"callTools": {Count: 1, Period: time.Hour, Burst: 1}}
	})
	for _, headers := range [][]string{
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://evil.example", "Host", "evil.example"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", r.url, "Origin", "https://evil.example"},
	} {
		if got := r.tool("get_board", "{}", headers...); got.status != http.StatusForbidden || !strings.Contains(got.body, "csrf_failed") {
			t.Errorf("with %v = %d %s", headers, got.status, got.body)
		}
	}
	if got := r.tool("get_board", "{}", "Origin", r.url, "Sec-Fetch-Site", "same-origin"); got.status != http.StatusOK {
		t.Errorf("our own page = %d %s", got.status, got.body)
	}
}

// API requests by a tool count against the rate limit of the tool's caller.
func TestToolsAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Now()
	r := newRig(t, withTools, func(o *server.Options) {
		one := gate.Limit{Count: 1, Period: time.Minute, Burst: 1}
		o.Limits = map[string]gate.Limit{"getBoard": one, "refusedCredentials": {Count: 2, Period: time.Minute, Burst: 2}, "callTools": {Count: 6, Period: time.Minute, Burst: 6}}
		o.Now = func() time.Time { return now }
	})
	if got := r.tool("get_board", "{}"); strings.Contains(got.body, "isError") {
		t.Errorf("first = %s", got.body)
	}
	if got := r.tool("get_board", "{}"); !strings.Contains(got.body, "429 rate_limited") {
		t.Errorf("second = %s", got.body)
	}
	if got := r.do("GET", "/api/v1/board", ""); got.status != http.StatusTooManyRequests {
		t.Errorf("the same request without the tools = %d", got.status)
	}
	for range 2 {
		if got := r.tool("get_agent_me", "{}", "X-API-Key", "tmk_guess"); !strings.Contains(got.body, "401 unauthorized") {
			t.Errorf("a wrong key = %s", got.body)
		}
	}
	if got := r.tool("get_agent_me", "{}", "X-API-Key", "tmk_guess"); !strings.Contains(got.body, "429 rate_limited") {
		t.Errorf("a third wrong key = %s", got.body)
	}
	if got := r.tool("get_contracts_config", "{}"); got.status != http.StatusOK {
		t.Errorf("the sixth message = %d", got.status)
	}
	if got := r.tool("get_contracts_config", "{}"); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("the seventh message = %d", got.status)
	}
}
