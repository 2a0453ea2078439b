package console_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/server/console"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// A link signs in once, by POST and before it expires. Opening the link does not use it up.
func TestSignInLink(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	link := r.link("ada", market.RoleOperator)
	for range 2 {
		if got := r.browser().get(link); got.status != http.StatusOK || !strings.Contains(got.body, token(link).Get("token")) {
			t.Fatalf("GET link = %d %s", got.status, got.body)
		}
	}
	b := r.browser()
	got := b.do(http.MethodPost, "/sign-in", token(link))
	cookie := got.header.Get("Set-Cookie")
	for _, part := range []string{"taskmarket_console=", "; Path=/", "; HttpOnly", "; SameSite=Strict", "; Max-Age=28800"} {
		if !strings.Contains(cookie, part) || strings.Contains(cookie, "Domain") {
			t.Errorf("Set-Cookie %q lacks %q", cookie, part)
		}
	}
	if got := b.get("/"); got.status != http.StatusOK || !strings.Contains(got.body, "ada (operator)") || !strings.Contains(got.body, "no keeper") ||
		!strings.Contains(got.body, `2, the oldest for 25h0m0s, <strong class="bad">1 overdue</strong>`) || !strings.Contains(got.body, "3, the oldest for 1m0s") {
		t.Errorf("the first page = %d %s", got.status, got.body)
	}
	expired := r.link("eve", market.RoleOperator)
	storetest.DB(t, r.store).MustExec(`UPDATE console_links SET expires_at = now() - interval '1 s'`)
	other, _ := console.NewToken()
	for name, form := range map[string]url.Values{"used": token(link), "expired": token(expired), "invented": {"token": {other}}, "malformed": {"token": {"x"}}, "none": {}} {
		got := r.browser().do(http.MethodPost, "/sign-in", form)
		if got.status != http.StatusUnauthorized && got.status != http.StatusBadRequest || got.header.Get("Set-Cookie") != "" {
			t.Errorf("a link that is %s = %d %v", name, got.status, got.header)
		}
	}
	if want := []string{"console_link  ada", "console_sign_in ada", "console_link  eve"}; !slices.Equal(r.acts(), want) {
		t.Errorf("acts = %q, want %q", r.acts(), want)
	}
	if got := r.refused.take(); len(got) != 3 || got[0] != "console_sign_in_refused link " {
		t.Errorf("refusals = %q, want three refused links", got)
	}
}

// A session ends on sign-out, after 30 minutes without use, and after 8 hours.
func TestSessionLifetime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, end := range map[string]string{
		"idle":     `UPDATE console_sessions SET used_at = now() - interval '31 minutes'`,
		"lifetime": `UPDATE console_sessions SET created_at = now() - interval '9 hours', expires_at = now() - interval '1 second'`,
		"revoked":  `DELETE FROM console_sessions`,
	} {
		b := r.signedIn("ada", market.RoleOperator)
		if got := b.get("/"); got.status != http.StatusOK {
			t.Fatalf("%s: the new session = %d", name, got.status)
		}
		storetest.DB(t, r.store).MustExec(end)
		if got := b.get("/"); got.status != http.StatusUnauthorized || !strings.Contains(got.body, `href="/sign-in"`) {
			t.Errorf("%s: the ended session = %d %s", name, got.status, got.body)
		}
	}
	b, other := r.signedIn("ada", market.RoleOperator), r.signedIn("ada", market.RoleOperator)
	stolen := *b
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	origin, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(origin, b.client.Jar.Cookies(origin))
	stolen.client = &http.Client{Jar: jar}
	if got := b.post("/sign-out"); got.status != http.StatusSeeOther {
		t.Fatalf("sign out = %d %s", got.status, got.body)
	}
	if got := stolen.get("/"); got.status != http.StatusUnauthorized {
		t.Errorf("the cookie after the sign-out = %d", got.status)
	}
	if got := other.get("/"); got.status != http.StatusOK {
		t.Errorf("another session after the sign-out = %d", got.status)
	}
}

// Only two session cookies of a request are looked up, because each costs a transaction. A browser sends a second
// one if another program on the same host has set it.
func TestFewSessionCookiesAreLookedUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	valid, hash := console.NewToken()
	if err := r.store.Operators.OpenConsoleSession(t.Context(), operators.ConsoleSession{IDHash: hash, Operator: market.Operator{Name: "ada", Role: market.RoleModerator}}); err != nil {
		t.Fatal(err)
	}
	for invented, want := range map[int]int{0: http.StatusOK, 1: http.StatusOK, 2: http.StatusUnauthorized, 200: http.StatusUnauthorized} {
		b := r.browser()
		var cookies strings.Builder
		for range invented {
			other, _ := console.NewToken()
			cookies.WriteString("taskmarket_console=" + other + "; ")
		}
		b.headers["Cookie"] = cookies.String() + "taskmarket_console=" + valid
		if got := b.get("/"); got.status != want {
			t.Errorf("the session after %d invented cookies = %d, want %d", invented, got.status, want)
		}
	}
}

// Identity headers are refused, not ignored, unless all conditions hold.
func TestIdentityHeaders(t *testing.T) {
	t.Parallel()
	enabled, foreign, disabled := newRig(t, "127.0.0.0/8"), newRig(t, "192.0.2.0/24"), newRig(t)
	ada := map[string]string{console.HeaderOperator: "ada@example.org", console.HeaderSecret: proxySecret}
	with := func(name, value string) map[string]string {
		changed := map[string]string{name: value}
		for n, v := range ada {
			if n != name {
				changed[n] = v
			}
		}
		return changed
	}
	for name, test := range map[string]struct {
		rig     *rig
		headers map[string]string
		want    int
	}{
		"accepted":        {enabled, ada, http.StatusOK},
		"no headers":      {enabled, nil, http.StatusUnauthorized},
		"no secret":       {enabled, with(console.HeaderSecret, ""), http.StatusBadRequest},
		"wrong secret":    {enabled, with(console.HeaderSecret, proxySecret[1:]+"0"), http.StatusBadRequest},
		"only the secret": {enabled, with(console.HeaderOperator, ""), http.StatusBadRequest},
		"an empty name":   {enabled, with(console.HeaderOperator, " "), http.StatusBadRequest},
		"odd name":        {enabled, with(console.HeaderOperator, "ada <ada@example.org>"), http.StatusBadRequest},
		"unknown name":    {enabled, with(console.HeaderOperator, "eve@example.org"), http.StatusForbidden},
		"foreign peer":    {foreign, ada, http.StatusBadRequest},
		"disabled":        {disabled, ada, http.StatusBadRequest},
		"forwarded peer":  {foreign, with("X-Forwarded-For", "192.0.2.1"), http.StatusBadRequest},
	} {
		b := test.rig.browser()
		b.headers = test.headers
		got := b.get("/")
		if got.status != test.want {
			t.Errorf("%s = %d %s, want %d", name, got.status, got.body, test.want)
		}
		if test.want != http.StatusOK && got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", name)
		}
	}
}

// Without a secret, every program that reaches the console from a proxy's address could name an operator.
func TestAProxyWithoutASecretIsRefused(t *testing.T) {
	t.Parallel()
	origin := &url.URL{Scheme: "http", Host: "127.0.0.1:9465"}
	if _, err := console.New(console.Options{URL: origin, Proxy: &console.Proxy{}}); err == nil {
		t.Error("a proxy without a secret was accepted")
	}
}

// A session opened through the proxy works only with the proxy's headers for the same operator. Its role is
// the one in the current configuration.
func TestSessionsByProxy(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.0/8")
	b := r.browser()
	b.headers = map[string]string{
		console.HeaderOperator: "bob@example.org", console.HeaderSecret: proxySecret, "X-Forwarded-For": "198.51.100.7, 203.0.113.9",
	}
	if got := b.get("/"); got.status != http.StatusOK || !strings.Contains(got.body, "bob@example.org (moderator)") {
		t.Fatalf("sign in = %d %s", got.status, got.body)
	}
	entries, err := r.store.Operators.AuditLog(t.Context(), operators.AuditQuery{Limit: 1})
	if err != nil || len(entries) != 1 || entries[0].Network.String() != "203.0.113.0/24" {
		t.Errorf("the sign-in was recorded as %+v, %v, want the network that the proxy saw", entries, err)
	}
	storetest.DB(t, r.store).MustExec(`UPDATE console_sessions SET role = 'operator'`)
	if got := b.get("/keeper/7/resend"); got.status != http.StatusForbidden {
		t.Errorf("a page for operators with a former role = %d", got.status)
	}
	csrf := b.csrf()
	b.headers[console.HeaderOperator] = "ada@example.org"
	if got := b.do(http.MethodPost, "/keeper/7/resend", url.Values{"csrf": {csrf}}); got.status != http.StatusUnauthorized {
		t.Errorf("the session of another operator = %d", got.status)
	}
	delete(b.headers, console.HeaderOperator)
	delete(b.headers, console.HeaderSecret)
	if got := b.get("/"); got.status != http.StatusUnauthorized {
		t.Errorf("the session without the proxy = %d", got.status)
	}
	if len(r.keeper.acts) > 0 {
		t.Errorf("the keeper got %q", r.keeper.acts)
	}
}

// Over https, the cookie is bound to the host.
func TestSecureCookie(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	handler, err := console.New(console.Options{
		Store: s, URL: &url.URL{Scheme: "https", Host: "console.test"}, Keeper: &keeper{}, Refused: func(market.AuditEntry) {}, Served: func(int) {},
		State: func(context.Context) (console.State, error) { return console.State{}, nil }, Log: slog.New(slog.DiscardHandler),
		Proxy: &console.Proxy{Secret: proxySecret, Roles: map[string]market.OperatorRole{"ada": market.RoleOperator}},
	})
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://console.test/", nil)
	request.RemoteAddr = "@" // a unix socket
	request.Header.Set(console.HeaderOperator, "ada")
	request.Header.Set(console.HeaderSecret, proxySecret)
	recorded := httptest.NewRecorder()
	handler.ServeHTTP(recorded, request)
	cookie := recorded.Header().Get("Set-Cookie")
	if recorded.Code != http.StatusOK || !strings.HasPrefix(cookie, "__Host-taskmarket_console=") || !strings.Contains(cookie, "; Secure") ||
		recorded.Header().Get("Strict-Transport-Security") == "" {
		t.Errorf("GET / = %d %v", recorded.Code, recorded.Header())
	}
}

// Behind a proxy for TLS that is trusted, each client is limited and recorded under its own network. Otherwise the
// header X-Forwarded-For has no effect.
func TestNetworksBehindAProxy(t *testing.T) {
	t.Parallel()
	r := startRig(t, storetest.New(t), func(o *console.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	from := func(r *rig, address string) *browser {
		b := r.browser()
		b.headers = map[string]string{"X-Forwarded-For": "192.0.2.1, " + address}
		return b
	}
	guess := func(b *browser) int {
		text, _ := console.NewToken()
		return b.do(http.MethodPost, "/sign-in", url.Values{"token": {text}}).status
	}
	exhaust := func(b *browser) {
		t.Helper()
		for range market.ConsoleSignIns {
			if got := guess(b); got != http.StatusUnauthorized {
				t.Fatalf("a link that is not valid = %d", got)
			}
		}
		if got := guess(b); got != http.StatusTooManyRequests {
			t.Errorf("a link that is not valid, above the limit = %d", got)
		}
	}
	exhaust(from(r, "203.0.113.9"))
	operator := from(r, "198.51.100.7")
	if got := guess(operator); got != http.StatusUnauthorized {
		t.Errorf("a link that is not valid, from another network = %d", got)
	}
	if got := operator.do(http.MethodPost, "/sign-in", token(r.link("ada", market.RoleOperator))); got.status != http.StatusSeeOther {
		t.Fatalf("sign in = %d %s", got.status, got.body)
	}
	entries, err := r.store.Operators.AuditLog(t.Context(), operators.AuditQuery{Limit: 1})
	if err != nil || len(entries) != 1 || entries[0].Network.String() != "198.51.100.0/24" {
		t.Errorf("the sign-in was recorded as %+v, %v, want the network that the proxy saw", entries, err)
	}
	untrusted := newRig(t)
	exhaust(from(untrusted, "203.0.113.9"))
	if got := guess(from(untrusted, "198.51.100.7")); got != http.StatusTooManyRequests {
		t.Errorf("a link that is not valid, with another header of a client that is no proxy = %d", got)
	}
}

// A network cannot hold the console with requests whose forms it sends slowly.
func TestVisitorsOfANetworkAreLimited(t *testing.T) {
	t.Parallel()
	r := startRig(t, storetest.New(t), func(o *console.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	signIn := func(address string) int {
		b := r.browser()
		b.headers = map[string]string{"X-Forwarded-For": address}
		return b.get("/sign-in").status
	}
	host := strings.TrimPrefix(r.url, "http://")
	sendSlowly := func() {
		slow, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = slow.Close() })
		_, err = fmt.Fprintf(slow, "POST /sign-in HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: 203.0.113.9\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntoken=", host)
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 16 {
		sendSlowly()
	}
	for end := time.Now().Add(20 * time.Second); signIn("203.0.113.10") != http.StatusTooManyRequests; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a network with 16 slow requests can send another one")
		}
		sendSlowly() // one was refused if it arrived during the request above
	}
	if got := signIn("198.51.100.7"); got != http.StatusOK {
		t.Errorf("GET /sign-in from another network = %d", got)
	}
}
