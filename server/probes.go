package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// healthID is the operation that answers while the process starts.
const healthID = "getHealth"

// startRetry is when to call again a process that starts.
const startRetry = 2 * time.Second

// started refuses the operation while the process has not reached what it
// depends on.
func (s *Server) started(op *operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if op.id != healthID && s.starting() {
				return &market.Error{
					Kind: market.KindUnavailable, Message: "this server is starting",
					Hint: "try again in a few seconds; GET /readyz lists what it waits for", RetryAfter: startRetry,
				}
			}
			return next(c)
		}
	}
}

// serveProbes registers what supervisors and load balancers ask: /livez, whether
// the process runs, and /readyz, whether it can serve.
func (s *Server) serveProbes(e *echo.Echo, limits map[string]Limit) {
	reads := []string{http.MethodGet, http.MethodHead}
	e.Match(reads, "/livez", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	limit := s.limit(&operation{id: readinessID, rate: anonymousRate.overridden(readinessID, limits)})
	e.Match(reads, "/readyz", s.readiness, limit)
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
