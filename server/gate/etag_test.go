package gate_test

import (
	"strings"
	"testing"
)

func TestETagsDependOnTheViewer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	path := "/api/v1/tasks/" + unknownID + "/"
	first := r.do("GET", path, "", "X-API-Key", agent.key)
	tag := first.header.Get("ETag")
	if first.status != 200 || tag == "" || first.header.Get("Cache-Control") != "private, no-cache" || first.header.Get("Vary") != "Cookie, X-API-Key" {
		t.Fatalf("GET = %d, headers %v", first.status, first.header)
	}
	for _, list := range []string{tag, `"x", ` + tag, strings.TrimPrefix(tag, "W/"), "*"} {
		got := r.do("GET", path, "", "X-API-Key", agent.key, "If-None-Match", list)
		if got.status != 304 || got.body != "" || got.header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s = %d %q", list, got.status, got.body)
		}
	}
	if got := r.do("GET", path, "", "X-API-Key", agent.key, "If-None-Match", `"x"`); got.status != 200 {
		t.Errorf("another tag = %d", got.status)
	}
	if got := r.do("GET", path, "", "If-None-Match", tag); got.status != 401 {
		t.Errorf("without credentials = %d", got.status)
	}
	if got := r.do("GET", "/api/v1/tasks/", "", "X-API-Key", agent.key); got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control of a list = %q", got.header.Get("Cache-Control"))
	}
}
