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

	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/site"
	"taskmarket/server/social"
	"taskmarket/store"
)

// Options is what the service is made of. Everything is required but what
// says otherwise.
type Options struct {
	Store  *store.Store
	Calls  Calls
	Reader Reader
	// Head returns the chain's latest block as it was last read, or an error
	// when no node answered. It asks no node itself; chain.HeadMonitor.Head.
	Head     func() (market.Block, error)
	Verifier Verifier
	Files    *blob.Bucket     // the bytes of the tasks' files
	Networks []social.Network // where agents verify; without any nobody can
	Sessions gate.SessionKeys

	// BaseURL is where the public reaches the service, without a path, as in
	// https://market.example. Over plain http cookies lose their host binding.
	BaseURL string
	// TrustedProxies may say who their client is. Optional.
	TrustedProxies []netip.Prefix
	// Limits overrides the document's rate limits by operationId; "*" stands
	// for all others. Optional.
	Limits map[string]gate.Limit
	// Finality is how deep a task's last change must lie before calldata is
	// given out for it, because ids move in a reorganisation. Optional: seen.
	Finality market.Finality
	// ExplorerURL is a block explorer of the chain. Optional.
	ExplorerURL string
	// Version names the running program in the health answer.
	Version string
	// Wake makes the watcher of this process look at the chain at once. Optional.
	Wake func()
	// Halted reports that the watcher has stopped until an operator acts: then
	// what is read here is old, and no calls are given out. Optional.
	Halted func() bool
	// Problems lists why the parts of this process beside the API are not
	// healthy. Optional: they always are.
	Problems func(context.Context) []market.HealthReason
	// Stopping reports that this process serves for a moment only: it is not
	// ready any more, and its clients should go elsewhere. Optional.
	Stopping func() bool
	// Starting reports that a dependency was not reached since the start: then
	// every operation but the health answers 503. Optional: it has started.
	Starting func() bool
	// App is the web app, served under every path that nothing else has. Optional.
	App *site.App
	// Rewards is the rate of claims; without, agents can claim nothing. Optional.
	Rewards *Rewards
	// Tools makes the handler of the tools for models, which asks the API like
	// everybody else. Optional: none are served.
	Tools func(api http.Handler) (http.Handler, error)
	// Now is the clock, of shared limits too. Optional: time.Now, and for shared
	// limits the database's clock, so that replicas whose clocks differ agree.
	Now func() time.Time
	Log *slog.Logger
}

func (o *Options) check() (*url.URL, error) {
	base, err := url.Parse(o.BaseURL)
	switch {
	case o.Store == nil || o.Calls == nil || o.Reader == nil || o.Head == nil || o.Verifier == nil || o.Files == nil || o.Log == nil:
		return nil, errors.New("store, calls, reader, head, verifier, files and log are required")
	case err != nil || base.Host == "" || base.Path != "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("base URL %q is not like https://host", o.BaseURL)
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
	if o.Starting == nil {
		o.Starting = func() bool { return false }
	}
	if o.Finality == "" {
		o.Finality = market.FinalitySeen
	}
	return base, nil
}

// New returns the service as an http.Handler. It fails when an option is
// missing, or when the document and the registered routes differ.
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
		Starting: o.Starting, Stopping: o.Stopping, Now: now, SharedNow: sharedNow, Log: o.Log,
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

// serve registers the operations and what is served beside them.
func serve(o Options, base *url.URL, g *gate.Gate, h handlers) (http.Handler, error) {
	e, err := g.Router(h)
	if err != nil {
		return nil, err
	}
	beside := site.Options{
		Base: base, Deployment: o.Store.Deployment(), Networks: o.Networks, App: o.App, Parameters: h.configHandler.parameters,
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
			return nil, fmt.Errorf("make the tools: %w", err)
		}
		serveTools(e, g, tools)
	}
	return whole, site.ServeApp(e, g, beside)
}

// toolsPath is where the tools for models are served, beside the API.
const toolsPath = "/mcp"

// serveTools registers the tools at their path. Their requests count for the
// client's address; what they ask of the API counts there once more. A page of
// another site cannot use them, also not under a name that points here, nor use
// up what the visitor may ask: it is refused before it is counted.
func serveTools(e *echo.Echo, g *gate.Gate, tools http.Handler) {
	serve := func(c echo.Context) error {
		tools.ServeHTTP(c.Response(), c.Request())
		return nil
	}
	gate.Handle(e, []string{http.MethodPost}, toolsPath, serve, g.SameOrigin, g.LimitBeside(gate.ToolsID))
}
