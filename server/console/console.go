// Package console is the operator's console: pages for the watcher, the keeper, accounts, tasks,
// moderation and the audit log, on a listener of its own. The pages are rendered here and contain no script.
//
// A request passes these checks, in this order:
//
//	Host header → identity headers → route → form → cross-origin → session → role → CSRF token
//
// An operator signs in with a link that `taskmarketd admin sign-in` prints, or through an identity proxy that
// names the operator in a header.
package console

import (
	"context"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"math/big"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"gocloud.dev/blob"

	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/operate"
	"taskmarket/store"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
)

//go:embed files
var files embed.FS

// maxBody limits the size of a form in bytes. A statement of reasons has 4,000 characters of up to 12
// encoded bytes each.
const maxBody = 64 << 10

// Options configure the console. Everything is required unless stated otherwise.
type Options struct {
	Store   *store.Store
	Files   *blob.Bucket // contents of the tasks' files, for moderators who decide on a file
	URL     *url.URL     // origin under which browsers reach the console
	Proxy   *Proxy       // sign-in through an identity proxy; nil disables it
	State   func(context.Context) (State, error)
	Keeper  operate.Keeper
	Clause  func(rule string) string // returns what the terms forbid according to a rule that holds tasks; "" if there is no such rule
	Refused func(market.AuditEntry)  // records a refusal for the audit log; it must not block
	Served  func(status int)         // reports a response; it must not block
	Log     *slog.Logger

	// TrustedProxies are the proxies whose X-Forwarded-For header is accepted, besides the programs that connect
	// to a unix socket. The identity proxy is one of them, or connects to a unix socket. Optional.
	TrustedProxies []netip.Prefix

	// Trace begins the trace of a request. end gets the status and the pattern of the page, which is empty if
	// the request was refused before its route was known. Optional.
	Trace func(context.Context) (_ context.Context, end func(page string, status int))
}

// Proxy is an identity proxy, which authenticates operators and names them in HeaderOperator.
type Proxy struct {
	Secret string                         // value of HeaderSecret; not empty
	Roles  map[string]market.OperatorRole // the operators' roles by name
}

// State is the state of the service for the first page.
type State struct {
	operators.Operations

	Head     market.Block
	Balance  *big.Int // the keeper's balance in wei; nil if it is unknown
	Runway   float64  // days for which the balance lasts; 0 if that is unknown
	NonceGap uint64   // number of nonces that are missing below the lowest open transaction
	Problems []string

	Moderation moderation.Backlog
}

// Console serves the pages.
type Console struct {
	Options
	secure bool
	pages  *template.Template
	style  []byte
	mux    *http.ServeMux
	cross  *http.CrossOriginProtection

	entering visitors
	badLinks *limiter.Limiter // sign-ins of a network with links that are not valid
}

// New returns the console.
func New(o Options) (*Console, error) {
	if o.URL.Host == "" || o.URL.Scheme != "http" && o.URL.Scheme != "https" {
		return nil, fmt.Errorf("console URL %q must be an origin such as https://console.example", o.URL)
	}
	c := &Console{Options: o, secure: o.URL.Scheme == "https", mux: http.NewServeMux(), cross: http.NewCrossOriginProtection()}
	if c.Trace == nil {
		c.Trace = func(ctx context.Context) (context.Context, func(string, int)) { return ctx, func(string, int) {} }
	}
	if o.Proxy != nil && o.Proxy.Secret == "" {
		return nil, errors.New("the identity proxy has no secret, so everyone could be an operator")
	}
	c.badLinks = limiter.New(memory.NewStore(), limiter.Rate{Period: market.ConsoleSignInPeriod, Limit: market.ConsoleSignIns})
	var err error
	if c.pages, err = template.New("").Funcs(functions).ParseFS(files, "files/*.html"); err != nil {
		return nil, fmt.Errorf("parse the console's pages: %w", err)
	}
	if c.style, err = files.ReadFile("files/style.css"); err != nil {
		return nil, fmt.Errorf("read the console's style: %w", err)
	}
	for _, r := range c.routes() {
		c.mux.Handle(r.pattern, c.guarded(r))
	}
	c.mux.Handle("/", c.lost())
	return c, nil
}

// route is a page or an action of the console.
type route struct {
	pattern string
	role    market.OperatorRole // "" for routes without a session
	serve   func(*visit) error
	// reads is the kind of the records of users that the page shows. The audit log records each view.
	reads string
}

func (c *Console) routes() []route {
	const moderator, operator = market.RoleModerator, market.RoleOperator
	return []route{
		{"GET /style.css", "", c.getStyle, ""},
		{"GET /sign-in", "", c.getSignIn, ""},
		{"POST /sign-in", "", c.postSignIn, ""},
		{"POST /sign-out", moderator, c.postSignOut, ""},
		{"GET /{$}", moderator, c.getState, ""},
		{"GET /keeper", moderator, c.getKeeper, ""},
		{"GET /keeper/{nonce}/{act}", operator, c.getKeeperRequest, ""},
		{"POST /keeper/{nonce}/{act}", operator, c.postKeeperRequest, ""},
		{"GET /accounts", moderator, c.getAccounts, "account"},
		{"GET /accounts/{id}", moderator, c.getAccount, "account"},
		{"POST /accounts/{id}/end-sessions", operator, c.postEndSessions, ""},
		{"GET /tasks", moderator, c.getTasks, "task"},
		{"GET /tasks/{id}", moderator, c.getTask, "task"},
		{"GET /moderation", moderator, c.getModeration, "moderation"},
		{"GET /moderation/{kind}/{id}", moderator, c.getCase, ""},
		{"GET /moderation/file/{id}/content", moderator, c.getFile, ""},
		{"POST /moderation/{kind}/{id}/decide", moderator, c.postDecision, ""},
		{"POST /decisions/{id}/lift", moderator, c.postLift, ""},
		{"POST /appeals/{id}/decide", moderator, c.postAppealDecision, ""},
		{"GET /audit", moderator, c.getAudit, "audit_log"},
	}
}

// visit is one request.
type visit struct {
	ctx      context.Context // context of r, with the request's origin for the audit log
	w        http.ResponseWriter
	r        *http.Request
	console  *Console
	operator market.Operator // zero on routes without a session
	csrf     string          // token of the session's forms
	named    string          // operator that the identity proxy named; empty without one
	leave    func()          // ends the visit's count among those without a session
}

// ServeHTTP implements http.Handler.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := uuid.Must(uuid.NewV7()).String()
	network := market.AuditNetwork(gate.ClientAddress(r, c.TrustedProxies, true))
	ctx, end := c.Trace(gate.WithRequestID(r.Context(), id))
	ctx = market.WithOrigin(ctx, market.Origin{Network: network, RequestID: id})
	r = r.WithContext(ctx)
	c.setHeaders(w.Header(), id)
	recorder, began := &recorder{ResponseWriter: w, status: http.StatusOK}, time.Now()
	defer func() {
		c.Served(recorder.status)
		end(r.Pattern, recorder.status)
		c.Log.DebugContext(ctx, "console request served", slog.String("page", r.Pattern), slog.Int("status", recorder.status),
			slog.Duration("duration", time.Since(began)))
	}()
	v := &visit{ctx: ctx, w: recorder, r: r, console: c}
	leave, ok := c.entering.enter(network)
	if !ok {
		v.fail(c.limited(v, time.Second, "try again in a moment"), http.StatusTooManyRequests)
		return
	}
	defer leave()
	if !strings.EqualFold(r.Host, c.URL.Host) {
		v.fail(&market.Error{Kind: market.KindForbidden, Message: "this host name is not the console's", Hint: "open " + c.URL.String()}, http.StatusMisdirectedRequest)
		return
	}
	r.Body = http.MaxBytesReader(recorder, r.Body, maxBody)
	name, err := c.identity(r)
	if err != nil {
		c.note(v, market.AuditConsoleSignInRefused, "identity_header")
		v.fail(err, http.StatusBadRequest)
		return
	}
	r = r.WithContext(context.WithValue(ctx, enteredKey{}, entered{name, leave}))
	c.mux.ServeHTTP(recorder, r) // sets r.Pattern
}

// enteredKey is the key of the state of a visit before its route is known.
type enteredKey struct{}

type entered struct {
	named string // operator that the identity proxy named
	leave func()
}

// maxVisitors limits the requests of a network without a session that are served at the same time. A request counts
// until its session is known, because its form is read before. Without the limit, a client behind a proxy could hold
// all connections with forms that it sends slowly.
const maxVisitors = 16

// visitors counts the requests without a session of each network. The zero value is ready to use.
type visitors struct {
	mu      sync.Mutex
	present map[netip.Prefix]int
}

// enter counts a request of the network until leave is called. It returns false above the limit.
func (v *visitors) enter(network netip.Prefix) (leave func(), ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.present[network] >= maxVisitors {
		return nil, false
	}
	if v.present == nil {
		v.present = make(map[netip.Prefix]int)
	}
	v.present[network]++
	return sync.OnceFunc(func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.present[network]--; v.present[network] == 0 {
			delete(v.present, network)
		}
	}), true
}

// peer returns the address of the connection, or the zero value for a unix socket.
func peer(r *http.Request) netip.Addr {
	address, _ := netip.ParseAddrPort(r.RemoteAddr)
	return address.Addr().Unmap().WithZone("")
}

func (c *Console) setHeaders(header http.Header, id string) {
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set(gate.PolicyHeader, gate.ConsolePolicy)
	header.Set("Permissions-Policy", gate.UnusedFeatures)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	if c.secure {
		header.Set("Strict-Transport-Security", "max-age=63072000")
	}
}

// recorder records the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// guarded returns the handler of a route behind its checks.
func (c *Console) guarded(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		entrance, _ := request.Context().Value(enteredKey{}).(entered)
		v := &visit{ctx: request.Context(), w: w, r: request, console: c, named: entrance.named, leave: entrance.leave}
		err := c.check(v, r)
		if err == nil {
			err = v.recordRead(r.reads)
		}
		if err == nil {
			err = r.serve(v)
		}
		if err != nil {
			v.refuse(err)
		}
	})
}

// recordRead adds the view of a record of users, whose id is in the path, or of a list of them to the audit log. It
// does nothing for the kind "".
func (v *visit) recordRead(kind string) error {
	if kind == "" {
		return nil
	}
	e := market.AuditEntry{Kind: market.AuditRecordsRead, Detail: kind}
	if id, err := uuid.Parse(v.r.PathValue("id")); err == nil {
		e.SubjectKind, e.Subject = kind, id.String()
	}
	return v.console.Store.Operators.WriteAudit(v.ctx, e)
}

// check returns an error unless the visitor may use the route.
func (c *Console) check(v *visit, r route) error {
	unsafe := v.r.Method != http.MethodGet && v.r.Method != http.MethodHead
	if err := checkForm(v.r); err != nil {
		return err
	}
	if unsafe {
		if err := c.checkOrigin(v); err != nil {
			return err
		}
	}
	if r.role == "" {
		return nil
	}
	if err := c.admit(v); err != nil {
		return err
	}
	if !v.operator.Role.Includes(r.role) {
		c.note(v, market.AuditConsoleRefused, "role")
		return market.Errorf(market.KindForbidden, "this needs the role %s; yours is %s", r.role, v.operator.Role)
	}
	if unsafe && subtle.ConstantTimeCompare([]byte(v.r.PostFormValue("csrf")), []byte(v.csrf)) != 1 {
		c.note(v, market.AuditCSRFRefused, "console")
		return market.Errorf(market.KindCSRF, "this form has expired").WithHint("go back, reload the page and try again")
	}
	return nil
}

// checkForm rejects forms and queries that are too large or that the database cannot store.
func checkForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return &market.Error{Kind: market.KindInvalid, Message: "the form is too large, or the form or the address is malformed", Hint: "go back, shorten the text and try again", Cause: err}
	}
	for _, values := range r.Form {
		for _, value := range values {
			if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
				return market.Errorf(market.KindInvalid, "a text contains bytes that are not UTF-8, or a zero byte")
			}
		}
	}
	return nil
}

// checkOrigin rejects requests from other sites, and requests that state no origin.
func (c *Console) checkOrigin(v *visit) error {
	err := c.cross.Check(v.r)
	if err == nil && len(v.r.Header.Values("Origin"))+len(v.r.Header.Values("Sec-Fetch-Site")) == 0 {
		err = errors.New("neither Origin nor Sec-Fetch-Site")
	}
	if err == nil {
		return nil
	}
	c.note(v, market.AuditCSRFRefused, "console")
	return &market.Error{Kind: market.KindCSRF, Message: "the request was sent from another site, or has neither an Origin nor a Sec-Fetch-Site header", Cause: err}
}

// note records a refusal.
func (c *Console) note(v *visit, kind market.AuditKind, detail string) {
	by := market.OriginOf(v.ctx)
	by.Operator = v.operator.Name
	c.Refused(market.AuditEntry{Kind: kind, Detail: detail, Origin: by})
}

var errNoPage = market.Errorf(market.KindNotFound, "there is nothing at this address")

// lost returns the handler for paths without a page.
func (c *Console) lost() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{ctx: r.Context(), w: w, r: r, console: c}
		v.refuse(errNoPage)
	})
}
