package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// effort is the measured cost of a load.
type effort struct {
	cpu  float64 // processor time per request in µs
	rate float64 // requests per second
	p99  float64 // 99th percentile of the duration in ms
}

// load runs each function in work repeatedly during the window, all concurrently, and returns the
// cost. cpu returns the processor time that the measured processes have used so far.
func load(ctx context.Context, window time.Duration, cpu func() (time.Duration, error), work []func(*rand.Rand) error) (effort, error) {
	before, err := cpu()
	if err != nil {
		return effort{}, err
	}
	began, durations := time.Now(), make([][]time.Duration, len(work))
	group, ctx := errgroup.WithContext(ctx)
	for i, do := range work {
		group.Go(func() error {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for last := began; last.Sub(began) < window && ctx.Err() == nil; {
				if err := do(random); err != nil {
					return err
				}
				now := time.Now()
				durations[i], last = append(durations[i], now.Sub(last)), now
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return effort{}, err
	}
	elapsed := time.Since(began)
	after, err := cpu()
	if err != nil {
		return effort{}, err
	}
	all := slices.Concat(durations...)
	slices.Sort(all)
	return effort{
		cpu:  (after - before).Seconds() * 1e6 / float64(len(all)),
		rate: float64(len(all)) / elapsed.Seconds(),
		p99:  all[len(all)*99/100].Seconds() * 1e3,
	}, nil
}
