package server_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
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

// withChecksum returns the key with a valid checksum for its other digits.
func withChecksum(key string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	body := key[:len(key)-7]
	sum, text := crc32.ChecksumIEEE([]byte(body)), ""
	for range 6 {
		text, sum = string(digits[sum%62])+text, sum/62
	}
	return body + "_" + text
}

const (
	// usualSamples is the number of measured requests with each kind of key, unless
	// TASKMARKET_TEST_SAMPLES sets another number.
	usualSamples = 1000
	// maxDeviation is the largest permitted relative difference between the medians at 10,000 samples. The
	// error of a median decreases with the square root of the number of samples.
	maxDeviation = 0.01
)

// A key that differs from a valid one only in its last digits is refused as fast as a random key, so
// the duration does not reveal how many digits are right. A machine that also runs other tests is
// noisy, so the test compares the medians up to three times.
//
// It does not run in parallel, because it measures durations.
func TestThreat104SimilarKeysAreRefusedAsFastAsOthers(t *testing.T) {
	r := newRig(t)
	key, handler := r.agent(r.net.Agent).key, r.handler()
	similar, random := make([]string, 50), make([]string, 50)
	for i := range similar { // differs in the last two digits of the secret
		similar[i], random[i] = withChecksum(key[:45]+string(rune('a'+i%25))+string(rune('A'+i/25))+key[47:]), gate.NewAPIKey()
		if _, ok := gate.HashAPIKey(similar[i]); !ok || similar[i] == key {
			t.Fatalf("%s is not a possible key", similar[i])
		}
	}
	samples := numberOf(t, "TASKMARKET_TEST_SAMPLES", usualSamples)
	limit := maxDeviation * math.Sqrt(math.Max(1, 10_000/float64(samples))) * 3
	if samples >= 10_000 {
		limit = maxDeviation
	}
	var deviation float64
	for range 3 {
		var took [2][]time.Duration
		for i := range 2 * samples {
			kind := (i + i/2) % 2 // the order alternates from pair to pair
			candidate := [][]string{similar, random}[kind][i/2%len(random)]
			took[kind] = append(took[kind], timed(t, handler, candidate))
		}
		one, other := median(took[0]), median(took[1])
		deviation = math.Abs(float64(one-other)) / float64(other)
		t.Logf("%d samples: median %s with a similar key, %s with a random one", samples, one, other)
		if deviation < limit {
			return
		}
	}
	t.Errorf("the medians differ by %.1f %%, want less than %.1f %%", 100*deviation, 100*limit)
}

// timed returns the duration of a request with a key that is not valid.
func timed(t *testing.T, handler http.Handler, key string) time.Duration {
	t.Helper()
	request, response := httptest.NewRequest(http.MethodGet, "/api/v1/tasks/", http.NoBody), httptest.NewRecorder()
	request.Header.Set("X-API-Key", key)
	began := time.Now()
	handler.ServeHTTP(response, request)
	took := time.Since(began)
	if response.Code != http.StatusUnauthorized {
		t.Fatalf("an invalid key = %d %s", response.Code, response.Body)
	}
	return took
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}

// Humans, profiles and reviews can be read only with credentials. A list returns at most 100 entries per
// page and 50 numbered pages. An account's requests are limited regardless of the client address and the
// spelling of the path.
func TestThreat105CrawlersAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Now()
	r := newRig(t, func(o *server.Options) { o.Now = func() time.Time { return now } })
	human, agent := r.human(r.net.Human), r.verifiedAgent(r.net.Agent)
	strict := r.replica(func(o *server.Options) {
		o.Limits, o.Now = nil, func() time.Time { return now }
	})
	for list, path := range map[string]string{
		"humans": "/api/v1/humans/available", "a profile": "/api/v1/profiles/" + human.username(r), "reviews": "/api/v1/humans/" + human.id.String() + "/reviews",
	} {
		if got := strict.do("GET", path, ""); got.status != http.StatusUnauthorized {
			t.Errorf("%s without credentials = %d", list, got.status)
		}
		served := 0
		for i := range 200 {
			spelling := path
			if i%2 == 1 {
				spelling += "/"
			}
			got := strict.do("GET", spelling, "", "X-API-Key", agent.key, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			if got.status == http.StatusTooManyRequests {
				continue
			}
			if got.status != http.StatusOK {
				t.Fatalf("%s = %d %s", list, got.status, got.body)
			}
			served++
		}
		if served != 100 { // the burst; then 600 per minute
			t.Errorf("%s: %d of 200 requests at once were served, want 100", list, served)
		}
	}
	for _, query := range []string{"?page=51", "?page_size=101", "?page=0", "?page_size=0"} {
		if got := r.do("GET", "/api/v1/humans/available"+query, "", "X-API-Key", agent.key); got.status != http.StatusBadRequest {
			t.Errorf("humans with %s = %d", query, got.status)
		}
	}
}

// maxLogLine is the maximum length of a log line about a request in bytes.
const maxLogLine = 4 << 10

// A request cannot end a log line, fill the log or put a secret into it, even at the debug level.
func TestThreat106RequestsCannotForgeLogLines(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	log := &logBuffer{}
	logged := r.replica(func(o *server.Options) {
		o.Log = slog.New(gate.LogHandler(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}), nil))
	})
	session := human.cookie(t, r.url)
	const forged = "%0d%0a%7b%22level%22:%22ERROR%22,%22msg%22:%22forged%22%7d%1b[31m%e2%80%a8%00"
	signature := "0x" + strings.Repeat("5e", 65)
	db := storetest.DB(t, r.records)
	for _, broken := range []bool{false, true} { // requests that fail are logged by other code
		if broken {
			db.MustExec(`ALTER TABLE users RENAME TO lost`)
		}
		for _, path := range []string{"/api/v1/tasks/" + forged, "/" + forged, "/api/v1/profiles/" + strings.Repeat("a", 100<<10), "/docs?q=" + strings.Repeat(forged, 100)} {
			logged.target("GET", path, "X-API-Key: "+agent.key, "X-Request-Id: "+strings.Repeat("i", 10_000), "User-Agent: \tforged\t"+strings.Repeat("u", 10_000))
		}
		logged.target("GET", "/api/v1/humans/me", "Cookie: "+session.String(), "X-Request-Id: {}")
		logged.read("GET", "/api/v1/tasks/?q="+forged, "X-API-Key", agent.key)
		logged.read("POST", "/api/v1/agents/me/rotate-key?x="+agent.key, "X-API-Key", agent.key)
		logged.do("POST", "/api/v1/auth/siwe/login", `{"message":"forged","signature":"`+signature+`"}`)
	}
	db.MustExec(`ALTER TABLE lost RENAME TO users`)
	lines, failures := 0, 0
	for line := range strings.Lines(log.String()) {
		var entry struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Msg == "" || entry.Msg == "forged" {
			t.Errorf("the server did not write this line: %.300q, %v", line, err)
		}
		if len(line) > maxLogLine {
			t.Errorf("a line has %d bytes: %.300q", len(line), line)
		}
		for what, secret := range map[string]string{"key": agent.key, "session": session.Value, "CSRF token": human.csrf, "signature": signature} {
			if strings.Contains(line, secret) {
				t.Errorf("a line contains the %s: %.300q", what, line)
			}
		}
		lines++
		if entry.Level != "DEBUG" {
			failures++
		}
	}
	if lines < 16 || failures < 2 {
		t.Errorf("%d lines, %d about failures, want at least 16 and 2", lines, failures)
	}
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
func TestThreat120ManyClientsUseBoundedMemory(t *testing.T) {
	r := newRig(t)
	now := time.Now()
	handler := r.handler(func(o *server.Options) {
		o.Limits, o.Now = nil, func() time.Time { return now } // no limit ever refills
	})
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
