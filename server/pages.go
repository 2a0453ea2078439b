package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"taskmarket"
	"taskmarket/server/reference"
	"taskmarket/server/rescuepage"
)

// page is something to read, served outside the API's base path to everybody.
// It depends on the configuration and the chain's parameters only, never on
// the request: what a page tells an agent to sign must not be a caller's choice.
type page struct {
	path   string
	kind   string // content type
	policy string // content security policy, if not the API's
	read   func(context.Context) ([]byte, error)
}

// pages returns all that is served beside the API; tools says whether the
// tools for models are, and node where browsers may ask the chain, if anywhere.
func (s *Server) pages(operations map[string]*operation, tools bool, node string) ([]page, error) {
	asJSON, err := yamlToJSON(taskmarket.OpenAPI)
	if err != nil {
		return nil, fmt.Errorf("convert the API document: %w", err)
	}
	guide, has := s.newGuide(operations), hasOperation(operations)
	if tools {
		guide.Tools = guide.Base + toolsPath
	}
	skill, err := s.pageOfTemplate("skill.md.tmpl", guide, has)
	if err != nil {
		return nil, err
	}
	llms, err := s.pageOfTemplate("llms.txt.tmpl", guide, has)
	if err != nil {
		return nil, err
	}
	docs, err := reference.Render(taskmarket.OpenAPI, guide.API)
	if err != nil {
		return nil, fmt.Errorf("render the reference: %w", err)
	}
	style, err := reference.Asset("style.css")
	if err != nil {
		return nil, err
	}
	script, err := reference.Asset("script.js")
	if err != nil {
		return nil, err
	}
	rescue, err := rescuepage.Render(s.deployment.ChainID, s.deployment.Escrow, node)
	if err != nil {
		return nil, fmt.Errorf("make the rescue page: %w", err)
	}
	return []page{
		{path: "/rescue", kind: appPageKind, policy: rescue.Policy, read: fixed(rescue.HTML)},
		{path: "/docs", kind: "text/html; charset=utf-8", policy: reference.Policy, read: fixed(docs)},
		{path: reference.StylePath, kind: "text/css; charset=utf-8", read: fixed(style)},
		{path: reference.ScriptPath, kind: "text/javascript; charset=utf-8", read: fixed(script)},
		{path: "/skill.md", kind: "text/markdown; charset=utf-8", read: skill},
		{path: "/llms.txt", kind: "text/plain; charset=utf-8", read: llms},
		{path: "/openapi.yaml", kind: "application/yaml", read: fixed(taskmarket.OpenAPI)},
		{path: "/openapi.json", kind: "application/json", read: fixed(asJSON)},
	}, nil
}

// fixed always reads the same content.
func fixed(content []byte) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return content, nil }
}

// servePages registers the pages. They count as one operation.
func (s *Server) servePages(e *echo.Echo, operations map[string]*operation, limiter func(*operation) echo.MiddlewareFunc, o Options) error {
	node := ""
	if o.App != nil {
		node = o.App.RPCURL
	}
	pages, err := s.pages(operations, o.Tools != nil, node)
	if err != nil {
		return err
	}
	limit := limiter(&operation{id: pagesID, rate: anonymousRate.overridden(pagesID, o.Limits)})
	allow := strings.Join([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, ", ")
	options := func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, allow)
		return c.JSON(http.StatusOK, struct{}{})
	}
	for _, p := range pages {
		for _, path := range []string{p.path, twin(p.path)} {
			e.Match([]string{http.MethodGet, http.MethodHead}, path, p.serve, limit, conditional)
			e.OPTIONS(path, options)
		}
	}
	return nil
}

// serve answers with the page as it is now.
func (p page) serve(c echo.Context) error {
	content, err := p.read(c.Request().Context())
	if err != nil {
		return err
	}
	if p.policy != "" {
		c.Response().Header().Set("Content-Security-Policy", p.policy)
	}
	return c.Stream(http.StatusOK, p.kind, bytes.NewReader(content))
}
