package gate

import (
	"context"
	"log/slog"
	"net/http"
)

// maxLoggedPath is the maximum length, in bytes, of a request's path in the log. Without it, requests with
// long paths could fill the log.
const maxLoggedPath = 1 << 10

// pathOf returns the request's path for the log.
func pathOf(r *http.Request) slog.Attr {
	path := r.URL.Path
	if len(path) > maxLoggedPath {
		path = path[:maxLoggedPath] + "…"
	}
	return slog.String("path", path)
}

// LogHandler returns a handler that adds the id of the request to each line that is logged for a
// request, its id in the audit log if that is another one, and the attributes that more returns. more may be
// nil.
func LogHandler(next slog.Handler, more func(context.Context) []slog.Attr) slog.Handler {
	return logHandler{next, more}
}

type logHandler struct {
	slog.Handler
	more func(context.Context) []slog.Attr
}

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	if r := requestOf(ctx); r != nil && r.id != "" {
		record.AddAttrs(slog.String("request_id", r.id))
		if r.auditID != r.id {
			record.AddAttrs(slog.String("audit_id", r.auditID))
		}
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
