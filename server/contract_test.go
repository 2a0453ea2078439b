package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/server"
)

// Every operation conforms to openapi.yaml and to the rules for all operations. The subtests share
// one scene; the last two change it.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, part := range []struct {
		name string
		show func(*scene, *testing.T)
	}{
		{"is served with and without a trailing slash, only for its methods", (*scene).servesItsMethods},
		{"threat 46: accepts credentials in one form", (*scene).takesOneFormOfCredentials},
		{"has the documented rate limit", (*scene).limitsAsDocumented},
		{"reports faults in the order of checks", (*scene).checksInOrder},
		{"threat 48: rejects unknown and server-only fields", (*scene).rejectsForeignMembers},
		{"threat 37: rejects repeated fields and invalid text", (*scene).rejectsRepeatedMembers},
		{"names the field or parameter of every fault", (*scene).namesEveryFault},
		{"threat 116: lets shared caches store public responses only", (*scene).sharesNothing},
		{"threat 73: rejects hidden characters", (*scene).rejectsHiddenCharacters},
		{"threat 45: matches the authorisation table for every principal", (*scene).authorises},
		{"moves money whatever measures are in force", (*scene).neverBlocksMoney},
		{"moves money of hidden and removed tasks", (*scene).neverBlocksMoneyOfTasks},
	} {
		t.Run(part.name, func(t *testing.T) { part.show(s.in(t), t) })
	}
}

// spellings returns both spellings of a path: with and without the trailing slash.
func spellings(path string) []string {
	if rest, slashed := strings.CutSuffix(path, "/"); slashed {
		return []string{path, rest}
	}
	return []string{path, path + "/"}
}

// servesItsMethods calls every path with every method, with and without the trailing slash.
// Documented methods return the same response for both forms, HEAD returns the headers of GET,
// OPTIONS lists the methods, and every other method is refused with the same list.
func (s *scene) servesItsMethods(t *testing.T) {
	t.Helper()
	served := make(map[string][]string)
	for _, d := range operations(t) {
		served[d.template] = append(served[d.template], d.method)
	}
	for _, d := range operations(t) {
		allow := allowed(served[d.template])
		ask := s.good(d)
		for _, ask.path = range spellings(ask.path) {
			for _, ask.method = range []string{"PUT", "DELETE", "TRACE", "POST", "PATCH", "OPTIONS", "BREW"} {
				if !slices.Contains(served[d.template], ask.method) {
					s.wantMethodsNamed(ask, allow)
				}
			}
		}
		s.wantSameAtBothSpellings(d)
	}
}

// allowed returns the Allow header's methods for a path that serves the given methods.
func allowed(methods []string) []string {
	all := append(slices.Clone(methods), http.MethodOptions)
	if slices.Contains(all, http.MethodGet) {
		all = append(all, http.MethodHead)
	}
	slices.Sort(all)
	return all
}

// wantMethodsNamed sends a request without credentials and expects 200 for OPTIONS and 405 for
// other methods, with the Allow header.
func (s *scene) wantMethodsNamed(ask request, allow []string) {
	s.t.Helper()
	got, want := s.ask(ask), http.StatusMethodNotAllowed
	if ask.method == http.MethodOptions {
		want = http.StatusOK
		if strings.TrimSpace(got.body) != "{}" {
			s.t.Errorf("%s %s = %s", ask.method, ask.path, got.body)
		}
	} else if code := errorOf(s.t, got.body); code != "method_not_allowed" {
		s.t.Errorf("%s %s = %s", ask.method, ask.path, code)
	}
	named := strings.Split(got.header.Get("Allow"), ", ")
	slices.Sort(named)
	if got.status != want || !slices.Equal(named, allow) {
		s.t.Errorf("%s %s = %d, Allow %v, want %d, %v", ask.method, ask.path, got.status, named, want, allow)
	}
	if origin := got.header.Get("Access-Control-Allow-Origin"); origin != "" {
		s.t.Errorf("%s %s: CORS is enabled for %q", ask.method, ask.path, origin)
	}
}

// wantSameAtBothSpellings checks that both spellings of the path return the same response, and that HEAD
// returns the status and headers of GET. Requests for unsafe operations have an unknown query parameter, so
// that they change nothing.
func (s *scene) wantSameAtBothSpellings(d documented) {
	s.t.Helper()
	for _, as := range append(d.callers(), noCaller) {
		var headers []string
		for name, value := range s.headersOf(as) {
			headers = append(headers, name, value)
		}
		ask := s.good(d)
		if d.unsafe() {
			ask.query = "?no_such_parameter=1"
		}
		var first reply
		for i, spelling := range spellings(ask.path) {
			ask.path = spelling
			got := s.ask(ask, headers...)
			if i == 0 {
				first = got
			}
			s.wantAlike(d, ask, first, got, true)
			if !d.unsafe() {
				head := ask
				head.method = http.MethodHead
				s.wantAlike(d, head, first, s.ask(head, headers...), false)
			}
		}
	}
}

// lively lists the operations whose response differs between calls, for example because the first
// call marks messages as read.
var lively = map[string]bool{"getSiweMessage": true, "getHealth": true, "listDirectMessages": true}

// wantAlike compares two responses: status, headers and, if requested, bodies.
func (s *scene) wantAlike(d documented, ask request, want, got reply, bodies bool) {
	s.t.Helper()
	if got.status != want.status || got.header.Get("Location") != "" {
		s.t.Errorf("%s %s = %d, Location %q, want %d", ask.method, ask.path, got.status, got.header.Get("Location"), want.status)
	}
	if diff := cmp.Diff(lasting(want.header), lasting(got.header)); diff != "" && !lively[d.id] {
		s.t.Errorf("%s %s: headers (-want +got):\n%s", ask.method, ask.path, diff)
	}
	switch {
	case !bodies && got.body != "":
		s.t.Errorf("%s %s has a body: %s", ask.method, ask.path, got.body)
	case bodies && got.status == http.StatusOK && got.body != want.body && !lively[d.id]:
		s.t.Errorf("%s %s = %s, want %s", ask.method, ask.path, got.body, want.body)
	case bodies && got.status >= http.StatusBadRequest && errorOf(s.t, got.body) != errorOf(s.t, want.body):
		s.t.Errorf("%s %s = %s, want %s", ask.method, ask.path, got.body, want.body)
	}
}

// lasting returns the headers except those that differ between any two responses.
func lasting(header http.Header) http.Header {
	kept := header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "RateLimit", "Content-Length", "Transfer-Encoding"} {
		kept.Del(name)
	}
	return kept
}

// takesOneFormOfCredentials checks that malformed or misplaced credentials are rejected.
func (s *scene) takesOneFormOfCredentials(t *testing.T) {
	t.Helper()
	cookie := s.assigned.cookie(t, s.url).Value
	for _, d := range operations(t) {
		if d.anonymous {
			continue
		}
		for name, headers := range map[string][]string{
			"forged key":                 {"X-API-Key", "tmk_" + strings.Repeat("0", 43) + "_000000"},
			"bearer key":                 {"Authorization", "Bearer " + s.owner.key},
			"broken JWT":                 {"Cookie", "taskmarket_session=x.y.z"},
			"key as JWT":                 {"Cookie", "taskmarket_session=" + s.owner.key},
			"JWT as key":                 {"X-API-Key", cookie},
			"other cookie":               {"Cookie", "session=" + cookie},
			"cookie with __Host- prefix": {"Cookie", "__Host-taskmarket_session=" + cookie},
			"method override":            {"X-HTTP-Method-Override", "OPTIONS"},
		} {
			if got := s.ask(s.good(d), headers...); got.status != http.StatusUnauthorized {
				t.Errorf("%s with a %s = %d %s", d.id, name, got.status, got.body)
			}
		}
		inQuery := s.good(d)
		inQuery.query = "?api_key=" + s.owner.key
		if got := s.ask(inQuery); got.status != http.StatusUnauthorized {
			t.Errorf("%s with the key in the query = %d %s", d.id, got.status, got.body)
		}
	}
}

// stoppedClock is a clock that advances only when a test advances it.
type stoppedClock struct{ nanoseconds atomic.Int64 }

func stopped(at time.Time) *stoppedClock {
	c := &stoppedClock{}
	c.nanoseconds.Store(at.UnixNano())
	return c
}

func (c *stoppedClock) time() time.Time         { return time.Unix(0, c.nanoseconds.Load()) }
func (c *stoppedClock) advance(d time.Duration) { c.nanoseconds.Add(int64(d)) }

// documentedLimit parses x-rate-limit independently of the server.
func (d documented) documentedLimit(t *testing.T) (every time.Duration, burst int) {
	t.Helper()
	limit, ok := d.op.Extensions["x-rate-limit"].(map[string]any)
	if !ok {
		t.Fatalf("%s: x-rate-limit is a %T", d.id, d.op.Extensions["x-rate-limit"])
	}
	count, unit, _ := strings.Cut(fmt.Sprint(limit["rate"]), "/")
	number, err := strconv.Atoi(count)
	if err != nil || unit != "min" {
		t.Fatalf("%s: rate %v", d.id, limit["rate"])
	}
	burst, err = strconv.Atoi(fmt.Sprint(limit["burst"]))
	if err != nil {
		t.Fatalf("%s: burst %v", d.id, limit["burst"])
	}
	return time.Minute / time.Duration(number), burst
}

// limitsAsDocumented exhausts the documented rate limit of every operation at one instant; the next
// request is refused. Each request contains a fault that is checked after the limit.
func (s *scene) limitsAsDocumented(t *testing.T) {
	t.Helper()
	s.forgetLimits() // of requests in this second, which are later than the clock below
	now := stopped(time.Now().Truncate(time.Second))
	limited := s.replica(func(o *server.Options) {
		o.Now, o.Limits = now.time, nil
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	defer s.forgetLimits()
	for i, d := range operations(t) {
		every, burst := d.documentedLimit(t)
		headers := []string{"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)}
		for name, value := range s.headersOf(d.callers()[0]) {
			headers = append(headers, name, value)
		}
		ask := s.good(d)
		ask.query = "?no_such_parameter=1"
		once := func() reply { return limited.do(ask.method, ask.path+ask.query, "", headers...) }
		for left := burst - 1; left >= 0; left-- {
			got := once()
			if remaining := fmt.Sprintf("%q;r=%d;", d.id, left); got.status == http.StatusTooManyRequests || !strings.HasPrefix(got.header.Get("RateLimit"), remaining) {
				t.Fatalf("%s, request %d = %d, RateLimit %s, want %s: %s", d.id, burst-left, got.status, got.header.Get("RateLimit"), remaining, got.body)
			}
		}
		got, wait := once(), int((every+time.Second-1)/time.Second)
		if got.status != http.StatusTooManyRequests || errorOf(t, got.body) != "rate_limited" || got.header.Get("Retry-After") != strconv.Itoa(wait) {
			t.Errorf("%s, request %d = %d, Retry-After %q, want 429, %d", d.id, burst+1, got.status, got.header.Get("Retry-After"), wait)
		}
		window := int((every*time.Duration(burst) + time.Second - 1) / time.Second)
		if policy := fmt.Sprintf("%q;q=%d;w=%d", d.id, burst, window); got.header.Get("RateLimit-Policy") != policy {
			t.Errorf("%s: RateLimit-Policy %s, want %s", d.id, got.header.Get("RateLimit-Policy"), policy)
		}
		now.advance(every)
		if first, second := once(), once(); first.status == http.StatusTooManyRequests || second.status != http.StatusTooManyRequests {
			t.Errorf("%s, %s later = %d, then %d, want 429 only for the second", d.id, every, first.status, second.status)
		}
	}
}
