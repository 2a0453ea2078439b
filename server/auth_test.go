package server_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/auditlog"
	"taskmarket/server/gate"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

func (r *rig) siwe(u *user, address string) client.SiweMessage {
	r.t.Helper()
	message, err := u.GetSiweMessageWithResponse(r.t.Context(), &client.GetSiweMessageParams{Address: address})
	if err != nil || message.JSON200 == nil {
		r.t.Fatalf("GET siwe message = %s, %v", answer(message), err)
	}
	return *message.JSON200
}

func TestSignInCreatesTheHumanOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	first, second := r.human(signer), r.human(signer)
	if first.id != second.id {
		t.Errorf("two logins created the humans %s and %s", first.id, second.id)
	}
	me, err := first.GetHumanMeWithResponse(t.Context())
	if err != nil || me.JSON200 == nil {
		t.Fatalf("GET /humans/me = %s, %v", answer(me), err)
	}
	if !regexp.MustCompile(`^human-[0-9a-f]{8}$`).MatchString(me.JSON200.Username) || me.JSON200.WalletAddress != signer.Address().Hex() {
		t.Errorf("humans/me = %+v", *me.JSON200)
	}
	validator, err := r.human(r.net.Validators[0]).GetHumanMeWithResponse(t.Context())
	if err != nil || validator.JSON200 == nil || !validator.JSON200.IsValidator || me.JSON200.IsValidator {
		t.Errorf("is_validator: %s, %v", answer(validator), err)
	}
}

func TestLoginMessageIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer, other := newSigner(t), newSigner(t)
	u := r.anonymous()
	login := func(text, signature string) int {
		got, err := u.LoginWithEthereumWithResponse(t.Context(), client.LoginRequest{Message: text, Signature: signature})
		if err != nil {
			t.Fatalf("login: %v", err)
		}
		return got.StatusCode()
	}
	message := r.siwe(u, signer.Address().Hex()).Message
	for line := range strings.SplitSeq(message, "\n") {
		if line == "" {
			continue
		}
		forged := strings.Replace(message, line, line+"0", 1)
		if got := login(forged, signText(t, signer, forged)); got != 401 {
			t.Errorf("with the line %q = %d, want 401", line+"0", got)
		}
	}
	for name, forged := range map[string]string{
		"lower-case wallet": strings.Replace(message, signer.Address().Hex(), strings.ToLower(signer.Address().Hex()), 1),
		"other wallet":      strings.Replace(message, signer.Address().Hex(), other.Address().Hex(), 1),
		"CR LF":             strings.ReplaceAll(message, "\n", "\r\n"), "trailing newline": message + "\n", "one line": "hello",
	} {
		if got := login(forged, signText(t, signer, forged)); got != 401 {
			t.Errorf("%s = %d, want 401", name, got)
		}
		if got := login(forged, signText(t, other, forged)); got != 401 {
			t.Errorf("%s, signed by another = %d, want 401", name, got)
		}
	}
	if got := login(message, signText(t, other, message)); got != 401 {
		t.Errorf("signature of another wallet = %d", got)
	}
	if got := login(message, signText(t, signer, message)); got != 200 {
		t.Fatalf("the message itself = %d", got)
	}
	if got := login(message, signText(t, signer, message)); got != 401 {
		t.Errorf("the message again = %d", got)
	}
}

// Sign-in accepts a signature only in the form that wallets produce. All other input is rejected.
func TestSignaturesAreParsedStrictly(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer, u := newSigner(t), r.anonymous()
	message := r.siwe(u, signer.Address().Hex()).Message
	good := signText(t, signer, message)
	last := func(v string) string { return good[:130] + v }
	for name, test := range map[string]struct {
		signature string
		status    int
	}{
		"empty":                    {"0x", 400},
		"not hexadecimal":          {"0xzz", 400},
		"an odd number of digits":  {good[:131], 400},
		"no 0x prefix":             {good[2:], 400},
		"one byte":                 {"0x00", 401},
		"64 bytes":                 {good[:130], 401},
		"66 bytes":                 {good + "00", 401},
		"zeros":                    {"0x" + strings.Repeat("00", 65), 401},
		"v of 2":                   {last("02"), 401},
		"v of 26":                  {last("1a"), 401},
		"v of 29":                  {last("1d"), 401},
		"v of 54":                  {last("36"), 401},
		"v of 255":                 {last("ff"), 401},
		"high s":                   {highS(t, good), 401},
		"empty ERC-6492 wrapper":   {"0x" + strings.Repeat("6492", 16), 401},
		"invalid ERC-6492 wrapper": {good + strings.Repeat("6492", 16), 401},
		"long":                     {"0x" + strings.Repeat("11", 5_000), 401},
	} {
		body := `{"message":` + quote(message) + `,"signature":"` + test.signature + `"}`
		if got := r.do("POST", "/api/v1/auth/siwe/login", body); got.status != test.status {
			t.Errorf("%s = %d %s, want %d", name, got.status, got.body, test.status)
		}
	}
	login, err := u.LoginWithEthereumWithResponse(t.Context(), client.LoginRequest{Message: message, Signature: good})
	if err != nil || login.JSON200 == nil {
		t.Errorf("the valid signature afterwards = %s, %v", answer(login), err)
	}
}

// highS returns the equivalent signature with a high s, which is valid for the same key and text.
func highS(tb testing.TB, signature string) string {
	tb.Helper()
	raw, err := hexutil.Decode(signature)
	if err != nil {
		tb.Fatal(err)
	}
	s := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(raw[32:64]))
	s.FillBytes(raw[32:64])
	raw[64] = 27 + (28 - raw[64])
	return hexutil.Encode(raw)
}

// A misbehaving contract wallet cannot sign in, and is refused within seconds. An externally owned
// account with delegated code can still sign in with its key.
func TestMisbehavingContractWalletsCannotSignIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const (
		yes    = "631626ba7e60e01b" // PUSH4 isValidSignature's selector, SHL 224
		answer = "5f5260205ff3"     // MSTORE at 0, RETURN 32 bytes
	)
	signIn := func(address string, sign *chain.KeySigner) (status int, took time.Duration) {
		message := r.siwe(r.anonymous(), address).Message
		body := `{"message":` + quote(message) + `,"signature":"` + signText(t, sign, message) + `"}`
		begun := time.Now()
		return r.do("POST", "/api/v1/auth/siwe/login", body).status, time.Since(begun)
	}
	for code, want := range map[string]int{
		yes + answer:               200,
		"5b5f56":                   401, // loops forever
		"62a000005ff3":             401, // returns 10 MB
		"5f5ffd":                   401, // reverts
		"fe":                       401, // INVALID opcode
		"5f5f55" + yes + answer:    401, // writes to storage
		yes + "60011760205ff3":     401, // returns zeros
		"6216e3605150":             401, // uses up its gas by expanding its memory
		"6001430602" + yes:         401, // fails with a stack underflow
		"5f35" + yes + "02" + "00": 401, // stops without returning data
	} {
		wallet := common.BytesToAddress(crypto.Keccak256([]byte(code)))
		r.install(wallet, code)
		if got, took := signIn(wallet.Hex(), r.net.OtherAgent); got != want || took > 3*time.Second {
			t.Errorf("a wallet that runs %s = %d after %s, want %d", code, got, took, want)
		}
	}
	// A wallet whose result changes with each block can sign in only at blocks in which it
	// approves.
	fickle := common.Address{0xf1}
	r.install(fickle, yes+"60014316"+"02"+answer) // yes × (NUMBER & 1)
	for range 4 {
		want := 401
		if r.net.Head(t).Number%2 == 1 {
			want = 200
		}
		if got, _ := signIn(fickle.Hex(), r.net.OtherAgent); got != want {
			t.Errorf("a wallet with changing results in block %d = %d, want %d", r.net.Head(t).Number, got, want)
		}
		r.net.Mine(t, 1)
		r.settle()
	}
	delegate := common.Address{0xde}
	r.install(delegate, "5f5ffd")
	r.install(r.net.Human.Address(), "ef0100"+hex.EncodeToString(delegate[:])) // delegates as in EIP-7702
	if got, _ := signIn(r.net.Human.Address().Hex(), r.net.Human); got != 200 {
		t.Errorf("an account with code = %d, want 200", got)
	}
	if got, _ := signIn(r.net.Human.Address().Hex(), r.net.OtherAgent); got != 401 {
		t.Errorf("another key for that account = %d, want 401", got)
	}
}

// install puts code, in hex, at an address.
func (r *rig) install(at common.Address, code string) {
	r.t.Helper()
	err := r.net.Dev.Client().Client().CallContext(r.t.Context(), nil, "anvil_setCode", at, "0x"+code)
	if err != nil {
		r.t.Fatal(err)
	}
}

// A login message is not valid as the challenge of a registration.
func TestChallengeIsBoundToItsPurpose(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), client.RegisterAgentRequest{
		WalletAddress: signer.Address().Hex(), Name: "N", Username: "n", Challenge: &message, Signature: new(signText(t, signer, message)),
	})
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "challenge_mismatch" {
		t.Errorf("register with a login message = %s, %v", answer(got), err)
	}
}

func TestLoginRejectsOtherOrigins(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	for name, test := range map[string]struct {
		headers []string
		status  int
	}{
		"no origin":        {nil, 200},
		"own origin":       {[]string{"Origin", r.url, "Sec-Fetch-Site", "same-origin"}, 200},
		"foreign origin":   {[]string{"Origin", "https://evil.example"}, 403},
		"null origin":      {[]string{"Origin", "null"}, 403},
		"same site":        {[]string{"Sec-Fetch-Site", "same-site"}, 403},
		"cross site":       {[]string{"Origin", r.url, "Sec-Fetch-Site", "cross-site"}, 403},
		"other port":       {[]string{"Origin", r.url + "1"}, 403},
		"two origins":      {[]string{"Origin", r.url, "Origin", "https://evil.example"}, 403},
		"prefix of origin": {[]string{"Origin", r.url + ".evil.example"}, 403},
	} {
		message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
		body := `{"message":` + quote(message) + `,"signature":"` + signText(t, signer, message) + `"}`
		got := r.do("POST", "/api/v1/auth/siwe/login", body, test.headers...)
		if got.status != test.status {
			t.Errorf("%s = %d %s, want %d", name, got.status, got.body, test.status)
		}
	}
}

func quote(text string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
}

// login signs in with the wallet and these headers, and returns the response.
func (r *rig) login(signer *chain.KeySigner, headers ...string) reply {
	r.t.Helper()
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	body := `{"message":` + quote(message) + `,"signature":"` + signText(r.t, signer, message) + `"}`
	got := r.do("POST", "/api/v1/auth/siwe/login", body, headers...)
	if got.status != 200 {
		r.t.Fatalf("login = %d %s", got.status, got.body)
	}
	return got
}

func TestLogoutEndsTheSession(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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

func TestSecureCookieIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, func(o *server.Options) { o.BaseURL = "https://market.example" })
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
	r := newIdleRig(t, func(o *server.Options) { o.BaseURL = "HTTPS://Märkt.Example.:443/" })
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
func TestSessionLifetime(t *testing.T) {
	t.Parallel()
	var c clock
	r := newIdleRig(t, func(o *server.Options) { o.Now = c.now })
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
	r := newIdleRig(t)
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
func TestSessionCookieFlags(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, func(o *server.Options) { o.BaseURL = "https://market.example" })
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

// sessions returns the human's sessions.
func (u *user) sessions(r *rig) []client.SessionRecord {
	r.t.Helper()
	got, err := u.ListSessionsWithResponse(r.t.Context())
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("GET /auth/sessions = %s, %v", answer(got), err)
	}
	return got.JSON200.Sessions
}

// session returns the user's current session.
func (u *user) session(r *rig) client.SessionRecord {
	r.t.Helper()
	for _, s := range u.sessions(r) {
		if s.IsCurrent {
			return s
		}
	}
	r.t.Fatal("no session is marked as current")
	return client.SessionRecord{}
}

// status returns the status of a request with the user's session.
func (u *user) status(r *rig) int {
	r.t.Helper()
	got, err := u.GetHumanMeWithResponse(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return got.StatusCode()
}

// A human sees each session with its browser and network, and can end any of them.
func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	const secret = "Firefox/144.0 (X11; Linux x86_64) unique-marker-5521"
	r.human(signer) // the first session, from Go's HTTP client
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	login := r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, signer, message)+`"}`, "User-Agent", secret)
	if login.status != 200 {
		t.Fatalf("login = %d %s", login.status, login.body)
	}
	u := r.human(signer)
	listed := u.sessions(r)
	if len(listed) != 3 {
		t.Fatalf("sessions = %+v, want three", listed)
	}
	current, labels := 0, map[string]int{}
	for _, s := range listed {
		if s.IsCurrent {
			current++
		}
		labels[string(s.Browser)+"/"+string(s.System)]++
		if s.Network == nil || *s.Network != "127.0.0.0/24" || s.LastUsedAt.Before(s.CreatedAt.Time) || s.ExpiresAt.Sub(s.LastUsedAt.Time) != market.SessionIdle {
			t.Errorf("session = %+v", s)
		}
	}
	if current != 1 || labels["firefox/linux"] != 1 || labels["other/other"] != 2 {
		t.Errorf("%d current, labels %v", current, labels)
	}
	if strings.Contains(r.log.String(), "unique-marker") || strings.Contains(strings.Join(storetest.Rows(t, r.records, `SELECT s::text FROM sessions s`), ""), "unique-marker") {
		t.Error("the User-Agent header was stored or logged")
	}
	other := r.human(signer)
	stranger := r.human(newSigner(t))
	id := other.session(r).ID
	for name, refused := range map[string]struct {
		by *user
		id uuid.UUID
	}{"another human": {stranger, id}, "an unknown session": {u, uuid.Must(uuid.NewV7())}} {
		if got, err := refused.by.LogoutSessionWithResponse(t.Context(), refused.id); err != nil || got.StatusCode() != 404 {
			t.Errorf("%s ends the session = %s, %v", name, answer(got), err)
		}
	}
	if got := other.status(r); got != 200 {
		t.Fatalf("the session before its end = %d", got)
	}
	if got, err := u.LogoutSessionWithResponse(t.Context(), id); err != nil || got.JSON200 == nil {
		t.Errorf("end the session = %s, %v", answer(got), err)
	}
	if got, err := u.LogoutSessionWithResponse(t.Context(), id); err != nil || got.StatusCode() != 404 {
		t.Errorf("end the session again = %s, %v", answer(got), err)
	}
	if got := other.status(r); got != 401 || u.status(r) != 200 || len(u.sessions(r)) != 3 {
		t.Errorf("the ended session = %d, the other %d", got, u.status(r))
	}
}

// Signing out everywhere ends all sessions of one human, with their streams, and no others.
func TestSignOutEverywhere(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	first, second, stranger := r.human(signer), r.human(signer), r.human(newSigner(t))
	stream := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", first.cookie(t, r.url).String())
	if stream.status != 200 {
		t.Fatalf("events = %d %s", stream.status, stream.body)
	}
	cookie := second.cookie(t, r.url).String()
	got := r.do("POST", "/api/v1/auth/sessions/logout", "", "Cookie", cookie, "Origin", r.url, "X-CSRF-Token", second.csrf)
	if got.status != 200 || !strings.Contains(got.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Fatalf("sign out everywhere = %d %s", got.status, got.body)
	}
	if a, b, c := first.status(r), second.status(r), stranger.status(r); a != 401 || b != 401 || c != 200 {
		t.Errorf("afterwards = %d, %d, another human %d; want 401, 401, 200", a, b, c)
	}
	if rows := storetest.Rows(t, r.records, `SELECT account_id || ' ' || count AS entry FROM audit_log WHERE kind = 'sessions_ended'`); len(rows) != 1 || rows[0] != `{"entry": "`+first.id.String()+` 2"}` {
		t.Errorf("the audit log has %q, want the end of two sessions of %s", rows, first.id)
	}
	if got := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", first.cookie(t, r.url).String()); got.status != 401 {
		t.Errorf("events afterwards = %d %s", got.status, got.body)
	}
}

// The eleventh sign-in ends the oldest session.
func TestSessionsAreLimited(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	var all []*user
	for range market.MaxSessions + 2 {
		all = append(all, r.human(signer))
		time.Sleep(5 * time.Millisecond) // sign-in times have a resolution of one millisecond
	}
	for i, u := range all {
		want := http.StatusOK
		if i < 2 {
			want = http.StatusUnauthorized
		}
		if got := u.status(r); got != want {
			t.Errorf("session %d = %d, want %d", i, got, want)
		}
	}
	if n := len(all[5].sessions(r)); n != market.MaxSessions {
		t.Errorf("%d sessions, want %d", n, market.MaxSessions)
	}
	ended := r.audit(operators.AuditQuery{Kinds: []market.AuditKind{market.AuditSignOut}})
	if len(ended) != 2 || ended[0].Account != all[0].id || ended[0].Detail != market.AuditSessionLimit {
		t.Errorf("the audit log has %+v, want the ends of two sessions at the limit", ended)
	}
}

// A session that is not used for eight hours ends, for both requests and event streams. Its last use is
// recorded at most once every five minutes.
func TestIdleSessionsEnd(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	u, idle := r.human(signer), r.human(signer)
	db := storetest.DB(t, r.records)
	unused := func(of *user, ago time.Duration) {
		t.Helper()
		db.MustExecContext(t.Context(), `UPDATE sessions SET created_at = now() - interval '20 hours', last_used_at = now() - make_interval(secs => $2)
			WHERE encode(substring(id_hash FROM 1 FOR 16), 'hex')::uuid = $1`, of.session(r).ID, ago.Seconds())
	}
	unused(u, market.SessionInterval-10*time.Second)
	before := u.session(r).LastUsedAt.Time
	if after := u.session(r).LastUsedAt.Time; !after.Equal(before) || time.Since(after) < 4*time.Minute {
		t.Errorf("the last use moved from %s to %s within five minutes", before, after)
	}
	unused(u, market.SessionInterval+10*time.Second)
	if got := u.status(r); got != 200 || time.Since(u.session(r).LastUsedAt.Time) > time.Minute {
		t.Errorf("after five minutes = %d, last use %s", got, u.session(r).LastUsedAt)
	}
	unused(u, market.SessionIdle-10*time.Second)
	if got := u.status(r); got != 200 {
		t.Errorf("shortly before the end = %d", got)
	}
	unused(idle, market.SessionIdle+time.Second)
	for range 2 {
		if got := idle.status(r); got != 401 {
			t.Errorf("an idle session = %d", got)
		}
	}
	if got := r.do("GET", "/api/v1/events?follow=false", "", "Cookie", idle.cookie(t, r.url).String()); got.status != 401 {
		t.Errorf("events of an idle session = %d %s", got.status, got.body)
	}
	if n := len(u.sessions(r)); n != 1 {
		t.Errorf("%d sessions are listed, want 1", n)
	}
}

// wrongSignature has the form of a key's signature.
var wrongSignature = "0x" + strings.Repeat("11", 64) + "1b"

// sendLogin sends a message with a signature.
func (r *rig) sendLogin(message, signature string) reply {
	r.t.Helper()
	return r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signature+`"}`)
}

// Clients of the same network cannot lock out an account: wrong attempts are limited, but the signature
// of an existing account's key is always accepted.
func TestAttemptsDoNotLockOutAccounts(t *testing.T) {
	t.Parallel()
	var c clock
	r := newIdleRig(t, limited(&c, "unprovenSignatures"))
	agent := r.agent(r.net.Agent)
	signer := newSigner(t)
	human := r.human(signer) // a first sign-in counts against the limit
	limitedBy := func() int {
		refused := 0
		for i := range 6 {
			var got reply
			if i%2 == 0 {
				got = r.do("POST", "/api/v1/agents/api-keys/recover",
					`{"wallet_address":"`+agent.signer.Address().Hex()+`","challenge":"x","signature":"`+wrongSignature+`"}`)
			} else {
				got = r.sendLogin("not a message of this service\n"+signer.Address().Hex()+"\nx", wrongSignature)
			}
			if got.status == http.StatusTooManyRequests {
				refused++
			}
		}
		return refused
	}
	if refused := limitedBy(); refused != 4 {
		t.Errorf("%d of 6 wrong attempts after a first sign-in were limited, want 4", refused)
	}
	for range 5 {
		message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
		if got := r.sendLogin(message, signText(t, signer, message)); got.status != 200 {
			t.Fatalf("sign-in of an account whose network is over the limit = %d %s", got.status, got.body)
		}
	}
	if id := r.human(signer).id; id != human.id {
		t.Errorf("the sign-in created another human %s", id)
	}
	var step client.RecoverAPIKeyRequest
	step.WalletAddress = agent.signer.Address().Hex()
	asked, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), step)
	if err != nil || asked.JSON428 == nil {
		t.Fatalf("recover, step 1 = %s, %v", answer(asked), err)
	}
	step.Challenge, step.Signature = &asked.JSON428.Challenge, new(signText(t, agent.signer, asked.JSON428.Challenge))
	if got, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), step); err != nil || got.JSON200 == nil {
		t.Errorf("recover, step 2 = %s, %v", answer(got), err)
	}
	// A first sign-in counts, so that one network cannot create an unlimited number of accounts.
	stranger := newSigner(t)
	message := r.siwe(r.anonymous(), stranger.Address().Hex()).Message
	if got := r.sendLogin(message, signText(t, stranger, message)); got.status != http.StatusTooManyRequests || errorOf(t, got.body) != "rate_limited" || got.header.Get("Retry-After") == "" {
		t.Errorf("a first sign-in over the limit = %d %s", got.status, got.body)
	}
}

// A wallet can sign in only a limited number of times, from whatever address, so that it does not fill the audit
// log. Other wallets are not limited, and a message that another client sends again is not counted.
func TestSignInsOfAWalletAreLimited(t *testing.T) {
	t.Parallel()
	var c clock
	r := newIdleRig(t, limited(&c, "signIns"), func(o *server.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	signer, other := newSigner(t), newSigner(t)
	address := 0
	login := func(message, signature string) reply {
		address++
		return r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signature+`"}`,
			"X-Forwarded-For", fmt.Sprintf("203.0.113.%d", address))
	}
	first := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	signed := signText(t, signer, first)
	if got := login(first, signed); got.status != 200 {
		t.Fatalf("first sign-in = %d %s", got.status, got.body)
	}
	for range 5 {
		if got := login(first, signed); got.status != 401 {
			t.Errorf("the same message again = %d %s", got.status, got.body)
		}
	}
	for i := range 10 {
		message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
		got := login(message, signText(t, signer, message))
		if i < 2 && got.status != 200 {
			t.Errorf("sign-in %d = %d %s", i, got.status, got.body)
		}
		if i >= 2 && (got.status != http.StatusTooManyRequests || errorOf(t, got.body) != "rate_limited" || got.header.Get("Retry-After") == "") {
			t.Errorf("sign-in %d over the limit = %d %s", i, got.status, got.body)
		}
	}
	acts := storetest.Rows(t, r.records, `
		SELECT a.id FROM audit_log a JOIN users u ON u.id = a.account_id
		WHERE u.wallet = decode('`+signer.Address().Hex()[2:]+`', 'hex') AND a.kind IN ('sign_in', 'sign_out')`)
	if len(acts) != 3 {
		t.Errorf("the audit log has %d acts of the wallet, want 3", len(acts))
	}
	if got := r.human(other); got.status(r) != 200 {
		t.Error("another wallet cannot sign in")
	}
	c.advance(10 * time.Second)
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	if got := login(message, signText(t, signer, message)); got.status != 200 {
		t.Errorf("sign-in after the wait = %d %s", got.status, got.body)
	}
}

// A signature that only a node can check causes no node call unless the challenge was issued for the wallet.
// The wrong signatures of one challenge cause at most three calls.
func TestContractWalletChecksAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	here := r.replica(func(o *server.Options) { o.Verifier = chain.NewVerifier(chaintest.Dial(t, p.URL)) })
	calls := func(what string, want int64, do func()) {
		t.Helper()
		before := p.requests.Load()
		do()
		if got := p.requests.Load() - before; got != want {
			t.Errorf("%s: %d calls to the node, want %d", what, got, want)
		}
	}
	const accepts = "631626ba7e60e01b5f5260205ff3" // returns isValidSignature's selector
	wallet := common.Address{0xc0}
	r.install(wallet, accepts)
	message := here.siwe(here.anonymous(), wallet.Hex()).Message
	calls("an invented message", 0, func() {
		for range 20 {
			if got := here.sendLogin(strings.Replace(message, "Nonce: ", "Nonce: x", 1), wrongSignature); got.status != 401 {
				t.Errorf("login = %d %s", got.status, got.body)
			}
		}
	})
	calls("a message for another wallet", 0, func() {
		other := common.Address{0xc1}
		if got := here.sendLogin(strings.Replace(message, wallet.Hex(), other.Hex(), 1), wrongSignature); got.status != 401 {
			t.Errorf("login = %d %s", got.status, got.body)
		}
	})
	calls("invented challenges", 0, func() {
		for _, operation := range []string{"/agents/api-keys/recover", "/agents/register"} {
			got := here.do("POST", "/api/v1"+operation, `{"wallet_address":"`+wallet.Hex()+`","challenge":"x","signature":"`+wrongSignature+`"`+
				map[bool]string{true: `,"name":"N","username":"n"`}[operation == "/agents/register"]+`}`)
			if got.status != 400 || errorOf(t, got.body) != "challenge_mismatch" {
				t.Errorf("%s = %d %s", operation, got.status, got.body)
			}
		}
	})
	key := newSigner(t)
	plain := here.siwe(here.anonymous(), key.Address().Hex()).Message
	calls("a key's signature", 0, func() {
		if got := here.sendLogin(plain, signText(t, key, plain)); got.status != 200 {
			t.Errorf("login = %d %s", got.status, got.body)
		}
	})
	refuses := common.Address{0xc2}
	r.install(refuses, "5f5ffd")
	refused := here.siwe(here.anonymous(), refuses.Hex()).Message
	calls("wrong signatures of one message", market.MaxChallengeChecks, func() {
		for range 10 {
			if got := here.sendLogin(refused, wrongSignature); got.status != 401 {
				t.Errorf("login = %d %s", got.status, got.body)
			}
		}
	})
	calls("a contract wallet", 1, func() {
		if got := here.sendLogin(message, wrongSignature); got.status != 200 {
			t.Errorf("login = %d %s", got.status, got.body)
		}
	})
}

// recordRefusals makes the server record refusals, and returns a function that writes them.
func recordRefusals() (option, func(*rig)) {
	var refusals *auditlog.Refusals
	return func(o *server.Options) {
			refusals = auditlog.New(o.Store.Operators.WriteAudit, func(int) {})
			o.Refused = refusals.Note
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		}, func(r *rig) {
			if err := refusals.Flush(context.WithoutCancel(r.t.Context())); err != nil {
				r.t.Fatal(err)
			}
		}
}

func (r *rig) audit(q operators.AuditQuery) []market.AuditEntry {
	r.t.Helper()
	q.Limit = 100
	entries, err := r.store.Operators.AuditLog(r.t.Context(), q)
	if err != nil {
		r.t.Fatal(err)
	}
	slices.Reverse(entries)
	return entries
}

// wantAudit checks the kinds of an account's entries, oldest first, and that each has its origin.
func (r *rig) wantAudit(account uuid.UUID, want ...market.AuditKind) {
	r.t.Helper()
	var got []market.AuditKind
	for _, e := range r.audit(operators.AuditQuery{Account: account}) {
		got = append(got, e.Kind)
		if e.Network != netip.MustParsePrefix("127.0.0.0/24") || e.RequestID == "" {
			r.t.Errorf("%s has the network %s and the request id %q", e.Kind, e.Network, e.RequestID)
		}
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("acts of %s = %q, want %q", account, got, want)
	}
}

// Each act that changes credentials has one entry in the audit log, which contains no secrets.
func TestAuditLogHasSignInsAndKeys(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	rotated := r.rotate(agent)
	recovery := r.recovery(r.net.Agent)
	recovered, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), recovery)
	if err != nil || recovered.JSON200 == nil {
		t.Fatalf("recover = %s, %v", answer(recovered), err)
	}
	if again, err := r.anonymous().RecoverAPIKeyWithResponse(t.Context(), recovery); err != nil || again.JSON400 == nil {
		t.Fatalf("the same recovery again = %s, %v", answer(again), err)
	}
	r.wantAudit(agent.id, market.AuditRegistration, market.AuditKeyRotation, market.AuditKeyRecovery)

	human := r.human(r.net.Human)
	first := human.cookie(t, r.url).Value
	r.human(r.net.Human)
	if out, err := human.LogoutWithResponse(t.Context()); err != nil || out.JSON200 == nil {
		t.Fatalf("logout = %s, %v", answer(out), err)
	}
	r.wantAudit(human.id, market.AuditRegistration, market.AuditSignIn, market.AuditSignIn, market.AuditSignOut)

	rows := strings.Join(storetest.Rows(t, r.records, `SELECT to_jsonb(r)::text FROM audit_log r`), "\n")
	for name, secret := range map[string]string{
		"first key": agent.key, "rotated key": rotated.APIKey, "recovered key": recovered.JSON200.APIKey, "signature": *recovery.Signature,
		"session": first, "CSRF token": human.csrf, "wallet": r.net.Human.Address().Hex()[2:], "username": "agent-",
	} {
		if strings.Contains(strings.ToLower(rows), strings.ToLower(secret)) {
			t.Errorf("the audit log contains the %s", name)
		}
	}
}

// Refused credentials and forbidden requests are in the audit log, with the networks of their clients.
func TestAuditLogHasRefusals(t *testing.T) {
	t.Parallel()
	record, flush := recordRefusals()
	r := newRig(t, record)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.active(agent, human)
	from := func(address, request string, headers ...string) []string {
		return append(headers, "X-Forwarded-For", address, "X-Request-Id", request)
	}
	wrong := "tmk_" + strings.Repeat("0", 43) + "_000000"
	for range 3 {
		r.do("GET", "/api/v1/agents/me", "", from("203.0.113.77", "wrong-key", "X-API-Key", wrong)...)
	}
	r.do("GET", "/api/v1/agents/me", "", from("2001:db8:1:2::3", "wrong-key-6", "X-API-Key", wrong)...)
	r.do("POST", "/api/v1/auth/logout", "", from("198.51.100.1", "csrf", "Cookie", human.cookie(t, r.url).String())...)
	r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/messages/", "", from("198.51.100.2", "forbidden", "Cookie", other.cookie(t, r.url).String())...)
	message := r.siwe(r.anonymous(), r.net.Human.Address().Hex()).Message
	r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, r.net.OtherHuman, message)+`"}`,
		from("198.51.100.3", "sign-in")...)
	recovery := r.recovery(r.net.Agent)
	*recovery.Signature = signText(t, r.net.OtherHuman, *recovery.Challenge)
	body, err := json.Marshal(recovery)
	if err != nil {
		t.Fatal(err)
	}
	r.do("POST", "/api/v1/agents/api-keys/recover", string(body), from("198.51.100.4", "recovery")...)
	// These requests are not recorded as refusals.
	r.do("GET", "/api/v1/agents/me", "", from("192.0.2.1", "no-key")...)
	r.do("GET", "/api/v1/tasks/"+uuid.NewString(), "", from("192.0.2.1", "not-found", "X-API-Key", agent.key)...)
	flush(r)

	want := map[market.AuditEntry]bool{
		{Kind: market.AuditKeyRefused, Detail: "getAgentMe", Count: 3, Origin: origin("203.0.113.0/24", "wrong-key")}:                          true,
		{Kind: market.AuditKeyRefused, Detail: "getAgentMe", Count: 1, Origin: origin("2001:db8:1::/48", "wrong-key-6")}:                       true,
		{Kind: market.AuditCSRFRefused, Account: human.id, Detail: "logout", Count: 1, Origin: origin("198.51.100.0/24", "csrf")}:              true,
		{Kind: market.AuditForbidden, Account: other.id, Detail: "listTaskMessages", Count: 1, Origin: origin("198.51.100.0/24", "forbidden")}: true,
		{Kind: market.AuditSignInRefused, Detail: "loginWithEthereum", Count: 1, Origin: origin("198.51.100.0/24", "sign-in")}:                 true,
		{Kind: market.AuditProofRefused, Detail: "recoverAPIKey", Count: 1, Origin: origin("198.51.100.0/24", "recovery")}:                     true,
	}
	for _, e := range r.audit(operators.AuditQuery{Kinds: []market.AuditKind{
		market.AuditKeyRefused, market.AuditCSRFRefused, market.AuditForbidden, market.AuditSignInRefused, market.AuditProofRefused,
	}}) {
		e.ID, e.At = 0, time.Time{}
		if !want[e] {
			t.Errorf("unexpected entry %+v", e)
		}
		delete(want, e)
	}
	for missing := range want {
		t.Errorf("no entry %+v", missing)
	}
}

func origin(network, request string) market.Origin {
	return market.Origin{Network: netip.MustParsePrefix(network), RequestID: request}
}

// A client can choose the id of its request in the response, but not the one in the audit log, which would keep
// the client's text. The log has both.
func TestAuditLogHasNoRequestIDOfAClient(t *testing.T) {
	t.Parallel()
	record, flush := recordRefusals()
	log := &logBuffer{}
	r := newIdleRig(t, record, func(o *server.Options) {
		o.TrustedProxies = nil
		o.Log = slog.New(gate.LogHandler(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}), nil))
	})
	message := r.siwe(r.anonymous(), r.net.Human.Address().Hex()).Message
	login := func(signer *chain.KeySigner, id string) {
		t.Helper()
		got := r.do("POST", "/api/v1/auth/siwe/login", `{"message":`+quote(message)+`,"signature":"`+signText(t, signer, message)+`"}`,
			"Origin", r.url, "Content-Type", "application/json", "X-Request-Id", id)
		if got.header.Get("X-Request-Id") != id {
			t.Errorf("the response to %s has the id %q", id, got.header.Get("X-Request-Id"))
		}
	}
	login(r.net.OtherHuman, "Ada.Lovelace-refused")
	login(r.net.Human, "Ada.Lovelace-signed-in")
	flush(r)
	entries := r.audit(operators.AuditQuery{})
	for _, kind := range []market.AuditKind{market.AuditSignIn, market.AuditSignInRefused} {
		if !slices.ContainsFunc(entries, func(e market.AuditEntry) bool { return e.Kind == kind }) {
			t.Errorf("no entry %s", kind)
		}
	}
	for _, e := range entries {
		if e.RequestID == "" || strings.Contains(e.RequestID, "Ada") {
			t.Errorf("%s has the request id %q", e.Kind, e.RequestID)
		}
		if e.Kind == market.AuditSignIn && !strings.Contains(log.String(), `"request_id":"Ada.Lovelace-signed-in","audit_id":"`+e.RequestID+`"`) {
			t.Errorf("no log line has both ids of the sign-in: %s", log.String())
		}
	}
}

// Reads write no entry to the audit log.
func TestReadsWriteNoAuditEntry(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	before := len(r.audit(operators.AuditQuery{}))
	if got, err := agent.ListTasksWithResponse(t.Context(), &client.ListTasksParams{}); err != nil || got.HTTPResponse.StatusCode >= 500 {
		t.Fatalf("GET /tasks/ = %s, %v", answer(got), err)
	}
	r.me(agent)
	if after := len(r.audit(operators.AuditQuery{})); after != before {
		t.Errorf("two reads wrote %d entries", after-before)
	}
}
