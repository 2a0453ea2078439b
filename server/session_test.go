package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
)

func TestThreat32LogoutEndsTheSession(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	u := r.newUser(nil)
	signer := newSigner(t)
	message := r.siwe(u, signer.Address().Hex()).Message
	login, err := u.LoginWithEthereumWithResponse(t.Context(), client.LoginRequest{Message: message, Signature: signText(t, signer, message)})
	if err != nil || login.JSON200 == nil {
		t.Fatalf("login = %s, %v", answer(login), err)
	}
	set := login.HTTPResponse.Header.Get("Set-Cookie")
	for _, part := range []string{"taskmarket_session=", "; Path=/", "; HttpOnly", "; SameSite=Lax", "; Max-Age=86400"} {
		if !strings.Contains(set, part) || strings.Contains(set, "Domain") {
			t.Errorf("Set-Cookie %q lacks %q", set, part)
		}
	}
	session, err := u.GetSessionWithResponse(t.Context())
	if err != nil || session.JSON200 == nil || session.JSON200.CSRFToken != login.JSON200.CSRFToken {
		t.Fatalf("GET session = %s, %v", answer(session), err)
	}
	cookie := u.cookie(t, r.url).String()
	headers := []string{"Cookie", cookie, "Origin", r.url, "X-CSRF-Token", login.JSON200.CSRFToken}
	if got := r.do("POST", "/api/v1/auth/logout", "", headers...); got.status != 200 || !strings.Contains(got.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Fatalf("logout = %d %s", got.status, got.body)
	}
	// The last character of a token has unused bits, so a token has a second spelling for the same
	// session.
	for _, dead := range []string{cookie, cookie[:len(cookie)-1] + twinOf(t, cookie[len(cookie)-1])} {
		if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", dead); got.status != 401 {
			t.Errorf("the cookie after logout = %d %s", got.status, got.body)
		}
	}
}

// twinOf returns the character of base64url that differs from c only in the last bit.
func twinOf(tb testing.TB, c byte) string {
	tb.Helper()
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	i := strings.IndexByte(alphabet, c)
	if i < 0 {
		tb.Fatalf("%q is not a base64url character", c)
	}
	return alphabet[i^1 : i^1+1]
}

func TestThreat59SecureCookieIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.BaseURL = "https://market.example" })
	signer := newSigner(t)
	u := r.newUser(nil)
	message := r.siwe(u, signer.Address().Hex())
	if !strings.HasPrefix(message.Message, "market.example wants you") || !strings.Contains(message.Message, "\nURI: https://market.example\n") {
		t.Errorf("message =\n%s", message.Message)
	}
	login, err := u.LoginWithEthereumWithResponse(t.Context(), client.LoginRequest{Message: message.Message, Signature: signText(t, signer, message.Message)})
	if err != nil || login.JSON200 == nil {
		t.Fatalf("login = %s, %v", answer(login), err)
	}
	set := login.HTTPResponse.Header.Get("Set-Cookie")
	if !strings.HasPrefix(set, "__Host-taskmarket_session=") || !strings.Contains(set, "; Secure") {
		t.Errorf("Set-Cookie = %q", set)
	}
	for _, name := range []string{"Strict-Transport-Security", "Cross-Origin-Opener-Policy"} {
		if login.HTTPResponse.Header.Get(name) == "" {
			t.Errorf("no %s", name)
		}
	}
}

// A base URL in a spelling that browsers do not send is normalized, so that their Origin header, the domain that wallets
// show and all links agree.
func TestBaseURLIsNormalized(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.BaseURL = "HTTPS://Märkt.Example.:443/" })
	const base = "https://xn--mrkt-loa.example"
	message := r.siwe(r.newUser(nil), r.net.Human.Address().Hex()).Message
	if !strings.HasPrefix(message, "xn--mrkt-loa.example wants you") || !strings.Contains(message, "\nURI: "+base+"\n") {
		t.Errorf("message =\n%s", message)
	}
	got := r.login(r.net.Human, "Origin", base)
	session, csrf := sessionIn(t, got), regexp.MustCompile(`"csrf_token":"([^"]+)"`).FindStringSubmatch(got.body)[1]
	if logout := r.do("POST", "/api/v1/auth/logout", "", "Cookie", session.Name+"="+session.Value, "Origin", base, "X-CSRF-Token", csrf); logout.status != 200 {
		t.Errorf("logout = %d %s", logout.status, logout.body)
	}
	if skill := r.read("GET", "/skill.md"); !strings.Contains(skill.body, base+"/api/v1") || strings.Contains(skill.body, "kt.Example") {
		t.Errorf("the skill file does not name %s/api/v1", base)
	}
}

func TestThreat57UnsafeSessionRequestsNeedTokenAndOrigin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human, other := r.human(r.net.Human), r.human(r.net.OtherHuman)
	cookie := human.cookie(t, r.url).String()
	form, text := "application/x-www-form-urlencoded", "text/plain"
	type request struct {
		headers []string
		code    string // expected error; not_found means that all checks passed
	}
	requests := map[string]request{
		"token and origin":                   {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url}, "not_found"},
		"token and site":                     {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "same-origin"}, "not_found"},
		"only the token":                     {[]string{"X-CSRF-Token", human.csrf}, "csrf_failed"},
		"only the origin":                    {[]string{"Origin", r.url}, "csrf_failed"},
		"neither":                            {nil, "csrf_failed"},
		"empty token":                        {[]string{"X-CSRF-Token", "", "Origin", r.url}, "csrf_failed"},
		"token of another session":           {[]string{"X-CSRF-Token", other.csrf, "Origin", r.url}, "csrf_failed"},
		"token twice":                        {[]string{"X-CSRF-Token", human.csrf, "X-CSRF-Token", human.csrf, "Origin", r.url}, "csrf_failed"},
		"part of the token":                  {[]string{"X-CSRF-Token", human.csrf[1:], "Origin", r.url}, "csrf_failed"},
		"foreign origin":                     {[]string{"X-CSRF-Token", human.csrf, "Origin", "https://evil.example"}, "csrf_failed"},
		"null origin":                        {[]string{"X-CSRF-Token", human.csrf, "Origin", "null"}, "csrf_failed"},
		"subdomain":                          {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "same-site"}, "csrf_failed"},
		"own origin, foreign site":           {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Sec-Fetch-Site", "cross-site"}, "csrf_failed"},
		"token in a planted cookie":          {[]string{"Cookie", "_csrf=" + human.csrf, "Origin", r.url}, "csrf_failed"},
		"token and cookie from another site": {[]string{"Cookie", "_csrf=planted", "X-CSRF-Token", "planted", "Origin", r.url}, "csrf_failed"},
		"navigation":                         {[]string{"X-CSRF-Token", human.csrf, "Sec-Fetch-Site", "none"}, "csrf_failed"},
		"origin with another scheme":         {[]string{"X-CSRF-Token", human.csrf, "Origin", strings.Replace(r.url, "http:", "https:", 1)}, "csrf_failed"},
		"a form":                             {[]string{"Origin", r.url, "Content-Type", form}, "csrf_failed"},
		"a form with the token":              {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Content-Type", form}, "unsupported_media_type"},
		"plain text with the token":          {[]string{"X-CSRF-Token", human.csrf, "Origin", r.url, "Content-Type", text}, "unsupported_media_type"},
	}
	const task = "/api/v1/tasks/0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
	for path, body := range map[string]string{
		task + "/applications": `{"application_message":""}`, task + "/messages/": `{"content":"x"}`, task + "/dispute": `{"reason":"x"}`,
		task + "/reviews": `{"rating":5}`, "/api/v1/messages/": `{"username":"nobody-here","content":"x"}`,
	} {
		for name, test := range requests {
			got := r.do("POST", path, body, append([]string{"Cookie", cookie}, test.headers...)...)
			if code := errorOf(t, got.body); code != test.code {
				t.Errorf("%s, %s = %d %s, want %s", path, name, got.status, got.body, test.code)
			}
		}
	}
	for name, test := range requests { // without these checks, another site could sign a user out
		if test.code != "csrf_failed" {
			continue
		}
		if got := r.do("POST", "/api/v1/auth/logout", "", append([]string{"Cookie", cookie}, test.headers...)...); got.status != 403 {
			t.Errorf("logout, %s = %d %s", name, got.status, got.body)
		}
	}
	if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", cookie); got.status != 200 {
		t.Errorf("the session after refused logouts = %d %s", got.status, got.body)
	}
}

// sessionIn returns the session cookie of a response.
func sessionIn(tb testing.TB, got reply) *http.Cookie {
	tb.Helper()
	set := (&http.Response{Header: got.header}).Cookies()
	if len(set) != 1 {
		tb.Fatalf("cookies = %v, want one", got.header["Set-Cookie"])
	}
	return set[0]
}

// A session begins at login, and ends on every server at logout or after a day. A cookie value that a
// client invented is never accepted as a session.
func TestThreat58SessionLifetime(t *testing.T) {
	t.Parallel()
	var c clock
	r := newRig(t, func(o *server.Options) { o.Now = c.now })
	replica := r.replica(func(o *server.Options) { o.Now = c.now })
	attacker := sessionIn(t, r.login(r.net.OtherHuman))
	status := func(at *rig, session *http.Cookie) int {
		return at.do("GET", "/api/v1/auth/session", "", "Cookie", session.Name+"="+session.Value).status
	}
	signer := r.net.Human
	planted := sessionIn(t, r.login(signer, "Cookie", attacker.Name+"="+attacker.Value))
	second := sessionIn(t, r.login(signer, "Cookie", planted.Name+"="+planted.Value))
	made := sessionIn(t, r.login(signer, "Cookie", attacker.Name+"=of-my-own-making"))
	for name, other := range map[string]*http.Cookie{"a planted session": attacker, "the session before": planted, "another login": second} {
		if made.Value == other.Value {
			t.Errorf("a login returned the token of %s", name)
		}
	}
	if got := r.do("GET", "/api/v1/humans/me", "", "Cookie", attacker.Name+"="+attacker.Value); !strings.Contains(got.body, r.net.OtherHuman.Address().Hex()) {
		t.Errorf("the planted session belongs to %s", got.body)
	}
	csrf := regexp.MustCompile(`"csrf_token":"([^"]+)"`).FindStringSubmatch(r.do("GET", "/api/v1/auth/session", "", "Cookie", planted.Name+"="+planted.Value).body)[1]
	if got := replica.do("POST", "/api/v1/auth/logout", "", "Cookie", planted.Name+"="+planted.Value, "Origin", r.url, "X-CSRF-Token", csrf); got.status != 200 {
		t.Fatalf("logout = %d %s", got.status, got.body)
	}
	for _, at := range []*rig{r, replica} {
		if got := status(at, planted); got != 401 {
			t.Errorf("the session after its logout = %d", got)
		}
		if got := status(at, second); got != 200 {
			t.Errorf("the session after the logout of another one = %d", got)
		}
	}
	c.advance(24*time.Hour - time.Minute)
	if got := status(r, second); got != 200 {
		t.Errorf("the session within a day = %d", got)
	}
	c.advance(2 * time.Minute)
	if got := status(r, second); got != 401 {
		t.Errorf("the session after a day = %d", got)
	}
}

// Replicas whose clocks differ by less than a minute accept each other's sessions and sign-in messages.
func TestSessionsAreValidOnReplicasWithOtherClocks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	at := func(skew time.Duration) option {
		return func(o *server.Options) {
			o.Now = func() time.Time { return time.Now().Add(skew) }
			// The injected clock also counts shared limits, so their buckets must allow for the differences.
			o.Limits = map[string]gate.Limit{"*": {Count: 1_000, Period: time.Second, Burst: 1_000_000}}
		}
	}
	for name, skew := range map[string]time.Duration{"ahead": 50 * time.Second, "behind": -50 * time.Second} {
		other := r.replica(at(skew))
		session := sessionIn(t, other.login(r.net.Human))
		if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", session.Name+"="+session.Value); got.status != 200 {
			t.Errorf("a session of a replica whose clock is %s = %d %s", name, got.status, got.body)
		}
	}
	slow := r.replica(at(10*time.Second - market.NonceLifetime - market.ClockSkew))
	if got := slow.login(r.net.OtherHuman); got.status != 200 {
		t.Errorf("a message of a replica whose clock is behind, signed shortly before it expires = %d %s", got.status, got.body)
	}
}

// Only signing in and signing out, including everywhere, set a cookie: the session cookie.
func TestThreat59SessionCookieFlags(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *server.Options) { o.BaseURL = "https://market.example" })
	got := r.login(r.net.Human)
	session, csrf := sessionIn(t, got), regexp.MustCompile(`"csrf_token":"([^"]+)"`).FindStringSubmatch(got.body)[1]
	headers := []string{"Cookie", session.Name + "=" + session.Value, "Origin", "https://market.example", "X-CSRF-Token", csrf}
	for _, d := range operations(t) {
		if d.id == "logout" || d.id == "logoutEverywhere" || d.id == "loginWithEthereum" {
			continue
		}
		if got := r.do(d.method, d.path+queries[d.id], "", headers...); got.header["Set-Cookie"] != nil {
			t.Errorf("%s sets %v", d.id, got.header["Set-Cookie"])
		}
	}
	logout := r.do("POST", "/api/v1/auth/logout", "", headers...)
	ended := sessionIn(t, logout)
	if ended.Value != "" || ended.MaxAge >= 0 {
		t.Errorf("cookie after the logout = %v", logout.header["Set-Cookie"])
	}
	for name, cookie := range map[string]*http.Cookie{"login": session, "logout": ended} {
		if cookie.Name != "__Host-taskmarket_session" || !cookie.Secure || !cookie.HttpOnly || cookie.Path != "/" ||
			cookie.Domain != "" || cookie.SameSite != http.SameSiteLaxMode || len(cookie.Raw) > 4096 {
			t.Errorf("%s sets %s", name, cookie.Raw)
		}
	}
}

func TestThreat32ForgedSessionTokensAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	token := human.cookie(t, r.url).Value
	var claims jwt.RegisteredClaims
	parsed, _, err := jwt.NewParser().ParseUnverified(token, &claims)
	if err != nil {
		t.Fatalf("parse own token: %v", err)
	}
	key := []byte(strings.Repeat("k", 32))
	forge := func(method jwt.SigningMethod, signKey any, change func(*jwt.RegisteredClaims, map[string]any)) string {
		copied := claims
		forged := jwt.NewWithClaims(method, &copied)
		forged.Header["kid"] = parsed.Header["kid"]
		change(&copied, forged.Header)
		text, err := forged.SignedString(signKey)
		if err != nil {
			t.Fatalf("forge: %v", err)
		}
		return text
	}
	same := func(*jwt.RegisteredClaims, map[string]any) {}
	forged := map[string]string{
		"alg none":  forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, same),
		"HS512":     forge(jwt.SigningMethodHS512, key, same),
		"HS384":     forge(jwt.SigningMethodHS384, key, same),
		"other key": forge(jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), same),
		"empty key": forge(jwt.SigningMethodHS256, []byte{}, same),
		"no expiry": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ExpiresAt = nil }),
		"expired":   forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ExpiresAt = jwt.NewNumericDate(time.Unix(1, 0)) }),
		"issued in the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.IssuedAt = jwt.NewNumericDate(time.Now().Add(time.Hour))
		}),
		"issued two minutes in the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.IssuedAt = jwt.NewNumericDate(time.Now().Add(2 * market.ClockSkew))
		}),
		"valid from the future": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) {
			c.NotBefore = jwt.NewNumericDate(time.Now().Add(2 * market.ClockSkew))
		}),
		"other issuer":   forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.Issuer = "x" }),
		"other audience": forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.Audience = jwt.ClaimStrings{"x"} }),
		"unknown jti":    forge(jwt.SigningMethodHS256, key, func(c *jwt.RegisteredClaims, _ map[string]any) { c.ID = "x" }),
		"unknown kid":    forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { h["kid"] = "../k1" }),
		"no kid":         forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { delete(h, "kid") }),
		"crit":           forge(jwt.SigningMethodHS256, key, func(_ *jwt.RegisteredClaims, h map[string]any) { h["crit"] = []string{"exp"} }),
		"truncated":      token[:len(token)-1],
		"empty":          "",
	}
	if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", "taskmarket_session="+forge(jwt.SigningMethodHS256, key, same)); got.status != 200 {
		t.Fatalf("the valid token = %d %s", got.status, got.body)
	}
	for name, text := range forged {
		if got := r.do("GET", "/api/v1/auth/session", "", "Cookie", "taskmarket_session="+text); got.status != http.StatusUnauthorized {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
}

func TestSessionKeysMustBeLong(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, keys := range map[string]gate.SessionKeys{
		"none":  {},
		"short": {Current: "a", Keys: map[string][]byte{"a": []byte(strings.Repeat("x", 31))}},
		"other": {Current: "b", Keys: map[string][]byte{"a": []byte(strings.Repeat("x", 32))}},
	} {
		o := r.options("127.0.0.1:1")
		o.Sessions = keys
		if _, err := server.New(o); err == nil {
			t.Errorf("New() with %s keys succeeded", name)
		}
	}
}
