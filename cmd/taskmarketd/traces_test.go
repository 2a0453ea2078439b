package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"taskmarket/chain/chaintest"
	"taskmarket/cmd/taskmarketd/internal/traces/tracestest"
	"taskmarket/store/storetest"
)

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
