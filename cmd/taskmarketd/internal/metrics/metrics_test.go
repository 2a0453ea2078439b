package metrics_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/follow"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
)

func wantLines(t *testing.T, got map[string]string, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s = %q, want %q", name, got[name], value)
		}
	}
}

func TestStateIsExported(t *testing.T) {
	m, state := metrics.New("v1"), metricstest.State()
	if err := m.Add(state, func() sql.DBStats { return sql.DBStats{MaxOpenConnections: 20, InUse: 3, WaitCount: 4} }); err != nil {
		t.Fatal(err)
	}
	if err := state.CompareMoney(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantLines(t, metricstest.Scrape(t, m), map[string]string{
		`taskmarket_chain_head_block`:                                        "100",
		`taskmarket_chain_lag_blocks{level="followed"}`:                      "1",
		`taskmarket_chain_lag_seconds{level="followed"}`:                     "2",
		`taskmarket_chain_lag_blocks{level="safe"}`:                          "30",
		`taskmarket_chain_lag_seconds{level="safe"}`:                         "60",
		`taskmarket_chain_block{level="finalized"}`:                          "40",
		`taskmarket_chain_lag_blocks{level="finalized"}`:                     "60",
		`taskmarket_chain_lag_seconds{level="finalized"}`:                    "240",
		`taskmarket_rpc_provider_consecutive_failures{provider="b.example"}`: "3",
		`taskmarket_rpc_provider_resting{provider="a.example"}`:              "0",
		`taskmarket_rpc_provider_resting{provider="b.example"}`:              "1",
		`taskmarket_watcher_leading`:                                         "1",
		`taskmarket_lease_remaining_seconds{lease="watcher"}`:                "10",
		`taskmarket_lease_holder_info{holder="host/1",lease="watcher"}`:      "1",
		`taskmarket_keeper_jobs{kind="settle",state="sent"}`:                 "2",
		`taskmarket_keeper_jobs{kind="claim",state="pending"}`:               "0",
		`taskmarket_keeper_oldest_job_seconds{kind="settle",state="sent"}`:   "60",
		`taskmarket_keeper_runway_days`:                                      "3",
		`taskmarket_keeper_nonce_gap`:                                        "2",
		`taskmarket_keeper_replacements_total`:                               "2",
		`taskmarket_keeper_key_shared`:                                       "1",
		`taskmarket_audit_findings`:                                          "1",
		`taskmarket_audit_failing`:                                           "1",
		`taskmarket_health_reason{reason="audit_mismatch"}`:                  "1",
		`taskmarket_health_reason{reason="disk_full"}`:                       "0",
		`taskmarket_money_wei{record="task",status="Posted"}`:                "20",
		`taskmarket_money_records{record="task",status="Submitted"}`:         "1",
		`taskmarket_contract_surplus_wei{contract="escrow"}`:                 "2",
		`taskmarket_database_connections{state="in_use"}`:                    "3",
		`taskmarket_database_connection_waits_total`:                         "4",
		`taskmarket_state_readable`:                                          "1",
		`taskmarket_database_standby_age_seconds`:                            "1.5",
		`taskmarket_moderation_waiting{kind="appeal"}`:                       "2",
		`taskmarket_moderation_waiting{kind="held"}`:                         "3",
		`taskmarket_moderation_holds_overdue`:                                "1",
		`taskmarket_moderation_oldest_seconds{kind="held"}`:                  "3600",
		`taskmarket_moderation_oldest_seconds{kind="report"}`:                "7200",
		`taskmarket_moderation_oldest_seconds{kind="appeal"}`:                "10800",
		`taskmarket_moderation_readable`:                                     "1",
		`taskmarket_screening_file_stale`:                                    "1",
		`taskmarket_build_info{version="v1"}`:                                "1",
	})
}

// A failed read omits only the metrics that depend on it.
func TestScrapeSurvivesFailures(t *testing.T) {
	m, state := metrics.New("v1"), metricstest.State()
	state.Operations = func(context.Context) (operators.Operations, error) { return operators.Operations{}, errors.New("down") }
	state.Head = func() (market.Block, error) { return market.Block{}, errors.New("down") }
	state.Keeper = nil
	state.Moderation = func(context.Context) (moderation.Backlog, error) {
		return moderation.Backlog{}, errors.New("down")
	}
	if err := m.Add(state, func() sql.DBStats { return sql.DBStats{} }); err != nil {
		t.Fatal(err)
	}
	got := metricstest.Scrape(t, m)
	wantLines(t, got, map[string]string{
		"taskmarket_state_readable": "0", "taskmarket_moderation_readable": "0", "taskmarket_watcher_leading": "1",
		`taskmarket_screening_file_stale`: "1",
	})
	for name := range got {
		if strings.HasPrefix(name, "taskmarket_chain_lag") || strings.HasPrefix(name, "taskmarket_keeper_jobs") ||
			strings.HasPrefix(name, "taskmarket_moderation_waiting") {
			t.Errorf("%s is exported without a state", name)
		}
	}
}

// Only the process whose watcher leads compares the money and exports the result.
func TestOnlyTheLeaderComparesMoney(t *testing.T) {
	m, state := metrics.New("v1"), metricstest.State()
	if err := m.Add(state, func() sql.DBStats { return sql.DBStats{} }); err != nil {
		t.Fatal(err)
	}
	leading := true
	state.Watcher = func() follow.Status { return follow.Status{Leading: leading} }
	for _, leading = range []bool{true, false} {
		if err := state.CompareMoney(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, found := metricstest.Scrape(t, m)[`taskmarket_contract_surplus_wei{contract="escrow"}`]; found != leading {
			t.Errorf("the surplus is exported: %t, want %t", found, leading)
		}
	}
}

func TestRequestsAreMeasured(t *testing.T) {
	m := metrics.New("v1")
	for _, status := range []int{200, 404, 0} {
		m.Served(t.Context(), "getTask", status, time.Millisecond)
	}
	m.Refused("not_found")
	m.Streams(3)
	m.Load(gate.PriorityRead, 15, 40)
	m.Shed(gate.PriorityRead)
	m.ConnectionRefused()
	m.Reorged(5)
	wantLines(t, metricstest.Scrape(t, m), map[string]string{
		`taskmarket_http_request_duration_seconds_count{operation="getTask",status="2xx"}`:   "1",
		`taskmarket_http_request_duration_seconds_count{operation="getTask",status="4xx"}`:   "1",
		`taskmarket_http_request_duration_seconds_count{operation="getTask",status="other"}`: "1",
		`taskmarket_http_refusals_total{code="not_found"}`:                                   "1",
		`taskmarket_event_streams`: "3",
		`taskmarket_http_requests_limited{priority="read",state="running"}`: "15",
		`taskmarket_http_requests_limited{priority="read",state="waiting"}`: "40",
		`taskmarket_http_shed_total{priority="read"}`:                       "1",
		`taskmarket_http_connections_refused_total`:                         "1",
		`taskmarket_chain_reorg_depth_blocks_bucket{le="8"}`:                "1",
		`taskmarket_chain_reorg_depth_blocks_bucket{le="4"}`:                "0",
	})
}

// The label method is the method of a call, or the first method of a batch. An unknown method does not
// add a label value.
func TestTransportMeasuresCalls(t *testing.T) {
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "eth_gasPrice") {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		answer := `{"jsonrpc":"2.0","id":1,"result":"0x1"}`
		if strings.HasPrefix(string(body), "[") {
			answer = "[" + answer + "]"
		}
		_, _ = io.WriteString(w, answer)
	}))
	defer node.Close()
	m := metrics.New("v1")
	transport := m.Transport("node.example", http.DefaultTransport)
	client, err := rpc.DialOptions(t.Context(), node.URL, rpc.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_ = client.CallContext(t.Context(), nil, "eth_chainId")
	_ = client.CallContext(t.Context(), nil, "eth_gasPrice")
	_ = client.CallContext(t.Context(), nil, "made_up")
	_ = client.BatchCallContext(t.Context(), []rpc.BatchElem{{Method: "eth_getLogs", Args: []any{map[string]string{"method": "x"}}}})
	got := metricstest.Scrape(t, m)
	for method, result := range map[string]string{"eth_chainId": "ok", "eth_gasPrice": "4xx", "other": "ok", "eth_getLogs": "ok"} {
		name := `taskmarket_rpc_request_duration_seconds_count{method="` + method + `",provider="node.example",result="` + result + `"}`
		if got[name] != "1" {
			t.Errorf("%s = %q, want 1", name, got[name])
		}
	}
	node.Close()
	_ = client.CallContext(t.Context(), nil, "eth_chainId")
	wantLines(t, metricstest.Scrape(t, m), map[string]string{
		`taskmarket_rpc_request_duration_seconds_count{method="eth_chainId",provider="node.example",result="failed"}`: "1",
	})
}

func TestProfilesAreServed(t *testing.T) {
	recorder := httptest.NewRecorder()
	metrics.New("v1").Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/debug/pprof/goroutine?debug=1", nil))
	if recorder.Code != http.StatusOK || !strings.Contains(recorder.Body.String(), "goroutine profile") {
		t.Errorf("GET /debug/pprof/goroutine = %d", recorder.Code)
	}
}

func TestRunway(t *testing.T) {
	for name, test := range map[string]struct {
		balance, spent *big.Int
		days           float64
		ok             bool
	}{
		"three days":      {big.NewInt(900), big.NewInt(300), 3, true},
		"an empty wallet": {big.NewInt(0), big.NewInt(300), 0, true},
		"nothing spent":   {big.NewInt(900), big.NewInt(0), 0, false},
		"unknown balance": {nil, big.NewInt(300), 0, false},
	} {
		if days, ok := metrics.Runway(test.balance, test.spent); days != test.days || ok != test.ok {
			t.Errorf("%s: metrics.Runway() = %v, %t", name, days, ok)
		}
	}
}

// Each metric and each label is declared with the list of its values, and each of these values occurs.
func TestLabelsAreBounded(t *testing.T) {
	lines := metricstest.Scrape(t, metricstest.Drive(t))
	metricstest.CheckLabels(t, lines, metricstest.Driven())
	for name, labels := range metricstest.Labels(t, metricstest.Driven()) {
		exported, text := false, strings.Builder{}
		for line := range lines {
			if found, _, _ := strings.Cut(line, "{"); found == metricstest.Prefix+name {
				exported = true
				text.WriteString(line + "\n")
			}
		}
		if !exported {
			t.Errorf("the metric %s is declared, but not exported", name)
		}
		for label, values := range labels {
			for _, value := range values {
				if !strings.Contains(text.String(), label+`="`+value+`"`) {
					t.Errorf("%s: the value %q of the label %s does not occur", name, value, label)
				}
			}
		}
	}
}

// reports records whether a check failed.
type reports struct {
	testing.TB
	failed bool
}

func (r *reports) Errorf(string, ...any) { r.failed = true }

// CheckLabels reports labels and values that are not declared, and two holders of one lease.
func TestUndeclaredLabelsAreFound(t *testing.T) {
	for line, want := range map[string]bool{
		`taskmarket_event_streams`:                                       false,
		`taskmarket_event_streams{user="ada"}`:                           true,
		`taskmarket_unknown`:                                             true,
		`taskmarket_health_reason{reason="disk_full"}`:                   false,
		`taskmarket_health_reason{reason="disk_empty"}`:                  true,
		`taskmarket_build_info{version="v2"}`:                            true,
		`taskmarket_chain_reorg_depth_blocks_bucket{le="8"}`:             false,
		`taskmarket_chain_reorg_depth_blocks_bucket{le="9"}`:             true,
		`taskmarket_lease_holder_info{holder="host/1",lease="watcher"}`:  false,
		`taskmarket_lease_holder_info{holder="host/2",lease="watcher"}`:  false,
		`taskmarket_lease_holder_info{holder="other/1",lease="watcher"}`: true,
		`go_goroutines{x="y"}`:                                           false,
	} {
		r := &reports{TB: t}
		metricstest.CheckLabels(r, map[string]string{line: "1"}, metricstest.Driven())
		if r.failed != want {
			t.Errorf("CheckLabels(%s) failed: %t, want %t", line, r.failed, want)
		}
	}
	r := &reports{TB: t}
	metricstest.CheckLabels(r, map[string]string{
		`taskmarket_lease_holder_info{holder="host/1",lease="watcher"}`: "1", `taskmarket_lease_holder_info{holder="host/2",lease="watcher"}`: "1",
	}, metricstest.Driven())
	if !r.failed {
		t.Error("CheckLabels() accepts two holders of one lease")
	}
}
