package rpc

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// NodeOptions contains the timeouts and retries for calls to a node. The zero value suits a node
// that responds within seconds.
type NodeOptions struct {
	// CallTimeout bounds one attempt at a call; 10 s if zero.
	CallTimeout time.Duration
	// BatchTimeout bounds one attempt at a batch of calls or at the logs of a range of blocks;
	// three times CallTimeout if zero.
	BatchTimeout time.Duration
	// Tries is the number of attempts at a call, on one provider after the other; 2 if zero. With
	// more providers than tries, each provider is called once. A retry is safe, because calls only
	// read or send signed transactions. Connect tries all providers this many times.
	Tries int
	// Pause is the time before a provider is called again; 250 ms if zero. It doubles with each
	// further round.
	Pause time.Duration
	// Transport wraps the HTTP transport of a provider, for measurements. The provider is named by
	// the host of its URL. Providers with a websocket URL are not wrapped. Optional.
	Transport func(provider string, next http.RoundTripper) http.RoundTripper
	// Log receives the faults of providers, at most one per provider and minute. Optional.
	Log *slog.Logger
}

// Complete returns the options with defaults instead of zeros.
func (o NodeOptions) Complete() NodeOptions {
	if o.CallTimeout <= 0 {
		o.CallTimeout = 10 * time.Second
	}
	if o.BatchTimeout <= 0 {
		o.BatchTimeout = 3 * o.CallTimeout
	}
	if o.Tries <= 0 {
		o.Tries = 2
	}
	if o.Pause <= 0 {
		o.Pause = 250 * time.Millisecond
	}
	return o
}

// pauseFor returns the pause before a round of attempts; 0 before the first.
func (o NodeOptions) pauseFor(round int) time.Duration {
	if round == 0 {
		return 0
	}
	return o.Pause << min(round-1, 10)
}

// Ask makes a call, with up to Tries attempts of at most CallTimeout each. It retries any error that is not
// an answer: see IsAnswer. A call of a contract must be made with CallContract. It is for programs that call a single node through their own
// client. Node retries by the same rules.
func Ask[T any](ctx context.Context, o NodeOptions, call func(context.Context) (T, error)) (T, error) {
	o = o.Complete()
	for round := 1; ; round++ {
		value, err := within(ctx, o.CallTimeout, call)
		if err == nil || IsAnswer(err) || round >= o.Tries || sleep(ctx, o.pauseFor(round)) != nil {
			return value, err
		}
	}
}

func within[T any](ctx context.Context, d time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return call(ctx)
}

// sleep waits for d. It returns ctx's error if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
