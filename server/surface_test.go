package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/server"
)

// wire sends the bytes to the server over a separate connection and returns the first response.
// Unlike an HTTP client, it does not normalise the request.
func (r *rig) wire(request string) reply {
	r.t.Helper()
	conn, err := new(net.Dialer).DialContext(r.t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		r.t.Fatalf("connect: %v", err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		r.t.Fatalf("send %q: %v", request, err)
	}
	method, _, _ := strings.Cut(request, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method}) // responses to HEAD have no body
	if err != nil {
		r.t.Fatalf("read the response to %q: %v", request, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("read the body of the response to %q: %v", request, err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

// target sends a request with exactly this target, and these header lines.
func (r *rig) target(method, target string, headers ...string) reply {
	r.t.Helper()
	lines := append([]string{method + " " + target + " HTTP/1.1", "Host: " + strings.TrimPrefix(r.url, "http://"), "Connection: close"}, headers...)
	return r.wire(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

// No page of another origin may read a response or send a request with a visitor's session, not even
// one whose origin resembles the service's.
func TestThreat108OtherOriginsAreNotAllowed(t *testing.T) {
	t.Parallel()
	r := newRig(t, withApp)
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
func TestThreat109NoRequestIsRedirected(t *testing.T) {
	t.Parallel()
	r := newRig(t, withApp)
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
func TestThreat110EncodedPathsPassNoCheck(t *testing.T) {
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
func TestThreat111EveryResponseHasProtectiveHeaders(t *testing.T) {
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
		{"GET", "/api/v1/health", nil, 500},
	} {
		got := secure.read(ask.method, ask.path, ask.headers...)
		if got.status != ask.status {
			t.Errorf("%s %s = %d, want %d", ask.method, ask.path, got.status, ask.status)
		}
		secure.wantProtected(ask.method+" "+ask.path, got)
	}
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

// isPrivate reports whether the headers prevent caches from sharing the response between callers.
func isPrivate(header http.Header) bool {
	switch header.Get("Cache-Control") {
	case "no-store", "private, no-store":
		return true
	case "private, no-cache": // a browser may store it for this caller, but must revalidate it before each use
		return strings.Contains(header.Get("Vary"), "Cookie") && strings.Contains(header.Get("Vary"), "X-API-Key")
	}
	return false
}

// sharesNothing calls every GET operation as each kind of caller that it accepts. A cache that serves several
// users may only store the responses of public operations, which are the same for every caller.
func (s *scene) sharesNothing(t *testing.T) {
	t.Helper()
	for _, d := range operations(t) {
		if d.unsafe() {
			continue
		}
		for _, as := range d.callers() {
			var headers []string
			for name, value := range s.headersOf(as) {
				headers = append(headers, name, value)
			}
			for _, ask := range []request{s.good(d), {method: d.method, path: d.path + "x"}} {
				got := s.ask(ask, headers...)
				public := d.anonymous && strings.HasPrefix(got.header.Get("Cache-Control"), "public, max-age=") && got.header.Get("Set-Cookie") == ""
				if !isPrivate(got.header) && !public {
					t.Errorf("%s as %s = %d, Cache-Control %q, Vary %q", d.id, as, got.status, got.header.Get("Cache-Control"), got.header.Get("Vary"))
				}
			}
		}
	}
}
