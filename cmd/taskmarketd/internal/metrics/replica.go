package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

const (
	replicaTimeout  = 5 * time.Second
	maxReplicaBytes = 8 << 20
)

// Replica contains the metrics that one replica exported.
type Replica map[string]*dto.MetricFamily

// ReadReplica reads the metrics of the replica whose listener has the address host:port.
func ReadReplica(ctx context.Context, address string) (Replica, error) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", address, err)
	}
	direct := &http.Transport{DisableKeepAlives: true} // without a proxy
	response, err := direct.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", address, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("read the metrics of %s: the status is %d", address, response.StatusCode)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(io.LimitReader(response.Body, maxReplicaBytes))
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", address, err)
	}
	if families[namespace+"_build_info"] == nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", address, errors.New("another program listens on this address"))
	}
	return families, nil
}

// Line is a line about a replica for operators.
type Line struct{ Name, Text string }

// replicaLines are the lines about a replica. In each text, %s stands for the next value.
var replicaLines = []struct {
	name, text string
	values     []replicaValue
}{
	{"replica", "version %s; reasons in its health: %s", []replicaValue{
		{"build_info", set, "version"}, {"health_reason", set, "reason"},
	}},
	{"", "leases that it holds, with their age: %s", []replicaValue{{"lease_age_seconds", age, "lease"}}},
	{"watcher", "leads: %s; stopped: %s; time since the last step: %s; last step failed: %s", []replicaValue{
		{"watcher_leading", flag, ""}, {"watcher_stopped", flag, ""}, {"watcher_last_step_seconds", age, ""}, {"watcher_failing", flag, ""},
	}},
	{"", "reorgs since its start: %s; blocks that they dropped: %s", []replicaValue{
		{"chain_reorg_depth_blocks", count, ""}, {"chain_reorg_depth_blocks", sum, ""},
	}},
	{"audit", "time since the last round: %s; last round failed: %s; time since the money was compared: %s", []replicaValue{
		{"audit_last_round_seconds", age, ""}, {"audit_failing", flag, ""}, {"money_compared_seconds", age, ""},
	}},
	{"keeper", "leads: %s; last step failed: %s; signer failing: %s; key shared: %s; replaced transactions: %s", []replicaValue{
		{"keeper_leading", flag, ""},
		{"keeper_failing", flag, ""},
		{"keeper_signer_failing", flag, ""},
		{"keeper_key_shared", flag, ""},
		{"keeper_replacements_total", number, ""},
	}},
	{"providers", "failures in a row: %s; not used after failures: %s", []replicaValue{
		{"rpc_provider_consecutive_failures", number, "provider"}, {"rpc_provider_resting", set, "provider"},
	}},
	{"", "calls: %s", []replicaValue{{"rpc_request_duration_seconds", count, "provider result"}}},
	{"pool", "connections: %s, limit %s; %s waits, %s in all", []replicaValue{
		{"database_connections", number, "state"},
		{"database_connections_max", number, ""},
		{"database_connection_waits_total", number, ""},
		{"database_connection_wait_seconds_total", age, ""},
	}},
	{"requests", "%s; subject to the load limits: %s; event streams: %s; to the console: %s", []replicaValue{
		{"http_request_duration_seconds", count, "status"},
		{"http_requests_limited", number, "priority state"},
		{"event_streams", number, ""},
		{"console_responses_total", number, "status"},
	}},
	{"refusals", "%s", []replicaValue{{"http_refusals_total", number, "code"}}},
	{"", "because of overload: %s; connections: %s; merged in the audit log: %s", []replicaValue{
		{"http_shed_total", number, "priority"}, {"http_connections_refused_total", number, ""}, {"audit_refusals_merged_total", number, ""},
	}},
	{"files", "scans: %s; screening file stale: %s", []replicaValue{
		{"file_scan_duration_seconds", count, "result"}, {"screening_file_stale", flag, ""},
	}},
	{"jobs", "periodic jobs whose last run failed: %s", []replicaValue{{"periodic_job_failing", set, "name"}}},
	{"", "time since the last success: %s", []replicaValue{{"periodic_job_last_success_seconds", age, "name"}}},
}

// replicaValue is a metric in a line. Its series are summed by labels, which are separated by spaces;
// without labels, the sum of all series is printed.
type replicaValue struct {
	family string
	form   form
	labels string
}

// form is how a value is printed. With labels, values of 0 are omitted.
type form int

const (
	number form = iota
	age         // a duration, given in seconds
	flag        // yes or no
	set         // only the labels
	count       // number of observations of a histogram
	sum         // sum of the observations of a histogram
)

// unknown stands for the value of a metric that the replica does not export.
const unknown = "unknown"

// Lines returns the state of the replica that is not in the database.
func (r Replica) Lines() []Line {
	lines := make([]Line, len(replicaLines))
	for i, line := range replicaLines {
		values := make([]any, len(line.values))
		for j, v := range line.values {
			values[j] = r.text(v)
		}
		lines[i] = Line{line.name, fmt.Sprintf(line.text, values...)}
	}
	return lines
}

// Problems returns the problems that an operator should act on.
func (r Replica) Problems() (problems []string) {
	problem := func(family, labels, alert string) {
		problems = append(problems, strings.TrimSpace(family+" "+labels)+": see the runbook, "+alert)
	}
	for _, p := range []struct {
		value replicaValue
		alert string
	}{
		{replicaValue{"keeper_signer_failing", set, ""}, "TaskmarketKeeperSignerFailing"},
		{replicaValue{"keeper_key_shared", set, ""}, "TaskmarketKeeperKeyShared"},
		{replicaValue{"screening_file_stale", set, ""}, "TaskmarketScreeningFileStale"},
		{replicaValue{"periodic_job_failing", set, "name"}, jobAlert},
	} {
		for _, of := range r.sums(p.value) {
			if of.value != 0 {
				problem(p.value.family, of.labels, p.alert)
			}
		}
	}
	for _, name := range r.overdueJobs() {
		problem("periodic_job_last_success_seconds", name, jobAlert)
	}
	if resting := r.sums(replicaValue{"rpc_provider_resting", number, "provider"}); len(resting) > 0 &&
		!slices.ContainsFunc(resting, func(of labelled) bool { return of.value == 0 }) {
		problem("rpc_provider_resting", "", "TaskmarketAllProvidersFailing")
	}
	return problems
}

const jobAlert = "TaskmarketJobFailing"

// overdueJobs returns the periodic jobs that have not succeeded for longer than the alert allows: three intervals
// and ten minutes. These include a job whose run does not end, although none of its runs failed.
func (r Replica) overdueJobs() (names []string) {
	intervals := make(map[string]float64)
	for _, of := range r.sums(replicaValue{"periodic_job_interval_seconds", age, "name"}) {
		intervals[of.labels] = of.value
	}
	for _, of := range r.sums(replicaValue{"periodic_job_last_success_seconds", age, "name"}) {
		if of.value > 3*intervals[of.labels]+600 {
			names = append(names, of.labels)
		}
	}
	return names
}

// Audit is the state of a replica's comparison of records with the contracts. Only the replica whose
// watcher leads audits.
type Audit struct {
	Leads    bool
	Compared bool          // whether the replica has compared them since it became the leader
	Since    time.Duration // time since the last comparison or, if there was none, since the replica became the leader
}

// Audit returns the state of the audit; the zero value if the replica does not lead.
func (r Replica) Audit() Audit {
	one := func(family, of string) (time.Duration, bool) {
		for _, sum := range r.sums(replicaValue{family, age, "lease"}) {
			if sum.labels == of {
				return time.Duration(sum.value * float64(time.Second)), true
			}
		}
		return 0, false
	}
	led, leads := one("lease_age_seconds", "watcher")
	if !leads {
		return Audit{}
	}
	if since, ok := one("audit_last_round_seconds", ""); ok {
		return Audit{Leads: true, Compared: true, Since: since}
	}
	return Audit{Leads: true, Since: led}
}

// Reasons returns the health reasons of the replica.
func (r Replica) Reasons() (reasons []string) {
	for _, of := range r.sums(replicaValue{"health_reason", set, "reason"}) {
		if of.value != 0 {
			reasons = append(reasons, of.labels)
		}
	}
	return reasons
}

func (r Replica) text(v replicaValue) string {
	sums := r.sums(v)
	switch {
	case sums == nil:
		return unknown
	case v.labels == "":
		return v.format(sums[0].value)
	}
	var texts []string
	for _, of := range sums {
		if of.value != 0 {
			texts = append(texts, strings.TrimSpace(of.labels+" "+v.format(of.value)))
		}
	}
	return cmp.Or(strings.Join(texts, ", "), "none")
}

func (v replicaValue) format(value float64) string {
	switch v.form {
	case age:
		return time.Duration(value * float64(time.Second)).Round(time.Millisecond).String()
	case flag:
		if value == 0 {
			return "no"
		}
		return "yes"
	case set:
		return ""
	case number, count, sum:
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// labelled is the sum of the series with the same labels.
type labelled struct {
	labels string
	value  float64
}

// sums returns the sums of a metric, sorted by labels; nil if the replica does not export the metric.
func (r Replica) sums(v replicaValue) (all []labelled) {
	sums := make(map[string]float64)
	for _, m := range r[namespace+"_"+v.family].GetMetric() {
		var labels []string
		for name := range strings.FieldsSeq(v.labels) {
			for _, l := range m.GetLabel() {
				if l.GetName() == name {
					labels = append(labels, l.GetValue())
				}
			}
		}
		value := m.GetGauge().GetValue() + m.GetCounter().GetValue()
		switch v.form {
		case count:
			value = float64(m.GetHistogram().GetSampleCount())
		case sum:
			value = m.GetHistogram().GetSampleSum()
		case number, age, flag, set:
		}
		sums[strings.Join(labels, " ")] += value
	}
	for _, labels := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, labelled{labels, sums[labels]})
	}
	return all
}
