package main

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
)

// Limits of the alerts in deploy/prometheus/alerts.yml: `taskmarketd status` reports a problem as soon as the
// condition of an alert holds, while the alert waits for some time. A test compares the limits with the rules.
const (
	gapAge          = 5 * time.Minute  // of a sent transaction above missing nonces
	stuckAge        = 10 * time.Minute // of a sent transaction
	jobAge          = 10 * time.Minute // of a job without a transaction
	claimAge        = 6 * time.Hour    // of a claim without a transaction
	auditAge        = 10 * time.Minute // of the last comparison of records with the contracts
	reportAge       = 3 * 24 * time.Hour
	appealAge       = 7 * 24 * time.Hour
	lowRunwayDays   = 7
	emptyRunwayDays = 1
	lowBalanceWei   = 1e16
	emptyBalanceWei = 1e15
)

// Problems that status and the console share.
const (
	noWatcher = "no process follows the chain: see the runbook, TaskmarketNoWatcher"
	noNode    = "no node responds: see the runbook, TaskmarketAllProvidersFailing"
)

// reasonProblem returns the problem for a health reason, with its section of the runbook if it has one.
func reasonProblem(reason market.HealthReason) string {
	if section := reasonSection(reason); section != "" {
		return string(reason) + ": see the runbook, " + section
	}
	return string(reason)
}

// reasonSection returns the section of the runbook for a health reason, or "" if no action is necessary.
func reasonSection(reason market.HealthReason) string {
	switch reason {
	case market.ReasonDatabaseUnavailable:
		return "TaskmarketDatabaseUnavailable"
	case market.ReasonNodeUnavailable:
		return "TaskmarketAllProvidersFailing"
	case market.ReasonChainLagging:
		return "TaskmarketChainLagging"
	case market.ReasonWatcherHalted, market.ReasonFinalityViolated:
		return "TaskmarketWatcherStopped"
	case market.ReasonAuditMismatch:
		return "TaskmarketAuditMismatch"
	case market.ReasonKeeperAbsent:
		return "TaskmarketKeeperAbsent"
	case market.ReasonKeeperLimit:
		return "TaskmarketKeeperLimit"
	case market.ReasonSettlementOverdue:
		return "TaskmarketSettlementOverdue"
	case market.ReasonDiskFull:
		return "TaskmarketDiskFull"
	case market.ReasonDiskLow:
		return "TaskmarketDiskLow"
	case market.ReasonStarting:
		return "TaskmarketProbeFailed"
	case market.ReasonStopping:
	}
	return ""
}

// reasonProblems returns the problems for the health reasons of a replica.
func reasonProblems(replica metrics.Replica) (problems []string) {
	for _, reason := range replica.Reasons() {
		problems = append(problems, reasonProblem(market.HealthReason(reason)))
	}
	return problems
}

// overdueAudit returns a problem if the records have not been compared with the contracts for too long.
func overdueAudit(audit metrics.Audit) []string {
	if !audit.Leads || audit.Since <= auditAge {
		return nil
	}
	return []string{fmt.Sprintf("records and contracts have not been compared for %s: see the runbook, TaskmarketAuditStopped", audit.Since.Round(time.Second))}
}

// overdueJobs returns the problems of jobs that have been open too long.
func overdueJobs(jobs []market.Backlog) (problems []string) {
	for _, b := range jobs {
		if problem := overdueJob(b); problem != "" {
			problems = append(problems, problem)
		}
	}
	return problems
}

// overdueJob returns the problem of the jobs of one kind and state, or "".
func overdueJob(b market.Backlog) string {
	age := b.Oldest.Round(time.Second)
	switch {
	case b.Sent && b.Oldest > stuckAge:
		return fmt.Sprintf("a transaction of kind %s was first sent %s ago and has not been completed: see the runbook, TaskmarketTransactionStuck", b.Kind, age)
	case !b.Sent && b.Kind == market.OutboxClaim && b.Oldest > claimAge:
		return fmt.Sprintf("a reward claim has waited for %s: see the runbook, TaskmarketClaimsOverdue", age)
	case !b.Sent && b.Kind != market.OutboxClaim && b.Oldest > jobAge:
		return fmt.Sprintf("a job of kind %s has been open for %s without a transaction: see the runbook, TaskmarketJobsOverdue", b.Kind, age)
	}
	return ""
}

const missingNonces = "%d nonces are missing below the lowest open transaction: see the runbook, TaskmarketKeeperNonceGap"

// blockedJobs returns a problem if missing nonces block transactions. It ignores gaps below young
// transactions, because a nonce that was used a moment ago can seem to be missing.
func blockedJobs(jobs []market.Backlog, gap uint64) []string {
	if gap == 0 || !slices.ContainsFunc(jobs, func(b market.Backlog) bool { return b.Sent && b.Oldest > gapAge }) {
		return nil
	}
	return []string{fmt.Sprintf(missingNonces, gap)}
}

// lowBalance returns a problem if the keeper's balance is low. spent is the cost of the last 24 hours.
func lowBalance(balance, spent *big.Int) []string {
	const problem = "the keeper's account needs more gas money: see the runbook, "
	days, ok := metrics.Runway(balance, spent)
	switch {
	case balance.Cmp(big.NewInt(emptyBalanceWei)) < 0, ok && days < emptyRunwayDays:
		return []string{problem + "TaskmarketKeeperBalanceEmpty"}
	case balance.Cmp(big.NewInt(lowBalanceWei)) < 0, ok && days < lowRunwayDays:
		return []string{problem + "TaskmarketKeeperBalanceLow"}
	}
	return nil
}

// overdueModeration returns the problems of records that have waited too long for moderators.
func overdueModeration(b market.ModerationBacklog) (problems []string) {
	if b.Overdue > 0 {
		problems = append(problems, fmt.Sprintf("%d held tasks should have been decided: see the runbook, TaskmarketHoldsOverdue", b.Overdue))
	}
	if b.OldestReport > reportAge {
		problems = append(problems, fmt.Sprintf("a report has waited for %s: see the runbook, TaskmarketReportsWaiting", b.OldestReport.Round(time.Minute)))
	}
	if b.OldestAppeal > appealAge {
		problems = append(problems, fmt.Sprintf("an appeal has waited for %s: see the runbook, TaskmarketAppealsWaiting", b.OldestAppeal.Round(time.Minute)))
	}
	return problems
}
