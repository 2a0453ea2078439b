package gate

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"taskmarket"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/store"
)

// Options configure a Gate. Everything is required unless stated otherwise.
type Options struct {
	Store          *store.Store
	Sessions       SessionKeys
	Base           *url.URL         // public URL of the service
	TrustedProxies []netip.Prefix   // proxies whose X-Forwarded-For and X-Request-Id headers are trusted; optional
	Limits         map[string]Limit // overrides of rate limits by operationId; "*" applies to all others; optional
	Starting       func() bool      // while true, every operation except getHealth returns 503
	Stopping       func() bool      // while true, connections are closed after the response
	Now            func() time.Time // the current time in UTC
	SharedNow      func() time.Time // the clock of shared limits; if it returns the zero time, the database's clock is used
	Observer       Observer
	Refused        func(market.AuditEntry) // records a refusal for the audit log; it must not block
	Log            *slog.Logger
}

// Gate checks each API request before its handler runs, and adds what all responses have in common.
type Gate struct {
	Sessions Sessions

	store      *store.Store
	operations map[string]*Operation
	csrf       csrfGuard
	local      *localBuckets
	refusals   quota               // limits requests with rejected credentials
	suspects   *semaphore.Weighted // see Gate.enter
	unproven   quota               // limits requests without a proof: see Charge
	signIns    quota               // limits the sign-ins of a wallet: see ChargeSignIn
	limits     map[string]Limit
	proxies    []netip.Prefix
	errors     errorWriter
	starting   func() bool
	stopping   func() bool
	now        func() time.Time
	sharedNow  func() time.Time
	observer   Observer
	refused    func(market.AuditEntry)
	lanes      map[Priority]*lane // by priority; exits have none
	log        *slog.Logger
}

// document parses openapi.yaml, because the generated copy spells the operationIds differently. It does so
// only once, because tests create hundreds of servers in one process.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
})

// New reads the operations of openapi.yaml. It fails when a session key or a limit is invalid.
func New(o Options) (*Gate, error) {
	if err := o.Sessions.check(); err != nil {
		return nil, fmt.Errorf("check the session keys: %w", err)
	}
	spec, err := document()
	if err != nil {
		return nil, fmt.Errorf("read the API document: %w", err)
	}
	operations, err := readOperations(spec)
	if err != nil {
		return nil, err
	}
	if err := override(operations, o.Limits); err != nil {
		return nil, err
	}
	g := &Gate{
		Sessions: Sessions{keys: o.Sessions, audience: o.Base.String(), secure: o.Base.Scheme == "https", now: o.Now},
		store:    o.Store, operations: operations, csrf: csrfGuard{origin: o.Base.Scheme + "://" + o.Base.Host},
		local: newLocalBuckets(o.Now), limits: o.Limits, proxies: o.TrustedProxies, errors: errorWriter{observer: o.Observer, log: o.Log},
		starting: o.Starting, stopping: o.Stopping, now: o.Now, sharedNow: o.SharedNow, observer: o.Observer, refused: o.Refused,
		lanes: newLanes(o.Store.PoolStats().MaxOpenConnections, o.Observer, o.Log), log: o.Log,
	}
	g.suspects = semaphore.NewWeighted(maxSuspects)
	g.refusals = g.newQuota(refusalsID, anonymousRate.overridden(refusalsID, o.Limits))
	g.unproven = g.newQuota(unprovenID, unprovenRate.overridden(unprovenID, o.Limits))
	g.signIns = g.newQuota(signInsID, signInsRate.overridden(signInsID, o.Limits))
	return g, nil
}

// Operations returns the operations of openapi.yaml.
func (g *Gate) Operations() map[string]*Operation { return g.operations }

// Router returns a router that serves each operation of openapi.yaml behind its checks.
func (g *Gate) Router(handlers api.StrictServerInterface) (*echo.Echo, error) {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = g.errors.handle
	e.IPExtractor = clientAddress(g.proxies)
	router := newGuardedRouter(e, g.operations, g.pipeline)
	api.RegisterHandlersWithOptions(router, api.NewStrictHandler(handlers, []api.StrictMiddlewareFunc{inLane}), api.RegisterHandlersOptions{BaseURL: BasePath})
	if err := router.check(); err != nil {
		return nil, fmt.Errorf("register the operations: %w", err)
	}
	router.serveOptions()
	return e, nil
}

// Edge wraps next with request ids, common headers, panic recovery and logging.
func (g *Gate) Edge(next http.Handler) http.Handler {
	return edge{next: next, errors: g.errors, proxies: g.proxies, secure: g.Sessions.secure, stopping: g.stopping, observer: g.observer, log: g.log}
}

// Handle registers a handler outside the API, with and without a trailing slash, and a handler for
// OPTIONS.
func Handle(e *echo.Echo, methods []string, path string, h echo.HandlerFunc, guards ...echo.MiddlewareFunc) {
	for _, path := range []string{path, twin(path)} {
		e.Match(methods, path, h, guards...)
		e.OPTIONS(path, allow(methods))
	}
}

// pipeline returns the checks before an operation's handler, in order.
func (g *Gate) pipeline(op *Operation) []echo.MiddlewareFunc {
	steps := []echo.MiddlewareFunc{
		g.observe(op), g.audited(op), namesAll, g.started(op), g.shed(op), g.authenticate(op), g.limit(op), leaveLane, requireVerified(op), requireGoodState(op), validate(op),
	}
	if op.compressible() {
		steps = append(steps, Compressed) // before the stored responses of idempotency keys, which are not compressed
	}
	if op.idempotent {
		steps = append(steps, g.idempotent(op))
	}
	switch {
	case op.follows():
		steps = append(steps, unhurried)
	case op.downloads():
		steps = append(steps, unhurriedDownload)
	case op.maxAge > 0:
		steps = append(steps, cacheable(op.maxAge))
	case op.conditional:
		steps = append(steps, Conditional)
	}
	return steps
}

// healthID is the operation that also works while the process is starting.
const healthID = "getHealth"

// startRetry is the Retry-After while the process is starting.
const startRetry = 2 * time.Second

// started rejects requests until all dependencies have been reached.
func (g *Gate) started(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if op.id != healthID && g.starting() {
				return &market.Error{
					Kind: market.KindUnavailable, Message: "this server is starting",
					Hint: "try again in a few seconds; GET /readyz lists the reasons", RetryAfter: startRetry,
				}
			}
			return next(c)
		}
	}
}
