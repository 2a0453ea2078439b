package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/traces/tracestest"
	"taskmarket/store/storetest"
)

// Temporary files are created in the blob directory, because the system's temporary directory may
// be on a different file system.
func TestTemporaryFilesAreInTheBlobDirectory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	folder := t.TempDir()
	files, err := openFiles(t.Context(), "file://"+folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	if err := files.WriteAll(t.Context(), "a", []byte("x"), nil); err != nil {
		t.Errorf("write to %s: %v", folder, err)
	}
}

// The balancer of Google Cloud closes idle connections after 600 s, later than all others.
func TestIdleConnectionsOutliveTheLoadBalancer(t *testing.T) {
	t.Parallel()
	if got := (&service{log: slog.New(slog.DiscardHandler)}).webServer(nil).IdleTimeout; got <= 10*time.Minute {
		t.Errorf("idle connections are closed after %s", got)
	}
}

// A failed job is logged with its name and repeated. Errors during a shutdown are not logged.
func TestFailedJobsAreRepeated(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log strings.Builder
	s := &service{log: slog.New(slog.NewTextHandler(&log, nil)), metrics: metrics.New(version)}
	runs := 0
	err := s.runPeriodically(ctx, time.Millisecond, "check of the keeper", func(context.Context) error {
		if runs++; runs == 2 {
			stop()
		}
		return errors.New("no connection")
	})
	want := `msg="periodic job failed; will retry" job="check of the keeper" err="no connection"`
	if err != nil || runs != 2 || strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), want) {
		t.Errorf("runPeriodically() = %v after %d runs; logged %s", err, runs, log.String())
	}
}

// If the watcher cannot decode a log of the contracts, the error refers to the runbook instead of a command
// that deletes records, because the usual fix is another version of the program.
func TestStoppedWatcherRefersToTheRunbook(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	wrong := net.Deployment // the addresses are swapped, so the escrow's logs cannot be decoded
	wrong.Escrow, wrong.Treasury = wrong.Treasury, wrong.Escrow
	logged, writer := io.Pipe()
	defer logged.Close()
	s := &service{log: slog.New(slog.NewTextHandler(writer, nil))}
	s.watcher = follow.NewWatcher(net.Node, storetest.NewFor(t, net.Deployment).Journal, chain.NewContracts(wrong), follow.WatcherOptions{}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.follow(ctx); close(ended) }()
	defer func() { cancel(); <-ended }()
	log, err := bufio.NewReader(logged).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`msg="the watcher has stopped: `, "runbook, TaskmarketWatcherStopped", "unknown event"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "reindex") {
		t.Errorf("the log names reindex without its condition:\n%s", log)
	}
}

const (
	// closing is how long the server may take to close a connection after its response. It is shorter than
	// readHeaderTimeout, after which the server would also close a connection that it had kept open.
	closing = 3 * time.Second
	// lingering is how long a connection that stays open is read. A second response would follow at once.
	lingering = 150 * time.Millisecond
)

// converse sends the bytes over one connection and returns the statuses of all responses, and whether the
// server closed the connection. After the first bytes, it waits up to patience for further ones.
func converse(t *testing.T, address, request string, patience time.Duration) (statuses []string, closed bool, raw string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	var received bytes.Buffer
	for wait := 5 * time.Second; ; wait = patience {
		_ = conn.SetReadDeadline(time.Now().Add(wait))
		part := make([]byte, 64<<10)
		n, err := conn.Read(part)
		received.Write(part[:n])
		if err != nil {
			closed = !errors.Is(err, os.ErrDeadlineExceeded)
			break
		}
	}
	for _, line := range statusLine.FindAllStringSubmatch(received.String(), -1) {
		statuses = append(statuses, line[1])
	}
	return statuses, closed, received.String()
}

var statusLine = regexp.MustCompile(`HTTP/1\.[01] (\d{3}) `)

// smuggled is a request that a proxy could forward as part of the body of another request.
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: m\r\n\r\n"

// ambiguous contains requests that two servers could read in different ways. Each is refused, and the bytes
// after it on the connection are not read as a request.
var ambiguous = map[string]string{
	"two lengths":                       "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0\r\nContent-Length: 38\r\n\r\n" + smuggled,
	"a list of lengths":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0, 38\r\n\r\n" + smuggled,
	"a length with a plus":              "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: +0\r\n\r\n" + smuggled,
	"a negative length":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: -1\r\n\r\n" + smuggled,
	"a hexadecimal length":              "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 0x0\r\n\r\n" + smuggled,
	"a length above 2^63":               "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nContent-Length: 18446744073709551616\r\n\r\n" + smuggled,
	"an unknown coding":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled,
	"two codings":                       "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"two headers with codings":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + smuggled,
	"a blank before the colon":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"a tab in a coding":                 "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n" + smuggled,
	"a header without a colon":          "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nTransfer-Encoding\r\n\r\n0\r\n\r\n" + smuggled,
	"a first header that is continued":  "POST /api/v1/tasks/ HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: m\r\n\r\n0\r\n\r\n" + smuggled,
	"a header name with a blank":        "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX Y: a\r\n\r\n" + smuggled,
	"NUL in a header":                   "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX: a\x00b\r\n\r\n" + smuggled,
	"a bare CR in a header":             "POST /api/v1/tasks/ HTTP/1.1\r\nHost: m\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
	"no host":                           "GET /livez HTTP/1.1\r\n\r\n" + smuggled,
	"two hosts":                         "GET /livez HTTP/1.1\r\nHost: m\r\nHost: evil.example\r\n\r\n" + smuggled,
	"a host with a path":                "GET /livez HTTP/1.1\r\nHost: m/evil\r\n\r\n" + smuggled,
	"two blanks in the request line":    "GET  /livez HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a request line without a version":  "GET /livez\r\nHost: m\r\n\r\n" + smuggled,
	"a version in lower case":           "GET /livez http/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a version that does not exist":     "GET /livez HTTP/1.10\r\nHost: m\r\n\r\n" + smuggled,
	"a method with a control character": "GE\x01T /livez HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a target with a control character": "GET /livez\x7f HTTP/1.1\r\nHost: m\r\n\r\n" + smuggled,
	"a chunk with a sign":               "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n+0\r\n\r\n" + smuggled,
	"a chunk with a hexadecimal prefix": "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + smuggled,
	"a chunk that ends with a bare LF":  "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n" + smuggled,
	"a chunk size above 2^64":           "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n" + smuggled,
}

// The service's HTTP server refuses ambiguous requests and supports only HTTP/1.1.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	c.RateLimits = []string{"*=600/min:100"}
	origin, _ := serving(t, c)
	awaits(t, origin, 200, "ok\n")
	address := strings.TrimPrefix(origin, "http://")
	for name, request := range ambiguous {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statuses, closed, raw := converse(t, address, request, closing)
			if !closed || len(statuses) != 1 || !slices.Contains([]string{"400", "413", "501", "505"}, statuses[0]) {
				t.Errorf("statuses %v, closed: %t: %.500q", statuses, closed, raw)
			}
		})
	}
	t.Run("a length beside chunks", func(t *testing.T) { // RFC 9112, 6.1: the length is ignored, and the connection is closed
		t.Parallel()
		body := "0\r\n\r\n" + smuggled
		head := "POST /api/v1/agents/register HTTP/1.1\r\nHost: m\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body))
		if statuses, closed, raw := converse(t, address, head+"\r\nTransfer-Encoding: chunked\r\n\r\n"+body, closing); !closed || !slices.Equal(statuses, []string{"400"}) {
			t.Errorf("statuses %v, closed: %t: %.500q", statuses, closed, raw)
		}
	})
	t.Run("threat 117: HTTP/2 is refused", func(t *testing.T) {
		t.Parallel()
		preface := "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
		if statuses, closed, raw := converse(t, address, preface, closing); !closed || len(statuses) > 1 || len(statuses) == 1 && statuses[0] < "400" || strings.Contains(raw, "\x00\x00") {
			t.Errorf("the preface: statuses %v, closed: %t: %q", statuses, closed, raw)
		}
		upgrade := "GET /livez HTTP/1.1\r\nHost: m\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"
		if statuses, _, raw := converse(t, address, upgrade, lingering); !slices.Equal(statuses, []string{"200"}) || strings.Contains(raw, "Upgrade:") {
			t.Errorf("an upgrade: %q", raw)
		}
		conn, err := new(tls.Dialer).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			t.Error("the server negotiates TLS, and therefore possibly HTTP/2")
		}
	})
}

// keyed returns a URL of the chain's provider with an API key in the path.
func keyed(t *testing.T, net *chaintest.Net) string {
	t.Helper()
	target, err := url.Parse(net.Dev.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Path = ""
		r.SetURL(target)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + "/v2/zorblax"
}

// tracedService returns a connected service that exports all traces, the collector and the service's log.
func tracedService(t *testing.T) (*service, *tracestest.Collector, *bytes.Buffer) {
	t.Helper()
	net, collector, log := chaintest.New(t), tracestest.New(t), new(bytes.Buffer)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), keyed(t, net))
	c.TracesURL, c.tuning.TracesShare, c.LogLevel = collector.URL, 1, "debug"
	c.ConsoleListen, c.ConsoleURL = "127.0.0.1:0", "http://127.0.0.1:9465"
	s, err := newService(t.Context(), c, c.logger(log))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(t.Context()) })
	if err := s.connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, collector, log
}

func spanNames(spans []*tracepb.Span) map[string]int {
	names := make(map[string]int)
	for _, span := range spans {
		names[span.GetName()]++
	}
	return names
}

// A request is one trace with its statements and RPC calls. A step of the watcher is another. No
// span contains a value from a user, an argument of a statement or a URL.
func TestRequestsAndStepsAreTraced(t *testing.T) {
	t.Parallel()
	s, collector, _ := tracedService(t)
	if _, err := s.watcher.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.started.Store(true)
	request(t, s, http.MethodGet, "/api/v1/config/contracts", "", http.StatusOK)
	request(t, s, http.MethodPost, "/api/v1/agents/register",
		`{"wallet_address":"0x1111111111111111111111111111111111111111","name":"Zorblax","username":"zorblax","bio":"zorblax"}`,
		http.StatusPreconditionRequired)
	request(t, s, http.MethodGet, "/api/v1/zorblax", "", http.StatusNotFound)
	if err := s.traces.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	root, spans := collector.Trace(t, "getContractsConfig")
	names := spanNames(spans)
	if names["eth_call"] == 0 || names["sql.stmt.query"]+names["sql.conn.query"] == 0 {
		t.Errorf("the request has the spans %v", names)
	}
	if status := tracestest.Attribute(root, "http.response.status_code"); !strings.Contains(status, "200") {
		t.Errorf("the status of the request is %q", status)
	}
	if _, spans := collector.Trace(t, "watcher"); len(spans) < 3 {
		t.Errorf("a step of the watcher has the spans %v", spanNames(spans))
	}
	collector.Trace(t, "registerAgent")
	for _, span := range collector.Spans() {
		text := span.String()
		for _, secret := range []string{"zorblax", "Zorblax", "/v2", "0x1111", "http://", "postgres://"} {
			if strings.Contains(text, secret) {
				t.Errorf("a span contains %q: %s", secret, text)
			}
		}
	}
}

// A page of the console is one trace with its statements. No span contains a value of the request.
func TestConsoleIsTraced(t *testing.T) {
	t.Parallel()
	s, collector, log := tracedService(t)
	status := open(t.Context(), s, "/accounts/0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80?q=zorblax", "127.0.0.1:9465")
	open(t.Context(), s, "/zorblax", "127.0.0.1:9465")
	open(t.Context(), s, "/", "zorblax.example")
	if err := s.traces.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	root, spans := collector.Trace(t, "console GET /accounts/{id}")
	if names := spanNames(spans); names["sql.stmt.query"]+names["sql.conn.query"] == 0 {
		t.Errorf("the page has the spans %v", names)
	}
	if got := tracestest.Attribute(root, "http.response.status_code"); status != http.StatusUnauthorized || !strings.Contains(got, "401") {
		t.Errorf("the status of the page is %d, that of its span %q", status, got)
	}
	collector.Trace(t, "console /")
	collector.Trace(t, "console")
	for _, span := range collector.Spans() {
		for _, value := range []string{"zorblax", "0198c1de", consoleToken} {
			if strings.Contains(span.String(), value) {
				t.Errorf("a span contains %q: %s", value, span)
			}
		}
	}
	wantIDs(t, log, map[string]*tracepb.Span{"console request served": nil})
}

// consoleToken has the form of a console session's token.
var consoleToken = strings.Repeat("A", 43)

// open requests a page of the console with the cookie of an unknown session, and returns the status.
func open(ctx context.Context, s *service, target, host string) int {
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	request.Host = host
	request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	request.AddCookie(&http.Cookie{Name: "taskmarket_console", Value: consoleToken})
	recorder := httptest.NewRecorder()
	s.console.ServeHTTP(recorder, request)
	return recorder.Code
}

func request(t *testing.T, s *service, method, target, body string, want int) {
	t.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	if recorder.Code != want {
		t.Fatalf("%s %s = %d %s, want %d", method, target, recorder.Code, recorder.Body, want)
	}
}

// Each log line of a request has the ids of the request and of its trace, and each line of a job has
// the id of its trace. The client does not choose the trace.
func TestLogLinesHaveIDs(t *testing.T) {
	t.Parallel()
	s, collector, log := tracedService(t)
	request(t, s, http.MethodGet, "/api/v1/config/contracts", "", http.StatusServiceUnavailable) // nothing is followed yet
	gone, leave := context.WithCancel(t.Context())
	leave()
	if status := open(gone, s, "/keeper", "127.0.0.1:9465"); status != http.StatusInternalServerError {
		t.Errorf("a console request that was given up has the status %d", status)
	}
	ctx, stop := context.WithCancel(t.Context())
	runs := 0
	_ = s.runPeriodically(ctx, time.Millisecond, "sweep", func(context.Context) error {
		if runs++; runs > 1 {
			stop()
		}
		return errors.New("no connection")
	})
	if err := s.traces.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	request, _ := collector.Trace(t, "getContractsConfig")
	page, _ := collector.Trace(t, "console GET /keeper")
	job, _ := collector.Trace(t, "sweep")
	wantIDs(t, log, map[string]*tracepb.Span{
		"request served": request, "a dependency is unavailable; the client can retry": request, "console request served": page,
		"console request failed": page, "periodic job failed; will retry": job,
	})
}

// wantIDs requires that each message was logged, that each line has the id of its trace, and that each line
// of a request has the id of the request. A nil span stands for any trace.
func wantIDs(t *testing.T, log io.Reader, want map[string]*tracepb.Span) {
	t.Helper()
	found := make(map[string]bool)
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var line struct {
			Message string `json:"msg"`
			Request string `json:"request_id"`
			Trace   string `json:"trace_id"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		span, known := want[line.Message]
		if !known {
			t.Errorf("unexpected line: %s", lines.Text())
		}
		if found[line.Message] = true; line.Request == "" && !strings.HasPrefix(line.Message, "periodic job") {
			t.Errorf("a line has no request: %s", lines.Text())
		}
		if line.Trace == "" || span != nil && line.Trace != hex.EncodeToString(span.GetTraceId()) {
			t.Errorf("a line has another trace: %s", lines.Text())
		}
	}
	for message := range want {
		if !found[message] {
			t.Errorf("%q was not logged", message)
		}
	}
}
