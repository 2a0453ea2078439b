package console_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"taskmarket/market"
	"taskmarket/server/console"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

const (
	clientID     = "console"
	clientSecret = "a secret of the client"
)

// issuer is an OpenID Connect provider, whose tokens a test can change.
type issuer struct {
	*httptest.Server

	key   *rsa.PrivateKey
	nonce string // of the last request for authorization
	code  string // the code that the next exchange must present
	pkce  string // challenge of the last request

	claims map[string]any // overrides of the token's claims; nil removes a claim
	method jwt.SigningMethod
	signer any // key for method; the published key if nil
	fails  int // status of the token endpoint, if not 0
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key, method: jwt.SigningMethodRS256}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		send(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		send(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1",
			"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST /token", i.exchange)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func send(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// exchange accepts a code once, if the client proves that it requested the code.
func (i *issuer) exchange(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if user != clientID || password != url.QueryEscape(clientSecret) || i.code == "" || r.PostFormValue("code") != i.code ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != i.pkce {
		w.WriteHeader(http.StatusBadRequest)
		send(w, map[string]any{"error": "invalid_grant"})
		return
	}
	if i.fails != 0 {
		w.WriteHeader(i.fails)
		return
	}
	i.code = ""
	claims := jwt.MapClaims{
		"iss": i.URL, "aud": clientID, "sub": "42", "nonce": i.nonce, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
		"email": "ada@example.org", "email_verified": true, "groups": []string{"staff", "market-operators"},
	}
	maps.Copy(claims, i.claims)
	for name, value := range i.claims {
		if value == nil {
			delete(claims, name)
		}
	}
	token := jwt.NewWithClaims(i.method, claims)
	token.Header["kid"] = "1"
	var signer any = i.key
	if i.signer != nil {
		signer = i.signer
	}
	text, err := token.SignedString(signer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": text})
}

// newOIDCRig starts a console with a provider.
func newOIDCRig(t *testing.T, db *store.Store, i *issuer) *rig {
	t.Helper()
	return startRig(t, db, func(o *console.Options) {
		o.OIDC = &console.OIDC{
			Issuer: i.URL, ClientID: clientID, ClientSecret: clientSecret, NameClaim: "email", RoleClaim: "groups",
			Roles: map[string]market.OperatorRole{"market-operators": market.RoleOperator, "market-moderators": market.RoleModerator},
		}
	})
}

// start starts a sign-in and returns the query with which the provider redirects to the callback.
func (b *browser) start(i *issuer) url.Values {
	b.t.Helper()
	got := b.get("/sign-in/provider")
	to, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.status != http.StatusSeeOther || !strings.HasPrefix(to.String(), i.URL+"/authorize?") {
		b.t.Fatalf("GET /sign-in/provider = %d to %s: %s", got.status, to, got.body)
	}
	query := to.Query()
	if query.Get("redirect_uri") != b.url+console.CallbackPath || query.Get("response_type") != "code" || query.Get("code_challenge_method") != "S256" {
		b.t.Errorf("the provider gets %v", query)
	}
	i.nonce, i.pkce, i.code = query.Get("nonce"), query.Get("code_challenge"), "code-"+query.Get("state")
	return url.Values{"state": {query.Get("state")}, "code": {i.code}}
}

// A provider signs an operator in once, with the strongest role of the operator's groups.
func TestProviderSignsIn(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	r := newOIDCRig(t, storetest.New(t), i)
	b := r.browser()
	if got := b.get("/sign-in"); !strings.Contains(got.body, `href="/sign-in/provider"`) {
		t.Errorf("GET /sign-in = %s, want a link to the provider", got.body)
	}
	query := b.start(i)
	i.claims = map[string]any{"groups": []string{"market-moderators", "market-operators"}}
	query.Set("iss", i.URL)
	got := b.get(console.CallbackPath + "?" + query.Encode())
	if got.status != http.StatusOK || !strings.Contains(got.body, "ada@example.org (operator)") {
		t.Fatalf("GET callback = %d %s", got.status, got.body)
	}
	for _, cookie := range got.header.Values("Set-Cookie") {
		if strings.HasPrefix(cookie, "taskmarket_console=") && !strings.Contains(cookie, "; HttpOnly; SameSite=Strict") {
			t.Errorf("Set-Cookie = %q", cookie)
		}
	}
	if got := b.get("/"); got.status != http.StatusOK || !strings.Contains(got.body, "ada@example.org (operator)") {
		t.Errorf("GET / = %d", got.status)
	}
	if got := b.get(console.CallbackPath + "?" + query.Encode()); got.status != http.StatusBadRequest {
		t.Errorf("a repeated callback = %d", got.status)
	}
	if acts := r.acts(); !slices.Contains(acts, "console_sign_in ada@example.org") {
		t.Errorf("the audit log has %v", acts)
	}
}

// Sign-ins through the provider are limited for each network and in total, because each costs requests to the
// provider. Neither limit stops sign-ins by link, and attempts with links that are not valid do not count.
func TestExchangesAreLimited(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	r := newOIDCRig(t, storetest.New(t), i)
	passed := 0
	callback := func(address string) reply {
		b := r.from(address)
		query := b.start(i)
		i.code = "another"
		got := b.get(console.CallbackPath + "?" + query.Encode())
		if got.status != http.StatusTooManyRequests {
			passed++
		}
		return got
	}
	invented := token("/sign-in?token=" + strings.Repeat("A", 43))
	for range 2 * market.ConsoleSignIns {
		r.from("127.0.1.1").do(http.MethodPost, "/sign-in", invented)
	}
	began := time.Now()
	for range market.ConsoleSignIns {
		if got := callback("127.0.1.1"); got.status != http.StatusForbidden {
			t.Fatalf("a wrong code = %d", got.status)
		}
	}
	untilLimited(t, began, func() reply { return callback("127.0.1.2") })
	for _, address := range []string{"127.0.2.1", "127.0.3.1", "127.0.4.1", "127.0.5.1"} {
		for range market.ConsoleSignIns {
			callback(address)
		}
	}
	if most := market.ConsoleTotalSignIns + int(time.Since(began)/market.ConsoleTotalSignInPause); passed > most {
		t.Errorf("%d callbacks of all networks passed, want at most %d", passed, most)
	}
	if got := r.from("127.0.1.1").do(http.MethodPost, "/sign-in", token(r.link("ada", market.RoleOperator))); got.status != http.StatusSeeOther {
		t.Errorf("a valid link with the limits used up = %d %s", got.status, got.body)
	}
}

// Each token that differs from a valid one is refused, and each refusal is recorded.
func TestProviderTokensAreChecked(t *testing.T) {
	t.Parallel()
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		claims map[string]any
		method jwt.SigningMethod
		signer any
		fails  int
		status int
		detail string // in the audit log
	}{
		"another issuer":          {claims: map[string]any{"iss": "https://login.example"}, status: http.StatusForbidden, detail: "oidc_token"},
		"another audience":        {claims: map[string]any{"aud": "shop"}, status: http.StatusForbidden, detail: "oidc_token"},
		"issued to another":       {claims: map[string]any{"aud": []string{clientID, "shop"}, "azp": "shop"}, status: http.StatusForbidden, detail: "oidc_token"},
		"several audiences":       {claims: map[string]any{"aud": []string{clientID, "shop"}}, status: http.StatusForbidden, detail: "oidc_token"},
		"another nonce":           {claims: map[string]any{"nonce": "other"}, status: http.StatusForbidden, detail: "oidc_token"},
		"no nonce":                {claims: map[string]any{"nonce": nil}, status: http.StatusForbidden, detail: "oidc_token"},
		"expired":                 {claims: map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}, status: http.StatusForbidden, detail: "oidc_token"},
		"no expiry":               {claims: map[string]any{"exp": nil}, status: http.StatusForbidden, detail: "oidc_token"},
		"another key":             {signer: other, status: http.StatusForbidden, detail: "oidc_token"},
		"no signature":            {method: jwt.SigningMethodNone, signer: jwt.UnsafeAllowNoneSignatureType, status: http.StatusForbidden, detail: "oidc_token"},
		"signed with the secret":  {method: jwt.SigningMethodHS256, signer: []byte(clientSecret), status: http.StatusForbidden, detail: "oidc_token"},
		"no role claim":           {claims: map[string]any{"groups": nil}, status: http.StatusForbidden, detail: "oidc_token"},
		"no role":                 {claims: map[string]any{"groups": []any{"staff", 7}}, status: http.StatusForbidden, detail: "oidc_token"},
		"an object as role claim": {claims: map[string]any{"groups": map[string]any{"market-operators": true}}, status: http.StatusForbidden, detail: "oidc_token"},
		"an unverified address":   {claims: map[string]any{"email_verified": false}, status: http.StatusForbidden, detail: "oidc_token"},
		"no address":              {claims: map[string]any{"email": nil}, status: http.StatusForbidden, detail: "oidc_token"},
		"a name with a line end":  {claims: map[string]any{"email": "ada@example.org\nroot"}, status: http.StatusForbidden, detail: "oidc_token"},
		"a failing provider":      {fails: http.StatusInternalServerError, status: http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			i.claims, i.signer, i.fails = c.claims, c.signer, c.fails
			if c.method != nil {
				i.method = c.method
			}
			r := newOIDCRig(t, nil, i)
			b := r.browser()
			got := b.get(console.CallbackPath + "?" + b.start(i).Encode())
			if got.status != c.status || strings.Contains(got.header.Get("Set-Cookie"), "taskmarket_console=") {
				t.Errorf("GET callback = %d %s", got.status, got.body)
			}
			if got := b.get("/"); got.status != http.StatusUnauthorized {
				t.Errorf("GET / = %d", got.status)
			}
			if seen := strings.Join(r.refused.take(), "\n"); c.detail != "" && !strings.Contains(seen, "console_sign_in_refused "+c.detail) {
				t.Errorf("recorded %q", seen)
			}
		})
	}
}

// A provider cannot sign an operator in under the name of a system user. Only the commands use these names.
func TestProviderNamesNoUserOfTheSystem(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	i.claims = map[string]any{"email": "cli:root"}
	r := newOIDCRig(t, storetest.New(t), i)
	b := r.browser()
	if got := b.get(console.CallbackPath + "?" + b.start(i).Encode()); got.status != http.StatusForbidden {
		t.Errorf("GET callback = %d %s", got.status, got.body)
	}
	if acts := r.acts(); len(acts) > 0 {
		t.Errorf("the audit log has %v", acts)
	}
}

// A callback works only in the browser that started the sign-in, with the provider's response to that sign-in.
func TestCallbackBelongsToItsBrowser(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	r := newOIDCRig(t, nil, i)
	started, other := r.browser(), r.browser()
	query := started.start(i)
	if got := other.get(console.CallbackPath + "?" + query.Encode()); got.status != http.StatusBadRequest {
		t.Errorf("a callback in another browser = %d", got.status)
	}
	other.get("/sign-in/provider")
	if got := other.get(console.CallbackPath + "?" + query.Encode()); got.status != http.StatusBadRequest {
		t.Errorf("a callback with another attempt's state = %d", got.status)
	}
	for name, change := range map[string]func(url.Values){
		"no state":       func(q url.Values) { q.Del("state") },
		"no code":        func(q url.Values) { q.Del("code") },
		"an error":       func(q url.Values) { q.Set("error", "access_denied") },
		"another code":   func(q url.Values) { q.Set("code", "invented") },
		"another issuer": func(q url.Values) { q.Set("iss", "https://login.example") },
	} {
		b := r.browser()
		query := b.start(i)
		change(query)
		got := b.get(console.CallbackPath + "?" + query.Encode())
		if got.status != http.StatusBadRequest && got.status != http.StatusForbidden {
			t.Errorf("%s: GET callback = %d %s", name, got.status, got.body)
		}
		if got := b.get("/"); got.status != http.StatusUnauthorized {
			t.Errorf("%s: GET / = %d", name, got.status)
		}
	}
}

// The console starts even if the provider's discovery document cannot be read. Sign-ins then fail with 503.
func TestProviderIsDiscovered(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	r := startRig(t, nil, func(o *console.Options) { o.OIDC = &console.OIDC{Issuer: i.URL + "/realm", ClientID: clientID} })
	for range 2 {
		got := r.browser().get("/sign-in/provider")
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" || strings.Contains(got.body, i.URL) {
			t.Errorf("GET /sign-in/provider = %d %s", got.status, got.body)
		}
	}
	if got := startRig(t, nil, func(*console.Options) {}).browser().get("/sign-in/provider"); got.status != http.StatusNotFound {
		t.Errorf("GET /sign-in/provider without a provider = %d", got.status)
	}
}
