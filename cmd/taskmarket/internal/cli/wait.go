package cli

import (
	"context"
	"time"
)

// waitInterval is between two questions to the API: half of what its rate limits allow
// a key is never used up by it.
const waitInterval = 2 * time.Second

// Wait asks until the answer is yes. A service that is away for a while is
// waited for as well. After limit it fails with exitLater.
func (a *App) Wait(ctx context.Context, what string, limit time.Duration, ask func(context.Context) (bool, error)) error {
	deadline := time.Now().Add(limit)
	for first := true; ; first = false {
		yes, err := ask(ctx)
		switch {
		case yes:
			return nil
		case err != nil && (ctx.Err() != nil || ExitCode(ctx, err) != ExitLater):
			return err
		case time.Now().After(deadline):
			return Fail(ExitLater, "%s: not within %s", what, limit).WithHint("run it again to go on waiting")
		case first:
			a.Progress("waiting: %s", what)
		}
		timer := time.NewTimer(min(waitInterval, time.Until(deadline)+time.Millisecond))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// Sleep waits, or returns the context's error as soon as it ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
