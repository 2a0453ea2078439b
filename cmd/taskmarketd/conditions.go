package main

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

// facts are the state of the service at one moment, from which the conditions follow. `taskmarketd status` and the
// console show them.
type facts struct {
	operators.Operations

	balance    *big.Int // of the keeper's account; nil if there is none, or with balanceErr
	balanceErr error
	gap        uint64 // nonces that are missing below the lowest open transaction
	gapErr     error

	moderation    moderation.Backlog
	moderationErr error

	money    metrics.Money // only for status
	moneyErr error
	audit    metrics.Audit // only for status
}

// readFacts reads the facts from the database and the node, without the money and the audit. It returns an error
// only if the operations cannot be read, or KindNotFound before a watcher has started.
func (s *service) readFacts(ctx context.Context, reader *chain.Reader) (facts, error) {
	operations, err := s.store.Operators.Operations(ctx)
	f := facts{Operations: operations}
	if err != nil && market.KindOf(err) != market.KindNotFound {
		return f, err
	}
	f.moderation, f.moderationErr = s.state.Moderation(ctx)
	if f.KeeperAccount != (common.Address{}) {
		s.readAccount(ctx, reader, &f)
	}
	return f, err
}

// readAccount reads the facts about the keeper's account from the node.
func (s *service) readAccount(ctx context.Context, reader *chain.Reader, f *facts) {
	ctx, cancel := context.WithTimeout(ctx, consoleNodeTimeout)
	defer cancel()
	_, f.balance, f.balanceErr = reader.Balances(ctx, f.KeeperAccount)
	var used uint64
	if used, f.gapErr = send.NewSender(s.node, nil).UsedNoncesOf(ctx, f.KeeperAccount); f.gapErr == nil {
		f.gap = metrics.NonceGap(f.Jobs, used)
	}
}

// condition is a state that an operator should act on.
type condition struct {
	alert string // name of the alert and of the section of the runbook
	// expr is the alert's expression in deploy/prometheus/alerts.yml. There the alert waits for some time, and fires
	// for any replica.
	expr  string
	holds func(facts) []string // what holds, in words
}

// Limits of the conditions.
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

// conditions lists what status and the console report from the facts.
var conditions = []condition{
	{
		"TaskmarketNoWatcher",
		`max by (job) (taskmarket_lease_remaining_seconds{lease="watcher"}) < 0
  or (max by (job) (taskmarket_state_readable) == 1
    unless on (job) taskmarket_lease_remaining_seconds{lease="watcher"})`,
		func(f facts) []string { return when(f.Watcher.Left <= 0, "no process follows the chain") },
	},
	{
		"TaskmarketAuditStopped",
		fmt.Sprintf(`max by (job) (taskmarket_watcher_leading) == 1
  unless on (job) min by (job) (taskmarket_audit_last_round_seconds) < %d`, seconds(auditAge)),
		func(f facts) []string {
			return when(f.audit.Leads && f.audit.Since > auditAge, "records and contracts have not been compared for %s", f.audit.Since.Round(time.Second))
		},
	},
	{
		"TaskmarketKeeperBalanceEmpty", lowBalance(emptyRunwayDays, "1e15"),
		func(f facts) []string {
			return when(f.balanceBelow(emptyRunwayDays, emptyBalanceWei), "the keeper's account needs more gas money")
		},
	},
	{
		"TaskmarketKeeperBalanceLow", lowBalance(lowRunwayDays, "1e16"),
		func(f facts) []string {
			return when(f.balanceBelow(lowRunwayDays, lowBalanceWei) && !f.balanceBelow(emptyRunwayDays, emptyBalanceWei), "the keeper's account needs more gas money")
		},
	},
	{
		"TaskmarketKeeperNonceGap",
		fmt.Sprintf(`max by (job) (taskmarket_keeper_nonce_gap) > 0
  and on (job) max by (job) (taskmarket_keeper_oldest_job_seconds{state="sent"}) > %d`, seconds(gapAge)),
		// A nonce that was used a moment ago can seem to be missing, so gaps below young transactions do not count.
		func(f facts) []string {
			old := slices.ContainsFunc(f.Jobs, func(b outbox.Backlog) bool { return b.Sent && b.Oldest > gapAge })
			return when(f.gap > 0 && old, missingNonces, f.gap)
		},
	},
	{
		"TaskmarketTransactionStuck", fmt.Sprintf(`max by (job, kind) (taskmarket_keeper_oldest_job_seconds{state="sent"}) > %d`, seconds(stuckAge)),
		eachJob("a transaction of kind %s was first sent %s ago and has not been completed",
			func(b outbox.Backlog) bool { return b.Sent && b.Oldest > stuckAge }),
	},
	{
		"TaskmarketJobsOverdue", fmt.Sprintf(`max by (job, kind) (taskmarket_keeper_oldest_job_seconds{kind!="claim",state="pending"}) > %d`, seconds(jobAge)),
		eachJob("a job of kind %s has been open for %s without a transaction",
			func(b outbox.Backlog) bool { return !b.Sent && b.Kind != market.OutboxClaim && b.Oldest > jobAge }),
	},
	{
		"TaskmarketClaimsOverdue", fmt.Sprintf(`max by (job) (taskmarket_keeper_oldest_job_seconds{kind="claim",state="pending"}) > %d`, seconds(claimAge)),
		eachJob("a reward %s has waited for %s",
			func(b outbox.Backlog) bool { return !b.Sent && b.Kind == market.OutboxClaim && b.Oldest > claimAge }),
	},
	{
		"TaskmarketMoneyMissing", `min by (job, contract) (taskmarket_contract_surplus_wei) < 0`,
		func(f facts) []string {
			return append(missingMoney("escrow", f.money.EscrowSurplus), missingMoney("stakes", f.money.StakingSurplus)...)
		},
	},
	{
		"TaskmarketMoneyNotCompared",
		`max by (job) (taskmarket_watcher_leading) == 1
  unless on (job) (min by (job) (taskmarket_money_compared_seconds) < 600
    and on (job) min by (job) (taskmarket_contract_surplus_wei))`,
		func(f facts) []string {
			return when(f.moneyErr != nil, "the records cannot be compared with the balances of the contracts")
		},
	},
	{
		"TaskmarketModerationUnreadable", `max by (job) (taskmarket_moderation_readable) == 0`,
		func(f facts) []string { return when(f.moderationErr != nil, "the moderation backlog is unknown") },
	},
	{
		"TaskmarketHoldsOverdue", `max by (job) (taskmarket_moderation_holds_overdue) > 0`,
		func(f facts) []string {
			return when(f.moderation.Overdue > 0, "%d held tasks should have been decided", f.moderation.Overdue)
		},
	},
	{
		"TaskmarketReportsWaiting", fmt.Sprintf(`max by (job) (taskmarket_moderation_oldest_seconds{kind="report"}) > %d`, seconds(reportAge)),
		func(f facts) []string {
			return when(f.moderation.OldestReport > reportAge, "a report has waited for %s", f.moderation.OldestReport.Round(time.Minute))
		},
	},
	{
		"TaskmarketAppealsWaiting", fmt.Sprintf(`max by (job) (taskmarket_moderation_oldest_seconds{kind="appeal"}) > %d`, seconds(appealAge)),
		func(f facts) []string {
			return when(f.moderation.OldestAppeal > appealAge, "an appeal has waited for %s", f.moderation.OldestAppeal.Round(time.Minute))
		},
	},
}

const missingNonces = "%d nonces are missing below the lowest open transaction"

// problems returns the conditions that hold, each with its section of the runbook.
func (f facts) problems() (problems []string) {
	for _, c := range conditions {
		for _, text := range c.holds(f) {
			problems = append(problems, text+seeRunbook+c.alert)
		}
	}
	return problems
}

const seeRunbook = ": see the runbook, "

func seconds(limit time.Duration) int { return int(limit.Seconds()) }

func when(holds bool, format string, args ...any) []string {
	if !holds {
		return nil
	}
	return []string{fmt.Sprintf(format, args...)}
}

// eachJob describes each kind of job that matches, by its kind and age.
func eachJob(format string, matches func(outbox.Backlog) bool) func(facts) []string {
	return func(f facts) (texts []string) {
		for _, b := range f.Jobs {
			texts = append(texts, when(matches(b), format, b.Kind, b.Oldest.Round(time.Second))...)
		}
		return texts
	}
}

// balanceBelow reports whether the balance lasts for less than the days, or is lower than wei. An unknown balance is
// not low.
func (f facts) balanceBelow(days float64, wei int64) bool {
	lasts, ok := metrics.Runway(f.balance, f.KeeperSpent)
	return f.balance != nil && (f.balance.Cmp(big.NewInt(wei)) < 0 || ok && lasts < days)
}

func lowBalance(days int, wei string) string {
	return fmt.Sprintf("(min by (job) (taskmarket_keeper_runway_days) < %d)\n  or (min by (job) (taskmarket_keeper_balance_wei) < %s)", days, wei)
}

func missingMoney(contract string, surplus *big.Int) []string {
	if surplus == nil || surplus.Sign() >= 0 {
		return nil
	}
	return []string{fmt.Sprintf("the contract for %s has %s less than the records", contract, inTokens(new(big.Int).Neg(surplus)))}
}

// reasonProblem returns the problem for a health reason, with its section of the runbook if it has one.
func reasonProblem(reason market.HealthReason) string {
	if section := reasonSections[reason]; section != "" {
		return string(reason) + seeRunbook + section
	}
	return string(reason)
}

// reasonSections are the sections of the runbook for the health reasons that need an action.
var reasonSections = map[market.HealthReason]string{
	market.ReasonDatabaseUnavailable: "TaskmarketDatabaseUnavailable",
	market.ReasonNodeUnavailable:     "TaskmarketAllProvidersFailing",
	market.ReasonChainLagging:        "TaskmarketChainLagging",
	market.ReasonWatcherHalted:       "TaskmarketWatcherStopped",
	market.ReasonFinalityViolated:    "TaskmarketWatcherStopped",
	market.ReasonAuditMismatch:       "TaskmarketAuditMismatch",
	market.ReasonKeeperAbsent:        "TaskmarketKeeperAbsent",
	market.ReasonKeeperLimit:         "TaskmarketKeeperLimit",
	market.ReasonSettlementOverdue:   "TaskmarketSettlementOverdue",
	market.ReasonDiskFull:            "TaskmarketDiskFull",
	market.ReasonDiskLow:             "TaskmarketDiskLow",
	market.ReasonStarting:            "TaskmarketProbeFailed",
}
