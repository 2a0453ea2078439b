package main

import (
	"flag"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

var update = flag.Bool("update", false, "write the expressions of the conditions to deploy/prometheus/alerts.yml")

const rulesFile = "../../deploy/prometheus/alerts.yml"

// alertRules returns the expressions of the alerts by name.
func alertRules(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(rulesFile)
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
			rules[r.Alert] = r.Expr
		}
	}
	return rules
}

// The rules of Prometheus have the expressions of the conditions; with -update they are written.
func TestAlertRulesAreTheConditions(t *testing.T) {
	if *update {
		writeRules(t)
	}
	rules := alertRules(t)
	for _, c := range conditions {
		if rules[c.alert] != c.expr {
			t.Errorf("the rule %s is\n%s\nwant the condition's (go test ./cmd/taskmarketd -run AlertRules -update):\n%s", c.alert, rules[c.alert], c.expr)
		}
	}
}

func writeRules(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conditions {
		rule := regexp.MustCompile(`( +- alert: ` + c.alert + `\n +expr: )(?:\|-(?:\n {10}.*)+|.*)`)
		expr := c.expr
		if strings.Contains(expr, "\n") {
			expr = "|-\n          " + strings.ReplaceAll(expr, "\n", "\n          ")
		}
		text = rule.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(expr, "$", "$$")))
	}
	if err := os.WriteFile(rulesFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The problem of each health reason except stopping names a section of the runbook: that of the reason's alert,
// if there is one.
func TestReasonsNameTheRunbook(t *testing.T) {
	sections := runbookSections(t)
	alerts := make(map[market.HealthReason]string)
	for alert, expr := range alertRules(t) {
		if named := regexp.MustCompile(`health_reason\{reason="(\w+)"\}`).FindStringSubmatch(expr); named != nil {
			alerts[market.HealthReason(named[1])] = alert
		}
	}
	if len(alerts) < 4 {
		t.Fatalf("found %d alerts for reasons", len(alerts))
	}
	for _, reason := range market.HealthReasons {
		got := reasonProblem(reason)
		text, section, _ := strings.Cut(got, ": see the runbook, ")
		if text != string(reason) || sections[section] != (reason != market.ReasonStopping) {
			t.Errorf("the problem of %s is %q, want the reason and a section of the runbook", reason, got)
		}
		if alert := alerts[reason]; alert != "" && section != alert {
			t.Errorf("the problem of %s is %q, want the section %s", reason, got, alert)
		}
	}
}

// Every section of the runbook that the program's output names exists.
func TestNamedSectionsOfTheRunbookExist(t *testing.T) {
	sections, found := runbookSections(t), 0
	name := regexp.MustCompile(`\bTaskmarket[A-Z]\w+`)
	for _, folder := range []string{".", "../../chain", "../../test/faults"} {
		err := filepath.WalkDir(folder, func(path string, file fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, section := range name.FindAllString(string(text), -1) {
				if section == "TaskmarketEscrow" || section == "TaskmarketRewards" { // EIP-712 domains
					continue
				}
				if found++; !sections[section] {
					t.Errorf("%s names %s, which docs/runbook.md does not have", path, section)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("found %d sections in the sources", found)
	}
}

// runbookSections returns the sections of the runbook that are named like an alert.
func runbookSections(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../docs/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := make(map[string]bool)
	for _, heading := range regexp.MustCompile(`(?m)^### (Taskmarket\w+)$`).FindAllStringSubmatch(string(text), -1) {
		sections[heading[1]] = true
	}
	return sections
}

// sound returns the facts of a service without problems.
func sound() facts {
	return facts{Operations: operators.Operations{Watcher: operators.LeaseState{Holder: "host/7", Left: time.Second}}}
}

func TestOverdueJobsAreProblems(t *testing.T) {
	for name, test := range map[string]struct {
		jobs  outbox.Backlog
		alert string
	}{
		"a young transaction": {outbox.Backlog{Kind: market.OutboxSettle, Sent: true, Oldest: stuckAge}, ""},
		"an old transaction":  {outbox.Backlog{Kind: market.OutboxSettle, Sent: true, Oldest: stuckAge + 1}, "TaskmarketTransactionStuck"},
		"an old claim, sent":  {outbox.Backlog{Kind: market.OutboxClaim, Sent: true, Oldest: stuckAge + 1}, "TaskmarketTransactionStuck"},
		"a young job":         {outbox.Backlog{Kind: market.OutboxVerdicts, Oldest: jobAge}, ""},
		"an old job":          {outbox.Backlog{Kind: market.OutboxVerdicts, Oldest: jobAge + 1}, "TaskmarketJobsOverdue"},
		"a young claim":       {outbox.Backlog{Kind: market.OutboxClaim, Oldest: claimAge}, ""},
		"an old claim":        {outbox.Backlog{Kind: market.OutboxClaim, Oldest: claimAge + 1}, "TaskmarketClaimsOverdue"},
	} {
		f := sound()
		f.Jobs = []outbox.Backlog{test.jobs}
		if got := f.problems(); !names(got, test.alert) {
			t.Errorf("%s: the problem is %q, want %q", name, got, test.alert)
		}
	}
}

// names reports whether the problems name exactly these sections of the runbook, in this order. It ignores empty
// sections.
func names(problems []string, sections ...string) bool {
	sections = slices.DeleteFunc(sections, func(section string) bool { return section == "" })
	return slices.EqualFunc(problems, sections, func(problem, section string) bool {
		return strings.HasSuffix(problem, ": see the runbook, "+section)
	})
}

// The line about the audit reports whether records are still compared with the contracts.
func TestStatusOfTheAudit(t *testing.T) {
	led := operators.Operations{Findings: 2, Rereads: 1, Watcher: operators.LeaseState{Holder: "host/7", Left: time.Second}}
	for name, test := range map[string]struct {
		state   operators.Operations
		audit   metrics.Audit
		line    string
		problem string
	}{
		"compared": {
			led,
			metrics.Audit{Leads: true, Compared: true, Since: 3 * time.Second},
			"2 differences between records and contracts, compared 3s ago; 1 blocks to read again", "",
		},
		"compared at the limit": {
			led,
			metrics.Audit{Leads: true, Compared: true, Since: auditAge},
			"2 differences between records and contracts, compared 10m0s ago; 1 blocks to read again", "",
		},
		"compared too long ago": {
			led,
			metrics.Audit{Leads: true, Compared: true, Since: auditAge + time.Second},
			"2 differences are stored, but records and contracts have not been compared for 10m1s; 1 blocks to read again", "TaskmarketAuditStopped",
		},
		"not compared yet": {
			led,
			metrics.Audit{Leads: true, Since: 3 * time.Second},
			"2 differences are stored, but records and contracts have not been compared since the replica became the leader, 3s ago; 1 blocks to read again", "",
		},
		"never compared": {
			led,
			metrics.Audit{Leads: true, Since: time.Hour},
			"2 differences are stored, but records and contracts have not been compared since the replica became the leader, 1h0m0s ago; 1 blocks to read again",
			"TaskmarketAuditStopped",
		},
		"another replica leads": {
			led,
			metrics.Audit{},
			"2 differences are stored, but it is unknown when records and contracts were last compared: run this command where the leader, host/7, " +
				"serves its metrics; 1 blocks to read again", "",
		},
		"no replica leads": {
			operators.Operations{},
			metrics.Audit{},
			"0 differences are stored, but records and contracts are not compared while no process follows the chain; 0 blocks to read again", "",
		},
	} {
		if got := auditLine(test.state, test.audit); got != test.line {
			t.Errorf("%s: the line is %q, want %q", name, got, test.line)
		}
		f := sound()
		f.audit = test.audit
		if got := f.problems(); !names(got, test.problem) {
			t.Errorf("%s: the problems are %q, want %q", name, got, test.problem)
		}
	}
}

func TestMissingNoncesAreAProblem(t *testing.T) {
	for name, test := range map[string]struct {
		age   time.Duration
		gap   uint64
		alert string
	}{
		"an old transaction":               {gapAge + 1, 3, "TaskmarketKeeperNonceGap"},
		"a young transaction":              {gapAge, 3, ""},
		"an old transaction without a gap": {gapAge + 1, 0, ""},
	} {
		f := sound()
		f.Jobs, f.gap = []outbox.Backlog{{Kind: market.OutboxClaim, Oldest: time.Hour}, {Sent: true, Oldest: test.age}}, test.gap
		if got := f.problems(); !names(got, test.alert) {
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
		f := sound()
		f.balance, f.KeeperSpent = big.NewInt(test.balance), big.NewInt(test.spent)
		if got := f.problems(); !names(got, test.alert) {
			t.Errorf("%s: the problems are %q, want %q", name, got, test.alert)
		}
	}
}

func TestOverdueModerationIsAProblem(t *testing.T) {
	f := sound()
	f.moderation = moderation.Backlog{OldestHeld: 1000 * time.Hour, OldestReport: reportAge, OldestAppeal: appealAge}
	if got := f.problems(); len(got) > 0 {
		t.Errorf("the problems are %q, want none", got)
	}
	f.moderation.Overdue, f.moderation.OldestReport, f.moderation.OldestAppeal = 1, reportAge+1, appealAge+1
	if got := f.problems(); !names(got, "TaskmarketHoldsOverdue", "TaskmarketReportsWaiting", "TaskmarketAppealsWaiting") {
		t.Errorf("the problems are %q", got)
	}
}
