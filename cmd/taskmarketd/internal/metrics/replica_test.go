package metrics_test

import (
	"database/sql"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"taskmarket/chain/audit"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
)

// replicaOf returns the metrics as ReadReplica does, without a connection.
func replicaOf(t *testing.T, m *metrics.Metrics) metrics.Replica {
	t.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(recorder.Body)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// A periodic job that does not end is a problem, although none of its runs failed. The limit is that of the
// alert: three intervals and ten minutes.
func TestJobsWithoutSuccessAreProblems(t *testing.T) {
	const (
		failed  = "periodic_job_failing sweep: see the runbook, TaskmarketJobFailing"
		overdue = "periodic_job_last_success_seconds sweep: see the runbook, TaskmarketJobFailing"
	)
	synctest.Test(t, func(t *testing.T) { // with a virtual clock
		m := metrics.New("v1")
		ran := m.Job(metrics.JobSweep, 10*time.Minute)
		want := func(problems ...string) {
			t.Helper()
			if got := replicaOf(t, m).Problems(); !slices.Equal(got, problems) {
				t.Errorf("Problems() = %q, want %q", got, problems)
			}
		}
		time.Sleep(40 * time.Minute)
		want()
		time.Sleep(time.Second)
		want(overdue)
		ran(errors.New("no connection"))
		want(failed, overdue)
		ran(nil)
		want()
	})
}

// The time since the last comparison counts from the last round or, before the first one, from the time at
// which the watcher became the leader. A replica that does not lead has no state of the audit.
func TestReplicaHasTheTimeOfTheAudit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // with a virtual clock
		state := metricstest.State()
		var watcher follow.Status
		var auditor audit.Status
		state.Watcher, state.Auditor = func() follow.Status { return watcher }, func() audit.Status { return auditor }
		m := metrics.New("v1")
		if err := m.Add(state, func() sql.DBStats { return sql.DBStats{} }); err != nil {
			t.Fatal(err)
		}
		want := func(want metrics.Audit) {
			t.Helper()
			if got := replicaOf(t, m).Audit(); got != want {
				t.Errorf("Audit() = %+v, want %+v", got, want)
			}
		}
		want(metrics.Audit{})
		if got := metrics.Replica(nil).Audit(); got != (metrics.Audit{}) {
			t.Errorf("Audit() of no replica = %+v", got)
		}
		watcher = follow.Status{Leading: true, Since: time.Now()}
		time.Sleep(time.Minute)
		want(metrics.Audit{Leads: true, Since: time.Minute})
		auditor = audit.Status{At: time.Now()}
		time.Sleep(time.Second)
		want(metrics.Audit{Leads: true, Compared: true, Since: time.Second})
		watcher.Leading = false
		want(metrics.Audit{})
	})
}

// A replica reports a problem if the circuit breakers of all its providers are open.
func TestReplicaWithoutAProvider(t *testing.T) {
	const want = "rpc_provider_resting: see the runbook, TaskmarketAllProvidersFailing"
	for name, test := range map[string]struct {
		resting []bool
		problem bool
	}{
		"one of two rests": {[]bool{false, true}, false},
		"both rest":        {[]bool{true, true}, true},
		"no provider":      {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			m, state := metrics.New("v1"), metricstest.State()
			state.Providers = func() (all []rpc.ProviderStatus) {
				for i, resting := range test.resting {
					all = append(all, rpc.ProviderStatus{Provider: string(rune('a' + i)), Resting: resting})
				}
				return all
			}
			if err := m.Add(state, func() sql.DBStats { return sql.DBStats{} }); err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(replicaOf(t, m).Problems(), want); got != test.problem {
				t.Errorf("Problems() has %q: %t, want %t", want, got, test.problem)
			}
		})
	}
}
