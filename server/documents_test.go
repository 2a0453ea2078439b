package server_test

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/server/site/reference"
)

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

// read requests a path that openapi.yaml does not describe.
func (r *rig) read(method, path string, headers ...string) reply {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, http.NoBody)
	if err != nil {
		r.t.Fatalf("create request: %v", err)
	}
	return r.carry(request, headers...)
}

// carry sends a request that openapi.yaml does not describe.
func (r *rig) carry(request *http.Request, headers ...string) reply {
	r.t.Helper()
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		r.t.Fatalf("%s %s: %v", request.Method, request.URL.Path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatalf("read response: %v", err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

func TestDocumentsAreServedAsFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
func TestThreat09DocumentsIgnoreTheRequestsHost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	r := newRig(t)
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
	r := newRig(t, func(o *server.Options) {
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
	r := newRig(t)
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
