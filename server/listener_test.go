package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/store/storetest"
)

// listener reads a stream of events as a browser does.
type listener struct {
	t      *testing.T
	reply  *http.Response
	lines  *bufio.Scanner
	cancel context.CancelFunc
	lastID string
	silent bool // true: the test fails on a heartbeat, which is sent only when there are no events
}

// listen opens a stream. It starts after the event whose id is passed as after, or at the current
// end of the log if after is empty.
func (r *rig) listen(t *testing.T, as *user, after string) *listener {
	t.Helper()
	l := &listener{t: t, lastID: after}
	var ctx context.Context
	ctx, l.cancel = context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(l.cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	headers := r.credentials(as)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if after != "" {
		request.Header.Set("Last-Event-ID", after)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reply.Body.Close() })
	l.reply, l.lines = reply, bufio.NewScanner(reply.Body)
	if l.reply.StatusCode == http.StatusOK {
		l.block() // reads the retry interval and the start of the stream
	}
	return l
}

// block reads up to the next blank line, and returns the event before it, if any. It continues
// while no id has been received. more is false if the stream has ended.
func (l *listener) block() (event client.Event, data, more bool) {
	for l.lines.Scan() {
		name, value, _ := strings.Cut(l.lines.Text(), ": ")
		if l.silent && l.lines.Text() == ":" {
			l.t.Error("a heartbeat arrived before the event")
		}
		switch name {
		case "id":
			l.lastID = value
		case "data":
			checkEvent(l.t, value)
			if err := json.Unmarshal([]byte(value), &event); err != nil {
				l.t.Errorf("decode data %s: %v", value, err)
			}
			data = true
		case "":
			if l.lastID != "" {
				return event, data, true
			}
		}
	}
	return event, data, false
}

// next returns the next event; the test fails when the stream ends first.
func (l *listener) next() client.Event {
	l.t.Helper()
	for {
		event, data, more := l.block()
		switch {
		case !more:
			l.t.Fatalf("the stream ended: %v", l.lines.Err())
		case data:
			return event
		}
	}
}

// ended waits for the stream's end.
func (l *listener) ended() {
	l.t.Helper()
	for {
		if _, _, more := l.block(); !more {
			break
		}
	}
	if err := l.lines.Err(); err != nil {
		l.t.Errorf("the stream did not end: %v", err)
	}
}

func (l *listener) close() { l.cancel(); _ = l.reply.Body.Close() }

// notify adds an item to the user's feed. The amount identifies the item.
func (r *rig) notify(as uuid.UUID, kind string, amount int) {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`
		INSERT INTO activities (id, audience_id, audience_kind, type, kind, amount, status, dedupe_key)
		VALUES ($1, $2, $3, 'task', 'task_expired', $4, 'confirmed', gen_random_uuid()::text)`, uuid.Must(uuid.NewV7()), as, kind, amount)
	if err != nil {
		r.t.Fatal(err)
	}
}

// listenAgain retries until the server opens a stream.
func (r *rig) listenAgain(t *testing.T, as *user, after string) *listener {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		l := r.listen(t, as, after)
		switch {
		case l.reply.StatusCode == http.StatusOK:
			return l
		case l.reply.StatusCode != http.StatusServiceUnavailable || time.Now().After(end):
			t.Fatalf("again = %s", l.reply.Status)
		}
		l.close()
	}
}
