//go:build operations

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// class is the kind of a request.
type class string

const (
	classRead  class = "reads"
	classWrite class = "writes"
	classExit  class = "exits" // requests that are never refused because of the load, such as confirmations
	classFloor class = "floor"
)

// arrivals is a stream of requests.
type arrivals struct {
	name  string
	class class
	rate  float64 // requests per second
	send  func(random *rand.Rand) sendResult
}

// sendResult is the result of a request.
type sendResult struct {
	failure string // status or error; empty on success
	shed    bool   // 503 with Retry-After
}

// measured is the result of a request with its latency. The latency counts from the planned start, so
// that it includes any delay before the request was sent.
type measured struct {
	sendResult
	name  string
	class class
	took  time.Duration
}

// arrive sends requests for the duration, each stream at random times (a Poisson process) that do not
// depend on the responses, and returns when all requests have ended.
func (l *loadWorld) arrive(duration time.Duration, streams []arrivals) []measured {
	var mu sync.Mutex
	var all []measured
	var group sync.WaitGroup
	begin := time.Now()
	for i, stream := range streams {
		group.Go(func() {
			random := rand.New(rand.NewPCG(loadSeed, uint64(i)))
			pause := func() time.Duration { return time.Duration(random.ExpFloat64() / stream.rate * float64(time.Second)) }
			for at := pause(); at < duration && l.ctx.Err() == nil; at += pause() {
				planned, own := begin.Add(at), rand.New(rand.NewPCG(random.Uint64(), 0))
				time.Sleep(time.Until(planned))
				group.Go(func() {
					done := measured{stream.send(own), stream.name, stream.class, time.Since(planned)}
					mu.Lock()
					defer mu.Unlock()
					all = append(all, done)
				})
			}
		})
	}
	group.Wait()
	return all
}

// failures counts the requests that failed, by request and failure.
func failures(all []measured) map[string]int {
	counts := make(map[string]int)
	for _, o := range all {
		if o.failure != "" {
			counts[fmt.Sprintf("%s, %s: %s", o.class, o.name, o.failure)]++
		}
	}
	return counts
}

func names(all []measured) []string {
	seen := make(map[string]bool)
	var list []string
	for _, o := range all {
		if !seen[o.name] && o.class != classFloor {
			seen[o.name], list = true, append(list, o.name)
		}
	}
	slices.Sort(list)
	return list
}

// latencies returns the sorted latencies of the selected requests.
func latencies(all []measured, selected func(measured) bool) []time.Duration {
	var took []time.Duration
	for _, o := range all {
		if selected(o) {
			took = append(took, o.took)
		}
	}
	slices.Sort(took)
	return took
}

// percentile returns a percentile of sorted latencies, in ms; 0 if there are none.
func percentile(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(share*float64(len(sorted)-1))]) / float64(time.Millisecond)
}
