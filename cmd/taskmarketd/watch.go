package main

import (
	"context"
	"errors"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/market"
)

// findingsTimeout limits the time that the health check spends on reading audit findings.
const findingsTimeout = time.Second

// newAuditor returns an auditor that is active only while this replica's watcher leads.
func (s *service) newAuditor(contracts *chain.Contracts) *audit.Auditor {
	options := audit.Options{Interval: s.config.tuning.AuditInterval, Trace: s.traces.Step("audit")}
	return audit.New(s.node, s.store, contracts.Deployment(), s.watcher.Leads, options, s.log)
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
	if findings, err := s.store.Findings(ctx, 1); err == nil && len(findings) > 0 {
		reasons = append(reasons, market.ReasonAuditMismatch)
	}
	return reasons
}
