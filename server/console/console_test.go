package console_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/server/console"
	"taskmarket/store"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

const (
	proxySecret = "0f4c1b8e7d2a4c6f9e3b5a7d1c8e2f40"
	someID      = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80"
)

// Each route responds to each caller as the table lists, and the table contains every route.
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

// fill creates records for which the route's action is possible. It returns the path with their ids, and the
// action's confirmed form without the CSRF token.
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
	form.Set("confirmed", "yes")
	return strings.NewReplacer("{id}", id.String(), "{kind}", "profile", "{nonce}", "7", "{act}", "resend", "{$}", "").Replace(path), form
}

func line(caller string, got reply) string {
	return " " + caller + "=" + http.StatusText(got.status)
}

// Only requests for the console's own host are served, so DNS rebinding attacks fail.
func TestHostIsChecked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.signedIn("ursula", market.RoleOperator) // a name that a hexadecimal request id cannot contain
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
	// A token in the URL is not accepted, because browsers store URLs in their history.
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
	if _, _, err := r.store.Authenticate(t.Context(), store.Credential{Kind: market.PrincipalHuman, Hash: hash}, nil); market.KindOf(err) != market.KindUnauthorized {
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
	if err := s.Operators.OpenConsoleSession(t.Context(), operators.ConsoleSession{IDHash: hash, Operator: market.Operator{Name: "ada", Role: market.RoleModerator}}); err != nil {
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
