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

// activityHandler handles the operations with the tag "activity".
type activityHandler struct {
	store    *store.Store
	streams  *streams
	stopping func() bool
}

// ListActivity returns the caller's activity feed.
func (h *activityHandler) ListActivity(ctx context.Context, request api.ListActivityRequestObject) (api.ListActivityResponseObject, error) {
	p := request.Params
	query := store.ActivityQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), Principal: gate.PrincipalOf(ctx),
		Type: market.ActivityType(deref(p.Type)), After: deref(p.After).Time, Before: deref(p.Before).Time,
	}
	page, err := h.store.Activities(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListActivity200JSONResponse{Body: api.ActivityPage{
		Activities: mapAll(page.Items, toAPIActivity),
		Total:      int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func toAPIActivity(a market.Activity) api.Activity {
	text, _ := a.Content.TextFor(a.Audience)
	out := api.Activity{
		ID: a.ID, EventType: api.ActivityType(a.Type), Kind: api.ActivityKind(a.Content.Kind),
		Params: api.ActivityParams{
			Actor: optional(api.Party(a.Content.Actor)), RevertedKind: optional(api.ActivityKind(a.Content.RevertedKind)),
		},
		Title: text.Title, Description: text.Description, TaskID: a.TaskID, TaskTitle: optional(a.TaskTitle),
		CounterpartyName: optional(a.OtherName), CounterpartyUsername: optional(a.OtherUsername),
		RelatedID: a.RelatedID, Status: api.ActivityStatus(a.Status), CreatedAt: market.TimeOf(a.CreatedAt),
	}
	if a.Amount != nil {
		out.Amount = new(a.Amount.String())
	}
	if a.TxHash != nil {
		out.TxHash = new(a.TxHash.Hex())
	}
	return out
}

const (
	eventBatch     = 100
	eventHeartbeat = 15 * time.Second
	// eventRefresh is how long a stream without events waits before it queries the database again:
	// to advance to a position that the log still contains, and to check that the session has not
	// expired. Revoking a key or session wakes its streams.
	eventRefresh = 10 * time.Minute
	// eventReconnect is the delay in milliseconds after which a client reconnects.
	eventReconnect = 2_000
	// eventPatience is the write timeout: a client that does not read in this time is disconnected.
	eventPatience = 10 * time.Second
)

// StreamEvents streams the caller's events after the requested position, or from now on if the request has
// none. It continues with new events as they happen, unless follow is false.
func (h *activityHandler) StreamEvents(ctx context.Context, request api.StreamEventsRequestObject) (api.StreamEventsResponseObject, error) {
	caller := gate.CallerOf(ctx)
	query := store.EventQuery{UserID: caller.Principal.ID, Credential: caller.Credential, Limit: eventBatch}
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
		joined, err := h.streams.join(caller.Principal, caller.Network) //nolint:contextcheck // the shared goroutine outlives this request
		if err != nil {
			return nil, err
		}
		events.follows, events.leave = joined, func() { h.streams.leave(joined) }
	}
	// Read the first batch before the response begins, so that an error can still set the status.
	first, err := h.store.Events(ctx, query)
	if err != nil {
		events.end()
		return nil, err
	}
	events.first = first
	return events, nil
}

// eventStream is the response of StreamEvents.
type eventStream struct {
	ctx      context.Context //nolint:containedctx // the request's context: the response ends with it
	store    *store.Store
	stopping func() bool
	query    store.EventQuery
	first    store.EventBatch
	follows  *stream // nil if the response ends after the stored events
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
	header.Set("X-Accel-Buffering", "no") // disables buffering in proxies
	w.WriteHeader(http.StatusOK)
	out := eventWriter{w: w, control: http.NewResponseController(w)}
	defer func() { _ = out.extend() }() // the final chunk can follow long after the last event
	fmt.Fprintf(&out.text, "retry: %d\n\n", eventReconnect)
	batch := e.first
	for {
		out.batch(batch)
		if err := out.flush(); err != nil {
			return nil // the client has disconnected, does not read, or sent HEAD
		}
		e.query.After = batch.Next
		if !batch.More && !e.wait(&out) {
			return nil
		}
		var err error
		if batch, err = e.store.Events(e.ctx, e.query); err != nil {
			return nil // the status is already sent; the client reconnects and gets the error
		}
	}
}

// wait waits until there may be more events. It returns false if the stream must end.
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
		case <-e.follows.evicted:
			return false
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

// eventWriter sends events. A write fails if the client does not read it in time.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	text    bytes.Buffer
}

// batch writes the events. After the last batch it also writes the current position as an id, even
// without an event, because clients store the last id that they receive.
func (o *eventWriter) batch(b store.EventBatch) {
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
		panic(fmt.Sprintf("marshal an event: %v", err)) // unreachable: every event can be encoded
	}
	fmt.Fprintf(&o.text, "id: %s\nevent: %s\ndata: %s\n\n", at, event.Type, data)
}

// flush sends the buffered text.
func (o *eventWriter) flush() error {
	defer o.text.Reset()
	if err := o.extend(); err != nil {
		return err
	}
	if _, err := o.w.Write(o.text.Bytes()); err != nil {
		return err
	}
	return o.control.Flush()
}

// extend restarts the write timeout.
func (o *eventWriter) extend() error {
	if err := o.control.SetWriteDeadline(time.Now().Add(eventPatience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
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
