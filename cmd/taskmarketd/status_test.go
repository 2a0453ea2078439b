package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/market"
	"taskmarket/store/journal"
	"taskmarket/store/moderation"
	"taskmarket/store/storetest"
)

// exported returns the service's response to GET /metrics.
func exported(t *testing.T, s *service) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	s.metrics.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return recorder.Body.String()
}

// A running service exports the state of the watcher, the keeper and the money, and counts a reorg in a
// histogram. `taskmarketd status` prints the same state.
func TestServiceExportsItsState(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	c.KeeperPrivateKey = secret(hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[8].Key)))
	c.tuning.AuditInterval, c.FileScanner = 100*time.Millisecond, "exec:///bin/true"
	s, _, _ := startService(t, c)
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	net.Apply(t, net.Human, id, chaintest.Tokens(10))
	net.Mine(t, 3)
	await(t, "the head", func() bool { return holds(t, s, net) })
	net.Reorg(t, 2)
	await(t, "the reorg, the stake and the keeper", func() bool {
		state, err := s.store.Operators.Operations(t.Context())
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
		`taskmarket_periodic_job_failing{name="sweep"} 0`,
		`taskmarket_periodic_job_failing{name="audit of refusals"} 0`, `taskmarket_periodic_job_failing{name="list for restores"} 0`,
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
		`(?m)^audit +0 differences are stored, but it is unknown when .* run this command where the leader, \S+, serves its metrics; 0 blocks to read again$`,
		`(?m)^problems +none`, `the contract has 0 more than the records`, `(?m)^replica +unknown: TASKMARKET_METRICS_LISTEN is ""`,
	})
	wantEachMetric(t, s)
	if err := net.Dev.SetBalance(t.Context(), net.Dev.Accounts()[8].Address, big.NewInt(keeper.DefaultLowBalance-1)); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, s, []string{`(?m)^problem +the keeper's account needs more gas money: see the runbook, TaskmarketKeeperBalanceLow$`})
}

// printed contains, for each metric whose value `taskmarketd status` reads from the database and the chain,
// the line with the value, or the reason why there is no line.
var printed = map[string]struct{ line, reason string }{
	"audit_findings":                {line: `(?m)^audit +0 differences`},
	"chain_block":                   {line: `(?m)^chain .* followed \d+ \(`},
	"chain_head_block":              {line: `(?m)^chain +head \d+`},
	"chain_lag_blocks":              {line: `followed \d+ \(\d+ blocks`},
	"chain_lag_seconds":             {line: `blocks, \S+ behind\)`},
	"contract_surplus_wei":          {line: `the contract has 0 more than the records`},
	"database_standby_age_seconds":  {reason: "printed if a standby is configured"},
	"keeper_balance_wei":            {line: `account 0x\w+ has \S+ ETH`},
	"keeper_jobs":                   {reason: "printed while jobs are open: TestStatusPrintsJobs"},
	"keeper_nonce_gap":              {reason: "printed while nonces are missing: TestStatusPrintsJobs"},
	"keeper_oldest_job_seconds":     {reason: "printed while jobs are open: TestStatusPrintsJobs"},
	"keeper_runway_days":            {reason: "printed if money was spent in 24 hours: TestStatusPrintsJobs"},
	"keeper_spent_wei":              {line: `ETH spent in 24 h`},
	"lease_epoch":                   {line: `has the lease \(epoch 1`},
	"lease_holder_info":             {line: `(?m)^watcher +\S+ has the lease`},
	"lease_remaining_seconds":       {line: `\d+s left\)`},
	"moderation_holds_overdue":      {line: `(?m)^moderation +0 held tasks, 0 of them overdue`},
	"moderation_oldest_seconds":     {line: `0 reports, the oldest for 0s; 0 appeals, the oldest for 0s`},
	"moderation_readable":           {reason: "otherwise a problem: TestStatusReportsMissingMoney"},
	"moderation_waiting":            {line: `(?m)^moderation +0 held tasks`},
	"money_records":                 {line: `(?m)^escrow +Posted: 1 with`},
	"money_wei":                     {line: `(?m)^escrow +Posted: 1 with 10$`},
	"periodic_job_interval_seconds": {reason: "a constant"},
	"state_readable":                {reason: "status fails if it cannot read it"},
	"watcher_rereads":               {line: `0 blocks to read again`},
}

// wantEachMetric requires that `taskmarketd status` shows each metric of a running service: either in the lines
// about a replica, which change if the metric is missing, or in a line of printed.
func wantEachMetric(t *testing.T, s *service) {
	t.Helper()
	recorder := httptest.NewRecorder()
	metricstest.Drive(t).Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	missing := ""
	replica := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		without := regexp.MustCompile("^" + metricstest.Prefix + missing + `(_bucket|_count|_sum)?[{ ]`)
		for line := range strings.Lines(recorder.Body.String()) {
			if !without.MatchString(line) {
				_, _ = io.WriteString(w, line)
			}
		}
	}))
	defer replica.Close()
	read := func(without string) string {
		missing = without
		lines, err := metrics.ReadReplica(t.Context(), replica.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(lines.Lines())
	}
	status, complete := printedStatus(t, s), read("")
	for name := range metricstest.Labels(t, metricstest.Driven()) {
		for _, suffix := range []string{"_bucket", "_count", "_sum"} {
			name = strings.TrimSuffix(name, suffix)
		}
		if name == "build_info" { // without it, ReadReplica returns an error
			continue
		}
		shown := read(name) != complete
		own, listed := printed[name]
		switch {
		case shown == listed:
			t.Errorf("the lines about a replica show %s: %t, and it is in printed: %t; want one of them", name, shown, listed)
		case own.reason == "" && !regexp.MustCompile(own.line).MatchString(status):
			t.Errorf("the status lacks the line %s of %s:\n%s", own.line, name, status)
		}
	}
}

// The status reports that no process follows the chain.
func TestStatusReportsAnAbsentWatcher(t *testing.T) {
	t.Parallel()
	s := followed(t, chaintest.New(t))
	s.watcher.Release(t.Context())
	wantStatus(t, s, []string{`(?m)^audit +0 differences are stored, but .* are not compared while`, `(?m)^problem +no process follows the chain: see the runbook, TaskmarketNoWatcher$`})
}

// followed returns a service that is not running. Its database has followed the chain up to the head.
func followed(t *testing.T, net *chaintest.Net) *service {
	t.Helper()
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
	return s
}

// The status reports missing money and unreadable parts as problems, and prints the rest.
func TestStatusReportsMissingMoney(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	s := followed(t, net)
	held, holdings, backlog := s.state.Held, s.state.Holdings, s.state.Moderation
	s.state.Held = func(ctx context.Context, block common.Hash) (escrow, staking *big.Int, err error) {
		escrow, staking, err = held(ctx, block)
		return new(big.Int).Sub(escrow, chaintest.Tokens(1)), staking, err
	}
	wantStatus(t, s, []string{
		`(?m)^escrow +the contract has 1 less than the records$`, `(?m)^stakes +the contract has 0 more than the records$`,
		`(?m)^problem +the contract for escrow has 1 less than the records: see the runbook, TaskmarketMoneyMissing$`,
	})
	s.state.Held = func(context.Context, common.Hash) (escrow, staking *big.Int, err error) {
		return nil, nil, rpc.ErrNoState
	}
	wantStatus(t, s, []string{
		`(?m)^money +the balances of the contracts are unknown: no node has the state of the last followed block$`, `(?m)^escrow +Posted: 1 with 10$`,
		`(?m)^problem +the records cannot be compared with the balances of the contracts: see the runbook, TaskmarketMoneyNotCompared$`,
	})
	s.state.Held, s.state.Holdings = held, func(ctx context.Context) (journal.Holdings, error) {
		_, err := holdings(ctx)
		return journal.Holdings{}, errors.Join(err, errors.New("too slow"), errors.New("at last"))
	}
	s.state.Moderation = func(ctx context.Context) (moderation.Backlog, error) {
		_, err := backlog(ctx)
		return moderation.Backlog{}, errors.Join(err, errors.New("permission denied"))
	}
	wantStatus(t, s, []string{
		`(?m)^money +unknown: too slow; at last$`, `(?m)^moderation +unknown: permission denied$`, `(?m)^replica +unknown`, `(?m)^chain +head \d+`,
		`(?m)^problem +.*TaskmarketMoneyNotCompared$`, `(?m)^problem +.*TaskmarketModerationUnreadable$`,
	})
}

// Without a node, the status shows the state from the database and the replica, and the outage as a problem.
func TestStatusWithoutANode(t *testing.T) {
	net := chaintest.New(t)
	node, toNode := behind(t, net.Dev.URL())
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), node)
	c.KeeperPrivateKey = secret(hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[8].Key)))
	running, _, _ := startService(t, c)
	net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	await(t, "the head and the keeper", func() bool {
		state, err := running.store.Operators.Operations(t.Context())
		return err == nil && state.Keeper.Epoch > 0 && holds(t, running, net)
	})
	toNode.Shut()
	replica := httptest.NewServer(metricstest.Drive(t).Handler())
	defer replica.Close()
	for name, value := range map[string]string{
		"DATABASE_URL": string(c.DatabaseURL), "BLOB_URL": c.BlobURL, "BASE_URL": c.BaseURL, "SESSION_KEYS": randomKey,
		"RPC_URLS": node, "DEPLOYMENT": net.DeploymentFile(), "METRICS_LISTEN": replica.Listener.Addr().String(),
	} {
		t.Setenv(prefix+name, value)
	}
	var out bytes.Buffer
	root := command()
	root.SetOut(&out)
	root.SetArgs([]string{"status"})
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`(?m)^chain +head unknown: .*; followed \d+ \(at \S+Z\)$`, `(?m)^watcher +\S+ has the lease`, `(?m)^keeper +\S+ has the lease`,
		`(?m)^ +the balance of account 0x\w+ is unknown: .*; 0 ETH spent in 24 h`, `(?m)^escrow +Posted: 1 with 10$`, `(?m)^money +the balances of the contracts are unknown: `,
		`(?m)^moderation +0 held tasks`, `(?m)^replica +version v1; `, `(?m)^problem +the chain cannot be read: .*: see the runbook, TaskmarketAllProvidersFailing$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the status lacks %s:\n%s", want, out.String())
		}
	}
	t.Setenv(prefix+"DATABASE_URL", "postgres://127.0.0.1:1/none")
	root = command()
	root.SetArgs([]string{"status"})
	if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "open the database") {
		t.Errorf("status without a database = %v", err)
	}
}

// The status shows the open jobs, how long the keeper's balance lasts, and missing nonces.
func TestStatusPrintsJobs(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	state, err := s.store.Operators.Operations(t.Context())
	s.must(err)
	if len(state.Jobs) != 1 || !regexp.MustCompile(`^1 of kind settle without a transaction, the oldest open for \d+s$`).MatchString(backlogLine(state.Jobs[0])) {
		t.Errorf("the open job is %+v", state.Jobs)
	}
	s.stuck()
	state, err = s.store.Operators.Operations(t.Context())
	s.must(err)
	if len(state.Jobs) != 1 || !regexp.MustCompile(`^1 of kind settle with a transaction from nonce 0, the oldest first sent \d+s ago$`).MatchString(backlogLine(state.Jobs[0])) {
		t.Errorf("the sent job is %+v", state.Jobs)
	}
	state.Jobs[0].Nonce = new(uint64(3))
	var out strings.Builder
	state.Jobs[0].Oldest = stuckAge + time.Second
	r := &report{table: tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)}
	f := facts{Operations: state}
	s.replica().readAccount(t.Context(), chain.NewReader(s.net.Node, s.net.Contracts), &f)
	printKeeper(r, f)
	r.problems = f.problems()
	s.must(r.flush())
	for _, want := range []string{
		`the balance lasts \d+\.\d days`, `(?m)^ +3 nonces are missing below the lowest open transaction`,
		`(?m)^problem +3 nonces are missing .*, TaskmarketKeeperNonceGap$`, `(?m)^problem +a transaction of kind settle was .*, TaskmarketTransactionStuck$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("the status lacks %s:\n%s", want, out.String())
		}
	}
}

// The status shows the state and the problems that only the replica exports, or the reason why the replica
// cannot be read.
func TestStatusAsksTheReplica(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	s, _, _ := startService(t, c)
	await(t, "the head", func() bool { return holds(t, s, net) })
	replica := httptest.NewServer(metricstest.Drive(t).Handler())
	s.config.MetricsListen = replica.Listener.Addr().String()
	wantStatus(t, s, []string{
		`(?m)^audit +0 differences between records and contracts, compared \S+s ago; 0 blocks to read again$`,
		`(?m)^replica +version v1; reasons in its health: audit_mismatch, chain_lagging, `, `(?m)^watcher +leads: yes; stopped: no`,
		`(?m)^providers +failures in a row: b\.example 3; not used after failures: b\.example$`, `(?m)reorgs since its start: 1; blocks that they dropped: 5$`,
		`(?m)^pool +connections: idle 2, in_use 3, limit 20; 4 waits, 6s in all$`, `event streams: 3;`, `because of overload: read 1, write 1; connections: 1; `,
		`(?m)^files +scans: clean 1, failed 1, found 1; screening file stale: yes$`, `time since the last round: \S+; last round failed: yes`,
		`(?m)^problem +disk_low: see the runbook, TaskmarketDiskLow$`, `(?m)^problem +watcher_halted: see the runbook, TaskmarketWatcherStopped$`,
		`(?m)^problem +stopping$`, `(?m)^problem +periodic_job_failing sweep of files: see the runbook, TaskmarketJobFailing$`,
		`(?m)^problem +keeper_key_shared: see the runbook, TaskmarketKeeperKeyShared$`,
	})
	replica.Close()
	wantStatus(t, s, []string{`(?m)^replica +unknown: read the metrics of 127\.0\.0\.1:\d+: .*refused; run this command where a replica serves its metrics`})
	foreign := httptest.NewServer(http.NotFoundHandler())
	defer foreign.Close()
	s.config.MetricsListen = foreign.Listener.Addr().String()
	wantStatus(t, s, []string{`(?m)^replica +unknown: read the metrics of 127\.0\.0\.1:\d+: the status is 404`})
	for listen, want := range map[string]string{
		":9464": "127.0.0.1:9464", "0.0.0.0:9464": "127.0.0.1:9464", "[::]:9464": "127.0.0.1:9464", "10.0.0.1:9464": "10.0.0.1:9464", "metrics:9464": "metrics:9464",
	} {
		if got := reachable(listen); got != want {
			t.Errorf("reachable(%s) = %s, want %s", listen, got, want)
		}
	}
}

// wantStatus requires that the output of `taskmarketd status` matches each pattern.
func wantStatus(t *testing.T, s *service, patterns []string) {
	t.Helper()
	status := printedStatus(t, s)
	for _, want := range patterns {
		if !regexp.MustCompile(want).MatchString(status) {
			t.Errorf("the status lacks %s:\n%s", want, status)
		}
	}
}

func printedStatus(t *testing.T, s *service) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.printStatus(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// holds reports whether the service has followed the chain up to its head.
func holds(t *testing.T, s *service, net *chaintest.Net) bool {
	t.Helper()
	cursor, err := s.store.Journal.Cursor(t.Context())
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

// Arbitrary requests add no label values: unknown paths are not measured, and every error code
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

// If the metrics listener cannot listen on its address, the error names the variable. By default,
// the listener uses loopback, because it has no access control, and the console does not listen.
func TestMetricsListener(t *testing.T) {
	t.Parallel()
	s := &service{config: config{MetricsListen: "256.0.0.1:1"}}
	if err := s.serveMetrics(t.Context()); err == nil || !strings.Contains(err.Error(), "TASKMARKET_METRICS_LISTEN") {
		t.Errorf("serveMetrics() = %v", err)
	}
	c, err := loadConfig(nil)
	if host, port, splitErr := net.SplitHostPort(c.MetricsListen); err != nil || splitErr != nil || !isLoopback(host) || port == "0" || c.servesConsole() {
		t.Errorf("the default of METRICS_LISTEN is %q, and the console is served: %t; %v", c.MetricsListen, c.servesConsole(), err)
	}
	for listen, want := range map[string]bool{"": false, "off": false, "127.0.0.1:9464": true} {
		if got := (config{MetricsListen: listen}).servesMetrics(); got != want {
			t.Errorf("servesMetrics() with %q = %t", listen, got)
		}
	}
}
