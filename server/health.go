package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// healthTimeout limits all checks of a request together. It is short, because a database that does not respond
// must not delay the report.
const healthTimeout = time.Second

// GetHealth reports the status of the service, the reasons if it is not ok, and the watcher's progress.
func (h *configHandler) GetHealth(ctx context.Context, _ api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	health := h.health(ctx)
	if health.Status == api.HealthStatusUnavailable {
		return api.GetHealth503JSONResponse{
			Body: health, Headers: api.GetHealth503ResponseHeaders{RetryAfter: gate.RetrySeconds(gate.BusyRetry)},
		}, nil
	}
	return api.GetHealth200JSONResponse{Body: health}, nil
}

// HealthReasons returns a function that lists the reasons that a server with these options reports in
// GET /health, in any order and possibly repeated.
func HealthReasons(o Options) func(context.Context) []market.HealthReason {
	h := &configHandler{
		contracts: &contracts{store: o.Store, halted: o.Halted},
		head:      o.Head, problems: o.Problems, stopping: o.Stopping, starting: o.Starting,
	}
	return func(ctx context.Context) []market.HealthReason {
		_, reasons := h.check(ctx)
		return reasons
	}
}

func (h *configHandler) health(ctx context.Context) api.Health {
	health, reasons := h.check(ctx)
	health.Status, health.Reasons = toAPIHealthReasons(reasons)
	return health
}

// check returns the watcher's progress and the reasons why the service is not healthy, in any order
// and possibly repeated.
func (h *configHandler) check(ctx context.Context) (api.Health, []market.HealthReason) {
	health := api.Health{Version: h.version, Database: api.DatabaseStatusOK}
	reasons := h.problems(ctx)
	head, nodeErr := h.head()
	switch {
	case nodeErr == nil:
		health.Chain.Head = new(signed(head.Number))
	case errors.Is(nodeErr, market.ErrHeadUnread):
		reasons = append(reasons, market.ReasonStarting)
	default:
		reasons = append(reasons, market.ReasonNodeUnavailable)
	}
	if h.halted() {
		reasons = append(reasons, market.ReasonWatcherHalted)
	}
	if h.starting() {
		reasons = append(reasons, market.ReasonStarting)
	}
	if h.stopping() {
		reasons = append(reasons, market.ReasonStopping)
	}
	cursor, err := h.followedTo(ctx)
	if err != nil {
		health.Database = api.DatabaseStatusUnavailable
		reasons = append(reasons, market.ReasonDatabaseUnavailable)
	} else {
		health.Chain.Cursor = new(signed(cursor.Block.Number))
		if _, err := h.parameters(ctx); err != nil {
			reasons = append(reasons, market.ReasonStarting)
		}
		if nodeErr == nil && lag(head, cursor.Block, &health.Chain) > market.HealthyLag {
			reasons = append(reasons, market.ReasonChainLagging)
		}
	}
	return health, reasons
}

// followedTo reads the cursor, which also checks that the database responds.
func (h *configHandler) followedTo(ctx context.Context) (market.Cursor, error) {
	if err := h.store.Ping(ctx); err != nil {
		return market.Cursor{}, err
	}
	return h.store.Journal.Head(ctx)
}

// toAPIHealthReasons returns each reason once, in the order of openapi.yaml, with the resulting
// status.
func toAPIHealthReasons(reasons []market.HealthReason) (api.HealthStatus, []api.HealthReason) {
	status, listed := api.HealthStatusOK, []api.HealthReason{}
	for _, reason := range market.HealthReasons {
		if !slices.Contains(reasons, reason) {
			continue
		}
		listed = append(listed, api.HealthReason(reason))
		switch {
		case reason.Unavailable():
			status = api.HealthStatusUnavailable
		case status == api.HealthStatusOK:
			status = api.HealthStatusDegraded
		}
	}
	return status, listed
}

// lag sets the cursor's distance behind the node's head in the response and returns it.
func lag(head, cursor market.Block, into *api.ChainHealth) time.Duration {
	blocks := max(0, signed(head.Number)-signed(cursor.Number))
	into.LagBlocks = &blocks
	if cursor.Time.IsZero() {
		return market.HealthyLag + 1 // no block has been followed yet
	}
	behind := max(0, head.Time.Sub(cursor.Time))
	into.LagSeconds = new(int64(behind.Seconds()))
	return behind
}

// serveProbes registers the endpoints for supervisors and load balancers: /livez reports that the
// process runs, /readyz whether it can serve requests.
func (h *configHandler) serveProbes(e *echo.Echo, g *gate.Gate) {
	reads := []string{http.MethodGet, http.MethodHead}
	e.Match(reads, "/livez", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	e.Match(reads, "/readyz", h.readiness, g.LimitBeside(gate.ReadinessID))
}

// readiness returns 200 when this process can serve requests, otherwise 503 with one reason per
// line.
func (h *configHandler) readiness(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), healthTimeout)
	defer cancel()
	health := h.health(ctx)
	if health.Status != api.HealthStatusUnavailable {
		return c.String(http.StatusOK, "ok\n")
	}
	var reasons strings.Builder
	for _, reason := range health.Reasons {
		reasons.WriteString(string(reason) + "\n")
	}
	return c.String(http.StatusServiceUnavailable, reasons.String())
}
