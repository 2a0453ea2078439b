package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
)

// request is what the gate knows about a request. It is one context value, which the steps before the
// handler fill in.
type request struct {
	id      string
	auditID string // id in the audit log: id, unless a client chose it (see edge.requestIDs)
	caller  caller
	endBody func() // see EndBody; nil for requests without a multipart body
}

type requestKey struct{}

// requestOf returns what the gate knows about the request with the context, or nil outside a request.
func requestOf(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

// RequestID returns the id of the request in logs and error bodies.
func RequestID(ctx context.Context) string {
	if r := requestOf(ctx); r != nil {
		return r.id
	}
	return ""
}

// WithRequestID returns a context of a request with the id. LogHandler adds the id to log lines.
func WithRequestID(ctx context.Context, id string) context.Context {
	return withRequestIDs(ctx, id, id)
}

func withRequestIDs(ctx context.Context, id, auditID string) context.Context {
	return context.WithValue(ctx, requestKey{}, &request{id: id, auditID: auditID})
}

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// edge wraps everything that is served: it assigns the request id, sets the common headers,
// recovers from panics, and logs.
type edge struct {
	next     http.Handler
	errors   errorWriter
	proxies  []netip.Prefix
	secure   bool        // whether the service is reached over https
	stopping func() bool // whether the process is shutting down
	observer Observer
	log      *slog.Logger
}

// ServeHTTP implements http.Handler.
func (e edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, auditID := e.requestIDs(r)
	ctx, end := e.observer.Begin(withRequestIDs(r.Context(), id, auditID))
	defer end()
	r = r.WithContext(ctx)
	e.setHeaders(w.Header(), id)
	// The client must not reuse the connection after the shutdown. If a request has both a chunked body and
	// a Content-Length, net/http reads the chunks and hides the length. A proxy that used the length would
	// treat the rest of the body as another request, so nothing after a chunked body is read (RFC 9112, 6.1).
	if e.stopping() || len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	defer e.recover(w, r)
	began := time.Now()
	e.next.ServeHTTP(w, r)
	if e.log.Enabled(ctx, slog.LevelDebug) { // otherwise the attributes would be allocated
		e.log.DebugContext(ctx, "request served", slog.String("method", r.Method),
			pathOf(r), slog.Duration("duration", time.Since(began)))
	}
}

// requestIDs returns the id of the request in the response, in logs and in error bodies, and the id in the audit
// log. A client can choose the first. Only a trusted proxy can also choose the second, because the audit log
// keeps it, and must not contain texts of users.
func (e edge) requestIDs(r *http.Request) (id, auditID string) {
	if id = r.Header.Get("X-Request-Id"); requestIDPattern.MatchString(id) && within(connectionAddress(r.RemoteAddr), e.proxies) {
		return id, id
	}
	auditID = uuid.Must(uuid.NewV7()).String()
	if !requestIDPattern.MatchString(id) {
		id = auditID
	}
	return id, auditID
}

// UnusedFeatures disables the browser's access to devices and sensors, which no page here uses.
const UnusedFeatures = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
	"hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

// commonHeaders are in all responses. Responses can share these slices: Header.Set replaces a slice, and
// Header.Add copies it, because its capacity is 1.
var commonHeaders = http.Header{
	"Cache-Control":                {"no-store"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
	"Referrer-Policy":              {"no-referrer"},
	PolicyHeader:                   {apiPolicy},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy":           {UnusedFeatures},
}

// secureHeaders are also in responses over https. Browsers ignore them over plain http.
var secureHeaders = http.Header{
	"Strict-Transport-Security": {"max-age=63072000; includeSubDomains"},
	// A page that opens one of ours gets no reference to its window. Wallet windows that our page
	// opens still work.
	"Cross-Origin-Opener-Policy": {"same-origin-allow-popups"},
}

func (e edge) setHeaders(header http.Header, id string) {
	header.Set("X-Request-Id", id)
	maps.Copy(header, commonHeaders)
	if e.secure {
		maps.Copy(header, secureHeaders)
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
