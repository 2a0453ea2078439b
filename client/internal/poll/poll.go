// Package poll defines the pauses between repeated requests.
package poll

import (
	"context"
	"time"
)

// A poll begins with pauses of First and doubles them up to Longest.
const (
	First   = 50 * time.Millisecond
	Longest = 2 * time.Second
)

// Next returns the pause that follows the given one.
func Next(pause time.Duration) time.Duration { return min(2*pause, Longest) }

// Pause waits for d. It returns the context's error as soon as the context ends.
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
