package gate_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"taskmarket/server/gate"
	"taskmarket/store/storetest"
	netgate "taskmarket/test/gate"
)

// Local and shared buckets both allow three requests at once and then one every ten seconds.
func TestBucketAllowsBurstThenRate(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"getContractsConfig": "/api/v1/config/contracts", "exportAccount": "/api/v1/account/export"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c clock
			r := newRig(t, limited(&c, name))
			agent := r.verifiedAgent()
			ask := func() reply { return r.do("GET", path, "", "X-API-Key", agent.key) }
			for i := range 3 {
				got := ask()
				if got.status != 200 || got.header.Get("RateLimit-Policy") != fmt.Sprintf("%q;q=3;w=30", name) {
					t.Fatalf("request %d = %d, policy %s", i, got.status, got.header.Get("RateLimit-Policy"))
				}
			}
			got := ask()
			after, err := strconv.Atoi(got.header.Get("Retry-After"))
			if got.status != 429 || errorOf(t, got.body) != "rate_limited" || err != nil || after < 9 || after > 10 {
				t.Fatalf("request 4 = %d %s, Retry-After %q", got.status, got.body, got.header.Get("Retry-After"))
			}
			for range 3 {
				c.advance(10 * time.Second)
				if got := ask(); got.status != 200 {
					t.Errorf("10 s later = %d, RateLimit %s", got.status, got.header.Get("RateLimit"))
				}
				if got := ask(); got.status != 429 {
					t.Errorf("immediately again = %d", got.status)
				}
			}
			c.advance(time.Hour)
			for i := range 4 {
				if got := ask(); (got.status == 200) != (i < 3) {
					t.Errorf("an hour later, request %d = %d", i, got.status)
				}
			}
		})
	}
}

func TestEachPrincipalHasItsOwnBucket(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, limited(&c, "getAgentMe", "listTasks"))
	a, b := r.agent(), r.agent()
	for range 3 {
		r.do("GET", "/api/v1/agents/me", "", "X-API-Key", a.key)
	}
	if got := r.do("GET", "/api/v1/agents/me", "", "X-API-Key", a.key); got.status != 429 {
		t.Errorf("a again = %d", got.status)
	}
	if got := r.do("GET", "/api/v1/agents/me", "", "X-API-Key", b.key); got.status != 200 {
		t.Errorf("b = %d: one agent's requests count for another", got.status)
	}
	if got := r.do("GET", "/api/v1/tasks/", "", "X-API-Key", a.key); got.status != 403 { // not 429: limits are per operation
		t.Errorf("another operation = %d", got.status)
	}
	if got := r.do("HEAD", "/api/v1/agents/me/", "", "X-API-Key", a.key); got.status != 429 {
		t.Errorf("HEAD with a trailing slash = %d: it has a separate bucket", got.status)
	}
}

// Pages of other sites cannot use up a human's limit: a request without the CSRF token takes no token.
func TestForgedRequestsTakeNoTokens(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, limited(&c, "createReport"))
	human := r.human()
	send := func(headers ...string) int { return r.do("POST", "/api/v1/reports", `{}`, headers...).status }
	for range 4 {
		if got := send("Cookie", human.cookie, "Origin", "https://elsewhere.example"); got != 403 {
			t.Errorf("a forged request = %d", got)
		}
	}
	for i := range 4 {
		if got := send(r.credentials(human)...); (got == 429) != (i == 3) {
			t.Errorf("the human's request %d = %d", i+1, got)
		}
	}
}

// If the shared buckets are unavailable, operations that use them are refused, and all others work.
func TestLimitsWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent()
	u, err := url.Parse(storetest.URL(t, r.store))
	if err != nil {
		t.Fatal(err)
	}
	g := netgate.New(t, u.Host)
	u.Host = g.Addr()
	cut := r.replica(func(o *gate.Options) { o.Store = storetest.Open(t, u.String()) })
	g.Shut()
	for _, test := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/agents/register", `{"name":"N","username":"n","wallet_address":"0x00000000000000000000000000000000000000A1"}`, 503},
		{"POST", "/agents/" + agent.id.String() + "/verify", `{"post_url":"https://social.example/@a/1"}`, 503},
		{"POST", "/tasks/" + unknownID + "/confirm-create", `{"tx_hash":"0x` + nines(64) + `"}`, 503},
		{"GET", "/activity", "", 503},
		{"GET", "/agents/me", "", 503},
		{"GET", "/config/skills", "", 200},
		{"GET", "/config/locations?q=lis", "", 200},
	} {
		headers := []string{"X-API-Key", agent.key}
		if got := cut.do(test.method, "/api/v1"+test.path, test.body, headers...); got.status != test.status {
			t.Errorf("%s %s = %d %s, want %d", test.method, test.path, got.status, got.body, test.status)
		}
	}
	g.Open()
	if got := cut.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key); got.status != 200 {
		t.Errorf("afterwards = %d %s", got.status, got.body)
	}
}

func TestLimitsOfUnknownOperationsAreRejected(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, limits := range map[string]map[string]gate.Limit{
		"unknown":   {"createTasks": {Count: 1, Period: time.Minute, Burst: 1}},
		"zero":      {"createTask": {Count: 0, Period: time.Minute, Burst: 1}},
		"no period": {"*": {Count: 1, Burst: 1}},
	} {
		o := gateOptions(t, r.store, r.url)
		o.Limits = limits
		if _, err := gate.New(o); err == nil {
			t.Errorf("New() with %s limits succeeded", name)
		}
	}
}

// Humans, profiles and reviews can be read only with credentials. A list returns at most 100 entries per
// page and 50 numbered pages. An account's requests are limited regardless of the client address and the
// spelling of the path.
func TestCrawlersAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Now()
	r := newRig(t)
	human, agent := r.human(), r.verifiedAgent()
	still := func() time.Time { return now }
	strict := r.replica(func(o *gate.Options) { o.Limits, o.Now, o.SharedNow = nil, still, still })
	for list, path := range map[string]string{
		"humans": "/api/v1/humans/available", "a profile": "/api/v1/profiles/somebody", "reviews": "/api/v1/humans/" + human.id.String() + "/reviews",
	} {
		if got := strict.do("GET", path, ""); got.status != http.StatusUnauthorized {
			t.Errorf("%s without credentials = %d", list, got.status)
		}
		served := 0
		for i := range 200 {
			spelling := path
			if i%2 == 1 {
				spelling += "/"
			}
			got := strict.do("GET", spelling, "", "X-API-Key", agent.key, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			if got.status == http.StatusTooManyRequests {
				continue
			}
			if got.status != http.StatusOK {
				t.Fatalf("%s = %d %s", list, got.status, got.body)
			}
			served++
		}
		if served != 100 { // the burst; then 600 per minute
			t.Errorf("%s: %d of 200 requests at once were served, want 100", list, served)
		}
	}
	for _, query := range []string{"?page=51", "?page_size=101", "?page=0", "?page_size=0"} {
		if got := r.do("GET", "/api/v1/humans/available"+query, "", "X-API-Key", agent.key); got.status != http.StatusBadRequest {
			t.Errorf("humans with %s = %d", query, got.status)
		}
	}
}

// The largest accepted limit also works in the database's buckets. A larger limit is refused with
// an error that names the maximum.
func TestLimitsAreBounded(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"1000000/s:1": "", "60000000/min:1": "", "2147483647/hour:1": "", "1/hour:8760": "",
		"1000001/s:1": "the maximum is 1000000", "60000001/min:1": "the maximum is 60000000", "1/hour:8761": "the maximum is 8760",
	} {
		if _, err := gate.ParseLimit(text); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("ParseLimit(%q) = %v, want %q", text, err, says)
		}
	}
	largest, err := gate.ParseLimit("60000000/min:2147483647")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(o *gate.Options) { o.Limits = map[string]gate.Limit{"*": largest} })
	agent := r.verifiedAgent()
	for range 3 {
		if got := r.do("POST", "/api/v1/tasks/"+unknownID+"/messages/", `{"content":"x"}`, r.credentials(agent)...); got.status >= http.StatusInternalServerError {
			t.Errorf("a message under the largest limit = %d %s", got.status, got.body)
		}
		if got := r.do("GET", "/api/v1/tasks/", "", r.credentials(agent)...); got.status != http.StatusOK {
			t.Errorf("a list under the largest limit = %d %s", got.status, got.body)
		}
	}
}
