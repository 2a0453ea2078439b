package metrics_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
)

// The metrics of a periodic job contain the result of its last run and the time since its last success.
func TestJobsAreExported(t *testing.T) {
	m := metrics.New("v1")
	want := func(failing, age string) {
		t.Helper()
		wantLines(t, metricstest.Scrape(t, m), map[string]string{
			`taskmarket_periodic_job_failing{name="sweep"}`:              failing,
			`taskmarket_periodic_job_last_success_seconds{name="sweep"}`: age,
			`taskmarket_periodic_job_interval_seconds{name="sweep"}`:     "600",
		})
	}
	synctest.Test(t, func(*testing.T) { // with a virtual clock
		ran := m.Job(metrics.JobSweep, 10*time.Minute)
		time.Sleep(time.Hour)
		want("0", "3600")
		ran(errors.New("no connection"))
		want("1", "3600")
		ran(nil)
		want("0", "0")
		time.Sleep(time.Minute)
		ran(errors.New("no connection"))
		want("1", "60")
	})
}
