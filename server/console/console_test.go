package console_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"taskmarket/market"
	"taskmarket/server/console"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

const (
	proxySecret = "0f4c1b8e7d2a4c6f9e3b5a7d1c8e2f40"
	someID      = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
)

// rig is a running console with a database.
type rig struct {
	t       *testing.T
	url     string
	store   *store.Store
	files   *blob.Bucket
	keeper  *keeper
	refused *refusals
}

// keeper records the requests to it.
type keeper struct{ acts []string }

func (k *keeper) Transactions(context.Context) ([]console.Transaction, error) {
	return []console.Transaction{{
		Nonce: new(uint64(7)), State: "pending", Purpose: "settle 3", MaxFee: big.NewInt(12), Error: "<b>\u202e",
	}}, nil
}

func (k *keeper) Resend(ctx context.Context, _ uint64) error {
	k.acts = append(k.acts, "resend by "+market.OriginOf(ctx).Operator)
	return nil
}

func (k *keeper) Cancel(ctx context.Context, _ uint64) error {
	k.acts = append(k.acts, "cancel by "+market.OriginOf(ctx).Operator)
	return nil
}

// refusals records what the console reports for the audit log.
type refusals struct {
	mu   sync.Mutex
	seen []string
}

func (r *refusals) note(e market.AuditEntry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, string(e.Kind)+" "+e.Detail+" "+e.Operator)
}

// take returns what was recorded since the last call.
func (r *refusals) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.seen = nil }()
	return r.seen
}

// newRig starts a console. peers are the address prefixes of its identity proxy; without peers, the
// console has no proxy.
func newRig(t *testing.T, peers ...string) *rig {
	t.Helper()
	return startRig(t, storetest.New(t), func(o *console.Options) {
		if len(peers) == 0 {
			return
		}
		o.Proxy = &console.Proxy{Secret: proxySecret, Roles: map[string]market.OperatorRole{
			"ada@example.org": market.RoleOperator, "bob@example.org": market.RoleModerator,
		}}
		for _, peer := range peers {
			o.Proxy.Peers = append(o.Proxy.Peers, netip.MustParsePrefix(peer))
		}
	})
}

// startRig starts a console with changed options. Without a database, only refused requests work.
func startRig(t *testing.T, db *store.Store, change func(*console.Options)) *rig {
	t.Helper()
	r := &rig{t: t, store: db, files: memblob.OpenBucket(nil), keeper: &keeper{}, refused: &refusals{}}
	web := httptest.NewUnstartedServer(nil)
	r.url = "http://" + web.Listener.Addr().String()
	origin, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	options := console.Options{
		Store: r.store, Files: r.files, URL: origin, Keeper: r.keeper, Clause: func(rule string) string {
			return map[string]string{"identity": "Identity documents are forbidden."}[rule]
		}, Refused: r.refused.note, Served: func(int) {},
		State: func(context.Context) (console.State, error) {
			waiting := market.ModerationBacklog{Held: 2, Overdue: 1, OldestHeld: 25 * time.Hour, Reports: 3, OldestReport: time.Minute}
			return console.State{Problems: []string{"no keeper"}, Moderation: waiting}, nil
		},
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	change(&options)
	if web.Config.Handler, err = console.New(options); err != nil {
		t.Fatal(err)
	}
	web.Start()
	t.Cleanup(func() {
		web.Close()
		_ = r.files.Close()
	})
	return r
}

// browser is a client with cookies, which sends the headers of a browser.
type browser struct {
	*rig
	client  *http.Client
	headers map[string]string // additional headers
}

func (r *rig) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return &browser{rig: r, headers: map[string]string{}, client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// reply is a response with its body.
type reply struct {
	status int
	header http.Header
	body   string
}

func (b *browser) do(method, path string, form url.Values) reply {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		request.Header.Set("Origin", b.url)
	}
	for name, value := range b.headers {
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil)
}

// post sends the form with the CSRF token of the first page.
func (b *browser) post(path string) reply {
	b.t.Helper()
	return b.do(http.MethodPost, path, url.Values{"csrf": {b.csrf()}})
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (b *browser) csrf() string {
	b.t.Helper()
	if found := csrfField.FindStringSubmatch(b.get("/").body); found != nil {
		return found[1]
	}
	return ""
}

// link stores a sign-in link and returns its path.
func (r *rig) link(name string, role market.OperatorRole) string {
	r.t.Helper()
	token, hash := console.NewToken()
	if err := r.store.SaveConsoleLink(r.t.Context(), hash, market.Operator{Name: name, Role: role}); err != nil {
		r.t.Fatal(err)
	}
	origin, err := url.Parse(r.url)
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimPrefix(console.SignInURL(origin, token), r.url)
}

func token(path string) url.Values { return url.Values{"token": {path[strings.Index(path, "=")+1:]}} }

// signedIn returns a browser with a session.
func (r *rig) signedIn(name string, role market.OperatorRole) *browser {
	r.t.Helper()
	b := r.browser()
	if got := b.do(http.MethodPost, "/sign-in", token(r.link(name, role))); got.status != http.StatusSeeOther {
		r.t.Fatalf("sign in = %d %s", got.status, got.body)
	}
	return b
}

// session returns a browser with a session that is stored directly, because sign-ins are rate limited.
func (r *rig) session(name string, role market.OperatorRole) *browser {
	r.t.Helper()
	b := r.browser()
	token, hash := console.NewToken()
	if err := r.store.OpenConsoleSession(r.t.Context(), store.ConsoleSession{IDHash: hash, Operator: market.Operator{Name: name, Role: role}}); err != nil {
		r.t.Fatal(err)
	}
	origin, err := url.Parse(r.url)
	if err != nil {
		r.t.Fatal(err)
	}
	b.client.Jar.SetCookies(origin, []*http.Cookie{{Name: "taskmarket_console", Value: token, Path: "/"}})
	return b
}

// acts returns the kinds in the audit log with their operators and subjects, oldest first.
func (r *rig) acts() []string {
	r.t.Helper()
	entries, err := r.store.AuditLog(r.t.Context(), store.AuditQuery{Limit: 100})
	if err != nil {
		r.t.Fatal(err)
	}
	var acts []string
	for _, e := range slices.Backward(entries) {
		acts = append(acts, strings.TrimSpace(string(e.Kind)+" "+e.Operator+" "+e.Subject))
	}
	return acts
}

// Each route answers each caller as in the table, which lists every route.
func TestAuthorisation(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/authorisation.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	var got strings.Builder
	got.WriteString("# The status of each route of the console for each caller.\n")
	for _, route := range console.Routes() {
		method, path, _ := strings.Cut(route, " ")
		filled, form := r.fill(path)
		got.WriteString(route)
		got.WriteString(line("anonymous", r.browser().do(method, filled, form)))
		for _, role := range []market.OperatorRole{market.RoleModerator, market.RoleOperator} {
			b := r.session("someone", role)
			filled, form := r.fill(path)
			form.Set("csrf", b.csrf())
			got.WriteString(line(string(role), b.do(method, filled, form)))
		}
		got.WriteString("\n")
	}
	if os.Getenv("TASKMARKET_UPDATE") != "" {
		if err := os.WriteFile("testdata/authorisation.txt", []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(table) {
		t.Errorf("the console answers\n%swant\n%s", got.String(), table)
	}
}

// fill returns the path of a route with new records, on which its action is possible, and the action's
// form without the CSRF token.
func (r *rig) fill(path string) (string, url.Values) {
	r.t.Helper()
	id, form := storetest.Human(r.t, r.store).ID, url.Values{}
	switch {
	case strings.HasPrefix(path, "/tasks"):
		id = storetest.Task(r.t, r.store, storetest.Agent(r.t, r.store)).ID
	case strings.HasPrefix(path, "/moderation"):
		form = statement("limit")
	case strings.HasPrefix(path, "/decisions"):
		id = r.measure("ben", id).ID
	case strings.HasPrefix(path, "/appeals"):
		id, form = r.appeal(r.measure("ben", id)).ID, url.Values{"outcome": {"reversed"}, "reasons": {"It was a joke."}}
	}
	return strings.NewReplacer("{id}", id.String(), "{kind}", "profile", "{nonce}", "7", "{act}", "resend", "{$}", "").Replace(path), form
}

func line(caller string, got reply) string {
	return " " + caller + "=" + http.StatusText(got.status)
}

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
	storetest.DB(t, r.store).MustExec(`UPDATE console_links SET expires_at = now()`)
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

// A session ends by signing out, after 30 minutes without use, and after 8 hours.
func TestSessionLifetime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, end := range map[string]string{
		"idle":     `UPDATE console_sessions SET used_at = now() - interval '30 minutes'`,
		"lifetime": `UPDATE console_sessions SET created_at = now() - interval '9 hours', expires_at = now()`,
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
	entries, err := r.store.AuditLog(t.Context(), store.AuditQuery{Limit: 1})
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

// Only requests for the console's own host are served, so that DNS rebinding reaches nothing.
func TestHostIsChecked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.signedIn("ursula", market.RoleOperator) // a name that no hexadecimal request id contains
	for _, host := range []string{"evil.example", "localhost", "127.0.0.1", "evil.example:80"} {
		b.headers["Host"] = host
		for _, path := range []string{"/", "/sign-in", "/style.css"} {
			if got := b.get(path); got.status != http.StatusMisdirectedRequest || strings.Contains(got.body, "ursula") {
				t.Errorf("GET %s of %s = %d", path, host, got.status)
			}
		}
	}
}

// Actions need the session's token, and headers that show the console's own origin.
func TestForgedRequestsAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	victim, other := r.signedIn("ada", market.RoleOperator), r.signedIn("bob", market.RoleOperator)
	good := victim.csrf()
	for name, test := range map[string]struct {
		headers map[string]string
		csrf    string
	}{
		"no token":              {nil, ""},
		"token of another":      {nil, other.csrf()},
		"part of the token":     {nil, good[1:]},
		"foreign origin":        {map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, good},
		"foreign origin only":   {map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": ""}, good},
		"null origin":           {map[string]string{"Origin": "null", "Sec-Fetch-Site": ""}, good},
		"same site":             {map[string]string{"Sec-Fetch-Site": "same-site"}, good},
		"neither":               {map[string]string{"Origin": "", "Sec-Fetch-Site": ""}, good},
		"token in another form": {map[string]string{"Content-Type": "text/plain"}, good},
	} {
		victim.headers = test.headers
		for _, path := range []string{"/keeper/7/resend", "/keeper/7/cancel", "/accounts/" + human.ID.String() + "/end-sessions", "/sign-out"} {
			if got := victim.do(http.MethodPost, path, url.Values{"csrf": {test.csrf}}); got.status != http.StatusForbidden {
				t.Errorf("%s, %s = %d %s", path, name, got.status, got.body)
			}
		}
	}
	// A token in the URL does not count: URLs are stored in histories.
	victim.headers = nil
	if got := victim.do(http.MethodPost, "/keeper/7/resend?csrf="+good, nil); got.status != http.StatusForbidden {
		t.Errorf("token in the URL = %d", got.status)
	}
	if len(r.keeper.acts) > 0 || victim.get("/").status != http.StatusOK {
		t.Errorf("the keeper got %q, and the session is %d", r.keeper.acts, victim.get("/").status)
	}
	if seen := r.refused.take(); len(seen) != 9*4+1 || !slices.Contains(seen, "csrf_refused console ada") {
		t.Errorf("%d refusals = %q, want %d", len(seen), seen, 9*4+1)
	}
	// An attacker cannot sign a visitor in to the attacker's session either.
	stranger := r.browser()
	stranger.headers = map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
	if got := stranger.do(http.MethodPost, "/sign-in", token(r.link("eve", market.RoleOperator))); got.status != http.StatusForbidden || got.header.Get("Set-Cookie") != "" {
		t.Errorf("a sign-in from another site = %d", got.status)
	}
}

func TestHeadersOfEveryResponse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.signedIn("ada", market.RoleOperator)
	for _, path := range []string{"/", "/style.css", "/sign-in", "/no/such/page", "/audit?before=x", "/accounts/" + someID} {
		got := b.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got.header.Get(name) != want {
				t.Errorf("GET %s: %s = %q, want %q", path, name, got.header.Get(name), want)
			}
		}
		if strings.Contains(got.body, "<script") || strings.Contains(got.body, " style=") {
			t.Errorf("GET %s contains what its policy forbids: %s", path, got.body)
		}
	}
}

// Actions reach the keeper and the store with the operator's name, and are in the audit log.
func TestActions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	hash := storetest.Hash(t)
	storetest.DB(t, r.store).MustExec(`INSERT INTO sessions (id_hash, human_id, expires_at) VALUES ($1, $2, now() + interval '1 day')`, hash, human.ID)
	b := r.signedIn("ada", market.RoleOperator)
	for _, path := range []string{"/keeper/7/resend", "/keeper/7/cancel"} {
		if got := b.post(path); got.status != http.StatusSeeOther || got.header.Get("Location") != "/keeper?requested" {
			t.Errorf("POST %s = %d %s", path, got.status, got.body)
		}
	}
	if want := []string{"resend by ada", "cancel by ada"}; !slices.Equal(r.keeper.acts, want) {
		t.Errorf("the keeper got %q, want %q", r.keeper.acts, want)
	}
	page := "/accounts/" + human.ID.String()
	if got := b.post(page + "/end-sessions"); got.status != http.StatusSeeOther || got.header.Get("Location") != page+"?ended=1" {
		t.Errorf("end sessions = %d %s", got.status, got.body)
	}
	if _, _, err := r.store.Session(t.Context(), hash, netip.Prefix{}); market.KindOf(err) != market.KindUnauthorized {
		t.Errorf("the human's session = %v, want %s", err, market.KindUnauthorized)
	}
	if got := b.get(page + "?ended=1"); !strings.Contains(got.body, "Sessions ended: 1.") || !strings.Contains(got.body, "sessions_ended") {
		t.Errorf("account = %d %s", got.status, got.body)
	}
	if acts := r.acts(); !slices.Contains(acts, "sessions_ended ada "+human.ID.String()) {
		t.Errorf("acts = %q", acts)
	}
	if got := b.post("/accounts/" + someID + "/end-sessions"); got.status != http.StatusNotFound {
		t.Errorf("end the sessions of an unknown account = %d", got.status)
	}
	for _, path := range []string{"/keeper/x/resend", "/keeper/7/delete", "/keeper/99999999999999999999/cancel"} {
		if got := b.post(path); got.status != http.StatusNotFound {
			t.Errorf("POST %s = %d", path, got.status)
		}
	}
}

// Texts of users are escaped, and characters that hide or reorder text are visible.
func TestUserTextsAreEscaped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const hostile = "<img src=x onerror=alert(1)>\u202egnp\u200b\U000e0041"
	agent := storetest.Agent(t, r.store)
	task := storetest.Task(t, r.store, agent, func(task *market.Task) { task.Title = hostile })
	storetest.DB(t, r.store).MustExec(`UPDATE users SET name = $1 WHERE id = $2`, hostile, agent.ID)
	b := r.signedIn("ada", market.RoleModerator)
	for _, path := range []string{"/accounts", "/accounts/" + agent.ID.String(), "/tasks", "/tasks/" + task.ID.String(), "/keeper"} {
		got := b.get(path)
		if got.status != http.StatusOK || strings.Contains(got.body, "<img") || strings.Contains(got.body, "<b>") || strings.ContainsRune(got.body, '\u202e') {
			t.Errorf("GET %s = %d %s", path, got.status, got.body)
		}
		if path != "/keeper" && !strings.Contains(got.body, "&lt;img src=x onerror=alert(1)&gt;\uFFFDgnp\uFFFD\uFFFD") {
			t.Errorf("GET %s does not contain the escaped text: %s", path, got.body)
		}
	}
	storetest.DB(t, r.store).MustExec(`UPDATE users SET name = $1 WHERE id = $2`, "Ada ❤\ufe0f\u200d🔥", agent.ID)
	if got := b.get("/accounts"); !strings.Contains(got.body, "Ada ❤\ufe0f\u200d🔥") {
		t.Errorf("the accounts do not contain the emoji: %s", got.body)
	}
	if got := b.get("/accounts/" + agent.ID.String() + "?ended=Call+the+support"); strings.Contains(got.body, "support") {
		t.Errorf("the account page repeats the address: %s", got.body)
	}
	if got := b.get("/tasks?q=" + url.QueryEscape(`"><script>`)); strings.Contains(got.body, "<script") {
		t.Errorf("the search contains %s", got.body)
	}
}

// Records are found by username, wallet, id and number in the escrow contract.
func TestSearch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := storetest.Agent(t, r.store), storetest.Agent(t, r.store)
	task := storetest.Task(t, r.store, agent)
	b := r.signedIn("ada", market.RoleModerator)
	for _, query := range []string{agent.Username, strings.ToUpper(agent.Username), agent.Wallet.Hex(), agent.ID.String()} {
		got := b.get("/accounts?q=" + query)
		if got.status != http.StatusOK || !strings.Contains(got.body, agent.ID.String()) || strings.Contains(got.body, other.ID.String()) {
			t.Errorf("accounts %s = %d %s", query, got.status, got.body)
		}
		if got := b.get("/tasks?q=" + query); got.status != http.StatusOK || !strings.Contains(got.body, task.ID.String()) {
			t.Errorf("tasks of %s = %d %s", query, got.status, got.body)
		}
	}
	for path, want := range map[string]int{
		"/accounts?q=" + someID: 200, "/tasks?q=17": 200, "/tasks?q=0": 400, "/tasks?q=" + strings.Repeat("9", 30): 200,
		"/accounts?q=" + strings.Repeat("x", 100): 400, "/tasks/" + agent.ID.String(): 404, "/accounts/" + task.ID.String(): 404,
		"/accounts/" + uuid.Nil.String(): 404, "/audit?account=x": 400, "/audit?before=x": 400, "/audit?kind=no-such-kind": 200,
	} {
		if got := b.get(path); got.status != want {
			t.Errorf("GET %s = %d, want %d", path, got.status, want)
		}
	}
}

// The audit log has pages, and can be filtered.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	entries := make([]market.AuditEntry, 120)
	for i := range entries {
		entries[i] = market.AuditEntry{Kind: market.AuditForbidden, SubjectKind: "task", Subject: someID}
	}
	if err := r.store.WriteAudit(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	b := r.signedIn("ada", market.RoleModerator)
	first := b.get("/audit?kind=forbidden&subject=" + someID)
	older := regexp.MustCompile(`href="(/audit\?before=[^"]+)"`).FindStringSubmatch(first.body)
	if older == nil || strings.Count(first.body, "<td>forbidden</td>") != 100 {
		t.Fatalf("the first page = %d %s", first.status, first.body)
	}
	second := b.get(strings.ReplaceAll(older[1], "&amp;", "&"))
	if strings.Count(second.body, "<td>forbidden</td>") != 20 || strings.Contains(second.body, "Older entries") {
		t.Errorf("the second page = %d %s", second.status, second.body)
	}
	if got := b.get("/audit?operator=ada"); !strings.Contains(got.body, "console_sign_in") || strings.Contains(got.body, "<td>forbidden</td>") {
		t.Errorf("the acts of ada = %s", got.body)
	}
}

// An internal error shows only its request id.
func TestInternalErrorsHaveNoDetails(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	origin := &url.URL{Scheme: "http", Host: "console.test"}
	handler, err := console.New(console.Options{
		Store: s, URL: origin, Keeper: &keeper{}, Refused: func(market.AuditEntry) {}, Served: func(int) {}, Log: slog.New(slog.DiscardHandler),
		State: func(context.Context) (console.State, error) { return console.State{}, errors.New("password=hunter2") },
	})
	if err != nil {
		t.Fatal(err)
	}
	token, hash := console.NewToken()
	if err := s.OpenConsoleSession(t.Context(), store.ConsoleSession{IDHash: hash, Operator: market.Operator{Name: "ada", Role: market.RoleModerator}}); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://console.test/", nil)
	request.AddCookie(&http.Cookie{Name: "taskmarket_console", Value: token})
	recorded := httptest.NewRecorder()
	handler.ServeHTTP(recorded, request)
	if body := recorded.Body.String(); recorded.Code != http.StatusInternalServerError || strings.Contains(body, "hunter2") || !strings.Contains(body, recorded.Header().Get("X-Request-Id")) {
		t.Errorf("GET / = %d %s", recorded.Code, body)
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
