package server

import (
	"context"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// Beyond these the service still answers, but what it says is old.
const (
	healthyLag    = time.Minute
	healthTimeout = 2 * time.Second
	// headTimeout leaves time for the database: a slow node is no reason to say
	// that this process cannot serve.
	headTimeout = time.Second
)

// GetHealth tells whether the service can serve and how far it has followed
// the chain.
func (s *Server) GetHealth(ctx context.Context, _ api.GetHealthRequestObject) (api.GetHealthResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	health := s.health(ctx)
	if health.Status == api.HealthStatusUnavailable {
		return api.GetHealth503JSONResponse{
			Body: health, Headers: api.GetHealth503ResponseHeaders{RetryAfter: retrySeconds(busyRetry)},
		}, nil
	}
	return api.GetHealth200JSONResponse{Body: health}, nil
}

func (s *Server) health(ctx context.Context) api.Health {
	health := api.Health{Status: api.HealthStatusOK, Version: s.version, Database: api.DatabaseStatusOK}
	head, nodeErr := s.head(ctx)
	if nodeErr == nil {
		health.Chain.Head = new(signed(head.Number))
	}
	if err := s.store.Ping(ctx); err != nil {
		health.Status, health.Database = api.HealthStatusUnavailable, api.DatabaseStatusUnavailable
		return health
	}
	cursor, err := s.store.Head(ctx)
	if err != nil {
		health.Status = api.HealthStatusUnavailable
		return health
	}
	health.Chain.Cursor = new(signed(cursor.Block.Number))
	if _, err := s.parameters(ctx); err != nil || s.halted() || s.stopping() {
		health.Status = api.HealthStatusUnavailable
		return health
	}
	if nodeErr != nil || lag(head, cursor.Block, &health.Chain) > healthyLag {
		health.Status = api.HealthStatusDegraded
	}
	return health
}

// head asks the node for its latest block, and not for long.
func (s *Server) head(ctx context.Context) (market.Block, error) {
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	return s.reader.Head(ctx)
}

// lag writes how far the cursor is behind the node's head and returns it.
func lag(head, cursor market.Block, into *api.ChainHealth) time.Duration {
	blocks := max(0, signed(head.Number)-signed(cursor.Number))
	into.LagBlocks = &blocks
	if cursor.Time.IsZero() {
		return healthyLag + 1 // nothing was followed yet
	}
	behind := max(0, head.Time.Sub(cursor.Time))
	into.LagSeconds = new(int64(behind.Seconds()))
	return behind
}
