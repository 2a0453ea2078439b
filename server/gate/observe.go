package gate

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Observer receives measurements of requests. Its methods must not block.
type Observer interface {
	// Served reports a response to an operation of openapi.yaml. It is not called for event
	// streams, which have no meaningful duration.
	Served(operation string, status int, duration time.Duration)
	// Refused reports an error response by its code: a market.Kind or CodeInternal.
	Refused(code string)
	// Streams reports the number of open event streams after a change.
	Streams(open int)
}

// observe reports the operation's responses to the observer.
func (g *Gate) observe(op *Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			began, status := time.Now(), http.StatusInternalServerError // the status after a panic
			defer func() { g.observer.Served(op.id, status, time.Since(began)) }()
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

// Served implements Observer.
func (NoObserver) Served(string, int, time.Duration) {}

// Refused implements Observer.
func (NoObserver) Refused(string) {}

// Streams implements Observer.
func (NoObserver) Streams(int) {}
