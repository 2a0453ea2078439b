package client_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/client"
)

// If a connection is lost, the stream resumes after the last complete event. Each event is yielded
// once, and a permanent error ends the stream.
func TestEventsResume(t *testing.T) {
	events := func(body string) http.HandlerFunc {
		return respond(200, body, "Content-Type", "text/event-stream")
	}
	const task = `{"type":"task","created_at":"2026-03-01T12:00:00Z"}`
	s := &script{answers: []http.HandlerFunc{
		events("retry: 1\n\nid: 5f0c19ab-10\n\n:\nid: 5f0c19ab-11\nevent: task\ndata: " + task + "\n\nid: 5f0c19ab-12\nevent: task\ndata: {\"ty"),
		abort,
		refuse(503, "unavailable"),
		events("id: 5f0c19ab-12\nevent: task\ndata: " + task + "\n\n:\nid: 5f0c19ab-90\n\n"),
		refuse(401, "unauthorized"),
	}}
	var got []string
	var last error
	for news, err := range dialTest(t, s).Events(t.Context(), "") {
		if last = err; err == nil {
			got = append(got, news.ID)
		}
	}
	if diff := cmp.Diff([]string{"5f0c19ab-11", "5f0c19ab-12"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if client.CodeOf(last) != "unauthorized" {
		t.Errorf("ended with %v", last)
	}
	var asked []string
	for _, r := range s.requests() {
		asked = append(asked, r.Header.Get("Last-Event-ID"))
	}
	want := []string{"", "5f0c19ab-11", "5f0c19ab-11", "5f0c19ab-11", "5f0c19ab-90"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("requested positions (-want +got):\n%s", diff)
	}
}

// roundTripper is an http.RoundTripper that needs no network, so that it works with synctest's fake
// clock.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// stalled is a response body that sends nothing until the request is cancelled.
type stalled struct{ request *http.Request }

func (s stalled) Read([]byte) (int, error) {
	<-s.request.Context().Done()
	return 0, s.request.Context().Err()
}

func (stalled) Close() error { return nil }

// If a connection is silent for too long, the stream reconnects.
func TestEventsReconnectAfterSilence(t *testing.T) {
	answer := func(r *http.Request, status int, body io.ReadCloser) *http.Response {
		header := http.Header{"Content-Type": {"text/event-stream"}}
		if status == http.StatusServiceUnavailable {
			header.Set("Retry-After", "25")
		}
		return &http.Response{StatusCode: status, Header: header, Body: body, Request: r}
	}
	for name, silent := range map[string]roundTripper{
		"no response": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		"long retry delays": func(r *http.Request) (*http.Response, error) {
			return answer(r, http.StatusServiceUnavailable, http.NoBody), nil
		},
		"no events": func(r *http.Request) (*http.Response, error) {
			return answer(r, http.StatusOK, stalled{r}), nil
		},
		"an incomplete error response": func(r *http.Request) (*http.Response, error) {
			return answer(r, http.StatusForbidden, stalled{r}), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				c, err := client.New(client.Options{
					BaseURL: "https://api.example",
					HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
						if time.Since(began) <= time.Minute {
							return silent(r)
						}
						return answer(r, http.StatusUnauthorized, http.NoBody), nil
					})},
				})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				var last error
				for _, err := range c.Events(t.Context(), "5f0c19ab-11") {
					last = err
				}
				if refused, ok := errors.AsType[*client.APIError](last); !ok || refused.Status != http.StatusUnauthorized {
					t.Errorf("ended with %v", last)
				}
			})
		})
	}
}

// A stream ends when the caller leaves the loop.
func TestEventsStop(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{respond(200,
		"id: 5f0c19ab-11\ndata: {\"type\":\"task\",\"created_at\":\"2026-03-01T12:00:00Z\"}\n\nid: 5f0c19ab-12\ndata: {}\n\n",
		"Content-Type", "text/event-stream")}}
	for news, err := range dialTest(t, s).Events(t.Context(), "5f0c19ab-00") {
		if err != nil || news.ID != "5f0c19ab-11" || news.Type != "task" {
			t.Errorf("news = %+v, %v", news, err)
		}
		break
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// Events are missing if a connection is lost before the server has sent a position, or if the server
// no longer stores the events after it. The next connection reports this as a reset.
func TestEventsReportGaps(t *testing.T) {
	t.Run("before the first position", func(t *testing.T) {
		testGap(t, "", respond(200, "retry: 1\n\n:\n\n", "Content-Type", "text/event-stream"))
	})
	t.Run("after an expired position", func(t *testing.T) {
		testGap(t, "5f0c19ab-7", refuse(410, "cursor_expired"))
	})
}

func testGap(t *testing.T, after string, first http.HandlerFunc) {
	t.Helper()
	s := &script{answers: []http.HandlerFunc{
		first,
		respond(200, "id: 5f0c19ab-20\n\nid: 5f0c19ab-21\nevent: task\ndata: {\"type\":\"task\",\"created_at\":\"2026-03-01T12:00:00Z\"}\n\n",
			"Content-Type", "text/event-stream"),
		refuse(401, "unauthorized"),
	}}
	var got []string
	for news, err := range dialTest(t, s).Events(t.Context(), after) {
		if err == nil {
			got = append(got, string(news.Type)+" "+news.ID)
		}
	}
	if diff := cmp.Diff([]string{"reset 5f0c19ab-20", "task 5f0c19ab-21"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if again := s.requests()[1].Header.Get("Last-Event-ID"); again != "" {
		t.Errorf("the second connection resumes after %q, want a new position", again)
	}
}

// Events resumes after the ID that LastEventID returned.
func TestLastEventID(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{
		respond(200, "retry: 2000\n\nid: 5f0c19ab-30\n\n", "Content-Type", "text/event-stream"),
		respond(200, "retry: 2000\n\n", "Content-Type", "text/event-stream"),
	}}
	c := dialTest(t, s)
	if id, err := c.LastEventID(t.Context()); err != nil || id != "5f0c19ab-30" {
		t.Errorf("LastEventID() = %q, %v", id, err)
	}
	if id, err := c.LastEventID(t.Context()); err == nil {
		t.Errorf("without a position LastEventID() = %q", id)
	}
	if r := s.requests()[0]; r.URL.Query().Get("follow") != "false" || r.Header.Get("Last-Event-ID") != "" {
		t.Errorf("requested %s", r.URL)
	}
}
