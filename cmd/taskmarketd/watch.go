package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/chain/rpc"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
)

// findingsTimeout limits the time that the health check spends on reading audit findings.
const findingsTimeout = time.Second

// newAuditor returns an auditor that is active only while this replica's watcher leads.
func (s *service) newAuditor(contracts *chain.Contracts) *audit.Auditor {
	options := audit.Options{Interval: s.config.tuning.AuditInterval, Trace: s.traces.Step("audit")}
	return audit.New(s.node, s.store.Journal, contracts.Deployment(), s.watcher.Leads, options, s.log)
}

// watcherProblems returns the health problems that make the records unreliable: this replica's
// watcher reported a violation of finality, or an audit on any replica found a difference. It
// ignores an unavailable database, which another health check reports.
func (s *service) watcherProblems(ctx context.Context) []market.HealthReason {
	var reasons []market.HealthReason
	if errors.Is(s.watcher.Status().Err, market.ErrFinalityViolated) {
		reasons = append(reasons, market.ReasonFinalityViolated)
	}
	ctx, cancel := context.WithTimeout(ctx, findingsTimeout)
	defer cancel()
	if findings, err := s.store.Journal.Findings(ctx, 1); err == nil && len(findings) > 0 {
		reasons = append(reasons, market.ReasonAuditMismatch)
	}
	return reasons
}

// startWatcher starts the watcher, the auditor, the comparison of the money and the subscription to new
// blocks.
func (s *service) startWatcher(working context.Context, group *errgroup.Group) {
	group.Go(func() error { s.follow(working); return nil })
	group.Go(func() error { return s.auditor.Run(working) })
	if s.config.servesMetrics() {
		group.Go(func() error {
			return s.runPeriodically(working, metrics.MoneyInterval, metrics.JobMoney, s.state.CompareMoney)
		})
	}
	if s.config.WSURL != "" {
		group.Go(func() error {
			return rpc.WatchHeads(working, s.config.WSURL, s.watcher.Wake, rpc.HeadsOptions{}, s.log)
		})
	}
}

// follow runs the watcher. If the watcher stops with an error, the replica continues to serve
// reads, but it returns no calldata and its readiness check fails.
func (s *service) follow(ctx context.Context) {
	if err := s.watcher.Run(ctx); err != nil {
		s.log.ErrorContext(ctx, "the watcher has stopped: it cannot decode a log of the contracts (runbook, TaskmarketWatcherStopped)", slog.Any("err", err))
		<-ctx.Done()
	}
}
