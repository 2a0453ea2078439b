// Package traces exports traces of requests and of the steps of background jobs, with their SQL
// statements and RPC calls, to an OpenTelemetry collector.
//
// Spans contain operations, statuses, statements without arguments, RPC methods and the hosts of
// providers. They contain no values from users, no error messages, which can quote such values, and
// no URLs, which can contain the key of a provider. Therefore the spans of requests and RPC calls
// are created here and not by otelhttp.
package traces

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/XSAM/otelsql"
	"github.com/lib/pq"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"taskmarket/chain"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/server/gate"
)

const (
	// exportTimeout limits the time of one export, and of the last one when the process ends.
	exportTimeout = 5 * time.Second
	// maxAttribute is the maximum length of an attribute's value. Longer statements are truncated.
	maxAttribute = 1024
)

// Tracer creates the spans of one process. A nil Tracer creates none and adds no cost.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer that exports a share of the traces, from 0 to 1, to an OTLP endpoint such as
// http://collector:4318/v1/traces. It does not connect. Failed exports are logged.
func New(ctx context.Context, endpoint string, share float64, version string, log *slog.Logger) (*Tracer, error) {
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint), otlptracehttp.WithTimeout(exportTimeout))
	if err != nil {
		return nil, fmt.Errorf("create the trace exporter: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.WarnContext(ctx, "traces were not exported", slog.Any("err", err))
	}))
	limits := sdktrace.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxAttribute
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithRawSpanLimits(limits),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(share))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "taskmarketd"), attribute.String("service.version", version))))
	return &Tracer{provider: provider, tracer: provider.Tracer("taskmarket")}, nil
}

// Close exports the remaining spans.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, exportTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("export the last traces: %w", err)
	}
	return nil
}

// Observe returns an observer that also creates a span for each request. The span never continues a
// trace of the client, because clients must not decide what is sampled.
func (t *Tracer) Observe(next gate.Observer) gate.Observer {
	if t == nil {
		return next
	}
	return observer{Observer: next, tracer: t.tracer}
}

type observer struct {
	gate.Observer

	tracer trace.Tracer
}

// Begin implements gate.Observer.
func (o observer) Begin(ctx context.Context) (_ context.Context, end func()) {
	ctx, endNext := o.Observer.Begin(ctx)
	ctx, span := o.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func() {
		span.End()
		endNext()
	}
}

// Served implements gate.Observer.
func (o observer) Served(ctx context.Context, operation string, status int, duration time.Duration) {
	o.Observer.Served(ctx, operation, status, duration)
	describe(trace.SpanFromContext(ctx), operation, status)
}

// describe sets the name and the status of a request's span.
func describe(span trace.Span, name string, status int) {
	span.SetName(name)
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}

// Page begins the span of a request to the console, which does not continue a trace of the client. end takes
// the pattern of the page and the status. Page is a callback for console.Options.
func (t *Tracer) Page(ctx context.Context) (_ context.Context, end func(page string, status int)) {
	if t == nil {
		return ctx, func(string, int) {}
	}
	ctx, span := t.tracer.Start(ctx, "console", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(page string, status int) {
		describe(span, strings.TrimSpace("console "+page), status)
		span.End()
	}
}

// Follow implements gate.Observer. The span of an event stream ends at once, and the stream creates no
// further spans, because a trace must not grow for hours.
func (o observer) Follow(ctx context.Context, operation string) context.Context {
	ctx = o.Observer.Follow(ctx, operation)
	span := trace.SpanFromContext(ctx)
	span.SetName(operation)
	span.End()
	return trace.ContextWithSpanContext(ctx, span.SpanContext().WithTraceFlags(0))
}

// Step returns a function that begins a trace for each step of a background job.
func (t *Tracer) Step(job string) chain.Trace {
	if t == nil {
		return chain.NoTrace
	}
	return func(ctx context.Context) (_ context.Context, end func(error)) {
		ctx, span := t.tracer.Start(ctx, job)
		return ctx, func(err error) {
			if err != nil {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}
	}
}

// OpenDB opens a connection pool that creates spans for the statements of traced requests and steps.
// It is a callback for store.WithOpen.
func (t *Tracer) OpenDB(connector driver.Connector) *sql.DB {
	if t == nil {
		return sql.OpenDB(connector)
	}
	return otelsql.OpenDB(connector, otelsql.WithTracerProvider(t.provider),
		otelsql.WithAttributes(attribute.String("db.system.name", "postgresql")),
		otelsql.WithSpanErrorAttributesGetter(errorCode),
		otelsql.WithSpanOptions(otelsql.SpanOptions{
			OmitConnResetSession: true, OmitConnPrepare: true, OmitRows: true, OmitConnectorConnect: true,
			RecordError: func(error) bool { return false }, // the message can quote a value
			SpanFilter: func(ctx context.Context, _ otelsql.Method, _ string, _ []driver.NamedValue) bool {
				return traced(ctx)
			},
		}))
}

// errorCode describes an error of PostgreSQL by its SQLSTATE.
func errorCode(err error) []attribute.KeyValue {
	refused, ok := errors.AsType[*pq.Error](err)
	if !ok {
		return nil
	}
	return []attribute.KeyValue{attribute.String("db.response.status_code", string(refused.Code))}
}

// LogID returns the id of the trace as an attribute for a log line.
func LogID(ctx context.Context) []slog.Attr {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return nil
	}
	return []slog.Attr{slog.String("trace_id", span.TraceID().String())}
}

// traced reports whether ctx belongs to a traced request or step.
func traced(ctx context.Context) bool { return trace.SpanContextFromContext(ctx).IsSampled() }

// Transport returns a transport for rpc.NodeOptions that creates a span for each RPC request of a
// traced request or step.
func (t *Tracer) Transport(provider string, next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	return transport{tracer: t.tracer, provider: provider, next: next}
}

type transport struct {
	tracer   trace.Tracer
	provider string
	next     http.RoundTripper
}

// RoundTrip implements http.RoundTripper. The span ends with the header of the response.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !traced(r.Context()) {
		return t.next.RoundTrip(r)
	}
	ctx, span := t.tracer.Start(r.Context(), metrics.MethodOf(r), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("rpc.system", "jsonrpc"), attribute.String("server.address", t.provider)))
	defer span.End()
	response, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		span.SetStatus(codes.Error, "")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", response.StatusCode))
	if response.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "")
	}
	return response, nil
}
