// Package poll defines the delays between repeated requests.
package poll

import (
	"context"
	"time"
)

// Delays between repeated requests. The first is First. Each further one is twice as long, up to
// Longest.
const (
	First   = 50 * time.Millisecond
	Longest = 2 * time.Second
)

// Next returns the delay that follows the given one.
func Next(pause time.Duration) time.Duration { return min(2*pause, Longest) }

// Pause waits for d. If the context ends earlier, it returns the context's error.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
