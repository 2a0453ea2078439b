package metrics_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// root is the module's root.
const root = "../../../.."

type rule struct {
	Record      string            `yaml:"record"`
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

func readRules(t *testing.T) (rules []rule) {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []rule `yaml:"rules"`
		} `yaml:"groups"`
	}
	readYAML(t, "alerts.yml", &file)
	for _, group := range file.Groups {
		rules = append(rules, group.Rules...)
	}
	if len(rules) == 0 {
		t.Fatal("alerts.yml has no rules")
	}
	return rules
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal(readFile(t, "deploy/prometheus", name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.Join(path...)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Each alert has a severity, a summary, a description and a section of the runbook. Each section of the
// runbook whose heading is a single word belongs to an alert.
func TestAlertsAreDescribed(t *testing.T) {
	sections := make(map[string]bool)
	for _, heading := range regexp.MustCompile(`(?m)^### (\w+)$`).FindAllSubmatch(readFile(t, "docs/runbook.md"), -1) {
		sections[string(heading[1])] = true
	}
	for _, r := range readRules(t) {
		if r.Alert == "" {
			continue
		}
		if severity := r.Labels["severity"]; severity != "page" && severity != "ticket" {
			t.Errorf("%s has the severity %q, want page or ticket", r.Alert, severity)
		}
		if r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%s has no summary or no description", r.Alert)
		}
		if want := "docs/runbook.md#" + strings.ToLower(r.Alert); r.Annotations["runbook_url"] != want {
			t.Errorf("%s: runbook_url is %q, want %q", r.Alert, r.Annotations["runbook_url"], want)
		}
		if !sections[r.Alert] {
			t.Errorf("docs/runbook.md has no section %s", r.Alert)
		}
		delete(sections, r.Alert)
	}
	for section := range sections {
		t.Errorf("docs/runbook.md has a section %s, but no such alert exists", section)
	}
}

// PostgreSQL accepts the statements of the runbook.
func TestRunbookStatementsRun(t *testing.T) {
	db, err := sql.Open("postgres", storetest.URL(t, storetest.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	statements := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(readFile(t, "docs/runbook.md"), -1)
	if len(statements) == 0 {
		t.Fatal("docs/runbook.md has no statements")
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), string(statement[1])); err != nil {
			t.Errorf("%s: %v", statement[1], err)
		}
	}
}

// Each alert has a test in which it fires, and one in which it does not. `make lint` runs
// these tests.
func TestAlertsAreTested(t *testing.T) {
	var file struct {
		Tests []struct {
			Checks []struct {
				Expr    string `yaml:"expr"`
				Samples []any  `yaml:"exp_samples"`
			} `yaml:"promql_expr_test"`
		} `yaml:"tests"`
	}
	readYAML(t, "alerts_test.yml", &file)
	name := regexp.MustCompile(`ALERTS\{alertname="(\w+)",alertstate="firing"\}`)
	fires, quiet := make(map[string]bool), make(map[string]bool)
	for _, group := range file.Tests {
		for _, check := range group.Checks {
			tested := name.FindStringSubmatch(check.Expr)
			switch {
			case tested == nil:
			case len(check.Samples) > 0:
				fires[tested[1]] = true
			default:
				quiet[tested[1]] = true
			}
		}
	}
	for _, r := range readRules(t) {
		if r.Alert != "" && (!fires[r.Alert] || !quiet[r.Alert]) {
			t.Errorf("alerts_test.yml must have a test in which %s fires, and one in which it does not", r.Alert)
		}
	}
}

// Every metric in the rules, the dashboards and the runbook is exported by this package, recorded by a rule,
// or created by Prometheus or the blackbox exporter. Every health reason in the queries exists.
func TestQueriesUseExportedMetrics(t *testing.T) {
	known := map[string]bool{"up": true, "probe_success": true}
	for name := range exportedNames(t) {
		known[name] = true
	}
	queries := make(map[string]string)
	for _, r := range readRules(t) {
		known[r.Record] = true
		queries["rule "+r.Alert+r.Record] = r.Expr
	}
	dashboards, err := filepath.Glob(filepath.Join(root, "deploy/grafana/*.json"))
	if err != nil || len(dashboards) == 0 {
		t.Fatalf("deploy/grafana has no dashboard: %v", err)
	}
	for _, path := range dashboards {
		for title, query := range readQueries(t, path) {
			queries[filepath.Base(path)+": "+title] = query
		}
	}
	for _, name := range regexp.MustCompile(`\btaskmarket_\w+`).FindAllString(string(readFile(t, "docs/runbook.md")), -1) {
		if !known[name] && name != "taskmarket_keeper" { // a grep pattern in the runbook, not a metric
			t.Errorf("docs/runbook.md: the metric %s does not exist", name)
		}
	}
	reason := regexp.MustCompile(`reason="(\w+)"`)
	for where, query := range queries {
		names := metricNames(query)
		if len(names) == 0 {
			t.Errorf("%s: no metric in %q", where, query)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: the metric %s does not exist", where, name)
			}
		}
		for _, named := range reason.FindAllStringSubmatch(query, -1) {
			if !slices.Contains(market.HealthReasons, market.HealthReason(named[1])) {
				t.Errorf("%s: the health reason %s does not exist", where, named[1])
			}
		}
	}
}

// readQueries returns the queries of a dashboard by the titles of their panels.
func readQueries(t *testing.T, path string) map[string]string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &dashboard)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	queries := make(map[string]string)
	for _, panel := range dashboard.Panels {
		if len(panel.Targets) == 0 && panel.Type != "row" {
			t.Errorf("%s: the panel %s has no query", path, panel.Title)
		}
		for _, target := range panel.Targets {
			queries[panel.Title+": "+target.Expr] = target.Expr
		}
	}
	return queries
}

// exportedNames returns the names of all metrics.
func exportedNames(t *testing.T) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	for line := range metricstest.Scrape(t, metricstest.Drive(t)) {
		name, _, _ := strings.Cut(line, "{")
		names[name] = true
	}
	return names
}

var (
	// notMetrics matches the parts of a query that contain other words: numbers, strings, labels.
	notMetrics    = regexp.MustCompile(`\b\d[\w.]*|"[^"]*"|\{[^}]*\}|\[[^]]*\]|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)`)
	word          = regexp.MustCompile(`[a-zA-Z_][\w:]*(\s*\()?`)
	operatorWords = []string{"and", "or", "unless", "bool", "offset", "group_left", "group_right", "by", "on", "inf"}
)

// metricNames returns the names of the metrics in a PromQL query.
func metricNames(query string) (names []string) {
	for _, found := range word.FindAllString(notMetrics.ReplaceAllString(query, " "), -1) {
		if !strings.HasSuffix(found, "(") && !slices.Contains(operatorWords, found) {
			names = append(names, found)
		}
	}
	return names
}

func TestMetricNames(t *testing.T) {
	for query, want := range map[string][]string{
		`sum by (job) (rate(a_total{b="c"}[5m])) / on (job) d > 0.5`: {"a_total", "d"},
		`x:y > 1e16 or (absent(z{p=~"8(\\.0)?"}) unless on (job) v)`: {"x:y", "z", "v"},
		`changes(max by (job) (h)[5m:30s]) == 0`:                     {"h"},
	} {
		if got := metricNames(query); !slices.Equal(got, want) {
			t.Errorf("metricNames(%s) = %v, want %v", query, got, want)
		}
	}
}
