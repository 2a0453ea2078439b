//go:build operations

package e2e_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"taskmarket/test/bench/measure"
)

// memorySamples is the number of samples during the load.
const memorySamples = 60

// memory samples the resident memory of the server.
type memory struct {
	l       *loadWorld
	samples []float64 // in MiB, at a constant interval
	stop    func()    // ends the sampling
}

// sampleMemory samples the resident memory in the background, each time after a garbage collection.
func (l *loadWorld) sampleMemory(duration time.Duration) *memory {
	ctx, cancel := context.WithTimeout(l.ctx, duration)
	m, done := &memory{l: l}, make(chan error, 1)
	m.stop = func() {
		l.t.Helper()
		cancel()
		l.must(<-done)
	}
	go func() {
		tick := time.NewTicker(duration / memorySamples)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				done <- nil
				return
			case <-tick.C:
			}
			if err := m.sample(ctx); err != nil && ctx.Err() == nil {
				done <- err
				return
			}
		}
	}()
	return m
}

func (m *memory) sample(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.l.metrics+"/debug/pprof/heap?gc=1", http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("collect the server's garbage: %w", err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return fmt.Errorf("collect the server's garbage: %w", err)
	}
	bytes, err := measure.Memory(m.l.server.proc.PID())
	m.samples = append(m.samples, float64(bytes)/(1<<20))
	return err
}

// report prints the memory, and fails the test if it is above the goal or grows in the second half.
func (m *memory) report() {
	t := m.l.t
	t.Helper()
	half := m.samples[len(m.samples)/2:]
	mean, growth := trend(half)
	peak, err := measure.PeakMemory(m.l.server.proc.PID())
	m.l.must(err)
	row := measure.NewRow(measure.Spec{Name: "server memory, peak", Unit: "MiB", Goal: measure.Goal{Ratio: 1}, Peer: "floor: the goal"},
		[]measure.Pair{{Floor: memoryGoal, Ours: float64(peak) / (1 << 20)}})
	m.l.must(measure.WriteTable(t.Output(), []measure.Row{row}))
	t.Logf("memory after collections: %.0f MiB, %+.1f MiB in the second half", mean, growth)
	if row.Verdict == measure.Fail {
		t.Errorf("the memory's peak is above its goal of %d MiB", memoryGoal)
	}
	if growth > memoryGrowth*mean {
		t.Errorf("the memory grows: %.0f", m.samples)
	}
}

// trend returns the mean of the samples, and the growth of their regression line from the first
// sample to the last.
func trend(samples []float64) (mean, growth float64) {
	n := float64(len(samples))
	for _, sample := range samples {
		mean += sample / n
	}
	var above, below float64
	for i, sample := range samples {
		offset := float64(i) - (n-1)/2
		above, below = above+offset*(sample-mean), below+offset*offset
	}
	return mean, above / below * (n - 1)
}
