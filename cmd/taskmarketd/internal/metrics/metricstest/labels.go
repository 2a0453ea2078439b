package metricstest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskmarket"

	"gopkg.in/yaml.v3"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// Prefix is the prefix of the names of the service's metrics.
const Prefix = "taskmarket_"

// Process contains the label values that differ between processes.
type Process struct {
	Version   string
	Holders   []string // names of the processes that can hold a lease
	Providers []string
}

// values are the permitted values of the labels of one metric.
type values map[string][]string

// Labels returns the permitted values of each label, by the name of the metric without Prefix.
func Labels(tb testing.TB, p Process) map[string]map[string][]string {
	tb.Helper()
	operations, codes := documented(tb)
	var (
		classes  = []string{"1xx", "2xx", "3xx", "4xx", "5xx", "other"}
		leases   = []string{"watcher", "keeper"}
		levels   = values{"level": {"followed", "safe", "finalized"}}
		jobs     = values{"kind": texts(market.OutboxKinds()), "state": {"pending", "sent"}}
		money    = values{"record": {"task", "stake"}, "status": append(openTasks(), "live", "activated")}
		periodic = values{"name": texts(metrics.JobNames())}
		waiting  = values{"kind": {"held", "report", "appeal"}}
		provider = values{"provider": p.Providers}
		shed     = []string{string(gate.PriorityRead), string(gate.PriorityWrite)}
	)
	all := map[string]map[string][]string{
		"audit_failing": nil, "audit_findings": nil, "audit_last_round_seconds": nil, "audit_refusals_merged_total": nil,
		"build_info": values{"version": {p.Version}}, "chain_block": levels, "chain_head_block": nil, "chain_lag_blocks": levels,
		"chain_lag_seconds": levels, "console_responses_total": values{"status": classes},
		"contract_surplus_wei":                   values{"contract": {"escrow", "application_staking"}},
		"database_connection_wait_seconds_total": nil, "database_connection_waits_total": nil,
		"database_connections": values{"state": {"in_use", "idle"}}, "database_connections_max": nil, "database_standby_age_seconds": nil,
		"event_streams": nil, "health_reason": values{"reason": texts(market.HealthReasons)},
		"http_connections_refused_total": nil, "http_refusals_total": values{"code": codes},
		"http_requests_limited": values{"priority": shed, "state": {"running", "waiting"}}, "http_shed_total": values{"priority": shed},
		"keeper_balance_wei": nil, "keeper_failing": nil, "keeper_jobs": jobs, "keeper_key_shared": nil, "keeper_leading": nil,
		"keeper_nonce_gap": nil, "keeper_oldest_job_seconds": jobs, "keeper_replacements_total": nil, "keeper_runway_days": nil,
		"keeper_signer_failing": nil, "keeper_spent_wei": nil, "lease_age_seconds": values{"lease": leases}, "lease_epoch": values{"lease": leases},
		"lease_holder_info": values{"lease": leases, "holder": p.Holders}, "lease_remaining_seconds": values{"lease": leases},
		"moderation_holds_overdue": nil, "moderation_oldest_seconds": waiting, "moderation_readable": nil, "moderation_waiting": waiting,
		"money_compared_seconds": nil, "money_records": money, "money_wei": money, "periodic_job_failing": periodic,
		"periodic_job_interval_seconds": periodic, "periodic_job_last_success_seconds": periodic,
		"rpc_provider_consecutive_failures": provider, "rpc_provider_resting": provider,
		"screening_file_stale": nil, "state_readable": nil, "watcher_failing": nil,
		"watcher_last_step_seconds": nil, "watcher_leading": nil, "watcher_rereads": nil, "watcher_stopped": nil,
	}
	for name, histogram := range map[string]struct {
		buckets string
		labels  values
	}{
		"chain_reorg_depth_blocks":      {"1 2 4 8 16 32 64", nil},
		"file_scan_duration_seconds":    {"0.05 0.1 0.25 0.5 1 2.5 5 10 30", values{"result": {"clean", "found", "failed"}}},
		"http_request_duration_seconds": {"0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 10", values{"operation": operations, "status": classes}},
		"rpc_request_duration_seconds": {"0.01 0.05 0.1 0.25 0.5 1 2.5 10 30", values{
			"method": metrics.RPCMethods(), "provider": p.Providers, "result": {"ok", "failed", "4xx", "5xx"},
		}},
	} {
		bucket := maps.Clone(histogram.labels)
		if bucket == nil {
			bucket = values{}
		}
		bucket["le"] = append(strings.Fields(histogram.buckets), "+Inf")
		all[name+"_bucket"], all[name+"_count"], all[name+"_sum"] = bucket, histogram.labels, histogram.labels
	}
	return all
}

func texts[T ~string](list []T) (all []string) {
	for _, value := range list {
		all = append(all, string(value))
	}
	return all
}

// openTasks returns the states of tasks whose money is in the escrow.
func openTasks() (states []string) {
	for _, row := range market.StatusTable() {
		if row.Chain != market.ChainNone && !row.Chain.Ended() {
			states = append(states, row.Name)
		}
	}
	return states
}

var (
	series = regexp.MustCompile(`^(taskmarket_\w+?)(?:\{(.*)\})?$`)
	label  = regexp.MustCompile(`(\w+)="((?:[^"\\]|\\.)*)"`)
)

// CheckLabels fails if a metric of the service is not in Labels or has other labels or values, or if a
// lease has more than one holder. lines is the result of Scrape.
func CheckLabels(tb testing.TB, lines map[string]string, p Process) {
	tb.Helper()
	labels, holders := Labels(tb, p), make(map[string]int)
	for line := range lines {
		if !strings.HasPrefix(line, Prefix) {
			continue
		}
		found := series.FindStringSubmatch(line)
		if found == nil {
			tb.Errorf("unexpected line %q", line)
			continue
		}
		name := strings.TrimPrefix(found[1], Prefix)
		permitted, ok := labels[name]
		if !ok {
			tb.Errorf("the metric %s is not declared", name)
		}
		labels := label.FindAllStringSubmatch(found[2], -1)
		if len(labels) != len(permitted) {
			tb.Errorf("%s has %d labels, want %d", line, len(labels), len(permitted))
		}
		for _, l := range labels {
			if !slices.Contains(permitted[l[1]], l[2]) {
				tb.Errorf("%s: the label %s has the undeclared value %q", name, l[1], l[2])
			}
			if name == "lease_holder_info" && l[1] == "lease" {
				holders[l[2]]++
			}
		}
	}
	for lease, count := range holders {
		if count > 1 {
			tb.Errorf("the lease %s has %d holders", lease, count)
		}
	}
}

// documented returns the operations and the error codes of openapi.yaml.
func documented(tb testing.TB) (operations, codes []string) {
	tb.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `yaml:"operationId"`
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Codes map[string]int `yaml:"x-error-codes"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(taskmarket.OpenAPI, &document); err != nil {
		tb.Fatal(err)
	}
	for _, item := range document.Paths {
		for _, operation := range item {
			operations = append(operations, operation.OperationID)
		}
	}
	for code := range document.Components.Schemas["ApiError"].Properties["error"].Codes {
		codes = append(codes, code)
	}
	if len(operations) < 50 || len(codes) < 20 {
		tb.Fatalf("openapi.yaml has %d operations and %d error codes", len(operations), len(codes))
	}
	return operations, codes
}
