package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// exported returns what GET /metrics of the service returns.
func exported(t *testing.T, s *service) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	s.metrics.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return recorder.Body.String()
}

// A running service exports the state of the watcher, the keeper and the money, follows a reorg in
// a histogram, and prints the same state with `taskmarketd status`.
func TestServiceExportsItsState(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	c.KeeperPrivateKey = secret(hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[8].Key)))
	c.AuditInterval, c.FileScanner = 100*time.Millisecond, "exec:///bin/true"
	s, _, _ := startService(t, c)
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	net.Apply(t, net.Human, id, chaintest.Tokens(10))
	net.Mine(t, 3)
	await(t, "the head", func() bool { return holds(t, s, net) })
	net.Reorg(t, 2)
	await(t, "the reorg, the stake and the keeper", func() bool {
		state, err := s.store.Operations(t.Context())
		return err == nil && state.Keeper.Epoch > 0 && s.keeper.Status().Balance != nil && !s.auditor.Status().At.IsZero() &&
			strings.Contains(exported(t, s), `taskmarket_chain_reorg_depth_blocks_count 1`) && holds(t, s, net)
	})
	if err := s.state.CompareMoney(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := exported(t, s)
	for _, want := range []string{
		`taskmarket_money_wei{record="task",status="Posted"} 1e+19`, `taskmarket_money_records{record="stake",status="live"} 1`,
		`taskmarket_contract_surplus_wei{contract="escrow"} 0`, `taskmarket_contract_surplus_wei{contract="application_staking"} 0`,
		`taskmarket_watcher_leading 1`, `taskmarket_keeper_leading 1`, `taskmarket_keeper_nonce_gap 0`,
		`taskmarket_lease_age_seconds{lease="watcher"} `, `taskmarket_lease_age_seconds{lease="keeper"} `, `taskmarket_audit_last_round_seconds `,
		`taskmarket_state_readable 1`, `taskmarket_moderation_readable 1`, `method="eth_getBlockByNumber"`,
		`taskmarket_file_scan_duration_seconds_count{result="failed"} 0`, `taskmarket_periodic_job_interval_seconds{name="sweep of files"} 3600`,
		`taskmarket_periodic_job_failing{name="sweep"} 0`, `taskmarket_periodic_job_failing{name="compaction of counts"} 0`,
		`taskmarket_periodic_job_failing{name="audit of refusals"} 0`, `taskmarket_periodic_job_failing{name="list of suspensions"} 0`,
		`taskmarket_periodic_job_failing{name="check of the keeper"} 0`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("GET /metrics lacks %s", want)
		}
	}
	checkLabels(t, s)

	wantStatus(t, s, []string{
		`(?m)^chain +head \d+; followed \d+ \(0 blocks`, `(?m)^watcher +\S+ has the lease \(epoch 1`, `(?m)^keeper +\S+ has the lease`,
		`account 0x\w+ has \d+(\.\d+)? ETH; \d+(\.\d+)? ETH spent`, `(?m)^escrow +Posted: 1 with 10$`, `(?m)^stakes +live: 1 with `,
		`(?m)^problems +none`, `the contract has 0 more than the records`,
	})
	if err := net.Dev.SetBalance(t.Context(), net.Dev.Accounts()[8].Address, big.NewInt(keeper.DefaultLowBalance-1)); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, s, []string{`(?m)^problem +the keeper's account needs more gas money: see the runbook, TaskmarketKeeperBalanceLow$`})
}

// The status of a database whose watcher has stopped says so.
func TestStatusReportsAnAbsentWatcher(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s, err := newService(t.Context(), testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL()), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(context.Background()) })
	if err := s.connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.watcher.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.watcher.Release(t.Context())
	wantStatus(t, s, []string{`(?m)^problem +no process follows the chain: see `})
}

// wantStatus requires that the output of `taskmarketd status` matches each pattern.
func wantStatus(t *testing.T, s *service, patterns []string) {
	t.Helper()
	var out bytes.Buffer
	if err := s.printStatus(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range patterns {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the status lacks %s:\n%s", want, out.String())
		}
	}
}

// holds reports whether the service has followed the chain up to its head.
func holds(t *testing.T, s *service, net *chaintest.Net) bool {
	t.Helper()
	cursor, err := s.store.Cursor(t.Context())
	return err == nil && cursor.Block.Hash == net.Head(t).Hash
}

// checkLabels fails if a label of the service has a value that is not in its list.
func checkLabels(t *testing.T, s *service) {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	process := metricstest.Process{Version: version, Holders: []string{fmt.Sprintf("%s/%d", host, os.Getpid())}}
	for _, provider := range s.node.Providers() {
		process.Providers = append(process.Providers, provider.Provider)
	}
	lines := metricstest.Scrape(t, s.metrics)
	metricstest.CheckLabels(t, lines, process)
	for line := range lines {
		if strings.Contains(line, `method="other"`) {
			t.Error("a method of the service is missing in the list of methods")
		}
	}
}

// The exported reasons are those of GET /health.
func TestReasonsAreThoseOfHealth(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	database, toDatabase := behind(t, storetest.URL(t, storetest.New(t)))
	node, toNode := behind(t, net.Dev.URL())
	s, origin, _ := startService(t, testConfig(t, net, database, node))
	same := func() bool {
		var health struct{ Reasons []string }
		_, body := get(t, origin+"/api/v1/health")
		if err := json.Unmarshal([]byte(body), &health); err != nil {
			t.Fatal(err)
		}
		text := exported(t, s)
		for _, reason := range market.HealthReasons {
			listed := slices.Contains(health.Reasons, string(reason))
			if !strings.Contains(text, fmt.Sprintf("taskmarket_health_reason{reason=%q} %d", reason, map[bool]int{true: 1}[listed])) {
				return false
			}
		}
		return true
	}
	await(t, "the reasons of a running service", same)
	toNode.Shut()
	await(t, "node_unavailable", func() bool { return strings.Contains(exported(t, s), `reason="node_unavailable"} 1`) && same() })
	toDatabase.Shut()
	await(t, "database_unavailable", func() bool { return strings.Contains(exported(t, s), `reason="database_unavailable"} 1`) && same() })
}

// Requests by strangers add no label values: unknown paths are not measured, and every error code
// is a documented one.
func TestRequestsAddOnlyKnownLabels(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	s, origin, _ := startService(t, testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL()))
	awaits(t, origin, http.StatusOK, "ok\n")
	for _, target := range []string{"/api/v1/tasks/x", "/api/v1/nothing/here", "/api/v1/board?page=x", "/api/v1/agents/me", "/unknown", "/api/v1/health"} {
		s.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target, nil))
	}
	s.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("BREW", "/api/v1/board", nil))
	text := exported(t, s)
	checkLabels(t, s)
	for _, want := range []string{`operation="getTask",status="4xx"`, `operation="getHealth"`, `taskmarket_http_refusals_total{code="unauthorized"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("GET /metrics lacks %s", want)
		}
	}
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

// The metrics listener is independent of the API's listener, and an occupied address is an error
// that names the variable.
func TestMetricsListener(t *testing.T) {
	t.Parallel()
	s := &service{config: config{MetricsListen: "256.0.0.1:1"}}
	if err := s.serveMetrics(t.Context()); err == nil || !strings.Contains(err.Error(), "TASKMARKET_METRICS_LISTEN") {
		t.Errorf("serveMetrics() = %v", err)
	}
	for listen, want := range map[string]bool{"": false, "off": false, "127.0.0.1:9464": true} {
		if got := (config{MetricsListen: listen}).servesMetrics(); got != want {
			t.Errorf("servesMetrics() with %q = %t", listen, got)
		}
	}
}
