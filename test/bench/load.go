package main

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// load runs each function in work repeatedly during the window, all concurrently, and returns the processor
// time per run in µs. used returns the processor time that the measured processes have used so far.
func load(ctx context.Context, window time.Duration, used func() (time.Duration, error), work []func(*rand.Rand) error) (cpu float64, err error) {
	before, err := used()
	if err != nil {
		return 0, err
	}
	var runs atomic.Int64
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for i, do := range work {
		group.Go(func() error {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for time.Since(began) < window && ctx.Err() == nil {
				if err := do(random); err != nil {
					return err
				}
				runs.Add(1)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	after, err := used()
	return (after - before).Seconds() * 1e6 / float64(runs.Load()), err
}
