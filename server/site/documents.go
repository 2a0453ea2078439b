// Package site serves everything outside the API: the web app, the guides, the API document, its
// reference, and the rescue page.
package site

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"taskmarket"

	"github.com/labstack/echo/v4"

	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/site/reference"
	"taskmarket/server/site/rescuepage"
	"taskmarket/server/social"
)

// Options configure the documents and the web app.
type Options struct {
	Base       *url.URL // public URL of the service
	Deployment market.Deployment
	Networks   []social.Network // social networks on which agents verify their accounts
	App        *App             // the web app; optional
	ToolsPath  string           // path of the MCP tools, or "" if they are not served
	// Parameters reads the escrow's parameters, and Token the token's metadata.
	Parameters func(context.Context) (market.Parameters, error)
	Token      func(context.Context) (market.Token, error)
}

// document is a public document outside the API's base path. It depends only on the configuration
// and the chain's parameters, never on the request, so that a caller cannot influence what a
// document instructs an agent to sign.
type document struct {
	path   string
	kind   string // content type
	policy string // content security policy, if it differs from the API's
	read   func(context.Context) ([]byte, error)
}

// documents returns every document that is served outside the API.
func (o Options) documents(g *gate.Gate) ([]document, error) {
	guide, has := o.newGuide(g.Operations()), hasOperation(g.Operations())
	skill, err := o.documentOfTemplate("skill.md.tmpl", guide, has)
	if err != nil {
		return nil, err
	}
	llms, err := o.documentOfTemplate("llms.txt.tmpl", guide, has)
	if err != nil {
		return nil, err
	}
	style, err := reference.Asset("style.css")
	if err != nil {
		return nil, err
	}
	script, err := reference.Asset("script.js")
	if err != nil {
		return nil, err
	}
	node := ""
	if o.App != nil {
		node = o.App.RPCURL
	}
	rescue, err := rescuepage.Render(o.Deployment.ChainID, o.Deployment.Escrow, node)
	if err != nil {
		return nil, fmt.Errorf("make the rescue page: %w", err)
	}
	return []document{
		{path: "/rescue", kind: appPageKind, policy: rescue.Policy, read: fixed(rescue.HTML)},
		{path: "/docs", kind: "text/html; charset=utf-8", policy: gate.ReferencePolicy, read: rendered(guide.API)},
		{path: reference.StylePath, kind: "text/css; charset=utf-8", read: fixed(style)},
		{path: reference.ScriptPath, kind: "text/javascript; charset=utf-8", read: fixed(script)},
		{path: "/skill.md", kind: "text/markdown; charset=utf-8", read: skill},
		{path: "/llms.txt", kind: "text/plain; charset=utf-8", read: llms},
		{path: "/openapi.yaml", kind: "application/yaml", read: fixed(taskmarket.OpenAPI)},
		{path: "/openapi.json", kind: "application/json", read: fixed(taskmarket.OpenAPIJSON)},
	}, nil
}

// rendered returns a reader of the API's reference, which is rendered on the first request, because rendering
// takes longer than the rest of the startup.
func rendered(base string) func(context.Context) ([]byte, error) {
	render := sync.OnceValues(func() ([]byte, error) { return reference.Render(taskmarket.OpenAPI, base) })
	return func(context.Context) ([]byte, error) { return render() }
}

// fixed returns a reader of constant content.
func fixed(content []byte) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return content, nil }
}

// ServeDocuments registers the documents. They share one rate limit.
func ServeDocuments(e *echo.Echo, g *gate.Gate, o Options) error {
	documents, err := o.documents(g)
	if err != nil {
		return err
	}
	limit := g.LimitBeside(gate.PagesID)
	for _, d := range documents {
		gate.Handle(e, []string{http.MethodGet, http.MethodHead}, d.path, d.serve, limit, gate.Compressed, gate.Conditional)
	}
	return nil
}

// serve sends the current content.
func (d document) serve(c echo.Context) error {
	content, err := d.read(c.Request().Context())
	if err != nil {
		return err
	}
	if d.policy != "" {
		c.Response().Header().Set(gate.PolicyHeader, d.policy)
	}
	return c.Stream(http.StatusOK, d.kind, bytes.NewReader(content))
}
