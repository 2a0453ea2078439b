package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/server/gate"
)

// serveProbes registers what supervisors and load balancers ask: /livez, whether
// the process runs, and /readyz, whether it can serve.
func (s *Server) serveProbes(e *echo.Echo) {
	reads := []string{http.MethodGet, http.MethodHead}
	e.Match(reads, "/livez", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	e.Match(reads, "/readyz", s.readiness, s.gate.LimitBeside(gate.ReadinessID))
}

// readiness answers 200 when this process can serve, and else 503 with the
// reasons, one to a line.
func (s *Server) readiness(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), healthTimeout)
	defer cancel()
	health := s.health(ctx)
	if health.Status != api.HealthStatusUnavailable {
		return c.String(http.StatusOK, "ok\n")
	}
	var reasons strings.Builder
	for _, reason := range health.Reasons {
		reasons.WriteString(string(reason) + "\n")
	}
	return c.String(http.StatusServiceUnavailable, reasons.String())
}
