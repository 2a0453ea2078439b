package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"taskmarket/server"
	"taskmarket/server/site"
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
	r := newRig(t, withApp)
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
	r := newRig(t, withApp)
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
	r := newRig(t, withApp)
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
	r := newRig(t, withApp)
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
	r := newRig(t, withApp, func(o *server.Options) { o.Networks = networks })
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
	r := newRig(t)
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
