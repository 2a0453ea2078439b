package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"taskmarket/server/gate"
)

// toolsPath is where the tools for models are served, beside the API.
const toolsPath = "/mcp"

// serveTools registers the tools at their path. Their requests count for the
// client's address; what they ask of the API counts there once more. A page of
// another site cannot use them, also not under a name that points here, nor use
// up what the visitor may ask: it is refused before it is counted.
func (s *Server) serveTools(e *echo.Echo, tools http.Handler) {
	serve := func(c echo.Context) error {
		tools.ServeHTTP(c.Response(), c.Request())
		return nil
	}
	gate.Handle(e, []string{http.MethodPost}, toolsPath, serve, s.gate.SameOrigin, s.gate.LimitBeside(gate.ToolsID))
}
