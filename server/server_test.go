package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"taskmarket/client/mcp"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/server/site"
	"taskmarket/server/site/reference"
	"taskmarket/server/social"
)

// withApp serves a small web app. The content of each file identifies it.
func withApp(o *server.Options) {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	o.App = &site.App{
		Files: fstest.MapFS{
			"index.html":             file("the app"),
			"icon.svg":               file("<svg/>"),
			"manifest.json":          file(`{"main.ts": {"file": "assets/main-1a.js", "css": ["assets/style-2b.css"]}}`),
			"assets/main-1a.js":      file("plain"),
			"assets/main-1a.js.br":   file("by brotli"),
			"assets/main-1a.js.gz":   file("by gzip"),
			"assets/style-2b.css":    file("style"),
			"assets/style-2b.css.gz": file("style by gzip"),
		},
		Routes:    []string{"/", "/tasks", "/tasks/$taskId", "/profile"},
		ChainName: "Chain 1", RPCURL: "https://node.example/key",
	}
}

func TestAppServesItsRoutes(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	for _, path := range []string{"/", "/tasks", "/tasks/", "/tasks/0198", "/profile", "//tasks"} {
		got := r.read("GET", path)
		if got.status != http.StatusOK || got.body != "the app" || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("GET %s = %d %q, %v", path, got.status, got.body, got.header)
		}
		if got.header.Get("Cache-Control") != "no-cache" || got.header.Get("ETag") == "" {
			t.Errorf("GET %s: caching %v", path, got.header)
		}
	}
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self' https://node.example/key; require-trusted-types-for 'script'; trusted-types 'none'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	got := r.read("GET", "/")
	if got.header.Get("Content-Security-Policy") != policy || got.header.Get("X-Frame-Options") != "DENY" || got.header.Get("X-Request-Id") == "" {
		t.Errorf("headers %v", got.header)
	}
	if head := r.read("HEAD", "/tasks"); head.status != http.StatusOK || head.body != "" || head.header.Get("Content-Length") != "7" {
		t.Errorf("HEAD = %d %q %v", head.status, head.body, head.header)
	}
}

// An unknown path returns 404; browsers get the app's not-found page.
func TestAppReturnsNotFoundForUnknownPaths(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	for _, path := range []string{"/metrics", "/apiary", "/nothing/of/ours", "/tasks/0198/nothing", "/livez/x", "/.env"} {
		got := r.read("GET", path)
		if got.status != http.StatusNotFound || errorOf(t, got.body) != "not_found" {
			t.Errorf("GET %s = %d %q, want 404", path, got.status, got.body)
		}
	}
	got := r.read("GET", "/nothing/of/ours", "Accept", "text/html,application/xhtml+xml")
	if got.status != http.StatusNotFound || got.body != "the app" || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("a browser's GET of an unknown page = %d %q", got.status, got.body)
	}
	if got := r.read("GET", "/assets/gone.js", "Accept", "text/html"); got.status != http.StatusNotFound || got.body == "the app" {
		t.Errorf("a browser's GET of an unknown asset = %d %q", got.status, got.body)
	}
}

func TestAppDoesNotShadowTheAPI(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/api", 404},
		{"GET", "/api/v1/nothing", 404},
		{"GET", "/api/v1/tasks/x/y/z", 404},
		{"GET", "/api/../api/v2", 404},
		{"GET", "/assets/main-0.js", 404},
		{"GET", "/assets/main", 404},
		{"GET", "/main.js", 404},
		{"GET", "/manifest.json", 404},
		{"GET", "/assets/main-1a.js.br", 404},
		{"GET", "/../etc/passwd.txt", 404},
		{"POST", "/tasks", 404},
		{"DELETE", "/", 404},
		{"POST", "/docs", 405},
		{"DELETE", "/api/v1/health", 405},
	} {
		got := r.read(c.method, c.path)
		if got.status != c.status || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") || strings.Contains(got.body, "the app") {
			t.Errorf("%s %s = %d %q, want %d", c.method, c.path, got.status, got.body, c.status)
		}
		if c.status == 405 && got.header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.path)
		}
	}
	if got := r.read("GET", "/docs"); got.status != http.StatusOK || got.body == "the app" {
		t.Errorf("GET /docs = %d", got.status)
	}
}

func TestAppIsCompressedAsAccepted(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	tags := map[string]string{}
	for accept, want := range map[string]string{
		"gzip, deflate, br, zstd": "by brotli", "BR": "by brotli", "gzip": "by gzip", "br;q=0, gzip;q=0.5": "by gzip",
		"br; q=0.0,gzip;q=0": "plain", "identity": "plain", "deflate": "plain", "brr": "plain",
	} {
		got := r.read("GET", "/assets/main-1a.js", "Accept-Encoding", accept)
		encoding := map[string]string{"by brotli": "br", "by gzip": "gzip", "plain": ""}[want]
		if got.body != want || got.header.Get("Content-Encoding") != encoding || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: %q, %v", accept, got.body, got.header)
		}
		if got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("headers %v", got.header)
		}
		tags[want] = got.header.Get("ETag")
		if again := r.read("GET", "/assets/main-1a.js", "Accept-Encoding", accept, "If-None-Match", tags[want]); again.status != 304 || again.body != "" {
			t.Errorf("Accept-Encoding %q again = %d", accept, again.status)
		}
	}
	if tags["plain"] == tags["by gzip"] || tags["by gzip"] == tags["by brotli"] {
		t.Errorf("two encodings have the same ETag: %v", tags)
	}
	if got := r.read("GET", "/assets/style-2b.css", "Accept-Encoding", "br, gzip"); got.body != "style by gzip" {
		t.Errorf("without a brotli encoding: %q", got.body)
	}
}

func TestAppConfigDescribesTheChain(t *testing.T) {
	t.Parallel()
	networks, err := social.New("bsky.app=view.example", "x.com", "mastodon.social", "127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	r := newIdleRig(t, withApp, func(o *server.Options) { o.Networks = networks })
	want := `{"chainName":"Chain 1","currency":{"name":"ETH","symbol":"ETH","decimals":18},"rpcUrl":"https://node.example/key","networks":[` +
		`{"name":"bsky.app","composeUrl":"https://bsky.app/intent/compose?text="},{"name":"x.com","composeUrl":"https://x.com/intent/post?text="},` +
		`{"name":"mastodon.social","composeUrl":"https://mastodon.social/share?text="},` +
		`{"name":"127.0.0.1:8080","composeUrl":"http://127.0.0.1:8080/share?text="}]}`
	if got := r.read("GET", "/app.json"); got.status != http.StatusOK || got.body != want {
		t.Errorf("GET /app.json = %d %s", got.status, got.body)
	}
}

// A program that was built while the app was being built contains a part of it.
func TestIncompleteAppIsRejected(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	o := r.options(r.host)
	index := &fstest.MapFile{Data: []byte(`<script type="module" src="/assets/main-1a.js"></script><a href="/tasks">Tasks</a>`)}
	list := &fstest.MapFile{Data: []byte(`{"page.ts": {"file": "assets/page-3c.js", "css": ["assets/page-4d.css"]}}`)}
	for missing, files := range map[string]fstest.MapFS{
		"index.html":         {"icon.svg": {}},
		"assets/main-1a.js":  {"index.html": index, "assets/main-0.js": {}},
		"assets/page-3c.js":  {"index.html": index, "assets/main-1a.js": {}, "manifest.json": list, "assets/page-4d.css": {}},
		"assets/page-4d.css": {"index.html": index, "assets/main-1a.js": {}, "manifest.json": list, "assets/page-3c.js": {}},
		"unknown file type":  {"index.html": {}, "x.exe": {}},
	} {
		o.App = &site.App{Files: files}
		if _, err := server.New(o); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: New() = %v", missing, err)
		}
	}
}

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

// pages lists the paths of all documents outside the API, with their content types.
var pages = map[string]string{
	"/openapi.yaml": "application/yaml",
	"/openapi.json": "application/json",
	"/skill.md":     "text/markdown; charset=utf-8",
	"/llms.txt":     "text/plain; charset=utf-8",
	"/docs":         "text/html; charset=utf-8",
	"/rescue":       "text/html; charset=utf-8",

	"/docs/style.css": "text/css; charset=utf-8",
	"/docs/script.js": "text/javascript; charset=utf-8",
}

func TestDocumentsAreServedAsFiles(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	for path, kind := range pages {
		got := r.read("GET", path)
		tag := got.header.Get("ETag")
		if got.status != 200 || got.header.Get("Content-Type") != kind || got.body == "" || tag == "" {
			t.Errorf("GET %s = %d, %v", path, got.status, got.header)
		}
		if got.header.Get("Cache-Control") != "private, no-cache" || got.header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none';") {
			t.Errorf("GET %s: headers %v", path, got.header)
		}
		if twin := r.read("GET", path+"/"); twin.status != 200 || twin.body != got.body {
			t.Errorf("GET %s/ = %d", path, twin.status)
		}
		if head := r.read("HEAD", path); head.status != 200 || head.body != "" || head.header.Get("ETag") != tag {
			t.Errorf("HEAD %s = %d %q", path, head.status, head.body)
		}
		if known := r.read("GET", path, "If-None-Match", tag); known.status != 304 || known.body != "" {
			t.Errorf("GET %s again = %d", path, known.status)
		}
		if options := r.do("OPTIONS", path, ""); options.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s = %v", path, options.header)
		}
		if post := r.do("POST", path, "{}"); post.status != http.StatusMethodNotAllowed || post.header.Get("Allow") == "" {
			t.Errorf("POST %s = %d, Allow %q", path, post.status, post.header.Get("Allow"))
		}
	}
}

// The Host and forwarding headers of a request never appear in a document. Otherwise an attacker
// could make an agent sign for another contract, or send its key to another host.
func TestDocumentsIgnoreTheRequestsHost(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	for path := range pages {
		want := r.read("GET", path)
		for _, headers := range [][]string{
			{"Host", "evil.example"},
			{"X-Forwarded-Host", "evil.example"},
			{"Forwarded", "host=evil.example;proto=https"},
			{"X-Forwarded-Proto", "evil"},
			{"X-Forwarded-Prefix", "/evil"},
			{"X-Original-URL", "/evil"},
			{"X-Rewrite-URL", "/evil"},
			{"Origin", "https://evil.example"},
			{"Referer", "https://evil.example/"},
			{"Accept", "text/evil"},
			{"Accept-Language", "evil"},
			{"User-Agent", "evil"},
			{"Cookie", "taskmarket_session=evil"},
			{"X-API-Key", "evil"},
			{"X-Request-Id", "evil"},
		} {
			got := r.read("GET", path, headers...)
			if got.status != want.status || got.body != want.body || got.header.Get("ETag") != want.header.Get("ETag") {
				t.Errorf("GET %s with %v differs: %d", path, headers, got.status)
			}
		}
		if got := r.read("GET", path+"?host=evil.example"); got.body != want.body {
			t.Errorf("GET %s with a query differs", path)
		}
		if got := r.do("GET", "//evil.example"+path, ""); got.status != http.StatusNotFound {
			t.Errorf("GET //evil.example%s = %d", path, got.status)
		}
	}
}

// The served API document is openapi.yaml byte for byte, not a generated version.
func TestDocumentIsServedUnchanged(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	written, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.read("GET", "/openapi.yaml"); got.body != string(written) {
		t.Error("/openapi.yaml differs from the file openapi.yaml")
	}
	asJSON := r.read("GET", "/openapi.json").body
	var fromYAML, fromJSON any
	if err := yaml.Unmarshal(written, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(asJSON), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(throughJSON(t, fromYAML), fromJSON); diff != "" {
		t.Errorf("/openapi.json differs from /openapi.yaml (-yaml +json):\n%s", diff)
	}
	if strings.Index(asJSON, `"getHealth"`) > strings.Index(asJSON, `"listActivity"`) {
		t.Error("/openapi.json is not in the order of /openapi.yaml")
	}
	if spec, err := openapi3.NewLoader().LoadFromData([]byte(asJSON)); err != nil || spec.Validate(t.Context()) != nil {
		t.Errorf("/openapi.json is not a valid document: %v", err)
	}
}

// throughJSON converts decoded YAML to the types of decoded JSON.
func throughJSON(t *testing.T, value any) any {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestPagesAreRateLimited(t *testing.T) {
	t.Parallel()
	now := time.Now()
	r := newIdleRig(t, func(o *server.Options) {
		o.Limits, o.Now = nil, func() time.Time { return now }
	})
	for range 60 {
		if got := r.read("HEAD", "/openapi.json"); got.status != 200 {
			t.Fatalf("a request within the limit = %d", got.status)
		}
	}
	if got := r.do("GET", "/openapi.yaml", ""); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
		t.Errorf("over the limit = %d", got.status)
	}
}

// The reference page loads only its bundled files, and those exist.
func TestReferenceSatisfiesItsContentSecurityPolicy(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	got := r.read("GET", "/docs")
	if policy := got.header.Get("Content-Security-Policy"); policy != gate.ReferencePolicy || !strings.Contains(policy, "require-trusted-types-for 'script'; trusted-types 'none'") {
		t.Errorf("policy = %q", policy)
	}
	for _, path := range []string{reference.StylePath, reference.ScriptPath} {
		if !strings.Contains(got.body, `"`+path+`"`) || r.read("GET", path).status != 200 {
			t.Errorf("%s is not loaded or does not exist", path)
		}
	}
	if !strings.Contains(html.UnescapeString(got.body), "'"+r.url+"/api/v1/tasks/'") || !strings.Contains(got.body, `data-base="/api/v1"`) {
		t.Error("the commands or the test requests use another host")
	}
}

// No page of another origin may read a response or send a request with a visitor's session, not even
// one whose origin resembles the service's.
func TestOtherOriginsAreNotAllowed(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	human := r.human(r.net.Human)
	cookie := human.cookie(t, r.url).String()
	host := strings.TrimPrefix(r.url, "http://")
	for _, origin := range []string{
		"https://evil.example", "null", "https://" + host, r.url + ".evil.example", r.url + "0", "http://evil.example:80",
		"http://127.0.0.1", "http://localhost" + r.url[strings.LastIndex(r.url, ":"):], "http://" + host + "@evil.example", "file://",
	} {
		for _, path := range []string{"/api/v1/auth/session", "/api/v1/board", "/api/v1/nothing", "/openapi.json", "/docs", "/app.json", "/"} {
			preflight := r.read("OPTIONS", path, "Origin", origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-csrf-token,x-api-key")
			for how, got := range map[string]reply{"GET": r.read("GET", path, "Origin", origin, "Cookie", cookie), "preflight": preflight} {
				for name := range got.header {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s %s from %s: header %s", how, path, origin, name)
					}
				}
				if got.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
					t.Errorf("%s %s from %s: headers %v", how, path, origin, got.header)
				}
			}
		}
		got := r.do("POST", "/api/v1/auth/logout", "", "Cookie", cookie, "X-CSRF-Token", human.csrf, "Origin", origin)
		if got.status != http.StatusForbidden || errorOf(t, got.body) != "csrf_failed" {
			t.Errorf("a logout from %s = %d %s", origin, got.status, got.body)
		}
	}
	if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", cookie); got.status != http.StatusOK {
		t.Errorf("the session afterwards = %d %s", got.status, got.body)
	}
}

// The service never redirects, so no link to it leads to another site.
func TestNoRequestIsRedirected(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, withApp)
	targets := []string{
		"//evil.example", "//evil.example/", "//evil.example/docs/", "///evil.example", "/%09/evil.example", "/%2f/evil.example", "/%2f%2fevil.example/",
		"/%5cevil.example", `/\evil.example`, "/.//evil.example", "/docs/..//evil.example/", "/docs//evil.example", "/tasks/..;/evil.example",
		"/api/v1//evil.example", "/api/v1/tasks/%2f%2fevil.example/", "http://evil.example/docs/", "http://evil.example//tasks", "/@evil.example", "/?//evil.example", "/assets/..%2f..%2f/evil.example",
	}
	for _, target := range targets {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			got := r.target(method, target)
			if redirects := got.status >= 300 && got.status < 400; redirects || got.header.Get("Location") != "" || got.header.Get("Refresh") != "" {
				t.Errorf("%s %s = %d, Location %q, Refresh %q", method, target, got.status, got.header.Get("Location"), got.header.Get("Refresh"))
			}
		}
	}
	if len(targets) != 20 {
		t.Errorf("%d targets", len(targets))
	}
}

// Encoded separators and dots neither bypass the checks of an operation, nor reveal a file that the web app
// does not serve.
func TestEncodedPathsPassNoCheck(t *testing.T) {
	t.Parallel()
	r := newRig(t, withApp)
	task := r.funded(r.verifiedAgent(r.net.Agent)).ID.String()
	targets := []string{
		"/assets/..%2fmanifest.json", "/assets/..%2f..%2fgo.mod", "/assets%2f..%2fmanifest.json", "/assets/%2e%2e/manifest.json", "/assets/%2e%2e%2fmanifest.json",
		"/assets/..%5cmanifest.json", "/assets/..%255cmanifest.json", "/assets/..%252fmanifest.json", "/%2e/manifest.json", "/.%2fmanifest.json",
		"/manifest.json%00.js", "/manifest.json%20", "/%6danifest.json", "/manifest%2ejson", "/assets/main-1a.js%2ebr", "/assets%2fmain-1a.js.br",
		"/..%c0%af..%c0%afetc/passwd", "/%ff%fe", "/assets/%u002e%u002e/manifest.json", "/.%2e/.%2e/.%2e/etc/passwd",
		"/api%2fv1%2ftasks%2f" + task, "/api/v1/tasks%2f" + task, "/api/v1/%74asks/" + task, "/api/v1/board/..%2ftasks%2f" + task, "/api/v1/board/%2e%2e/tasks/" + task,
		"/api/v1/board%2f..%2ftasks%2f" + task, "/api/v1/tasks/" + task + "%2ffiles", "/api/v1/tasks/" + task + "%3f", "/api/v1;/tasks/" + task, "/docs/%2e%2e/api/v1/tasks/" + task,
	}
	for _, target := range targets {
		for _, accept := range []string{"*/*", "text/html"} {
			got := r.target("GET", target, "Accept: "+accept)
			notFound := got.status == http.StatusNotFound && (accept == "text/html" || errorOf(t, got.body) == "not_found")
			if !notFound && got.status != http.StatusBadRequest && got.status != http.StatusUnauthorized {
				t.Errorf("GET %s = %d %.200s", target, got.status, got.body)
			}
			for _, hidden := range []string{"the build's own", "by brotli", "root:", "module taskmarket", `"escrow_amount"`} {
				if strings.Contains(got.body, hidden) {
					t.Errorf("GET %s returns %q", target, hidden)
				}
			}
		}
	}
	if len(targets) != 30 {
		t.Errorf("%d targets", len(targets))
	}
}

// Every response that this service sends over https has the headers that protect a browser: pages,
// records, files, errors and refusals alike.
func TestEveryResponseHasProtectiveHeaders(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	secure := r.replica(withApp, withTools, func(o *server.Options) {
		o.BaseURL = "https://market.example"
		o.Problems = func(context.Context) []market.HealthReason { panic("a fault") }
	})
	file := secure.upload(secure.withKey(agent.key), task.ID, "a.html", "<script>").JSON201
	if file == nil {
		t.Fatal("the upload failed")
	}
	key := []string{"X-API-Key", agent.key}
	at := "/api/v1/tasks/" + task.ID.String()
	for _, ask := range []struct {
		method, path string
		headers      []string
		status       int
	}{
		{"GET", "/", nil, 200},
		{"GET", "/assets/main-1a.js", []string{"Accept-Encoding", "identity"}, 200},
		{"GET", "/app.json", nil, 200},
		{"GET", "/docs", nil, 200},
		{"GET", "/rescue", nil, 200},
		{"GET", "/skill.md", nil, 200},
		{"GET", "/livez", nil, 200},
		{"GET", "/api/v1/board", nil, 200},
		{"GET", "/api/v1/board", []string{"If-None-Match", "*"}, 304},
		{"GET", at, key, 200},
		{"HEAD", at, key, 200},
		{"OPTIONS", at, nil, 200},
		{"GET", at + "/files/" + file.ID.String(), key, 200},
		{"GET", "/api/v1/events?follow=false", key, 200},
		{"GET", at, nil, 401},
		{"PUT", at, key, 405},
		{"GET", "/api/v1/tasks/" + unknownID, key, 404},
		{"GET", "/api/v1/tasks/x", key, 400},
		{"DELETE", "/docs", nil, 405},
		{"GET", "/nothing", []string{"Accept", "text/html"}, 404},
		{"GET", "/api/v1/nothing", nil, 404},
		{"POST", "/mcp", []string{"Origin", "https://evil.example"}, 403},
	} {
		got := secure.read(ask.method, ask.path, ask.headers...)
		if got.status != ask.status {
			t.Errorf("%s %s = %d, want %d", ask.method, ask.path, got.status, ask.status)
		}
		secure.wantProtected(ask.method+" "+ask.path, got)
	}
	failed := secure.do("GET", "/api/v1/health", "")
	if failed.status != http.StatusInternalServerError {
		t.Errorf("a panic = %d %s", failed.status, failed.body)
	}
	secure.wantProtected("a panic", failed)
}

// wantProtected fails the test if a header that protects browsers is missing or weak. X-Frame-Options is
// required in addition to frame-ancestors, because the policy of a downloaded file is only "sandbox".
func (r *rig) wantProtected(what string, got reply) {
	r.t.Helper()
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
		"Strict-Transport-Security": "max-age=63072000; includeSubDomains",
	} {
		if values := got.header.Values(name); len(values) != 1 || values[0] != want {
			r.t.Errorf("%s → %d: %s = %q, want %q", what, got.status, name, values, want)
		}
	}
	policy := got.header.Get("Content-Security-Policy")
	strict := strings.HasPrefix(policy, "default-src 'none'") && strings.HasSuffix(policy, "; frame-ancestors 'none'")
	if !strict && policy != "sandbox" || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		r.t.Errorf("%s → %d: policy %q", what, got.status, policy)
	}
	if features := got.header.Get("Permissions-Policy"); !strings.Contains(features, "camera=()") || !strings.Contains(features, "geolocation=()") {
		r.t.Errorf("%s → %d: Permissions-Policy %q", what, got.status, features)
	}
	if got.header.Get("X-Request-Id") == "" || got.header.Get("Server") != "" || got.header.Get("X-Powered-By") != "" {
		r.t.Errorf("%s → %d: headers %v", what, got.status, got.header)
	}
}

// zoned matches tests that compare the times of windows, sessions, challenges and activities. The databases of
// all tests already use the time zone of TestServersInAnyTimeZoneAgree.
const zoned = "^(TestTaskFromCreationToPayment|TestSessionLifetime|TestChallengeExpires|TestFeedBoundsAreStrict|TestWindowsUseChainTime)$"

// A server whose machine is 14 hours ahead of UTC returns the same times and closes the same windows.
func TestServersInAnyTimeZoneAgree(t *testing.T) {
	t.Parallel()
	const zone = "Pacific/Kiritimati"
	if _, err := time.LoadLocation(zone); err != nil {
		t.Fatal(err) // without the zone, the process would use UTC
	}
	self := exec.CommandContext(t.Context(), os.Args[0], "-test.run", zoned, "-test.v")
	self.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TZ=") }), "TZ="+zone)
	out, err := self.CombinedOutput()
	if passed := strings.Count(string(out), "\n--- PASS: "); err != nil || passed != strings.Count(zoned, "|")+1 {
		t.Errorf("%d tests passed, %v:\n%s", passed, err, out)
	}
}

// roundTrip is a JavaScript program that creates tasks with amounts above 2^53, reads them back, checks
// that each number in the responses is exact, and prints the list of tasks as it read it.
const roundTrip = `
const [api, key, ...amounts] = process.argv.slice(1)
const ask = async (method, path, body) => {
  const response = await fetch(api + path, { method, body: body && JSON.stringify(body), headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } })
  if (!response.ok) throw new Error(method + ' ' + path + ' = ' + response.status + ' ' + (await response.text()))
  return response.json()
}
const check = (value, path) => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(path + ' is not exact: ' + value)
  if (value && typeof value === 'object') for (const [name, member] of Object.entries(value)) check(member, path + '.' + name)
}
for (const amount of amounts) {
  const made = await ask('POST', '/tasks/', { title: 'T', description: 'D', escrow_amount: amount })
  const read = await ask('GET', '/tasks/' + made.id)
  if (made.escrow_amount !== amount || read.escrow_amount !== amount) throw new Error('created ' + amount + ', read ' + read.escrow_amount)
  check(read, 'task')
}
for (const path of ['/agents/me', '/config/contracts', '/activity', '/agents/claims']) check(await ask('GET', path), path)
const list = await ask('GET', '/tasks/?scope=mine')
check(list, 'list')
console.log(JSON.stringify(list))
`

// JavaScript reads numbers as 64-bit floating-point numbers. It loses no precision, because responses contain
// amounts and on-chain ids as strings.
func TestAmountsAreExactInJavaScript(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	amounts := []string{"10000000000000001", "9007199254740993000001", "79228162514264337593543950335"} // the last is 2^96 - 1
	node := exec.CommandContext(t.Context(), "node", append([]string{"--input-type=module", "-e", roundTrip, r.url + "/api/v1", agent.key}, amounts...)...)
	var stderr bytes.Buffer
	node.Stderr = &stderr
	printed, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	sent := r.do("GET", "/api/v1/tasks/?scope=mine", "", "X-API-Key", agent.key)
	if diff := cmp.Diff(numbers(t, []byte(sent.body)), numbers(t, printed)); diff != "" {
		t.Errorf("JavaScript reads a different list (-sent +read):\n%s", diff)
	}
}

// numbers decodes JSON, but keeps numbers as they are written.
func numbers(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return value
}

func TestUnknownPathsAreNotFound(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	for _, path := range []string{
		"/", "/api", "/api/v1", "/api/v1/", "/api/v1/tasks//", "/api/v1/tasks//dispute", "/api/v2/health", "/api/v1/tasks/x/y", "/api/v1//tasks", "/api/v1/agents",
		"/api/v1/health/x", "/api/v1/%74asks%2f", "//evil.example", "/%2f%2fevil.example/..",
	} {
		got := r.do("GET", path, "")
		if got.status != http.StatusNotFound || errorOf(t, got.body) != "not_found" {
			t.Errorf("GET %s = %d %s", path, got.status, got.body)
		}
	}
}

// Large JSON responses are compressed for clients that accept gzip, except responses with secrets and errors. Both
// forms have the same weak ETag.
func TestLargeAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	for range 5 {
		r.funded(agent)
	}
	for path, large := range map[string]bool{
		"/api/v1/board": true, "/api/v1/tasks/?scope=mine": true, "/api/v1/config/skills": true, "/api/v1/config/contracts": true,
		"/openapi.json": true, "/skill.md": true, "/api/v1/agents/messages/unread-count": false,
	} {
		plain := r.unpacked(t, path, "identity", agent)
		for accepted, packed := range map[string]bool{
			"gzip": true, "br, gzip;q=0.5": true, "deflate , GZIP ; Q=1.0": true, "gzip;q=0": false, "br": false, "gzip;q=0.0, identity": false, "x-gzipped": false,
		} {
			got := r.unpacked(t, path, accepted, agent)
			if compressed := got.header.Get("Content-Encoding") == "gzip"; compressed != (packed && large) || got.body != plain.body ||
				!strings.Contains(strings.Join(got.header["Vary"], ","), "Accept-Encoding") || got.header.Get("ETag") != plain.header.Get("ETag") ||
				got.header.Get("ETag") != "" && !strings.HasPrefix(got.header.Get("ETag"), "W/") {
				t.Errorf("%s with %q has the headers %v", path, accepted, got.header)
			}
			if tag := got.header.Get("ETag"); tag != "" {
				if known := r.unpacked(t, path, accepted, agent, "If-None-Match", tag); known.status != 304 || known.body != "" ||
					known.header.Get("ETag") != tag || known.header.Get("Content-Encoding") != "" || !strings.Contains(strings.Join(known.header["Vary"], ","), "Accept-Encoding") {
					t.Errorf("%s with %q and the tag = %d %v", path, accepted, known.status, known.header)
				}
			}
		}
	}
}

// Responses that contain a key, a token or a code are not compressed, because their size would reveal it.
func TestAnswersWithSecretsAreNotCompressed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.agent(r.net.Agent), r.human(r.net.Human)
	bio := strings.Repeat("a", 2_000)
	if got := r.do("PATCH", "/api/v1/humans/me", `{"bio":"`+bio+`"}`, append(r.credentials(human), "Accept-Encoding", "gzip")...); got.status != 200 || got.header.Get("Content-Encoding") != "" || !strings.Contains(got.body, bio) {
		t.Errorf("PATCH /humans/me = %d %v", got.status, got.header)
	}
	for path, caller := range map[string]*user{"/api/v1/humans/me": human, "/api/v1/auth/session": human, "/api/v1/agents/me": agent} {
		got := r.unpacked(t, path, "gzip", caller)
		if got.status != 200 || got.header.Get("Content-Encoding") != "" || caller == human && !strings.Contains(got.body, bio) {
			t.Errorf("%s = %d %v", path, got.status, got.header)
		}
	}
}

// unpacked reads a path with an Accept-Encoding, and decompresses the response, whose headers stay as they were sent.
func (r *rig) unpacked(t *testing.T, path, accepted string, caller *user, headers ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for headers := append(append(r.credentials(caller), "Accept-Encoding", accepted), headers...); len(headers) > 0; headers = headers[2:] {
		request.Header.Add(headers[0], headers[1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body := io.Reader(response.Body)
	if response.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}
