package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"taskmarket/client"
	"taskmarket/market"
)

func me(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err }

// With any value of Retry-After, the client waits no longer than MaxWait and does not retry early.
func TestInvalidRetryAfter(t *testing.T) {
	inAnHour := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	tests := map[string]struct {
		header string
		asked  int
		says   time.Duration // minimum value of the error's RetryAfter
	}{
		"seconds that overflow an integer": {"99999999999999999999999", 1, 24 * time.Hour},
		"seconds that overflow a duration": {"18446744073709551615", 1, 24 * time.Hour},
		"an hour":                          {"3600", 1, time.Hour},
		"a date":                           {inAnHour, 1, 59 * time.Minute},
		"a past date":                      {"Mon, 02 Jan 2006 15:04:05 GMT", 2, 0},
		"negative seconds":                 {"-5", 2, 0},
		"a fraction of a second":           {"0.5", 2, 0},
		"a word":                           {"soon", 2, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: []http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", test.header), respond(200, account)}}
			err := me(t.Context(), dialTest(t, s))
			if len(s.requests()) != test.asked {
				t.Errorf("sent %d requests", len(s.requests()))
			}
			refused, ok := errors.AsType[*client.APIError](err)
			if gaveUp := test.asked == 1; gaveUp != ok || gaveUp && refused.RetryAfter < test.says {
				t.Errorf("got error %v", err)
			}
		})
	}
}

// writeSlowly sends single bytes with pauses and never ends.
func writeSlowly(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, " "); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestSlowBodyTimesOut(t *testing.T) {
	const timeout = 50 * time.Millisecond
	claim := func(ctx context.Context, c *client.Client) error { _, err := c.Claim(ctx); return err }
	download := func(ctx context.Context, c *client.Client) error {
		return c.Download(ctx, client.File{FileSize: 1 << 20}, io.Discard)
	}
	tests := map[string]struct {
		status int
		call   func(context.Context, *client.Client) error
	}{
		"a JSON response":                       {http.StatusOK, claim},
		"a file download":                       {http.StatusOK, download},
		"the error response to a file download": {http.StatusForbidden, download},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(test.status)
				writeSlowly(w, r)
			}
			c := dialTest(t, &script{answers: []http.HandlerFunc{answer}}, func(o *client.Options) { o.Timeout = timeout })
			began := time.Now()
			if err := test.call(t.Context(), c); !errors.Is(err, client.ErrUnavailable) {
				t.Errorf("got error %v", err)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestKeyIsNotSentOnRedirect(t *testing.T) {
	elsewhere := &script{answers: []http.HandlerFunc{respond(200, account)}}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	for id, o := range operations {
		if o.call == nil {
			continue
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			s := &script{answers: []http.HandlerFunc{respond(status, "", "Location", other.URL)}}
			err := o.call(t.Context(), dialTest(t, s))
			if refused, ok := errors.AsType[*client.APIError](err); !ok || refused.Status != status {
				t.Errorf("%s with status %d: %v", id, status, err)
			}
		}
	}
	if n := len(elsewhere.requests()); n != 0 {
		t.Errorf("another host received %d requests", n)
	}
}

func TestOtherContentTypes(t *testing.T) {
	for _, media := range []string{"text/html", "text/json", "application/jsonp", "application/json-seq", "application/octet-stream", ";", ""} {
		s := &script{answers: []http.HandlerFunc{respond(200, account, "Content-Type", media)}}
		if err := me(t.Context(), dialTest(t, s)); err == nil || !strings.Contains(err.Error(), "instead of JSON") {
			t.Errorf("%q: got error %v", media, err)
		}
	}
	s := &script{answers: []http.HandlerFunc{respond(200, account, "Content-Type", "Application/JSON ; charset=UTF-8")}}
	if err := me(t.Context(), dialTest(t, s)); err != nil {
		t.Error(err)
	}
}

func TestUnavailable(t *testing.T) {
	id := record
	post := func(ctx context.Context, c *client.Client) error {
		_, err := c.Verify(ctx, id, "https://social.example/@me/1")
		return err
	}
	tests := map[string]struct {
		answer http.HandlerFunc
		want   bool
	}{
		"a lost connection":        {abort, true},
		"an unavailable server":    {refuse(503, "chain_unavailable"), true},
		"a bad gateway":            {respond(502, "<html>", "Content-Type", "text/html"), true},
		"a gateway timeout":        {respond(504, "", "Content-Type", "text/html"), true},
		"a rate limit":             {refuse(429, "rate_limited", "Retry-After", "3600"), true},
		"an internal server error": {refuse(500, "internal_error"), false},
		"a refusal":                {refuse(403, "forbidden"), false},
		"HTML instead of JSON":     {respond(200, "", "Content-Type", "text/html"), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := post(t.Context(), dialTest(t, &script{answers: []http.HandlerFunc{test.answer}}))
			if err == nil || errors.Is(err, client.ErrUnavailable) != test.want {
				t.Errorf("got error %v", err)
			}
		})
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	c, err := client.New(client.Options{BaseURL: gone.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := post(t.Context(), c); !errors.Is(err, client.ErrUnavailable) {
		t.Errorf("no server: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := post(over, c); !errors.Is(err, context.Canceled) || errors.Is(err, client.ErrUnavailable) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestHealth(t *testing.T) {
	tests := map[string]struct {
		answer http.HandlerFunc
		asked  int
		want   string
	}{
		"healthy":          {respond(200, `{"status":"ok"}`), 1, "ok"},
		"unhealthy":        {respond(503, `{"status":"unavailable"}`), 1, "unavailable"},
		"a later version":  {respond(200, `{"status":"read_only","reasons":["moon_phase"],"added_later":{}}`), 1, "read_only"},
		"another response": {respond(200, `{}`), 1, ""},
		"a refusal":        {refuse(503, "unavailable"), 1, ""},
		"a proxy error":    {respond(403, "<html>", "Content-Type", "text/html"), 1, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: []http.HandlerFunc{test.answer}}
			health, err := dialTest(t, s).Health(t.Context())
			if string(health.Status) != test.want || (err == nil) != (test.want != "") || len(s.requests()) != test.asked {
				t.Errorf("Health() = %+v, %v after %d requests", health, err, len(s.requests()))
			}
		})
	}
}

func TestCodeOf(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{refuse(400, "nothing_to_claim")}}
	_, err := dialTest(t, s).Claim(t.Context())
	if client.CodeOf(err) != market.KindNothingToClaim || client.CodeOf(io.EOF) != "" || client.CodeOf(nil) != "" {
		t.Errorf("CodeOf(%v) = %q", err, client.CodeOf(err))
	}
}
