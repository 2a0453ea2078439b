package gate

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Observer receives measurements of requests. Its methods must not block.
type Observer interface {
	// Begin reports a request of any kind, which is served with the returned context. end is called
	// after the response.
	Begin(ctx context.Context) (_ context.Context, end func())
	// Served reports a response to an operation of openapi.yaml. It is not called for event
	// streams, which have no meaningful duration.
	Served(ctx context.Context, operation string, status int, duration time.Duration)
	// Follow reports an event stream, which is served with the returned context.
	Follow(ctx context.Context, operation string) context.Context
	// Refused reports an error response by its code: a market.Kind or CodeInternal.
	Refused(code string)
	// Streams reports the number of open event streams after a change.
	Streams(open int)
	// Load reports how many requests of a priority run and wait, after a change.
	Load(priority Priority, running, waiting int)
	// Shed reports a request that is refused because the server is overloaded.
	Shed(priority Priority)
}

// observe reports the operation's responses to the observer.
func (g *Gate) observe(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			ctx := c.Request().Context()
			if op.follows() {
				c.SetRequest(c.Request().WithContext(g.observer.Follow(ctx, op.id)))
				return next(c)
			}
			began, status := time.Now(), http.StatusInternalServerError // the status after a panic
			defer func() { g.observer.Served(ctx, op.id, status, time.Since(began)) }()
			if err := next(c); err != nil {
				c.Error(err) // writes the response, which determines the status
			}
			status = c.Response().Status
			return nil
		}
	}
}

// NoObserver ignores the measurements.
type NoObserver struct{}

// Begin implements Observer.
func (NoObserver) Begin(ctx context.Context) (_ context.Context, end func()) { return ctx, func() {} }

// Served implements Observer.
func (NoObserver) Served(context.Context, string, int, time.Duration) {}

// Follow implements Observer.
func (NoObserver) Follow(ctx context.Context, _ string) context.Context { return ctx }

// Refused implements Observer.
func (NoObserver) Refused(string) {}

// Streams implements Observer.
func (NoObserver) Streams(int) {}

// Load implements Observer.
func (NoObserver) Load(Priority, int, int) {}

// Shed implements Observer.
func (NoObserver) Shed(Priority) {}
