package gate_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestContentTypeFollowsTheOperation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	tests := map[string]struct {
		contentType string
		status      int
	}{
		"JSON":           {"application/json", 201},
		"JSON, charset":  {"application/json; charset=utf-8", 201},
		"JSON, any case": {"Application/JSON", 201},
		"none":           {"", 415},
		"text":           {"text/plain", 415},
		"form":           {"application/x-www-form-urlencoded", 415},
		"multipart":      {"multipart/form-data; boundary=x", 415},
		"JSON-like":      {"application/jsonp", 415},
		"truncated":      {"application/json;;", 415},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := r.do("POST", "/api/v1/tasks/", goodTask, "X-API-Key", agent.key, "Content-Type", test.contentType)
			if got.status != test.status {
				t.Errorf("status = %d, want %d: %s", got.status, test.status, got.body)
			}
		})
	}
}

// Whole numbers have several spellings in JSON, and some encoders write 5.0 for 5.
func TestWholeNumbersAreIntegers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human()
	review := "/api/v1/tasks/" + unknownID + "/reviews"
	for rating, status := range map[string]int{
		"5": 404, "5.0": 404, "5e0": 404, "50e-1": 404, "0.05E+2": 404, "5.000000000000000000000000000000": 404, "5e-0": 404,
		"5" + strings.Repeat("0", 400) + "e-400": 404, "0.5e1": 404,
		"5.5": 400, "6.0": 400, "0e400000000": 400, "-5.0": 400, "1e2": 400, "1e400000000": 400, "1e-400000000": 400,
		"5e1" + strings.Repeat("0", 10_000): 400, "5.0000000000000000001": 400, "5.": 400, ".5e1": 400, "+5": 400, "05": 400, "5e": 400,
	} {
		began := time.Now()
		got := r.do("POST", review, `{"rating":`+rating+`,"comment":"5.0 of 5e0"}`, r.credentials(human)...)
		if got.status != status || time.Since(began) > 5*time.Second {
			t.Errorf("a rating of %.40s = %d %s after %s, want %d", rating, got.status, got.body, time.Since(began), status)
		}
	}
}

// A body with a content coding is refused with the accepted one, whatever the operation.
func TestCompressedBodiesAreUnsupported(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	for _, coding := range []string{"gzip", "br", "deflate", "GZIP", "identity, gzip", "x"} {
		for path, body := range map[string][2]string{"/api/v1/tasks/": {"application/json", goodTask}, "/api/v1/tasks/" + unknownID + "/files/": {"multipart/form-data; boundary=b", "--b--\r\n"}} {
			got := r.do("POST", path, body[1], "X-API-Key", agent.key, "Content-Type", body[0], "Content-Encoding", coding)
			if got.status != 415 || got.header.Get("Accept-Encoding") != "identity" || !strings.Contains(got.body, "Content-Encoding") {
				t.Errorf("%s with %s = %d %q %s", path, coding, got.status, got.header.Get("Accept-Encoding"), got.body)
			}
		}
	}
	if got := r.do("POST", "/api/v1/tasks/", goodTask, "X-API-Key", agent.key, "Content-Encoding", "Identity"); got.status != 201 {
		t.Errorf("identity = %d %s", got.status, got.body)
	}
	if got := r.do("POST", "/api/v1/tasks/", goodTask, "X-API-Key", agent.key, "Content-Type", "text/plain"); got.header["Accept-Encoding"] != nil {
		t.Errorf("a text names the coding %q", got.header["Accept-Encoding"])
	}
}

func TestOperationsWithoutMembersRejectAny(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	path := "/api/v1/tasks/" + unknownID + "/cancel"
	for body, code := range map[string]string{
		"": "wrong_status", "{}": "wrong_status", " { } ": "wrong_status", `{"a":1}`: "invalid_request", "[]": "invalid_request", "null": "invalid_request",
	} {
		got := r.do("POST", path, body, "X-API-Key", agent.key)
		if got.status != 400 || errorOf(t, got.body) != code {
			t.Errorf("body %q = %d %s, want %s", body, got.status, got.body, code)
		}
	}
	if got := r.do("POST", path, "{}", "X-API-Key", agent.key, "Content-Type", "text/plain"); got.status != 415 {
		t.Errorf("text = %d %s", got.status, got.body)
	}
}

// A body of unknown length is refused at the size limit.
func TestEndlessBodiesAreLimited(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/api/v1/tasks/",
		io.MultiReader(bytes.NewReader(bytes.Repeat([]byte(" "), 4<<20)))) // a reader whose length is unknown
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", agent.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatalf("POST: %v", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status = %d, want 413", response.StatusCode)
	}
}

func TestValidationErrorsNameEveryFault(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	got := r.do("POST", "/api/v1/tasks/", `{"title":"","escrow_amount":5,"extra":true}`, "X-API-Key", agent.key)
	for _, field := range []string{"title", "description", "escrow_amount", "extra"} {
		if !strings.Contains(got.body, fmt.Sprintf(`"field":%q`, field)) {
			t.Errorf("details do not name %s: %s", field, got.body)
		}
	}
}

// idParameter matches an id parameter in a path of openapi.yaml.
var idParameter = regexp.MustCompile(`\{(\w*[iI]d)\}`)

// An id has exactly one accepted spelling: otherwise each spelling would have its own locks, rate
// limits and cache entries.
func TestIdentifiersHaveOneEncoding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(), r.human()
	id := unknownID
	if got := r.do("GET", "/api/v1/tasks/"+id, "", "X-API-Key", agent.key); got.status != 200 {
		t.Fatalf("GET task = %d %s", got.status, got.body)
	}
	parameters := 0
	for _, op := range r.gate.Operations() {
		as := r.credentials(human)
		if op.APIKey {
			as = r.credentials(agent)
		}
		if body := op.Route.Operation.RequestBody; body != nil && body.Value.Content["multipart/form-data"] != nil {
			as = append(as, "Content-Type", "multipart/form-data; boundary=b")
		}
		for _, found := range idParameter.FindAllStringSubmatch(op.Route.Path, -1) {
			parameters++
			for _, twin := range twinsOf(id) {
				place := strings.Replace(op.Route.Path, found[0], twin, 1)
				place = idParameter.ReplaceAllString(place, id)
				got := r.do(op.Route.Method, "/api/v1"+place, "", as...)
				// An empty id, or one with a slash, results in a path that matches no operation.
				if refused := got.status == 400 && strings.Contains(got.body, `"field":"`+found[1]+`"`); !refused && got.status != 404 {
					t.Errorf("%s %s = %d %s", op.Route.Method, place, got.status, got.body)
				}
			}
		}
	}
	if parameters < 30 {
		t.Errorf("%d ids were tried, want at least 30", parameters)
	}
}

// twinsOf returns other spellings of an id that lenient parsers accept.
func twinsOf(id string) []string {
	return []string{
		strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""), "x" + id + "y", "%7B" + id + "%7D",
		"1", "..", id[:35], id + "0", id + "%20", id + "%00", "00000000-0000-0000-0000-00000000000g",
	}
}
