// Package server implements the HTTP API of the marketplace, under /api/v1, as openapi.yaml
// describes it.
//
// Package gate checks each request first. A handler then does three things: it checks with package
// market whether the action is allowed, calls the store or the chain, and maps the record to its
// API type. It returns 404 for a record that does not exist, 403 for a record of another user, and
// 400 for an action that the record's status does not allow. It never writes a response itself.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"gocloud.dev/blob"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/origin"
	"taskmarket/server/content"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/server/site"
	"taskmarket/server/social"
	"taskmarket/store"
)

// Options configures the service. Every field is required unless its comment says that it is
// optional.
type Options struct {
	Store  *store.Store
	Calls  Calls
	Reader Reader
	// Head returns the latest block that was read from the chain, or an error if no node responded.
	// It does no I/O. chain.HeadMonitor.Head implements it.
	Head     func() (market.Block, error)
	Verifier Verifier
	Files    *blob.Bucket // contents of the tasks' files
	// DiskLow reports whether the disk with Files has too little free space. If so, uploads return 503.
	// Optional.
	DiskLow func() bool
	// MaxUploads is the largest number of files that this process receives at the same time. Optional: the
	// default is 192.
	MaxUploads int
	// Scanner checks uploaded files for malware. Optional: if nil, they are not scanned.
	Scanner  content.Scanner
	Networks []social.Network // networks for verifying accounts. Optional: if empty, no account can be verified.
	Sessions gate.SessionKeys

	// BaseURL is the public URL of the service, without a path, as in https://market.example; see package origin. With plain
	// http, the session cookie is not bound to the host, because it has no __Host- prefix.
	BaseURL string
	// TrustedProxies are the proxies whose X-Forwarded-For header is accepted, and whose X-Request-Id is recorded
	// in the audit log. Optional.
	TrustedProxies []netip.Prefix
	// Limits overrides the rate limits of openapi.yaml by operationId; "*" applies to all other
	// operations. Optional.
	Limits map[string]gate.Limit
	// Finality is the finality that a task's last change must have before calldata is returned
	// for it, because a reorganisation can change ids. Optional: the default is
	// market.FinalitySeen.
	Finality market.Finality
	// ExplorerURL is the URL of a block explorer of the chain. Optional.
	ExplorerURL string
	// Version is the program version in the health response.
	Version string
	// Wake makes the watcher of this process read the chain immediately. Optional.
	Wake func()
	// Halted reports whether the watcher has stopped until an operator intervenes. If so, the data is
	// stale, and no contract calls are returned. Optional.
	Halted func() bool
	// Problems lists the reasons why other parts of this process are unhealthy. Optional: without
	// it they count as healthy.
	Problems func(context.Context) []market.HealthReason
	// Stopping reports whether this process is shutting down. If so, it is not ready, and clients should
	// use another server. Optional.
	Stopping func() bool
	// Starting reports whether a dependency has not been reached since the start. If so, every operation
	// except getHealth returns 503. Optional: without it the process counts as started.
	Starting func() bool
	// App is the web app, served under every path without another handler. Optional.
	App *site.App
	// Rewards is the reward configuration. Optional: if nil, agents cannot claim rewards.
	Rewards *Rewards
	// Screen contains what the operator forbids and requires. Optional: the default has the built-in rules that
	// hold tasks, and forbids nothing else.
	Screen *screening.Screen
	// Tools returns the handler of the MCP tools, which call the API like any client. Optional: if
	// nil, no tools are served.
	Tools func(api http.Handler) (http.Handler, error)
	// Now is the clock. Optional: the default is time.Now, and for shared limits the database's
	// clock, so that servers with different clocks agree.
	Now func() time.Time
	// Observer receives measurements. Optional.
	Observer gate.Observer
	// Refused records a refused request for the audit log. It must not block. Optional: without it,
	// refusals are not recorded.
	Refused func(market.AuditEntry)
	Log     *slog.Logger
}

func (o *Options) check() (*url.URL, error) {
	base, err := origin.ParseOrigin(o.BaseURL)
	switch {
	case o.Store == nil || o.Calls == nil || o.Reader == nil || o.Head == nil || o.Verifier == nil || o.Files == nil || o.Log == nil:
		return nil, errors.New("store, calls, reader, head, verifier, files and log are required")
	case err != nil:
		return nil, fmt.Errorf("the base URL, an origin such as https://market.example, %w", err)
	}
	if o.Wake == nil {
		o.Wake = func() {}
	}
	if o.Halted == nil {
		o.Halted = func() bool { return false }
	}
	if o.Problems == nil {
		o.Problems = func(context.Context) []market.HealthReason { return nil }
	}
	if o.Stopping == nil {
		o.Stopping = func() bool { return false }
	}
	if o.DiskLow == nil {
		o.DiskLow = func() bool { return false }
	}
	if o.MaxUploads == 0 {
		o.MaxUploads = defaultMaxUploads
	}
	if o.Starting == nil {
		o.Starting = func() bool { return false }
	}
	if o.Observer == nil {
		o.Observer = gate.NoObserver{}
	}
	if o.Refused == nil {
		o.Refused = func(market.AuditEntry) {}
	}
	if o.Finality == "" {
		o.Finality = market.FinalitySeen
	}
	if o.Screen == nil {
		if o.Screen, err = screening.New(""); err != nil {
			return nil, err
		}
	}
	return base, nil
}

// New returns the service as an http.Handler. It fails if an option is missing or invalid, or if the
// routes differ from openapi.yaml.
func New(o Options) (http.Handler, error) {
	base, err := o.check()
	if err != nil {
		return nil, fmt.Errorf("check options: %w", err)
	}
	sharedNow := func() time.Time { return time.Time{} }
	if o.Now == nil {
		o.Now = time.Now
	} else {
		sharedNow = o.Now
	}
	now := func() time.Time { return o.Now().UTC() }
	g, err := gate.New(gate.Options{
		Store: o.Store, Sessions: o.Sessions, Base: base, TrustedProxies: o.TrustedProxies, Limits: o.Limits,
		Starting: o.Starting, Stopping: o.Stopping, Now: now, SharedNow: sharedNow,
		Observer: o.Observer, Refused: o.Refused, Log: o.Log,
	})
	if err != nil {
		return nil, err
	}
	h, err := newHandlers(o, base, g, now)
	if err != nil {
		return nil, err
	}
	return serve(o, base, g, h)
}

// serve registers the operations, the documents, the probes, the MCP tools and the web app.
func serve(o Options, base *url.URL, g *gate.Gate, h handlers) (http.Handler, error) {
	e, err := g.Router(h)
	if err != nil {
		return nil, err
	}
	beside := site.Options{
		Base: base, Deployment: o.Store.Deployment(), Networks: o.Networks, App: o.App, Parameters: h.configHandler.parameters, Token: h.tokenInfo,
	}
	if o.Tools != nil {
		beside.ToolsPath = toolsPath
	}
	if err := site.ServeDocuments(e, g, beside); err != nil {
		return nil, err
	}
	h.serveProbes(e, g)
	whole := g.Edge(e)
	if o.Tools != nil {
		tools, err := o.Tools(whole)
		if err != nil {
			return nil, fmt.Errorf("create the tools: %w", err)
		}
		serveTools(e, g, tools)
	}
	return whole, site.ServeApp(e, g, beside)
}

// toolsPath is the path of the MCP tools.
const toolsPath = "/mcp"

// serveTools registers the MCP tools. Requests to the tools count against the rate limit of the client's
// address, and each API request by a tool counts again. Requests that another site makes a browser send,
// including by DNS rebinding, are rejected before they are counted, so that they cannot use up the limit
// of the browser's user.
func serveTools(e *echo.Echo, g *gate.Gate, tools http.Handler) {
	serve := func(c echo.Context) error {
		tools.ServeHTTP(c.Response(), c.Request())
		return nil
	}
	gate.Handle(e, []string{http.MethodPost}, toolsPath, serve, g.SameOrigin, g.LimitBeside(gate.ToolsID))
}

// handlers contains one handler for each tag of openapi.yaml.
type handlers struct {
	*accountHandler
	*activityHandler
	*agentsHandler
	*applicationsHandler
	*authHandler
	*configHandler
	*disputesHandler
	*filesHandler
	*humansHandler
	*messagesHandler
	*moderationHandler
	*profilesHandler
	*reviewsHandler
	*submissionsHandler
	*tasksHandler
	*verdictsHandler
}

var _ api.StrictServerInterface = handlers{}

// newHandlers creates the handlers and their shared parts.
func newHandlers(o Options, base *url.URL, g *gate.Gate, now func() time.Time) (handlers, error) {
	skills, err := readSkills()
	if err != nil {
		return handlers{}, err
	}
	deployment := o.Store.Deployment()
	onChain := &contracts{
		store: o.Store, deployment: deployment, calls: o.Calls, reader: o.Reader, finality: o.Finality, halted: o.Halted,
		screen: o.Screen, log: o.Log,
	}
	access := &taskAccess{contracts: onChain}
	confirming := &confirmations{taskAccess: access, wake: o.Wake, followed: progress{source: o.Store.Journal.Head}}
	users := &accounts{store: o.Store, networks: o.Networks, now: now}
	proofs := &signatures{store: o.Store, verifier: o.Verifier, domain: base.Host, chainID: deployment.ChainID, now: now, checking: make(chan struct{}, maxWalletChecks)}
	return handlers{
		accountHandler:  &accountHandler{signatures: proofs, store: o.Store, files: o.Files, log: o.Log},
		activityHandler: &activityHandler{store: o.Store, streams: newStreams(o.Store, o.Stopping, o.Observer.Streams, o.Log), stopping: o.Stopping},
		agentsHandler: &agentsHandler{
			store: o.Store, accounts: users, signatures: proofs, contracts: onChain, rewards: o.Rewards, now: now,
			balances: newBalances(o.Reader, o.Head),
		},
		applicationsHandler: &applicationsHandler{confirmations: confirming},
		authHandler: &authHandler{
			store: o.Store, accounts: users, signatures: proofs, sessions: g.Sessions, base: base, chainID: deployment.ChainID, screen: o.Screen, now: now,
		},
		configHandler: &configHandler{
			contracts: onChain, head: o.Head, skills: skills, explorer: o.ExplorerURL, version: o.Version,
			problems: o.Problems, stopping: o.Stopping, starting: o.Starting, screen: o.Screen,
		},
		disputesHandler: &disputesHandler{taskAccess: access},
		filesHandler: &filesHandler{
			taskAccess: access, blobs: o.Files, diskLow: o.DiskLow, uploads: newUploads(o.MaxUploads), scanner: o.Scanner, log: o.Log,
		},
		humansHandler:      &humansHandler{store: o.Store, accounts: users, taskAccess: access, screen: o.Screen, now: now},
		messagesHandler:    &messagesHandler{taskAccess: access},
		moderationHandler:  &moderationHandler{store: o.Store},
		profilesHandler:    &profilesHandler{store: o.Store},
		reviewsHandler:     &reviewsHandler{taskAccess: access},
		submissionsHandler: &submissionsHandler{taskAccess: access},
		tasksHandler:       &tasksHandler{confirmations: confirming, now: now},
		verdictsHandler:    &verdictsHandler{taskAccess: access, verifier: o.Verifier},
	}, nil
}
