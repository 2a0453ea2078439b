package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/market"
)

// script is a fake server. It sends its scripted responses in order, repeats the last one, and
// records the requests.
type script struct {
	answers []http.HandlerFunc

	mu       sync.Mutex
	received []*http.Request
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	answer := s.answers[min(len(s.received), len(s.answers)-1)]
	s.received = append(s.received, r)
	s.mu.Unlock()
	answer(w, r)
}

// requests returns the requests so far.
func (s *script) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// respond returns a handler that sends a JSON body. The headers are pairs of name and value.
func respond(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			return // the client closes the connection when a response is too large
		}
	}
}

func abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func refuse(status int, code string, headers ...string) http.HandlerFunc {
	return respond(status, `{"error":"`+code+`","message":"No.","request_id":"r-1"}`, headers...)
}

func dialTest(t *testing.T, s *script, change ...func(*client.Options)) *client.Client {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	options := client.Options{BaseURL: server.URL, APIKey: "tmk_secret", MaxWait: 2 * time.Second}
	for _, c := range change {
		c(&options)
	}
	c, err := client.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const account = `{"id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80","username":"harbour","balance":"7"}`

func TestRetries(t *testing.T) {
	id := uuid.MustParse("0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80")
	get := func(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err }
	post := func(ctx context.Context, c *client.Client) error {
		_, err := c.Verify(ctx, id, "https://mastodon.example/@me/1")
		return err
	}
	tests := map[string]struct {
		answers []http.HandlerFunc
		do      func(context.Context, *client.Client) error
		want    int // expected number of requests
		code    market.Kind
		fails   bool
	}{
		"GET retries after a lost connection":         {[]http.HandlerFunc{abort, respond(200, account)}, get, 2, "", false},
		"GET retries while the server is unavailable": {[]http.HandlerFunc{refuse(503, "unavailable", "Retry-After", "1"), respond(200, account)}, get, 2, "", false},
		"GET retries after a proxy error":             {[]http.HandlerFunc{respond(502, "<html>", "Content-Type", "text/html"), respond(200, account)}, get, 2, "", false},
		"GET stops after five attempts":               {[]http.HandlerFunc{refuse(503, "unavailable")}, get, 5, market.KindUnavailable, true},
		"GET does not wait longer than MaxWait":       {[]http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "3600")}, get, 1, market.KindRateLimited, true},
		"a 400 is not retried":                        {[]http.HandlerFunc{refuse(400, "invalid_request")}, get, 1, market.KindInvalid, true},
		"a 500 is not retried":                        {[]http.HandlerFunc{refuse(500, "internal_error")}, get, 1, "internal_error", true},
		"POST is not retried after a lost connection": {[]http.HandlerFunc{abort, respond(200, `{}`)}, post, 1, "", true},
		"POST is not retried after a 503":             {[]http.HandlerFunc{refuse(503, "unavailable")}, post, 1, market.KindUnavailable, true},
		"POST is retried after a 429":                 {[]http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "1"), respond(200, `{}`)}, post, 2, "", false},
		"GET retries after a truncated body":          {[]http.HandlerFunc{respond(200, account, "Content-Length", "9999"), respond(200, account)}, get, 2, "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: test.answers}
			err := test.do(t.Context(), dialTest(t, s))
			if (err != nil) != test.fails {
				t.Errorf("got error %v", err)
			}
			if refused, ok := errors.AsType[*client.APIError](err); test.code != "" && (!ok || refused.Code != test.code) {
				t.Errorf("got error %v, want code %s", err, test.code)
			}
			if len(s.requests()) != test.want {
				t.Errorf("sent %d requests, want %d", len(s.requests()), test.want)
			}
		})
	}
}

func TestRetryHonoursRetryAfter(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "1"), respond(200, account)}}
	began := time.Now()
	if _, err := dialTest(t, s).Me(t.Context()); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(began); waited < time.Second {
		t.Errorf("returned after %s", waited)
	}
}

func TestRetryEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	s := &script{answers: []http.HandlerFunc{refuse(503, "unavailable", "Retry-After", "2")}}
	if _, err := dialTest(t, s).Me(ctx); !errors.Is(err, context.DeadlineExceeded) || len(s.requests()) != 1 {
		t.Errorf("got error %v after %d requests", err, len(s.requests()))
	}
}

func TestAPIErrorFields(t *testing.T) {
	body := `{"error":"would_revert","message":"The contract refuses.","hint":"Read the task.",
		"details":[{"field":"contract","code":"NotDue","message":"NotDue(taskId 7)"}],"request_id":"r-1"}`
	s := &script{answers: []http.HandlerFunc{respond(429, body, "Retry-After", "90", "X-Request-Id", "r-2")}}
	_, err := dialTest(t, s).Me(t.Context())
	got, ok := errors.AsType[*client.APIError](err)
	if !ok {
		t.Fatalf("got error %v", err)
	}
	want := &client.APIError{
		Status: 429, Code: market.KindWouldRevert, Message: "The contract refuses.", Hint: "Read the task.",
		Details:   []client.Detail{{Field: "contract", Code: "NotDue", Message: "NotDue(taskId 7)"}},
		RequestID: "r-2", RetryAfter: 90 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestForeignResponses(t *testing.T) {
	tests := map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"HTML instead of JSON":         {respond(200, "<html>", "Content-Type", "text/html"), "instead of JSON"},
		"a proxy's error page":         {respond(403, "<html>secret", "Content-Type", "text/html"), "403: the server responded with status 403 and no error message"},
		"truncated JSON":               {respond(200, `{"id":`), "unexpected end of JSON input"},
		"a response that is too large": {respond(200, `{"name":"`+strings.Repeat("x", 9<<20)+`"}`), "larger than"},
		"a redirect":                   {respond(302, "", "Location", "https://evil.example/"), "a redirect, which is never followed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: []http.HandlerFunc{test.answer}}
			_, err := dialTest(t, s).Me(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got error %v", err)
			}
			if len(s.requests()) != 1 {
				t.Errorf("sent %d requests", len(s.requests()))
			}
		})
	}
}

func TestKeyIsNotSentElsewhere(t *testing.T) {
	elsewhere := &script{answers: []http.HandlerFunc{respond(200, account)}}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	s := &script{answers: []http.HandlerFunc{respond(307, "", "Location", other.URL, "Set-Cookie", "session=1")}}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := dialTest(t, s, func(o *client.Options) { o.HTTPClient = &http.Client{Jar: jar} })
	for range 2 {
		if _, err := c.Me(t.Context()); err == nil {
			t.Error("followed a redirect")
		}
	}
	if len(elsewhere.requests()) != 0 {
		t.Error("another host received a request")
	}
	if key := s.requests()[1].Header.Get("X-API-Key"); key != "tmk_secret" {
		t.Errorf("the key was %q", key)
	}
	if cookies := s.requests()[1].Cookies(); len(cookies) != 0 {
		t.Errorf("sent cookies: %v", cookies)
	}
}

func TestBaseURL(t *testing.T) {
	tests := map[string]struct {
		url      string
		insecure bool
		fails    bool
	}{
		"https":               {url: "https://market.example/api/v1"},
		"without the path":    {url: "https://market.example/"},
		"loopback IPv4":       {url: "http://127.0.0.1:8080"},
		"loopback IPv6":       {url: "http://[::1]:8080"},
		"localhost":           {url: "http://localhost:8080"},
		"plain http":          {url: "http://market.example", fails: true},
		"plain http, allowed": {url: "http://market.example", insecure: true},
		"no host":             {url: "/api/v1", fails: true},
		"no scheme":           {url: "market.example", fails: true},
		"another scheme":      {url: "ftp://market.example", fails: true},
		"a user":              {url: "https://me@market.example", fails: true},
		"no user":             {url: "https://@market.example", fails: true},
		"an empty query":      {url: "https://market.example/?", fails: true},
		"a fragment":          {url: "https://market.example/#a", fails: true},
		"capitals and a port": {url: "HTTPS://Market.Example:443/API/v1"},
		"a query":             {url: "https://market.example/api/v1?x=1", fails: true},
		"host name that starts with a loopback address": {url: "http://127.0.0.1.evil.example", fails: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := client.New(client.Options{BaseURL: test.url, InsecureHTTP: test.insecure})
			if (err != nil) != test.fails {
				t.Errorf("got error %v", err)
			}
		})
	}
}

func TestRequestPaths(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{respond(200, account)}}
	server := httptest.NewServer(s)
	defer server.Close()
	bases := []string{strings.Replace(server.URL, "http", "HTTP", 1), strings.Replace(server.URL, "127.0.0.1", "LOCALHOST", 1)}
	for _, path := range []string{"", "/", "/api/v1", "/api/v1/", "/api/v1//", "/market"} {
		bases = append(bases, server.URL+path)
	}
	for _, base := range bases {
		c, err := client.New(client.Options{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Me(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var paths []string
	for _, r := range s.requests() {
		paths = append(paths, r.URL.Path)
	}
	want := append(slices.Repeat([]string{"/api/v1/agents/me"}, len(bases)-1), "/market/api/v1/agents/me")
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}
