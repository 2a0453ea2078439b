package main

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"

	"taskmarket/server/gate"
)

// withIDs returns a handler that adds the ids of the request and of the trace to each log line of a
// request.
func withIDs(next slog.Handler) slog.Handler { return idHandler{next} }

type idHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h idHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := gate.RequestID(ctx); id != "" {
		record.AddAttrs(slog.String("request_id", id))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		record.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h idHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return idHandler{h.Handler.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (h idHandler) WithGroup(name string) slog.Handler { return idHandler{h.Handler.WithGroup(name)} }
