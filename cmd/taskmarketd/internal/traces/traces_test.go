package traces

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lib/pq"
	"go.opentelemetry.io/otel/trace"

	"taskmarket/cmd/taskmarketd/internal/traces/tracestest"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
)

// start returns a tracer that exports a share of the traces to a collector.
func start(t *testing.T, share float64) (*Tracer, *tracestest.Collector) {
	t.Helper()
	collector := tracestest.New(t)
	tracer, err := New(t.Context(), collector.URL, share, "v1", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return tracer, collector
}

func open(t *testing.T, tracer *Tracer) *sql.DB {
	t.Helper()
	connector, err := pq.NewConnector(storetest.URL(t, storetest.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	db := tracer.OpenDB(connector)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func closed(t *testing.T, tracer *Tracer) {
	t.Helper()
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// An error of PostgreSQL can quote a value, so the span contains only its code. A long statement is
// truncated.
func TestStatementsAreBounded(t *testing.T) {
	t.Parallel()
	tracer, collector := start(t, 1)
	db := open(t, tracer)
	ctx, end := tracer.Step("job")(t.Context())
	var n int
	err := db.QueryRowContext(ctx, "SELECT $1::text::int /*"+strings.Repeat("x", 2*maxAttribute)+"*/", "private text").Scan(&n)
	if err == nil || !strings.Contains(err.Error(), "private text") {
		t.Fatalf("the error is %v", err)
	}
	end(err)
	closed(t, tracer)
	_, spans := collector.Trace(t, "job")
	failed := 0
	for _, span := range spans {
		text := span.String()
		if strings.Contains(text, "private text") {
			t.Errorf("a span contains the value: %s", text)
		}
		if len(text) > 2*maxAttribute {
			t.Errorf("a span has %d bytes", len(text))
		}
		if strings.Contains(tracestest.Attribute(span, "db.response.status_code"), "22P02") {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d spans have the error's code, want 1", failed)
	}
}

// The span of an event stream ends at once, and the stream's statements have no spans, but its log
// lines have the trace's id.
func TestStreamsAreNotTraced(t *testing.T) {
	t.Parallel()
	tracer, collector := start(t, 1)
	db := open(t, tracer)
	observer := tracer.Observe(gate.NoObserver{})
	ctx, end := observer.Begin(t.Context())
	id := trace.SpanContextFromContext(ctx).TraceID()
	ctx = observer.Follow(ctx, "streamEvents")
	if _, err := db.ExecContext(ctx, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	end()
	closed(t, tracer)
	if _, spans := collector.Trace(t, "streamEvents"); len(spans) != 1 {
		t.Errorf("the trace has %d spans, want 1", len(spans))
	}
	if got := trace.SpanContextFromContext(ctx).TraceID(); got != id {
		t.Errorf("the stream has the trace %s, want %s", got, id)
	}
}

// A trace that is not sampled exports nothing, and statements outside of traces have no spans.
func TestUnsampledTracesAreNotExported(t *testing.T) {
	t.Parallel()
	tracer, collector := start(t, 0)
	db := open(t, tracer)
	ctx, end := tracer.Step("job")(t.Context())
	for _, ctx := range []context.Context{ctx, t.Context()} {
		if _, err := db.ExecContext(ctx, "SELECT 1"); err != nil {
			t.Fatal(err)
		}
	}
	end(nil)
	closed(t, tracer)
	if spans := collector.Spans(); len(spans) != 0 {
		t.Errorf("%d spans were exported", len(spans))
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		t.Error("the step has no trace id for log lines")
	}
}

// Without a tracer, nothing is wrapped.
func TestNoTracerAddsNothing(t *testing.T) {
	t.Parallel()
	var tracer *Tracer
	if _, unwrapped := tracer.Observe(gate.NoObserver{}).(gate.NoObserver); !unwrapped {
		t.Error("the observer is wrapped")
	}
	if tracer.Transport("node.example", http.DefaultTransport) != http.DefaultTransport {
		t.Error("the transport is wrapped")
	}
	if _, unwrapped := open(t, tracer).Driver().(*pq.Driver); !unwrapped {
		t.Error("the driver is wrapped")
	}
	ctx, end := tracer.Step("job")(t.Context())
	end(nil)
	if ctx != t.Context() {
		t.Error("the context is wrapped")
	}
	closed(t, tracer)
}

// A failed export is logged. The test is not parallel, because the handler of export errors is global.
func TestFailedExportsAreLogged(t *testing.T) {
	collector := httptest.NewServer(http.NotFoundHandler())
	defer collector.Close()
	var log strings.Builder
	tracer, err := New(t.Context(), collector.URL, 1, "v1", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, end := tracer.Step("job")(t.Context())
	end(nil)
	closed(t, tracer)
	if !strings.Contains(log.String(), "traces were not exported") {
		t.Errorf("logged %q", log.String())
	}
}
