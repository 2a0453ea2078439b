package gate

import (
	"context"
	"log/slog"
)

// LogHandler returns a handler that adds the id of the request to each line that is logged for a
// request, and the attributes that more returns. more may be nil.
func LogHandler(next slog.Handler, more func(context.Context) []slog.Attr) slog.Handler {
	return logHandler{next, more}
}

type logHandler struct {
	slog.Handler
	more func(context.Context) []slog.Attr
}

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := RequestID(ctx); id != "" {
		record.AddAttrs(slog.String("request_id", id))
	}
	if h.more != nil {
		record.AddAttrs(h.more(ctx)...)
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attributes), h.more}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name), h.more}
}
