package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"taskmarket/chain"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
)

// metricsOff disables the metrics listener.
const metricsOff = "off"

// servesMetrics reports whether the configuration enables the metrics listener.
func (c config) servesMetrics() bool { return c.MetricsListen != "" && c.MetricsListen != metricsOff }

// newState returns the functions that read the state of this service for metrics and for operators.
func (s *service) newState(reader *chain.Reader, reasons func(context.Context) []market.HealthReason) *metrics.State {
	state := &metrics.State{
		Head: s.heads.Head, Providers: s.node.Providers, Watcher: s.watcher.Status, Auditor: s.auditor.Status,
		Operations: s.store.Operators.Operations, Holdings: s.store.Journal.Holdings, Held: reader.HeldAt,
		StandbyAge: s.store.StandbyAge, Reasons: reasons, Moderation: s.store.Moderation.Backlog,
		Stale: s.screen.Stale,
	}
	if s.keeper != nil {
		state.Keeper = s.keeper.Status
	}
	return state
}

// serveMetrics serves the metrics until ctx ends.
func (s *service) serveMetrics(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.config.MetricsListen)
	if err != nil {
		return fmt.Errorf("%sMETRICS_LISTEN: %w; set another address, or %q", prefix, err, metricsOff)
	}
	s.log.InfoContext(ctx, "metrics are served", slog.String("address", listener.Addr().String()))
	return s.metrics.Serve(ctx, listener, s.log)
}
