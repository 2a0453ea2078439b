// Package metrics exports measurements and the state of the service in the Prometheus format.
//
// Each label has a bounded set of values: operations and error codes of openapi.yaml, configured
// providers, known RPC methods, and statuses. No label contains a value from a user. The label holder
// contains the name of a process, and each lease has only one holder.
package metrics

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"taskmarket/server/gate"
)

// namespace is the prefix of the names of all metrics that the service defines.
const namespace = "taskmarket"

// Metrics contains the measurements that parts of the service report as they work. It implements
// gate.Observer.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	refusals *prometheus.CounterVec
	streams  prometheus.Gauge
	load     *prometheus.GaugeVec
	shed     *prometheus.CounterVec
	closed   prometheus.Counter
	merged   prometheus.Counter
	console  *prometheus.CounterVec
	calls    *prometheus.HistogramVec
	scans    *prometheus.HistogramVec
	jobs     *jobCollector
	reorgs   prometheus.Histogram
}

// New returns metrics without a state; see Add.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds",
			Help:    "Duration of API requests by operation and class of the status, without event streams.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"operation", "status"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_refusals_total", Help: "Error responses by error code.",
		}, []string{"code"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: namespace, Name: "event_streams", Help: "Open event streams.",
		}),
		load: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: namespace, Name: "http_requests_limited",
			Help: "Requests whose number is limited, by priority (read, write) and state (running, waiting).",
		}, []string{"priority", "state"}),
		shed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_shed_total", Help: "Requests refused because the server was overloaded, by priority.",
		}, []string{"priority"}),
		closed: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_connections_refused_total", Help: "Connections closed at once because their network, or all networks together, had too many open.",
		}),
		merged: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "audit_refusals_merged_total",
			Help: "Refused requests that the audit log counts without their account and network, because there were too many.",
		}),
		console: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "console_responses_total", Help: "Responses of the operator's console by class of the status.",
		}, []string{"status"}),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "rpc_request_duration_seconds",
			Help:    "Duration of HTTP requests to chain nodes by provider, method and result. A batch counts once, by its first method.",
			Buckets: []float64{.01, .05, .1, .25, .5, 1, 2.5, 10, 30},
		}, []string{"provider", "method", "result"}),
		scans: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "file_scan_duration_seconds", Help: "Duration of the scans of uploaded files for malware by result (clean, found, failed).",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"result"}),
		jobs: &jobCollector{jobs: make(map[JobName]jobRuns)},
		reorgs: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "chain_reorg_depth_blocks", Help: "Depth of the reorgs that the watcher followed.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64},
		}),
	}
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "The running version.", ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	m.registry.MustRegister(m.requests, m.refusals, m.streams, m.load, m.shed, m.closed, m.merged, m.console, m.calls, m.scans, m.jobs, m.reorgs, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Add exports the state, which is read with each scrape, and the statistics of the connection pool.
func (m *Metrics) Add(s *State, pool func() sql.DBStats) error {
	for _, c := range []prometheus.Collector{stateCollector{s}, poolCollector{pool}} {
		if err := m.registry.Register(c); err != nil {
			return fmt.Errorf("register metrics: %w", err)
		}
	}
	return nil
}

// Begin implements gate.Observer.
func (m *Metrics) Begin(ctx context.Context) (_ context.Context, end func()) { return ctx, func() {} }

// Served implements gate.Observer.
func (m *Metrics) Served(_ context.Context, operation string, status int, duration time.Duration) {
	m.requests.WithLabelValues(operation, class(status)).Observe(duration.Seconds())
}

// Follow implements gate.Observer.
func (m *Metrics) Follow(ctx context.Context, _ string) context.Context { return ctx }

// class returns the class of an HTTP status, such as 2xx.
func class(status int) string {
	if status < 100 || status > 599 {
		return "other"
	}
	return classes[status/100]
}

// classes are the names of the classes, indexed by the first digit of a status.
var classes = [...]string{1: "1xx", 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx"}

// Refused implements gate.Observer.
func (m *Metrics) Refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// Streams implements gate.Observer.
func (m *Metrics) Streams(open int) { m.streams.Set(float64(open)) }

// Load implements gate.Observer.
func (m *Metrics) Load(priority gate.Priority, running, waiting int) {
	m.load.WithLabelValues(string(priority), "running").Set(float64(running))
	m.load.WithLabelValues(string(priority), "waiting").Set(float64(waiting))
}

// Shed implements gate.Observer.
func (m *Metrics) Shed(priority gate.Priority) { m.shed.WithLabelValues(string(priority)).Inc() }

// ConnectionRefused counts a connection that was closed because of a limit. It is a callback for
// gate.ConnectionLimits.
func (m *Metrics) ConnectionRefused() { m.closed.Inc() }

// RefusalsMerged counts refusals that the audit log records without their account and network. It is a
// callback for auditlog.New.
func (m *Metrics) RefusalsMerged(n int) { m.merged.Add(float64(n)) }

// ConsoleServed counts a response of the console. It is a callback for console.Options.
func (m *Metrics) ConsoleServed(status int) { m.console.WithLabelValues(class(status)).Inc() }

// Reorged records a reorganisation that dropped depth blocks. It is a callback for follow.WatcherOptions.
func (m *Metrics) Reorged(depth uint64) { m.reorgs.Observe(float64(depth)) }
