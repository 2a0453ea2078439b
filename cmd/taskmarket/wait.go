package main

import (
	"context"
	"time"
)

// waitPause is between two questions to the API: half of what its rate limits allow
// a key is never used up by it.
const waitPause = 2 * time.Second

// wait asks until the answer is yes. A service that is away for a while is
// waited for as well. After limit it fails with exitLater.
func (a *app) wait(ctx context.Context, what string, limit time.Duration, ask func(context.Context) (bool, error)) error {
	deadline := time.Now().Add(limit)
	for first := true; ; first = false {
		yes, err := ask(ctx)
		switch {
		case yes:
			return nil
		case err != nil && (ctx.Err() != nil || exitCode(ctx, err) != exitLater):
			return err
		case time.Now().After(deadline):
			return fail(exitLater, "%s: not within %s", what, limit).next("run it again to go on waiting")
		case first:
			a.progress("waiting: %s", what)
		}
		timer := time.NewTimer(min(waitPause, time.Until(deadline)+time.Millisecond))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// pause waits, or returns the context's error as soon as it ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
