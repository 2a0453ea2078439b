package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// RequestID returns the id of the request in logs and error bodies.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WithRequestID returns a context of the request with the id, which LogHandler adds to log lines.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// edge wraps everything that is served: it assigns the request id, sets the common headers,
// recovers from panics, and logs.
type edge struct {
	next     http.Handler
	errors   errorWriter
	secure   bool        // whether the service is reached over https
	stopping func() bool // whether the process is shutting down
	observer Observer
	log      *slog.Logger
}

// ServeHTTP implements http.Handler.
func (e edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("X-Request-Id")
	if !requestIDPattern.MatchString(id) {
		id = uuid.Must(uuid.NewV7()).String()
	}
	ctx, end := e.observer.Begin(WithRequestID(r.Context(), id))
	defer end()
	r = r.WithContext(ctx)
	e.setHeaders(w.Header(), id)
	// The client must not reuse the connection after the shutdown. net/http reads a body in chunks although
	// the request also states a length, and hides the length. A proxy that used the length would take the
	// rest of the body for another request, so nothing after such a body is read (RFC 9112, 6.1).
	if e.stopping() || len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	defer e.recover(w, r)
	began := time.Now()
	e.next.ServeHTTP(w, r)
	e.log.DebugContext(ctx, "request served", slog.String("method", r.Method),
		pathOf(r), slog.Duration("duration", time.Since(began)))
}

// unusedFeatures disables the browser's access to devices and sensors, which no page here uses.
const unusedFeatures = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
	"hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

func (e edge) setHeaders(header http.Header, id string) {
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set(PolicyHeader, apiPolicy)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", unusedFeatures)
	if e.secure { // browsers ignore both headers over plain http
		header.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		// A page that opens one of ours gets no reference to its window. Wallet windows that our
		// page opens still work.
		header.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	}
}

// recover turns a panic into an internal error. The stack is only logged.
func (e edge) recover(w http.ResponseWriter, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause) // net/http's documented way to abort a connection
	}
	e.errors.write(w, r, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
}
