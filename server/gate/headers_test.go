package gate_test

import (
	"strings"
	"testing"
)

func TestRequestIDsAreReturned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := r.do("GET", "/api/v1/health", "", "X-Request-Id", "abc-1.2_3"); got.header.Get("X-Request-Id") != "abc-1.2_3" {
		t.Errorf("X-Request-Id = %q", got.header.Get("X-Request-Id"))
	}
	for _, odd := range []string{strings.Repeat("a", 129), "a b", "<script>", "a\tb"} {
		if got := r.do("GET", "/api/v1/health", "", "X-Request-Id", odd); got.header.Get("X-Request-Id") == odd {
			t.Errorf("X-Request-Id %q was kept", odd)
		}
	}
}

func TestPanicsAreInternalErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.stub.panics.Store(true)
	got := r.do("GET", "/api/v1/health", "")
	if got.status != 500 || errorOf(t, got.body) != "internal_error" || strings.Contains(got.body, "secret") {
		t.Errorf("a panic = %d %s", got.status, got.body)
	}
	if !strings.Contains(r.log.String(), "the secret") || !strings.Contains(r.log.String(), got.header.Get("X-Request-Id")) {
		t.Error("the log does not contain the panic")
	}
	if again := r.do("GET", "/api/v1/config/contracts", ""); again.status != 200 {
		t.Errorf("after the panic = %d %s", again.status, again.body)
	}
}
