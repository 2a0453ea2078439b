package server

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// toolsPath is where the tools for models are served, beside the API.
const toolsPath = "/mcp"

// serveTools registers the tools at their path. Their requests count for the
// client's address; what they ask of the API counts there once more. A page of
// another site cannot use them, also not under a name that points here, nor use
// up what the visitor may ask: it is refused before it is counted.
func (s *Server) serveTools(e *echo.Echo, tools http.Handler, limiter func(*operation) echo.MiddlewareFunc, limits map[string]Limit) {
	limit := limiter(&operation{id: toolsID, rate: anonymousRate.overridden(toolsID, limits)})
	serve := func(c echo.Context) error {
		tools.ServeHTTP(c.Response(), c.Request())
		return nil
	}
	options := func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderAllow, http.MethodPost+", "+http.MethodOptions)
		return c.JSON(http.StatusOK, struct{}{})
	}
	for _, path := range []string{toolsPath, twin(toolsPath)} {
		e.POST(path, serve, s.sameOrigin, limit)
		e.OPTIONS(path, options)
	}
}

// sameOrigin refuses requests of other sites' pages.
func (s *Server) sameOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.csrf.checkOrigin(c.Request()); err != nil {
			return s.refuse(c, err)
		}
		return next(c)
	}
}
