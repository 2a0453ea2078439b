package cli

import (
	"context"
	"time"
)

// waitInterval is the pause between two requests. At 30 requests per minute, waiting uses a small
// part of the API's rate limits for reading tasks and applications.
const waitInterval = 2 * time.Second

// Wait polls until ask returns true. It continues while the service is unavailable. After the time
// limit, it returns an error with the exit code ExitLater.
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
			if limit == 0 {
				return Fail(ExitLater, "%s was not found", what).WithHint("run the command again later, or use --wait")
			}
			return Fail(ExitLater, "timed out after %s while waiting for %s", limit, what).WithHint("run the command again to continue waiting")
		case first:
			a.Progress("waiting for %s", what)
		}
		if err := Sleep(ctx, min(waitInterval, time.Until(deadline)+time.Millisecond)); err != nil {
			return err
		}
	}
}

// Sleep waits for d. If the context ends first, it returns the context's error.
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
