package gate_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"taskmarket/server/gate"
)

// numberOf returns the number in the environment variable, or usual if it is not set.
func numberOf(tb testing.TB, variable string, usual int) int {
	tb.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s=%q is not a number", variable, text)
	}
	return n
}

const (
	// usualClients is the number of client addresses, unless TASKMARKET_TEST_CLIENTS sets another number.
	usualClients = 130_000
	// maxGrowth is the memory that the limits may use for any number of clients, in bytes.
	maxGrowth = 32 << 20
)

// The memory for rate limits has a bound, however many addresses send requests. Each client has two
// limits: that of its /64 network and that of its /48 network.
//
// It does not run in parallel, because it measures the memory of the process.
func TestManyClientsUseBoundedMemory(t *testing.T) {
	r := newRig(t)
	now := time.Now()
	still := func() time.Time { return now } // no limit ever refills
	handler := r.replica(func(o *gate.Options) { o.Limits, o.Now, o.SharedNow = nil, still, still }).handler
	before := heap()
	clients := numberOf(t, "TASKMARKET_TEST_CLIENTS", usualClients)
	for i := range clients {
		request, response := httptest.NewRequest(http.MethodGet, "/api/v1/tasks/", http.NoBody), httptest.NewRecorder()
		request.RemoteAddr = fmt.Sprintf("[2001:%x:%x:1::1]:1024", i>>16, i&0xffff)
		request.Header.Set("X-API-Key", "invalid")
		handler.ServeHTTP(response, request)
		if response.Code != http.StatusUnauthorized {
			t.Fatalf("client %d = %d %s", i, response.Code, response.Body)
		}
	}
	grown := heap() - before
	t.Logf("%d clients: %d KiB", clients, grown>>10)
	if grown > maxGrowth {
		t.Errorf("the memory grew by %d MiB with %d clients, want at most %d", grown>>20, clients, maxGrowth>>20)
	}
	runtime.KeepAlive(handler)
}

// heap returns the size of the reachable memory in bytes.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
