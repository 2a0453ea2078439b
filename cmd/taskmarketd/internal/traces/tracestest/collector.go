// Package tracestest provides an OpenTelemetry collector for tests.
package tracestest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector receives traces by OTLP over HTTP.
type Collector struct {
	URL string

	mu    sync.Mutex
	spans []*tracepb.Span
}

// New starts a collector for the test.
func New(t *testing.T) *Collector {
	t.Helper()
	c := &Collector{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var export collectorpb.ExportTraceServiceRequest
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = proto.Unmarshal(body, &export)
		}
		if err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, resource := range export.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(web.Close)
	c.URL = web.URL + "/v1/traces"
	return c
}

// Spans returns the received spans.
func (c *Collector) Spans() []*tracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Trace returns the span with the name and all spans of its trace. It fails the test if there is no such
// span.
func (c *Collector) Trace(t *testing.T, name string) (named *tracepb.Span, all []*tracepb.Span) {
	t.Helper()
	spans := c.Spans()
	i := slices.IndexFunc(spans, func(span *tracepb.Span) bool { return span.GetName() == name })
	if i < 0 {
		t.Fatalf("no span is named %s", name)
	}
	for _, span := range spans {
		if string(span.GetTraceId()) == string(spans[i].GetTraceId()) {
			all = append(all, span)
		}
	}
	return spans[i], all
}

// Attribute returns the text of an attribute; empty if the span has no such attribute.
func Attribute(span *tracepb.Span, key string) string {
	for _, attribute := range span.GetAttributes() {
		if attribute.GetKey() == key {
			return attribute.GetValue().String()
		}
	}
	return ""
}
