package main

import (
	"context"
	"errors"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/market"
)

// findingsTimeout limits the time that health spends on the findings of audits.
const findingsTimeout = time.Second

// newAuditor returns the auditor that runs while this replica's watcher leads.
func (s *service) newAuditor(contracts *chain.Contracts) *audit.Auditor {
	options := audit.Options{Interval: s.config.AuditInterval}
	return audit.New(s.node, s.store, contracts.Deployment(), s.watcher.Leads, options, s.log)
}

// watcherProblems returns why the records may differ from the chain: the watcher of this replica
// reported a violation of finality, or an audit of any replica found a difference. Failures of the
// database are reported elsewhere.
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
