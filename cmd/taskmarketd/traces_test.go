package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
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

// keyed returns the URL of a provider of the chain whose path contains an API key.
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

// tracedService returns a service that is connected and exports all traces, with what it logs.
func tracedService(t *testing.T) (*service, *tracestest.Collector, *bytes.Buffer) {
	t.Helper()
	net, collector, log := chaintest.New(t), tracestest.New(t), new(bytes.Buffer)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), keyed(t, net))
	c.TracesURL, c.TracesShare, c.LogLevel = collector.URL, 1, "debug"
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
	send(t, s, http.MethodGet, "/api/v1/config/contracts", "", http.StatusOK)
	send(t, s, http.MethodPost, "/api/v1/agents/register",
		`{"wallet_address":"0x1111111111111111111111111111111111111111","name":"Zorblax","username":"zorblax","bio":"zorblax"}`,
		http.StatusPreconditionRequired)
	send(t, s, http.MethodGet, "/api/v1/zorblax", "", http.StatusNotFound)
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

func send(t *testing.T, s *service, method, target, body string, want int) {
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
	send(t, s, http.MethodGet, "/api/v1/config/contracts", "", http.StatusServiceUnavailable) // nothing is followed yet
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
	job, _ := collector.Trace(t, "sweep")
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
		found[line.Message] = true
		want := request
		if line.Message == "periodic job failed; will retry" {
			want = job
		} else if line.Request == "" {
			t.Errorf("a line has no request: %s", lines.Text())
		}
		if line.Trace != hex.EncodeToString(want.GetTraceId()) {
			t.Errorf("a line has another trace: %s", lines.Text())
		}
	}
	for _, message := range []string{"request served", "a dependency is unavailable; the client can retry", "periodic job failed; will retry"} {
		if !found[message] {
			t.Errorf("%q was not logged", message)
		}
	}
}
