package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

const (
	healthTimeout = 2 * time.Second // timeout for the checks that need the database, together
	healthWait    = time.Second     // how long a request waits for them
)

// GetHealth reports the status of the service, the reasons if it is not ok, and the watcher's progress.
func (h *configHandler) GetHealth(ctx context.Context, _ api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
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
// and possibly repeated. It takes little more than healthWait, even if the database does not respond.
func (h *configHandler) check(ctx context.Context) (api.Health, []market.HealthReason) {
	health := api.Health{Version: h.version, Database: api.DatabaseStatusOK}
	var reasons []market.HealthReason
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
	database := h.checkDatabase(ctx)
	reasons = append(reasons, database.problems...)
	if database.err != nil {
		health.Database = api.DatabaseStatusUnavailable
		return health, append(reasons, market.ReasonDatabaseUnavailable)
	}
	health.Chain.Cursor = new(signed(database.cursor.Block.Number))
	if database.noParameters {
		reasons = append(reasons, market.ReasonStarting)
	}
	if nodeErr == nil && lag(head, database.cursor.Block, &health.Chain) > market.HealthyLag {
		reasons = append(reasons, market.ReasonChainLagging)
	}
	return health, reasons
}

// databaseCheck is the part of a health check that needs the database. The fields are set before done is closed.
type databaseCheck struct {
	done         chan struct{}
	problems     []market.HealthReason
	cursor       market.Cursor
	noParameters bool
	err          error // the database does not respond, or refuses writes
}

// databaseChecks lets concurrent requests share a check. The zero value is ready to use.
type databaseChecks struct {
	mu      sync.Mutex
	running *databaseCheck
}

var errNoResponse = errors.New("the database has not responded in time")

// checkDatabase returns the result of the running check, or of a new one. After healthWait it returns
// errNoResponse, and the check continues until healthTimeout.
func (h *configHandler) checkDatabase(ctx context.Context) *databaseCheck {
	h.checks.mu.Lock()
	check := h.checks.running
	if check == nil {
		check = &databaseCheck{done: make(chan struct{})}
		h.checks.running = check
		go h.runCheck(context.WithoutCancel(ctx), check)
	}
	h.checks.mu.Unlock()
	patience := time.NewTimer(healthWait)
	defer patience.Stop()
	select {
	case <-check.done:
		return check
	case <-patience.C:
	case <-ctx.Done():
	}
	return &databaseCheck{err: errNoResponse}
}

func (h *configHandler) runCheck(ctx context.Context, check *databaseCheck) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	if check.cursor, check.err = h.followedTo(ctx); check.err == nil {
		_, err := h.parameters(ctx)
		check.noParameters = err != nil
	}
	check.problems = h.problems(ctx)
	h.checks.mu.Lock()
	h.checks.running = nil
	h.checks.mu.Unlock()
	close(check.done)
}

// followedTo reads the cursor, which also checks that the database responds.
func (h *configHandler) followedTo(ctx context.Context) (market.Cursor, error) {
	if err := h.store.Ping(ctx); err != nil {
		return market.Cursor{}, err
	}
	return h.store.Head(ctx)
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
	health := h.health(c.Request().Context())
	if health.Status != api.HealthStatusUnavailable {
		return c.String(http.StatusOK, "ok\n")
	}
	var reasons strings.Builder
	for _, reason := range health.Reasons {
		reasons.WriteString(string(reason) + "\n")
	}
	return c.String(http.StatusServiceUnavailable, reasons.String())
}
