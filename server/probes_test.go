package server_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// A process that is starting serves the web app and the static documents, and refuses all API
// requests. /livez returns 200, and /readyz 503.
func TestStartingServer(t *testing.T) {
	t.Parallel()
	var starting atomic.Bool
	r := newRig(t, withApp, func(o *server.Options) { o.Starting = starting.Load })
	starting.Store(true)
	for path, want := range map[string]int{
		"/livez": 200, "/readyz": 503, "/": 200, "/tasks": 200, "/openapi.json": 200, "/openapi.yaml": 200, "/docs": 200, "/rescue": 200,
		"/api/v1/health": 503, "/api/v1/tasks/": 503, "/api/v1/board": 503, "/api/v1/config/skills": 503, "/nothing": 404,
	} {
		got := r.read("GET", path)
		if got.status != want || want == 503 && path != "/readyz" && got.header.Get("Retry-After") == "" {
			t.Errorf("GET %s = %d %q, %v, want %d", path, got.status, got.body, got.header, want)
		}
	}
	if got := r.read("GET", "/readyz"); got.body != "starting\n" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("GET /readyz = %q, %v", got.body, got.header)
	}
	starting.Store(false)
	if got := r.read("GET", "/readyz"); got.status != http.StatusOK || got.body != "ok\n" {
		t.Errorf("GET /readyz when it has started = %d %q", got.status, got.body)
	}
	if got := r.read("GET", "/api/v1/board"); got.status != http.StatusOK {
		t.Errorf("GET /board when it has started = %d %q", got.status, got.body)
	}
}

// Readiness lists every reason why the process cannot serve requests; liveness has no dependencies.
func TestReadinessListsItsReasons(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	r := newRig(t)
	line, address := newLine(t, storetest.URL(t, r.records))
	records := openStore(t, address, r.net.Deployment)
	apart := r.replica(func(o *server.Options) { o.Store, o.Stopping = records, stopping.Load })
	degraded := r.replica(func(o *server.Options) {
		o.Problems = func(context.Context) []market.HealthReason { return []market.HealthReason{market.ReasonDiskFull} }
	})
	if got := degraded.read("GET", "/readyz"); got.status != http.StatusOK {
		t.Errorf("GET /readyz of a degraded server = %d %q, want 200", got.status, got.body)
	}
	line.set(lineRefuses)
	stopping.Store(true)
	if got := apart.read("GET", "/readyz"); got.status != http.StatusServiceUnavailable || got.body != "database_unavailable\nstopping\n" {
		t.Errorf("GET /readyz = %d %q", got.status, got.body)
	}
	if got := apart.read("GET", "/livez"); got.status != http.StatusOK || got.body != "ok\n" {
		t.Errorf("GET /livez = %d %q", got.status, got.body)
	}
}
