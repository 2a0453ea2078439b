package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

const (
	eventBatch     = 100
	eventHeartbeat = 15 * time.Second
	// eventRefresh is how long a stream without events goes on before it asks the
	// database: to remember a place that the log still has, and to see that the
	// session has not expired. A key or session that is revoked wakes its streams.
	eventRefresh = 10 * time.Minute
	// eventReconnect is after how many milliseconds a client comes back.
	eventReconnect = 2_000
	// eventPatience is how long a client may leave what it is sent unread.
	eventPatience = 10 * time.Second
)

// StreamEvents answers what is new for the caller, as it happens.
func (h *activityHandler) StreamEvents(ctx context.Context, request api.StreamEventsRequestObject) (api.StreamEventsResponseObject, error) {
	who := gate.CallerOf(ctx)
	query := store.EventQuery{UserID: who.Principal.ID, Credential: who.Credential(), Limit: eventBatch}
	after := request.Params.LastEventID
	if after == nil {
		after = request.Params.After
	}
	if after != nil {
		position, err := store.ParseEventPosition(*after)
		if err != nil {
			return nil, err
		}
		query.After = position
	}
	events := eventStream{ctx: ctx, store: h.store, stopping: h.stopping, query: query}
	if follow := request.Params.Follow; follow == nil || *follow {
		joined, err := h.streams.join(query.UserID) //nolint:contextcheck // what wakes all outlives this request
		if err != nil {
			return nil, err
		}
		events.follows, events.leave = joined, func() { h.streams.leave(joined) }
	}
	// What cannot be read is refused while it can be said in a status.
	first, err := h.store.Events(ctx, query)
	if err != nil {
		events.end()
		return nil, err
	}
	events.first = first
	return events, nil
}

// eventStream is an answer that goes on.
type eventStream struct {
	ctx      context.Context //nolint:containedctx // the request's: the answer ends with it
	store    *store.Store
	stopping func() bool
	query    store.EventQuery
	first    store.EventBatch
	follows  *stream // nil for an answer that ends by itself
	leave    func()
}

func (e eventStream) end() {
	if e.leave != nil {
		e.leave()
	}
}

// VisitStreamEventsResponse implements api.StreamEventsResponseObject.
func (e eventStream) VisitStreamEventsResponse(w http.ResponseWriter) error {
	defer e.end()
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // asks proxies to hand each event on at once
	w.WriteHeader(http.StatusOK)
	out := eventWriter{w: w, control: http.NewResponseController(w)}
	fmt.Fprintf(&out.text, "retry: %d\n\n", eventReconnect)
	batch := e.first
	for {
		out.batch(batch)
		if err := out.flush(); err != nil {
			return nil // the client is gone, does not read, or wants the head alone
		}
		e.query.After = batch.Next
		if !batch.More && !e.wait(&out) {
			return nil
		}
		var err error
		if batch, err = e.store.Events(e.ctx, e.query); err != nil {
			return nil // the status is out; the client comes again and is told
		}
	}
}

// wait returns when there may be more, false when that is all.
func (e eventStream) wait(out *eventWriter) bool {
	if e.follows == nil {
		return false
	}
	heartbeat, refresh := time.NewTicker(eventHeartbeat), time.NewTimer(eventRefresh)
	defer heartbeat.Stop()
	defer refresh.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return false
		case <-refresh.C:
			return !e.stopping()
		case <-e.follows.wake:
			return !e.stopping()
		case <-heartbeat.C:
			out.text.WriteString(":\n")
			if out.flush() != nil || e.stopping() {
				return false
			}
		}
	}
}

// eventWriter sends events. A write that the client does not take in time fails.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	text    bytes.Buffer
}

// batch writes the events. The last id is that of the place behind them all: a
// client remembers it although it comes without an event.
func (o *eventWriter) batch(b store.EventBatch) {
	if b.Reset {
		o.event(b.Next, api.Event{Type: api.EventTypeReset, CreatedAt: market.TimeOf(time.Now())})
		return
	}
	for _, event := range b.Events {
		o.event(event.Position, toAPIEvent(event))
	}
	if !b.More {
		fmt.Fprintf(&o.text, "id: %s\n\n", b.Next)
	}
}

func (o *eventWriter) event(at store.EventPosition, event api.Event) {
	data, err := json.Marshal(event)
	if err != nil {
		panic(fmt.Sprintf("marshal an event: %v", err)) // it holds nothing that cannot be written
	}
	fmt.Fprintf(&o.text, "id: %s\nevent: %s\ndata: %s\n\n", at, event.Type, data)
}

// flush sends what was written.
func (o *eventWriter) flush() error {
	defer o.text.Reset()
	if err := o.control.SetWriteDeadline(time.Now().Add(eventPatience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := o.w.Write(o.text.Bytes()); err != nil {
		return err
	}
	return o.control.Flush()
}

func toAPIEvent(e store.Event) api.Event {
	out := api.Event{Type: api.EventType(e.Kind), CreatedAt: market.TimeOf(e.CreatedAt)}
	switch e.Kind {
	case store.EventActivity:
		out.Activity = new(toAPIActivity(e.Activity))
	case store.EventTask:
		out.TaskID, out.TaskStatus = &e.TaskID, new(api.TaskStatus(e.TaskStatus))
	case store.EventApplication:
		out.TaskID, out.ApplicationID = &e.TaskID, &e.ApplicationID
		out.ApplicationStatus = new(api.ApplicationStatus(e.ApplicationStatus))
	}
	return out
}
