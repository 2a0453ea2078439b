package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// A Priority determines which operations are refused first when the server is overloaded.
type Priority string

// Reads are refused first, then writes. Exits, confirmations and the operations that they need
// (x-shed: last in openapi.yaml) are never refused because of load, and are not counted.
const (
	PriorityRead  Priority = "read"
	PriorityWrite Priority = "write"
	priorityExit  Priority = "exit"
)

// Reads get at most three quarters of the connection pool, so that writes and exits find a free
// connection while all reads wait for the database. Writes can also wait for a node or a social
// network, without a connection, so more of them run.
const (
	readShareNumerator, readShareDenominator = 3, 4

	writesPerConnection = 4
	waitingPerSlot      = 32
	// maxShedWait is how long a request waits for a slot.
	maxShedWait = 2 * time.Second
	// shedRetry is the Retry-After of a request that is refused because of load.
	shedRetry = 2 * time.Second
	// shedLogInterval is the minimum interval between two log lines about refusals of a lane. A line
	// for each refused request would use processor time when there is none left.
	shedLogInterval = time.Second
)

// errOverloaded is the cause of refusals because of load. A lane logs several of them in one line.
var errOverloaded = errors.New("the server is overloaded")

// priority returns the operation's priority. Streams and uploads take a long time and have their own
// limits, so they get priorityExit and are not counted.
func (o *Operation) priority() Priority {
	switch {
	case o.last || o.id == healthID || o.follows() || o.multipart:
		return priorityExit
	case o.unsafe():
		return PriorityWrite
	}
	return PriorityRead
}

// lane limits how many requests of a priority run at the same time, and how many more wait, in order.
type lane struct {
	priority         Priority
	slots            *semaphore.Weighted
	maxWaiting       int64 // maximum number of waiting requests
	running, waiting atomic.Int64
	unlogged         atomic.Int64 // number of refusals since the last log line
	loggedAt         atomic.Int64 // time of the last log line in Unix nanoseconds
	observer         Observer
	log              *slog.Logger
}

// newLanes returns the lanes of a server whose pool has the given number of connections.
func newLanes(connections int, observer Observer, log *slog.Logger) map[Priority]*lane {
	lanes := make(map[Priority]*lane)
	for priority, slots := range map[Priority]int{
		PriorityRead:  max(1, connections*readShareNumerator/readShareDenominator),
		PriorityWrite: connections * writesPerConnection,
	} {
		lanes[priority] = &lane{
			priority: priority, slots: semaphore.NewWeighted(int64(slots)), maxWaiting: int64(slots) * waitingPerSlot,
			observer: observer, log: log,
		}
	}
	return lanes
}

// enter waits for a slot. If queued is true, it waits even if l.maxWaiting others wait already. The caller
// must call leave after an enter that returns nil.
func (l *lane) enter(ctx context.Context, queued bool) error {
	if !l.slots.TryAcquire(1) {
		if err := l.wait(ctx, queued); err != nil {
			return err
		}
	}
	l.running.Add(1)
	l.report()
	return nil
}

// wait waits until a slot is free. It returns KindUnavailable when too many requests wait, or after
// maxShedWait, and an error if ctx ends first.
func (l *lane) wait(ctx context.Context, queued bool) error {
	defer func() {
		l.waiting.Add(-1)
		l.report()
	}()
	if l.waiting.Add(1) > l.maxWaiting && !queued {
		return l.refuse(ctx)
	}
	l.report()
	waiting, cancel := context.WithTimeout(ctx, maxShedWait)
	defer cancel()
	err := l.slots.Acquire(waiting, 1)
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return l.refuse(ctx)
	}
	return fmt.Errorf("wait for a slot: %w", err)
}

func (l *lane) leave() {
	l.slots.Release(1)
	l.running.Add(-1)
	l.report()
}

func (l *lane) refuse(ctx context.Context) error {
	l.observer.Shed(l.priority)
	l.logRefusals(ctx)
	return &market.Error{
		Kind: market.KindUnavailable, Message: "this server is overloaded", Cause: errOverloaded,
		Hint: "try again in a few seconds; requests that confirm a transaction or withdraw money are still served", RetryAfter: shedRetry,
	}
}

// logRefusals counts a refusal, and logs the number of refusals unless it did so less than
// shedLogInterval ago.
func (l *lane) logRefusals(ctx context.Context) {
	l.unlogged.Add(1)
	last, now := l.loggedAt.Load(), time.Now().UnixNano()
	if now-last < int64(shedLogInterval) || !l.loggedAt.CompareAndSwap(last, now) {
		return
	}
	l.log.WarnContext(ctx, "requests are refused because the server is overloaded",
		slog.String("priority", string(l.priority)), slog.Int64("refused", l.unlogged.Swap(0)))
}

func (l *lane) report() {
	l.observer.Load(l.priority, int(l.running.Load()), int(l.waiting.Load()))
}

// laneKey is the key of a request's visit in its echo.Context.
const laneKey = "lane"

// visit is one request's use of its lane.
type visit struct {
	lane    *lane
	entered bool // whether the request has had a slot; it is then not refused because of a long queue
	inside  bool // whether the request holds a slot
}

// enter waits for a slot, unless the request holds one.
func (v *visit) enter(ctx context.Context) error {
	if v.inside {
		return nil
	}
	if err := v.lane.enter(ctx, v.entered); err != nil {
		return err
	}
	v.entered, v.inside = true, true
	return nil
}

// leave frees the slot, if the request holds one.
func (v *visit) leave() {
	if v.inside {
		v.inside = false
		v.lane.leave()
	}
}

// shed refuses requests while too many of their priority wait. Other requests take a slot before the
// next steps, which query the database. Without slots, all of them would wait for a connection there,
// and exits would wait behind them.
func (g *Gate) shed(op *Operation) echo.MiddlewareFunc {
	lane := g.lanes[op.priority()]
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if lane == nil {
			return next
		}
		return func(c echo.Context) error {
			v := &visit{lane: lane}
			if err := v.enter(c.Request().Context()); err != nil {
				return err
			}
			defer v.leave()
			c.Set(laneKey, v)
			return next(c)
		}
	}
}

// leaveLane frees the slot of a request with a body, which a client can send slowly.
func leaveLane(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if v, limited := c.Get(laneKey).(*visit); limited && c.Request().ContentLength != 0 {
			v.leave()
		}
		return next(c)
	}
}

// inLane runs a handler in a slot of its lane. The slot is held only while the handler computes its
// response: clients that send or receive slowly hold none.
func inLane(handle api.StrictHandlerFunc, _ string) api.StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		v, limited := c.Get(laneKey).(*visit)
		if !limited {
			return handle(c, request)
		}
		if err := v.enter(c.Request().Context()); err != nil {
			return nil, err
		}
		defer v.leave()
		return handle(c, request)
	}
}
