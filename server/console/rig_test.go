package console_test

import (
	"context"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"taskmarket/market"
	"taskmarket/server/console"
	"taskmarket/server/operate"
	"taskmarket/store"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
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

// keeper is a fake keeper that records the requests to it.
type keeper struct{ acts []string }

func (k *keeper) Transactions(context.Context) ([]operate.Transaction, error) {
	return []operate.Transaction{{
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
			o.TrustedProxies = append(o.TrustedProxies, netip.MustParsePrefix(peer))
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
			waiting := moderation.Backlog{Held: 2, Overdue: 1, OldestHeld: 25 * time.Hour, Reports: 3, OldestReport: time.Minute}
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

// post sends the confirmed form with the CSRF token of the first page.
func (b *browser) post(path string) reply {
	b.t.Helper()
	return b.do(http.MethodPost, path, url.Values{"csrf": {b.csrf()}, "confirmed": {"yes"}})
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
	if err := r.store.Operators.SaveConsoleLink(r.t.Context(), hash, market.Operator{Name: name, Role: role}); err != nil {
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
	if err := r.store.Operators.OpenConsoleSession(r.t.Context(), operators.ConsoleSession{IDHash: hash, Operator: market.Operator{Name: name, Role: role}}); err != nil {
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
	entries, err := r.store.Operators.AuditLog(r.t.Context(), operators.AuditQuery{Limit: 100})
	if err != nil {
		r.t.Fatal(err)
	}
	var acts []string
	for _, e := range slices.Backward(entries) {
		acts = append(acts, strings.TrimSpace(string(e.Kind)+" "+e.Operator+" "+e.Subject))
	}
	return acts
}
