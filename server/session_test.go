package server_test

import (
	"encoding/hex"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/golang-jwt/jwt/v5"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/gate"
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
	r := newRig(t)
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

func TestThreat29LoginMessageIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
func TestThreat30SignaturesAreParsedStrictly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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

// A contract wallet that misbehaves costs little and cannot sign in. A plain wallet whose account
// has code can still sign in.
func TestThreat31MisbehavingContractWalletsCannotSignIn(t *testing.T) {
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
	r := newRig(t)
	signer := newSigner(t)
	message := r.siwe(r.anonymous(), signer.Address().Hex()).Message
	got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), client.RegisterAgentRequest{
		WalletAddress: signer.Address().Hex(), Name: "N", Username: "n", Challenge: &message, Signature: new(signText(t, signer, message)),
	})
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "challenge_mismatch" {
		t.Errorf("register with a login message = %s, %v", answer(got), err)
	}
}

func TestThreat57LoginRejectsOtherOrigins(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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

// sessionIn returns the session cookie of a response.
func sessionIn(tb testing.TB, got reply) *http.Cookie {
	tb.Helper()
	set := (&http.Response{Header: got.header}).Cookies()
	if len(set) != 1 {
		tb.Fatalf("cookies = %v, want one", got.header["Set-Cookie"])
	}
	return set[0]
}

// A session begins with the login and ends with the logout on every server, or after a day. A
// cookie value that a client invented is never accepted as a session.
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
