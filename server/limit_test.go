package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
	netgate "taskmarket/test/gate"
)

// Local and shared buckets both allow three requests at once and then one every ten seconds.
func TestThreat61BucketAllowsBurstThenRate(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"getContractsConfig": "/api/v1/config/contracts", "exportAccount": "/api/v1/account/export"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c clock
			r := newRig(t, limited(&c, name))
			agent := r.verifiedAgent(r.net.Agent)
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
	a, b := r.agent(r.net.Agent), r.agent(r.net.OtherAgent)
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

func TestThreat60OnlyTrustedProxiesSetTheClientAddress(t *testing.T) {
	t.Parallel()
	path := "/api/v1/config/contracts"
	t.Run("no trusted proxy", func(t *testing.T) {
		t.Parallel()
		var c clock
		r := newRig(t, limited(&c, "getContractsConfig"))
		refused := 0
		for i := range 6 {
			ip := fmt.Sprintf("203.0.113.%d", i)
			if r.do("GET", path, "", "X-Forwarded-For", ip, "X-Real-IP", ip, "Forwarded", "for="+ip).status == 429 {
				refused++
			}
		}
		if refused != 3 {
			t.Errorf("%d of 6 refused, want 3: a header gave new buckets", refused)
		}
	})
	t.Run("trusted proxy", func(t *testing.T) {
		t.Parallel()
		var c clock
		r := newRig(t, limited(&c, "getContractsConfig"), func(o *server.Options) {
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		})
		for i := range 6 {
			if got := r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)); got.status != 200 {
				t.Errorf("client %d = %d", i, got.status)
			}
		}
		// The limit applies to the right-most untrusted address. Addresses that the client prepends
		// have no effect.
		refused := 0
		for i := range 6 {
			if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d, 2001:db8::%d", i, i)).status == 429 {
				refused++
			}
		}
		if refused != 3 {
			t.Errorf("%d of 6 refused, want 3: one IPv6 /64 is one client", refused)
		}
		// Some proxies add the client's port, which changes with each connection.
		for _, address := range []string{"192.0.2.7:%d", "[2001:db8:7::1]:%d"} {
			refused = 0
			for i := range 6 {
				if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf(address, 1024+i)).status == 429 {
					refused++
				}
			}
			if refused != 3 {
				t.Errorf("%d of 6 refused for %s, want 3: the port gave new buckets", refused, address)
			}
		}
		// A /48 site has the burst of 16 clients, 16 × 3 = 48, although it contains 65,536 networks.
		refused = 0
		for i := range 60 {
			if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("2001:db8:8:%x::1", i)).status == 429 {
				refused++
			}
		}
		if refused != 12 {
			t.Errorf("%d of 60 refused, want 12: one IPv6 /48 is 16 clients", refused)
		}
	})
}

// A client that forges many addresses on several servers still has one bucket.
func TestThreat60ForgedForwardedAddressesShareOneBucket(t *testing.T) {
	t.Parallel()
	const requests, burst = 1_000, 3
	var c clock
	r := newRig(t, limited(&c, "registerAgent"))
	replica := r.replica(limited(&c, "registerAgent"))
	passed := 0
	for i := range requests {
		ip := netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}).String()
		headers := []string{
			"X-Forwarded-For", ip, "X-Real-IP", ip, "Forwarded", "for=" + ip, "CF-Connecting-IP", ip, "True-Client-IP", ip,
			"X-Client-IP", ip, "X-Forwarded-For", "10.0.0.1", "Client-IP", ip,
		}
		at := []*rig{r, replica}[i%2]
		if got := at.do("POST", "/api/v1/agents/register", `{"name":"N","username":"n","wallet_address":"`+newSigner(t).Address().Hex()+`"}`, headers...); got.status != 429 {
			passed++
		}
	}
	if passed != burst {
		t.Errorf("%d of %d requests passed, want the burst, %d", passed, requests, burst)
	}
}

// Pages of other sites cannot use up a human's limit: a request without the CSRF token takes no token.
func TestForgedRequestsTakeNoTokens(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, limited(&c, "createReport"))
	human := r.human(r.net.Human)
	send := func(headers ...string) int { return r.do("POST", "/api/v1/reports", `{}`, headers...).status }
	for range 4 {
		if got := send("Cookie", human.cookie(t, r.url).String(), "Origin", "https://elsewhere.example"); got != 403 {
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
func TestThreat62LimitsWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	u, err := url.Parse(storetest.URL(t, r.records))
	if err != nil {
		t.Fatal(err)
	}
	g := netgate.New(t, u.Host)
	u.Host = g.Addr()
	cut := r.replica(func(o *server.Options) { o.Store = openStore(t, u.String(), r.net.Deployment) })
	g.Shut()
	for _, test := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/agents/register", `{"name":"N","username":"n","wallet_address":"` + newSigner(t).Address().Hex() + `"}`, 503},
		{"POST", "/agents/api-keys/recover", `{"wallet_address":"` + agent.signer.Address().Hex() + `"}`, 503},
		{"POST", "/agents/" + agent.id.String() + "/verify", `{"post_url":"https://` + r.host + `/@a/1"}`, 503},
		{"POST", "/auth/siwe/login", `{"message":"m","signature":"0x00"}`, 503},
		{"POST", "/tasks/" + task + "/confirm-create", `{"tx_hash":"0x` + nines(64) + `"}`, 503},
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

// Requests with invalid credentials count against one limit per client address, across all operations
// and guessed keys.
func TestRefusedCredentialsAreLimited(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, limited(&c, "refusedCredentials"), func(o *server.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	agent, human := r.agent(r.net.Agent), r.human(r.net.Human)
	me := func(key, ip string) reply {
		return r.do("GET", "/api/v1/agents/me", "", "X-API-Key", key, "X-Forwarded-For", ip)
	}
	const guesser = "203.0.113.7"
	for i := range 5 { // accepted requests do not count against the limit
		if got := me(agent.key, guesser); got.status != 200 {
			t.Fatalf("request %d with a key = %d %s", i, got.status, got.body)
		}
	}
	cookie := human.cookie(t, r.url).String()
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
func TestGuessedKeysLeaveTheDatabaseToOthers(t *testing.T) {
	t.Parallel()
	const guesses = 20
	var c clock
	r := newRig(t, limited(&c, "refusedCredentials"))
	agent := r.verifiedAgent(r.net.Agent)
	path := "/api/v1/tasks/" + r.createTask(agent).ID.String() + "/next"
	guess := func() reply { return r.do("GET", path, "", "X-API-Key", gate.NewAPIKey()) }
	for range 4 {
		guess()
	}
	db := storetest.DB(t, r.records)
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

func TestLimitsOfUnknownOperationsAreRejected(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, limits := range map[string]map[string]gate.Limit{
		"unknown":   {"createTasks": {Count: 1, Period: time.Minute, Burst: 1}},
		"zero":      {"createTask": {Count: 0, Period: time.Minute, Burst: 1}},
		"no period": {"*": {Count: 1, Burst: 1}},
	} {
		o := r.options("127.0.0.1:1")
		o.Limits = limits
		if _, err := server.New(o); err == nil {
			t.Errorf("New() with %s limits succeeded", name)
		}
	}
}
