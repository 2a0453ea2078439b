package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// JobName is the name of a periodic job of the service in metrics, traces and logs.
type JobName string

// The periodic jobs.
const (
	JobSweep       JobName = "sweep"
	JobFileSweep   JobName = "sweep of files"
	JobRefusals    JobName = "audit of refusals"
	JobRestoreList JobName = "list for restores"
	JobKeeperCheck JobName = "check of the keeper"
	JobMoney       JobName = "comparison of the money"
)

// JobNames lists every periodic job.
func JobNames() []JobName {
	return []JobName{JobSweep, JobFileSweep, JobRefusals, JobRestoreList, JobKeeperCheck, JobMoney}
}

// Descriptions of the metrics of periodic jobs. The label is not called job, because Prometheus sets that
// label.
var (
	jobFailing  = describe("periodic_job_failing", "Whether the last run of the periodic job failed.", "name")
	jobSuccess  = describe("periodic_job_last_success_seconds", "Time since the last successful run of the periodic job; before one, since this process started the job.", "name")
	jobInterval = describe("periodic_job_interval_seconds", "Pause between two runs of the periodic job.", "name")
)

// jobCollector exports the periodic jobs that this process runs.
type jobCollector struct {
	mu   sync.Mutex
	jobs map[JobName]jobRuns
}

// jobRuns describes the runs of a periodic job.
type jobRuns struct {
	interval  time.Duration
	succeeded time.Time // time of the last success; before the first one, the time of the job's start
	failing   bool
}

// Job begins to export a periodic job. The caller passes the result of each run to ran.
func (m *Metrics) Job(name JobName, interval time.Duration) (ran func(error)) {
	c := m.jobs
	c.set(name, jobRuns{interval: interval, succeeded: time.Now()})
	return func(err error) {
		c.mu.Lock()
		runs := c.jobs[name]
		c.mu.Unlock()
		if runs.failing = err != nil; err == nil {
			runs.succeeded = time.Now()
		}
		c.set(name, runs)
	}
}

func (c *jobCollector) set(name JobName, runs jobRuns) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jobs[name] = runs
}

// Describe implements prometheus.Collector.
func (*jobCollector) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{jobFailing, jobSuccess, jobInterval} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *jobCollector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := gauges{out}
	for name, runs := range c.jobs {
		g.flag(jobFailing, runs.failing, string(name))
		g.set(jobSuccess, time.Since(runs.succeeded).Seconds(), string(name))
		g.set(jobInterval, runs.interval.Seconds(), string(name))
	}
}
