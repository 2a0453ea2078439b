package metricstest

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store/journal"
	"taskmarket/store/operators"
)

// Driven returns the label values in the metrics that Drive returns.
func Driven() Process {
	return Process{Version: "v1", Holders: []string{"host/1", "host/2"}, Providers: []string{"a.example", "b.example"}}
}

// Drive calls each method of Metrics and returns metrics with every permitted value of every label. It
// fails if Metrics has a method that Drive does not know.
func Drive(tb testing.TB) *metrics.Metrics {
	tb.Helper()
	m := metrics.New(Driven().Version)
	ctx := tb.Context()
	operations, codes := documented(tb)
	calls := map[string]func(){
		"Add":               func() { addState(tb, m) },
		"Begin":             func() { m.Begin(ctx) },
		"ConnectionRefused": m.ConnectionRefused,
		"ConsoleServed":     func() { eachStatus(m.ConsoleServed) },
		"Follow":            func() { m.Follow(ctx, operations[0]) },
		"Handler":           func() {}, // called by Scrape
		"Job": func() {
			for i, name := range metrics.JobNames() {
				m.Job(name, time.Minute)([]error{nil, io.EOF}[i%2])
			}
		},
		"Load": func() {
			m.Load(gate.PriorityRead, 15, 40)
			m.Load(gate.PriorityWrite, 1, 0)
		},
		"RefusalsMerged": func() { m.RefusalsMerged(2) },
		"Refused":        func() { each(codes, m.Refused) },
		"Reorged":        func() { m.Reorged(5) },
		"Scanner":        func() { scans(ctx, m) },
		"Serve":          func() {}, // called by TestLoopbackListenerChecksHost
		"Served": func() {
			each(operations, func(operation string) {
				eachStatus(func(status int) { m.Served(ctx, operation, status, time.Millisecond) })
			})
		},
		"Shed":      func() { each([]gate.Priority{gate.PriorityRead, gate.PriorityWrite}, m.Shed) },
		"Streams":   func() { m.Streams(3) },
		"Transport": func() { requests(ctx, m) },
	}
	methods := reflect.TypeFor[*metrics.Metrics]()
	for i := range methods.NumMethod() {
		call, ok := calls[methods.Method(i).Name]
		if !ok {
			tb.Fatalf("Drive does not call the method %s", methods.Method(i).Name)
		}
		call()
	}
	return m
}

func each[T any](list []T, do func(T)) {
	for _, value := range list {
		do(value)
	}
}

func eachStatus(do func(int)) { each([]int{100, 200, 301, 404, 503, 0}, do) }

// addState adds a state with every kind, status and reason.
func addState(tb testing.TB, m *metrics.Metrics) {
	tb.Helper()
	state := State()
	operations := state.Operations
	state.Operations = func(ctx context.Context) (operators.Operations, error) {
		o, err := operations(ctx)
		o.Keeper = operators.LeaseState{Holder: "host/2/PQMC2LCH3WITWJLGIM3J7QPC7Q", Epoch: 2, Left: time.Second}
		return o, err
	}
	state.Holdings = func(context.Context) (journal.Holdings, error) {
		holdings := journal.Holdings{Block: market.Block{Number: 99, Hash: [32]byte{9}}}
		for _, status := range openTasks() {
			holdings.Tasks = append(holdings.Tasks, journal.Holding{Status: status, Count: 2, Amount: big.NewInt(5)})
		}
		for _, status := range []string{"live", "activated"} {
			holdings.Stakes = append(holdings.Stakes, journal.Holding{Status: status, Count: 3, Amount: big.NewInt(7)})
		}
		return holdings, nil
	}
	state.Reasons = func(context.Context) []market.HealthReason { return market.HealthReasons }
	pool := func() sql.DBStats {
		return sql.DBStats{MaxOpenConnections: 20, InUse: 3, Idle: 2, WaitCount: 4, WaitDuration: 6 * time.Second}
	}
	if err := errors.Join(m.Add(state, pool), state.CompareMoney(tb.Context())); err != nil {
		tb.Fatal(err)
	}
}

// scanFunc is a function that implements content.Scanner.
type scanFunc func() (bool, error)

func (f scanFunc) Scan(context.Context, io.Reader) (bool, error) { return f() }

func scans(ctx context.Context, m *metrics.Metrics) {
	for _, scan := range []scanFunc{
		func() (bool, error) { return false, nil },
		func() (bool, error) { return true, nil },
		func() (bool, error) { return false, io.ErrUnexpectedEOF },
	} {
		_, _ = m.Scanner(scan).Scan(ctx, strings.NewReader("file"))
	}
}

// answers is a transport that responds with a status, or fails if the status is 0.
type answers int

func (status answers) RoundTrip(*http.Request) (*http.Response, error) {
	if status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	recorder := httptest.NewRecorder()
	recorder.WriteHeader(int(status))
	return recorder.Result(), nil
}

func requests(ctx context.Context, m *metrics.Metrics) {
	for _, provider := range Driven().Providers {
		for _, method := range metrics.RPCMethods() {
			for _, status := range []int{0, 200, 429, 502} {
				request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+provider, strings.NewReader(`{"method":"`+method+`"}`))
				if err != nil {
					continue
				}
				if response, err := m.Transport(provider, answers(status)).RoundTrip(request); err == nil {
					_ = response.Body.Close()
				}
			}
		}
	}
}
