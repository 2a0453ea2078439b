package gate_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/server/gate"
	"taskmarket/store/storetest"
)

// A request must carry exactly one credential; a request with several is refused.
func TestRequestsCarryOneCredential(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other, human := r.verifiedAgent(), r.verifiedAgent(), r.human()
	cookie, stranger := human.cookie, r.human().cookie
	for name, test := range map[string]struct {
		query   string
		headers []string
		status  int
	}{
		"key":            {"", []string{"X-API-Key", agent.key}, 200},
		"cookie":         {"", []string{"Cookie", cookie}, 200},
		"key and cookie": {"", []string{"X-API-Key", agent.key, "Cookie", cookie}, 400},
		"two keys":       {"", []string{"X-API-Key", agent.key, "X-API-Key", other.key}, 400},
		"one key twice":  {"", []string{"X-API-Key", agent.key, "X-API-Key", agent.key}, 400},
		"two keys, header names in different case": {"", []string{"X-API-Key", agent.key, "x-api-key", other.key}, 400},
		"two cookies":                      {"", []string{"Cookie", cookie, "Cookie", stranger}, 400},
		"two cookies in one header":        {"", []string{"Cookie", cookie + "; " + stranger}, 400},
		"forged key, good cookie":          {"", []string{"X-API-Key", "x", "Cookie", cookie}, 400},
		"good key, forged cookie":          {"", []string{"X-API-Key", agent.key, "Cookie", "taskmarket_session=x"}, 400},
		"empty key, good cookie":           {"", []string{"X-API-Key", "", "Cookie", cookie}, 400},
		"two keys in one header":           {"", []string{"X-API-Key", agent.key + "," + other.key}, 401},
		"key in the query":                 {"?X-API-Key=" + agent.key, nil, 401},
		"key in the query as api_key":      {"?api_key=" + agent.key, nil, 401},
		"keys in the query and the header": {"?api_key=" + other.key, []string{"X-API-Key", agent.key}, 400},
		"key as a bearer token":            {"", []string{"Authorization", "Bearer " + agent.key}, 401},
		"key as a password":                {"", []string{"Authorization", "Basic " + agent.key}, 401},
		"key as a cookie":                  {"", []string{"Cookie", "X-API-Key=" + agent.key}, 401},
		"session as a key":                 {"", []string{"X-API-Key", strings.TrimPrefix(human.cookie, "taskmarket_session=")}, 401},
		"cookie with another name":         {"", []string{"Cookie", "__Host-" + cookie}, 401},
		"cookie in upper case":             {"", []string{"Cookie", strings.ToUpper(cookie)}, 401},
		"method override":                  {"", []string{"X-API-Key", agent.key, "X-HTTP-Method-Override", http.MethodPost}, 200},
		"user headers of a proxy":          {"", []string{"X-Forwarded-User", agent.id.String(), "X-User-Id", agent.id.String()}, 401},
	} {
		got := r.do("GET", "/api/v1/tasks/"+test.query, "", test.headers...)
		if got.status != test.status {
			t.Errorf("%s = %d, want %d: %s", name, got.status, test.status, got.body)
		}
	}
}

// Requests with invalid credentials count against one limit per client address, across all operations
// and guessed keys.
func TestRefusedCredentialsAreLimited(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, limited(&c, "refusedCredentials"), func(o *gate.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	agent, human := r.agent(), r.human()
	me := func(key, ip string) reply {
		return r.do("GET", "/api/v1/agents/me", "", "X-API-Key", key, "X-Forwarded-For", ip)
	}
	const guesser = "203.0.113.7"
	for i := range 5 { // accepted requests do not count against the limit
		if got := me(agent.key, guesser); got.status != 200 {
			t.Fatalf("request %d with a key = %d %s", i, got.status, got.body)
		}
	}
	cookie := human.cookie
	refused := []struct {
		name, method, path string
		headers            []string
		status             int
	}{
		{"no credentials", "GET", "/api/v1/activity", nil, 401},
		{"two credentials", "GET", "/api/v1/tasks/", []string{"X-API-Key", agent.key, "Cookie", cookie}, 400},
		{"no CSRF token", "POST", "/api/v1/auth/logout", []string{"Cookie", cookie}, 403},
		{"a wrong key", "GET", "/api/v1/agents/me", []string{"X-API-Key", "tmk_" + nines(43) + "_000000"}, 401},
		{"a forged session", "GET", "/api/v1/humans/me", []string{"Cookie", "taskmarket_session=x.y.z"}, 401},
	}
	for i, test := range refused {
		want := test.status
		if i >= 3 {
			want = 429
		}
		got := r.do(test.method, test.path, "", append(test.headers, "X-Forwarded-For", guesser)...)
		after, err := strconv.Atoi(got.header.Get("Retry-After"))
		if got.status != want || want == 429 && (err != nil || after < 9 || after > 10 || errorOf(t, got.body) != "rate_limited") {
			t.Errorf("%s, as request %d = %d %s, Retry-After %q, want %d", test.name, i, got.status, got.body, got.header.Get("Retry-After"), want)
		}
		if got.header.Get("RateLimit-Policy") != `"refusedCredentials";q=3;w=30` {
			t.Errorf("%s: RateLimit-Policy %s", test.name, got.header.Get("RateLimit-Policy"))
		}
	}
	for name, got := range map[string]reply{ // other clients of the network are not locked out
		"a valid key":        me(agent.key, guesser),
		"a session":          r.do("GET", "/api/v1/humans/me", "", "Cookie", cookie, "X-Forwarded-For", guesser),
		"a public operation": r.do("GET", "/api/v1/health", "", "X-Forwarded-For", guesser),
	} {
		if got.status != 200 {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	c.advance(10 * time.Second)
	for _, want := range []int{401, 429} {
		if got := me("wrong", guesser); got.status != want {
			t.Errorf("10 s later = %d, want %d", got.status, want)
		}
	}
}

// Above the limit on refused requests, the keys of a network are looked up two at a time, so that guesses at operations
// that no load refuses leave the database to others. A valid key is still accepted.
func TestConcurrentGuessesLeaveTheDatabaseToOthers(t *testing.T) {
	t.Parallel()
	const guesses = 20
	var c clock
	r := newRig(t, limited(&c, "refusedCredentials"))
	agent := r.verifiedAgent()
	path := "/api/v1/tasks/" + unknownID + "/next"
	guess := func() reply { return r.do("GET", path, "", "X-API-Key", gate.NewAPIKey()) }
	for range 4 {
		guess()
	}
	db := storetest.DB(t, r.store)
	tx := db.MustBeginTx(t.Context(), nil)
	tx.MustExecContext(t.Context(), `LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`)
	var group sync.WaitGroup
	var refused atomic.Int32
	for range guesses {
		group.Go(func() {
			if got := guess(); got.status == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	waiting := func() (n int) {
		must(t, db.GetContext(t.Context(), &n, `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'agents'::regclass`))
		return n
	}
	most := 0
	for refused.Load() < guesses-2 {
		most = max(most, waiting())
		if most > 2 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	must(t, tx.Rollback())
	group.Wait()
	if most != 2 || refused.Load() != guesses {
		t.Errorf("%d look-ups waited for the database, %d of %d guesses were refused; want 2 and all", most, refused.Load(), guesses)
	}
	if got := r.do("GET", path, "", "X-API-Key", agent.key); got.status != http.StatusOK {
		t.Errorf("a valid key = %d %s", got.status, got.body)
	}
}

// A key that was replaced on another server is refused immediately, even if this server has just accepted it.
// The refusal takes precedence over any other fault in the request.
func TestReplacedKeyIsRejectedImmediately(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	owner := r.verifiedAgent()
	task := "/api/v1/tasks/" + unknownID + "/"
	key := owner.key
	replace := func(from, to string) {
		t.Helper()
		_, err := storetest.DB(t, r.store).Exec(
			`UPDATE agents SET key_hash = sha256($2::text::bytea) WHERE key_hash = sha256($1::text::bytea)`, from, to)
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(path string) int { return r.do("GET", path, "", "X-API-Key", key).status }
	for path, valid := range map[string]int{
		task:                                  200,
		"/api/v1/tasks/?scope=mine":           200,
		"/api/v1/activity/?page=51":           400,
		"/api/v1/account/export":              200, // its limit is shared
		"/api/v1/tasks/?scope=mine&unknown=1": 400,
		"/api/v1/agents/me":                   200,
	} {
		if got := ask(task); got != 200 {
			t.Fatalf("a valid key = %d", got)
		}
		if got := ask(path); got != valid {
			t.Errorf("GET %s = %d, want %d", path, got, valid)
		}
		replace(key, "another")
		if got := ask(path); got != 401 {
			t.Errorf("GET %s with a replaced key = %d, want 401", path, got)
		}
		if got := ask(task); got != 401 {
			t.Errorf("GET %s after that = %d, want 401", task, got)
		}
		replace("another", key)
	}
}
