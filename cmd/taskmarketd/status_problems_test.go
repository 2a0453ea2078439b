package main

import (
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"taskmarket/market"
)

// The limits of the problems are those of the alerts.
func TestProblemsHaveTheLimitsOfAlerts(t *testing.T) {
	text, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	rules := make(map[string]string)
	for _, group := range file.Groups {
		for _, r := range group.Rules {
			rules[r.Alert] = r.Expr + "\n"
		}
	}
	seconds := func(limit time.Duration) string { return fmt.Sprintf("> %d\n", int(limit.Seconds())) }
	days := func(limit time.Duration) string { return fmt.Sprintf("> %d * 86400\n", limit/(24*time.Hour)) }
	wei := func(limit float64) string { return strings.Replace(fmt.Sprintf("_wei) < %.0e)", limit), "+", "", 1) }
	for alert, wants := range map[string][]string{
		"TaskmarketKeeperNonceGap": {seconds(gapAge)}, "TaskmarketTransactionStuck": {seconds(stuckAge)},
		"TaskmarketJobsOverdue": {seconds(jobAge)}, "TaskmarketClaimsOverdue": {seconds(claimAge)},
		"TaskmarketReportsWaiting": {days(reportAge)}, "TaskmarketAppealsWaiting": {days(appealAge)},
		"TaskmarketKeeperBalanceLow":   {fmt.Sprintf("_days) < %d)", lowRunwayDays), wei(lowBalanceWei)},
		"TaskmarketKeeperBalanceEmpty": {fmt.Sprintf("_days) < %d)", emptyRunwayDays), wei(emptyBalanceWei)},
	} {
		for _, want := range wants {
			if !strings.Contains(rules[alert], want) {
				t.Errorf("the expression of %s lacks %q:\n%s", alert, want, rules[alert])
			}
		}
	}
}

func TestOverdueJobsAreProblems(t *testing.T) {
	for name, test := range map[string]struct {
		jobs  market.Backlog
		alert string
	}{
		"a young transaction": {market.Backlog{Kind: market.OutboxSettle, Sent: true, Oldest: stuckAge}, ""},
		"an old transaction":  {market.Backlog{Kind: market.OutboxSettle, Sent: true, Oldest: stuckAge + 1}, "TaskmarketTransactionStuck"},
		"an old claim, sent":  {market.Backlog{Kind: market.OutboxClaim, Sent: true, Oldest: stuckAge + 1}, "TaskmarketTransactionStuck"},
		"a young job":         {market.Backlog{Kind: market.OutboxVerdicts, Oldest: jobAge}, ""},
		"an old job":          {market.Backlog{Kind: market.OutboxVerdicts, Oldest: jobAge + 1}, "TaskmarketJobsOverdue"},
		"a young claim":       {market.Backlog{Kind: market.OutboxClaim, Oldest: claimAge}, ""},
		"an old claim":        {market.Backlog{Kind: market.OutboxClaim, Oldest: claimAge + 1}, "TaskmarketClaimsOverdue"},
	} {
		if got := overdueJobs([]market.Backlog{test.jobs}); !names(got, test.alert) {
			t.Errorf("%s: the problem is %q, want %q", name, got, test.alert)
		}
	}
}

// names reports whether each problem names its section of the runbook, and there are no others. No section is "".
func names(problems []string, sections ...string) bool {
	sections = slices.DeleteFunc(sections, func(section string) bool { return section == "" })
	return slices.EqualFunc(problems, sections, func(problem, section string) bool {
		return strings.HasSuffix(problem, ": see the runbook, "+section)
	})
}

func TestMissingNoncesAreAProblem(t *testing.T) {
	for name, test := range map[string]struct {
		age   time.Duration
		gap   uint64
		alert string
	}{
		"an old transaction":            {gapAge + 1, 3, "TaskmarketKeeperNonceGap"},
		"a young transaction":           {gapAge, 3, ""},
		"an old transaction without it": {gapAge + 1, 0, ""},
	} {
		if got := blockedJobs([]market.Backlog{{Oldest: time.Hour}, {Sent: true, Oldest: test.age}}, test.gap); !names(got, test.alert) {
			t.Errorf("%s: the problems are %q, want %q", name, got, test.alert)
		}
	}
}

func TestLowBalancesAreProblems(t *testing.T) {
	for name, test := range map[string]struct {
		balance, spent int64
		alert          string
	}{
		"enough":              {lowBalanceWei, 0, ""},
		"low":                 {lowBalanceWei - 1, 0, "TaskmarketKeeperBalanceLow"},
		"empty":               {emptyBalanceWei - 1, 0, "TaskmarketKeeperBalanceEmpty"},
		"enough for a week":   {lowBalanceWei, int64(lowBalanceWei) / lowRunwayDays, ""},
		"enough for six days": {lowBalanceWei, int64(lowBalanceWei) / 6, "TaskmarketKeeperBalanceLow"},
		"enough for hours":    {lowBalanceWei, lowBalanceWei * 2, "TaskmarketKeeperBalanceEmpty"},
	} {
		if got := lowBalance(big.NewInt(test.balance), big.NewInt(test.spent)); !names(got, test.alert) {
			t.Errorf("%s: the problems are %q, want %q", name, got, test.alert)
		}
	}
}

func TestOverdueModerationIsAProblem(t *testing.T) {
	waiting := market.ModerationBacklog{OldestHeld: 1000 * time.Hour, OldestReport: reportAge, OldestAppeal: appealAge}
	if got := overdueModeration(waiting); len(got) > 0 {
		t.Errorf("the problems are %q, want none", got)
	}
	waiting.Overdue, waiting.OldestReport, waiting.OldestAppeal = 1, reportAge+1, appealAge+1
	if got := overdueModeration(waiting); !names(got, "TaskmarketHoldsOverdue", "TaskmarketReportsWaiting", "TaskmarketAppealsWaiting") {
		t.Errorf("the problems are %q", got)
	}
}
