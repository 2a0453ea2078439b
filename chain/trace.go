package chain

import "context"

// Trace begins a trace for one step of a background job. The step runs with the returned context,
// and end is called with its error.
type Trace func(ctx context.Context) (_ context.Context, end func(error))

// NoTrace is a Trace that does nothing.
func NoTrace(ctx context.Context) (_ context.Context, end func(error)) { return ctx, func(error) {} }
