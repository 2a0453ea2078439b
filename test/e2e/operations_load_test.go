//go:build operations

package e2e_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"taskmarket/test/bench/measure"
)

const (
	loadRate     = 300 // requests per second of the mix
	floorRate    = 30  // additional requests per second to the floor
	loadDuration = 30 * time.Minute
	// overloadFactor is how many times more reads the overload has. Writes and exits stay the same.
	overloadFactor   = 12
	overloadDuration = 30 * time.Second
	// loadMargin is the time for the preparation and the final checks.
	loadMargin = 15 * time.Minute

	memoryGoal = 200 // MiB
	// memoryGrowth is the maximum growth in the second half of the load, as a share of the mean. It is
	// not zero, because the Go runtime returns memory to the system late.
	memoryGrowth = 0.05
)

// setting returns the variable TASKMARKET_LOAD_name as parsed by parse, or usual if it is not set.
func setting[T any](tb testing.TB, name string, usual T, parse func(string) (T, error)) T {
	tb.Helper()
	text := os.Getenv("TASKMARKET_LOAD_" + name)
	if text == "" {
		return usual
	}
	value, err := parse(text)
	if err != nil {
		tb.Fatalf("TASKMARKET_LOAD_%s: %v", name, err)
	}
	return value
}

// TestLoad: a server with open event streams is loaded with a mix of requests that arrive
// independently of the responses, and then with several times more reads than it can serve.
// Under load, all requests succeed and the memory stays flat. Under overload, some requests are
// refused, and every exit and confirmation succeeds. The streams yield each event once and in order.
func TestLoad(t *testing.T) {
	duration := setting(t, "DURATION", loadDuration, time.ParseDuration)
	rate := setting(t, "RATE", loadRate, strconv.Atoi)
	factor := setting(t, "OVERLOAD", overloadFactor, strconv.Atoi)
	l := newLoadWorld(t, duration+overloadDuration+loadMargin, setting(t, "STREAMS", accounts*streamsEach, strconv.Atoi))
	defer l.end()
	stopMining := l.mine()
	defer stopMining()
	stopRenewing := l.renewQuotas()
	defer stopRenewing() // the final checks compare the records with those of a replay
	check := l.followStreams()

	memory := l.sampleMemory(duration)
	steady := l.arrive(duration, append(l.mix(rate, 1), arrivals{"floor", classFloor, floorRate, l.askFloor}))
	memory.stop()
	l.reportSteady(steady)
	memory.report()

	overload := l.arrive(overloadDuration, l.mix(rate, factor))
	l.reportOverload(overload)
	check()
	l.browser.CloseIdleConnections() // the server waits for connections without a request when it stops
	l.leaving.CloseIdleConnections()
}

// reportSteady prints the latencies beside the floor's. Every request must have succeeded.
func (l *loadWorld) reportSteady(all []measured) {
	l.t.Helper()
	for status, count := range failures(all) {
		l.t.Errorf("load: %d requests: %s", count, status)
	}
	floor, ours := latencies(all, func(o measured) bool { return o.class == classFloor }), latencies(all, func(o measured) bool { return o.class != classFloor })
	var rows []measure.Row
	for _, share := range []float64{0.50, 0.95, 0.99} {
		spec := measure.Spec{Name: fmt.Sprintf("all requests, p%.0f", 100*share), Unit: "ms"}
		rows = append(rows, measure.NewRow(spec, []measure.Pair{{Floor: percentile(floor, share), Ours: percentile(ours, share)}}))
	}
	for _, name := range names(all) {
		spec := measure.Spec{Name: name + ", p99", Unit: "ms"}
		rows = append(rows, measure.NewRow(spec, []measure.Pair{{
			Floor: percentile(floor, 0.99), Ours: percentile(latencies(all, func(o measured) bool { return o.name == name }), 0.99),
		}}))
	}
	l.t.Logf("%d requests, and %d to the floor", len(ours), len(floor))
	l.must(measure.WriteTable(l.t.Output(), rows))
}

// reportOverload prints the outcomes. Reads and writes may be refused because of the load, but each must
// get a response, and every exit must succeed.
func (l *loadWorld) reportOverload(all []measured) {
	l.t.Helper()
	refused := make(map[class]int)
	for _, o := range all {
		if o.shed {
			refused[o.class]++
		}
	}
	for status, count := range failures(slices.DeleteFunc(slices.Clone(all), func(o measured) bool { return o.shed && o.class != classExit })) {
		l.t.Errorf("overload: %d requests: %s", count, status)
	}
	if refused[classRead] == 0 {
		l.t.Error("no read was refused: raise TASKMARKET_LOAD_OVERLOAD")
	}
	for _, c := range []class{classRead, classWrite, classExit} {
		served := latencies(all, func(o measured) bool { return o.class == c && !o.shed && o.failure == "" })
		l.t.Logf("overload: %s: %d served with p50 %.0f ms and p99 %.0f ms, %d refused", c, len(served),
			percentile(served, 0.5), percentile(served, 0.99), refused[c])
	}
}
