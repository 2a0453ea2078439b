package metrics

import (
	"context"
	"database/sql"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"taskmarket/chain/keeper"
	"taskmarket/market"
	"taskmarket/store/journal"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

// Descriptions of the metrics that are read with each scrape.
var (
	headBlock     = describe("chain_head_block", "Number of the latest block that was read from the chain.")
	followedBlock = describe("chain_block", "Number of the last followed block, and of the highest safe and finalized block.", "level")
	lagBlocks     = describe("chain_lag_blocks", "Blocks between the chain's head and the level.", "level")
	lagSeconds    = describe("chain_lag_seconds", "Time between the blocks of the chain's head and of the level.", "level")

	providerFailures = describe("rpc_provider_consecutive_failures", "Failures of a provider since its last success.", "provider")
	providerResting  = describe("rpc_provider_resting", "Whether a provider is temporarily not used because calls to it failed.", "provider")

	watcherLeading = describe("watcher_leading", "Whether this process has the watcher's lease.")
	watcherStopped = describe("watcher_stopped", "Whether the watcher has stopped until the nodes agree or an operator acts.")
	watcherFailing = describe("watcher_failing", "Whether the watcher's last step failed.")
	watcherIdle    = describe("watcher_last_step_seconds", "Time since the watcher's last step.")
	leaseLeft      = describe("lease_remaining_seconds", "Time until the lease expires; negative if it has expired.", "lease")
	leaseEpoch     = describe("lease_epoch", "Epoch of the lease, which rises with each new holder.", "lease")
	leaseAge       = describe("lease_age_seconds", "Time since this process acquired the lease; absent in other processes.", "lease")
	leaseHolder    = describe("lease_holder_info", "The name of the process that holds the lease, without the part that changes at each start.", "lease", "holder")
	auditFindings  = describe("audit_findings", "Differences between the records and the contracts.")
	auditFailing   = describe("audit_failing", "Whether the auditor's last round failed.")
	auditIdle      = describe("audit_last_round_seconds", "Time since the auditor last compared records with the contracts; absent before the first comparison.")
	rereads        = describe("watcher_rereads", "Followed blocks that the watcher must read again.")

	jobs           = describe("keeper_jobs", "Open keeper jobs by kind and state.", "kind", "state")
	jobAge         = describe("keeper_oldest_job_seconds", "Longest time for which a job without a transaction has been open (pending), or since the first transaction of an open job was sent (sent).", "kind", "state")
	keeperLeading  = describe("keeper_leading", "Whether this process has the keeper's lease.")
	keeperFailing  = describe("keeper_failing", "Whether the keeper's last step failed.")
	keeperSigner   = describe("keeper_signer_failing", "Whether the keeper's signer failed to sign the last transaction.")
	keeperShared   = describe("keeper_key_shared", "Whether a mined transaction of the account that no keeper sent was found in the last hour.")
	keeperBalance  = describe("keeper_balance_wei", "Balance of the keeper's account.")
	keeperSpent    = describe("keeper_spent_wei", "Cost of the transactions that all keepers signed in the last 24 hours.")
	keeperRunway   = describe("keeper_runway_days", "Days that the balance lasts at the cost of the last 24 hours; +Inf if nothing was spent.")
	keeperNonceGap = describe("keeper_nonce_gap", "Nonces missing below the lowest open transaction, by the nonces that the leading keeper read in its last step.")
	keeperReplaced = prometheus.NewDesc(namespace+"_keeper_replacements_total", "Transactions replaced with higher fees.", nil, nil)
	stateReadable  = describe("state_readable", "Whether the database returned the state of the watcher and the keeper.")

	moderationReadable = describe("moderation_readable", "Whether the database returned what waits for moderators.")
	moderationWaiting  = describe("moderation_waiting", "Held tasks, open reports and open appeals that wait for moderators.", "kind")
	moderationOldest   = describe("moderation_oldest_seconds", "Time for which the oldest of the kind has waited for moderators; 0 if none waits.", "kind")
	holdsOverdue       = describe("moderation_holds_overdue", "Held tasks whose decision is overdue.")
	screeningStale     = describe("screening_file_stale", "Whether an older version of the screening file is in force, because the current one is missing or invalid.")

	standbyAge       = describe("database_standby_age_seconds", "Time since the standby last had all of the primary's records; absent without a standby.")
	health           = describe("health_reason", "Whether GET /health lists the reason.", "reason")
	moneyRecorded    = describe("money_wei", "Money in records that have not ended.", "record", "status")
	moneyRecords     = describe("money_records", "Records that have not ended.", "record", "status")
	moneySurplus     = describe("contract_surplus_wei", "Balance of the contract minus the money in the records; negative if money is missing.", "contract")
	moneyComparedAge = describe("money_compared_seconds", "Time since the records were last compared with the contracts' balances.")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(namespace+"_"+name, help, labels, nil)
}

// stateCollector exports the state. Describe sends no descriptions, which makes the collector unchecked,
// because some metrics exist only in the process that leads.
type stateCollector struct{ state *State }

// Describe implements prometheus.Collector.
func (stateCollector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c stateCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	g := gauges{out}
	state, err := c.state.Operations(ctx)
	g.flag(stateReadable, err == nil)
	if err == nil {
		c.chain(g, state)
		leases(g, state)
		backlog(g, state.Jobs)
		g.set(auditFindings, float64(state.Findings))
		g.set(rereads, float64(state.Rereads))
		g.set(keeperSpent, float(state.KeeperSpent))
	}
	c.providers(g)
	c.watcher(g)
	c.keeper(g, state)
	c.money(g)
	if age, ok := c.state.StandbyAge(ctx); ok {
		g.set(standbyAge, age.Seconds())
	}
	c.moderation(ctx, g)
	listed := c.state.Reasons(ctx)
	for _, reason := range market.HealthReasons {
		g.flag(health, slices.Contains(listed, reason), string(reason))
	}
}

func (c stateCollector) moderation(ctx context.Context, g gauges) {
	g.flag(screeningStale, c.state.Stale())
	waiting, err := c.state.Moderation(ctx)
	g.flag(moderationReadable, err == nil)
	if err != nil {
		return
	}
	for _, of := range []struct {
		kind   string
		count  int
		oldest time.Duration
	}{
		{"held", waiting.Held, waiting.OldestHeld}, {"report", waiting.Reports, waiting.OldestReport}, {"appeal", waiting.Appeals, waiting.OldestAppeal},
	} {
		g.set(moderationWaiting, float64(of.count), of.kind)
		g.set(moderationOldest, of.oldest.Seconds(), of.kind)
	}
	g.set(holdsOverdue, float64(waiting.Overdue))
}

func (c stateCollector) chain(g gauges, state operators.Operations) {
	head, err := c.state.Head()
	if err == nil {
		g.set(headBlock, float64(head.Number))
	}
	for _, at := range []struct {
		name  string
		level operators.Level
	}{{"followed", state.Followed}, {"safe", state.Safe}, {"finalized", state.Finalized}} {
		g.set(followedBlock, float64(at.level.Number), at.name)
		if err != nil || at.level.Time.IsZero() {
			continue
		}
		g.set(lagBlocks, math.Max(0, float64(head.Number)-float64(at.level.Number)), at.name)
		g.set(lagSeconds, math.Max(0, head.Time.Sub(at.level.Time).Seconds()), at.name)
	}
}

func leases(g gauges, state operators.Operations) {
	state.Keeper.Holder = keeper.Instance(state.Keeper.Holder) // otherwise each start would add a label value
	for _, entry := range []struct {
		name  string
		lease operators.LeaseState
	}{{"watcher", state.Watcher}, {"keeper", state.Keeper}} {
		if entry.lease.Holder == "" {
			continue
		}
		g.set(leaseLeft, entry.lease.Left.Seconds(), entry.name)
		g.set(leaseEpoch, float64(entry.lease.Epoch), entry.name)
		g.set(leaseHolder, 1, entry.name, entry.lease.Holder)
	}
}

// backlog exports every kind and state, so that an alert does not depend on an absent series.
func backlog(g gauges, open []outbox.Backlog) {
	for _, kind := range market.OutboxKinds() {
		for _, sent := range []bool{false, true} {
			var found outbox.Backlog
			for _, b := range open {
				if b.Kind == kind && b.Sent == sent {
					found = b
				}
			}
			g.set(jobs, float64(found.Count), string(kind), jobState(sent))
			g.set(jobAge, found.Oldest.Seconds(), string(kind), jobState(sent))
		}
	}
}

func jobState(sent bool) string {
	if sent {
		return "sent"
	}
	return "pending"
}

func (c stateCollector) providers(g gauges) {
	for _, p := range c.state.Providers() {
		g.set(providerFailures, float64(p.Failures), p.Provider)
		g.flag(providerResting, p.Resting, p.Provider)
	}
}

func (c stateCollector) watcher(g gauges) {
	status := c.state.Watcher()
	g.flag(watcherLeading, status.Leading)
	g.flag(watcherStopped, status.Stopped)
	g.flag(watcherFailing, status.Err != nil)
	if !status.At.IsZero() {
		g.set(watcherIdle, time.Since(status.At).Seconds())
	}
	if !status.Leading { // the auditor audits only where the watcher leads
		return
	}
	g.set(leaseAge, time.Since(status.Since).Seconds(), "watcher")
	audit := c.state.Auditor()
	g.flag(auditFailing, audit.Err != nil)
	if !audit.At.IsZero() {
		g.set(auditIdle, time.Since(audit.At).Seconds())
	}
}

func (c stateCollector) keeper(g gauges, state operators.Operations) {
	if c.state.Keeper == nil {
		return
	}
	status := c.state.Keeper()
	g.flag(keeperLeading, status.Leading)
	g.flag(keeperFailing, status.Err != nil)
	g.flag(keeperSigner, status.SignerFailing)
	g.flag(keeperShared, status.KeyShared())
	if status.Leading {
		g.set(leaseAge, time.Since(status.Since).Seconds(), "keeper")
	}
	g.out <- prometheus.MustNewConstMetric(keeperReplaced, prometheus.CounterValue, float64(status.Replacements))
	if status.Balance == nil {
		return
	}
	g.set(keeperBalance, float(status.Balance))
	if state.KeeperSpent != nil {
		days, ok := Runway(status.Balance, state.KeeperSpent)
		if !ok {
			days = math.Inf(1)
		}
		g.set(keeperRunway, days)
	}
	if status.Leading && state.KeeperAccount == status.Account {
		g.set(keeperNonceGap, float64(NonceGap(state.Jobs, status.UsedNonces)))
	}
}

func (c stateCollector) money(g gauges) {
	money := c.state.compared()
	if money.At.IsZero() {
		return
	}
	g.set(moneyComparedAge, time.Since(money.At).Seconds())
	for _, part := range []struct {
		record, contract string
		holdings         []journal.Holding
		surplus          *big.Int
	}{
		{"task", "escrow", money.Holdings.Tasks, money.EscrowSurplus},
		{"stake", "application_staking", money.Holdings.Stakes, money.StakingSurplus},
	} {
		for _, h := range part.holdings {
			g.set(moneyRecorded, float(h.Amount), part.record, h.Status)
			g.set(moneyRecords, float64(h.Count), part.record, h.Status)
		}
		if part.surplus != nil {
			g.set(moneySurplus, float(part.surplus), part.contract)
		}
	}
}

// gauges sends gauge values to a scrape.
type gauges struct{ out chan<- prometheus.Metric }

func (g gauges) set(desc *prometheus.Desc, value float64, labels ...string) {
	g.out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
}

func (g gauges) flag(desc *prometheus.Desc, set bool, labels ...string) {
	value := 0.0
	if set {
		value = 1
	}
	g.set(desc, value, labels...)
}

func float(wei *big.Int) float64 {
	f, _ := new(big.Float).SetInt(wei).Float64()
	return f
}

// poolCollector exports the statistics of the database's connection pool.
type poolCollector struct{ stats func() sql.DBStats }

var (
	poolOpen    = describe("database_connections", "Connections in the pool by state.", "state")
	poolMax     = describe("database_connections_max", "Maximum number of connections in the pool.")
	poolWaits   = prometheus.NewDesc(namespace+"_database_connection_waits_total", "Number of times that a query waited for a connection.", nil, nil)
	poolWaiting = prometheus.NewDesc(namespace+"_database_connection_wait_seconds_total", "Time that queries waited for a connection.", nil, nil)
)

// Describe implements prometheus.Collector.
func (poolCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{poolOpen, poolMax, poolWaits, poolWaiting} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(out chan<- prometheus.Metric) {
	stats, g := c.stats(), gauges{out}
	g.set(poolOpen, float64(stats.InUse), "in_use")
	g.set(poolOpen, float64(stats.Idle), "idle")
	g.set(poolMax, float64(stats.MaxOpenConnections))
	out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(stats.WaitCount))
	out <- prometheus.MustNewConstMetric(poolWaiting, prometheus.CounterValue, stats.WaitDuration.Seconds())
}
