package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

func TestRegistrationInTwoSteps(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "Harbour", Username: "harbour-agent", Bio: new("Ports.")}
	r.sign(signer, &body)
	for _, line := range []string{"Chain ID: 31337", "Wallet: " + signer.Address().Hex(), "Username: harbour-agent", "Domain: " + strings.TrimPrefix(r.url, "http://")} {
		if !strings.Contains(*body.Challenge, line+"\n") {
			t.Errorf("challenge lacks the line %q:\n%s", line, *body.Challenge)
		}
	}
	registered, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
	if err != nil || registered.JSON201 == nil {
		t.Fatalf("step 2 = %s, %v", answer(registered), err)
	}
	key := registered.JSON201.APIKey
	if !regexp.MustCompile(`^tmk_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$`).MatchString(key) {
		t.Errorf("api_key has the form %q", regexp.MustCompile(`[0-9A-Za-z]`).ReplaceAllString(key, "x"))
	}
	me, err := r.withKey(key).GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil {
		t.Fatalf("GET /agents/me = %s, %v", answer(me), err)
	}
	got := *me.JSON200
	if got.Username != "harbour-agent" || got.IsVerified || *got.VerificationCode != registered.JSON201.VerificationCode ||
		got.Balance != "0" || !strings.HasPrefix(key, got.APIKeyPrefix) || got.Readiness.CanCreateTasks || len(got.Readiness.Blockers) != 3 {
		t.Errorf("agents/me = %+v", got)
	}
	if again, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body); err != nil || again.StatusCode() != http.StatusConflict {
		t.Errorf("the same step 2 again = %s, %v", answer(again), err)
	}
	r.neverKept(key)
}

// neverKept fails the test if the secret is in an agent's record or in the log.
func (r *rig) neverKept(secret string) {
	r.t.Helper()
	if strings.Contains(r.log.String(), secret) {
		r.t.Error("a secret is in the log")
	}
	var found bool
	err := storetest.DB(r.t, r.records).Get(&found, `SELECT EXISTS (SELECT 1 FROM agents a JOIN users u USING (id) WHERE (a.*, u.*)::text LIKE '%' || $1 || '%')`, secret)
	if err != nil || found {
		r.t.Errorf("the secret is in the database: %v, %v", found, err)
	}
}

func TestRegistrationIsBoundToItsBody(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer, other := newSigner(t), newSigner(t)
	tests := map[string]struct {
		change func(*client.RegisterAgentRequest)
		code   string
	}{
		"other username":              {func(b *client.RegisterAgentRequest) { b.Username = "other-name" }, "challenge_mismatch"},
		"other name":                  {func(b *client.RegisterAgentRequest) { b.Name = "Other" }, "challenge_mismatch"},
		"other bio":                   {func(b *client.RegisterAgentRequest) { b.Bio = new("Other.") }, "challenge_mismatch"},
		"other wallet":                {func(b *client.RegisterAgentRequest) { b.WalletAddress = other.Address().Hex() }, "challenge_mismatch"},
		"signature of another wallet": {func(b *client.RegisterAgentRequest) { b.Signature = new(signText(t, other, *b.Challenge)) }, "signature_invalid"},
		"edited challenge":            {func(b *client.RegisterAgentRequest) { b.Challenge = new(*b.Challenge + " ") }, "challenge_mismatch"},
		"edited and signed challenge": {func(b *client.RegisterAgentRequest) { resign(t, signer, b, *b.Challenge+" ") }, "challenge_mismatch"},
		"for another domain": {func(b *client.RegisterAgentRequest) {
			resign(t, signer, b, strings.Replace(*b.Challenge, "Domain: "+strings.TrimPrefix(r.url, "http://"), "Domain: evil.example", 1))
		}, "challenge_mismatch"},
		"text that is not a challenge":           {func(b *client.RegisterAgentRequest) { resign(t, signer, b, "hello") }, "challenge_mismatch"},
		"no signature":                           {func(b *client.RegisterAgentRequest) { b.Signature = nil }, "invalid_request"},
		"no challenge":                           {func(b *client.RegisterAgentRequest) { b.Challenge = nil }, "invalid_request"},
		"short signature":                        {func(b *client.RegisterAgentRequest) { b.Signature = new("0x00") }, "signature_invalid"},
		"64 bytes":                               {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130]) }, "signature_invalid"},
		"66 bytes":                               {func(b *client.RegisterAgentRequest) { b.Signature = new(*b.Signature + "00") }, "signature_invalid"},
		"last byte 29":                           {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130] + "1d") }, "signature_invalid"},
		"last byte 54":                           {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130] + "36") }, "signature_invalid"},
		"signature not hex":                      {func(b *client.RegisterAgentRequest) { b.Signature = new("0xzz") }, "invalid_request"},
		"signature with an odd number of digits": {func(b *client.RegisterAgentRequest) { b.Signature = new("0x000") }, "invalid_request"},
		"signature without 0x":                   {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[2:]) }, "invalid_request"},
		"reserved username":                      {func(b *client.RegisterAgentRequest) { b.Username = "Admin" }, "invalid_request"},
		"name with newline":                      {func(b *client.RegisterAgentRequest) { b.Name = "a\nb" }, "invalid_request"},
		"wallet with wrong checksum":             {func(b *client.RegisterAgentRequest) { b.WalletAddress = swapCase(b.WalletAddress) }, "invalid_request"},
		"zero wallet":                            {func(b *client.RegisterAgentRequest) { b.WalletAddress = "0x" + strings.Repeat("0", 40) }, "invalid_request"},
		"wallet without 0x":                      {func(b *client.RegisterAgentRequest) { b.WalletAddress = b.WalletAddress[2:] }, "invalid_request"},
		"wallet with 0X":                         {func(b *client.RegisterAgentRequest) { b.WalletAddress = "0X" + b.WalletAddress[2:] }, "invalid_request"},
		"username with leading hyphen":           {func(b *client.RegisterAgentRequest) { b.Username = "-x" }, "invalid_request"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "Harbour", Username: "harbour", Bio: new("Ports.")}
			r.sign(signer, &body)
			test.change(&body)
			got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
			if err != nil || got.JSON400 == nil || got.JSON400.Error != test.code {
				t.Errorf("step 2 = %s, %v, want %s", answer(got), err, test.code)
			}
		})
	}
}

func resign(tb testing.TB, signer *chain.KeySigner, b *client.RegisterAgentRequest, text string) {
	tb.Helper()
	b.Challenge, b.Signature = &text, new(signText(tb, signer, text))
}

// swapCase changes the case of one digit of an address, which invalidates only its checksum.
func swapCase(address string) string {
	flipped := []byte(address)
	for i, c := range flipped {
		if i > 1 && c >= 'a' && c <= 'f' {
			flipped[i] = c - 'a' + 'A'
			return string(flipped)
		}
	}
	return address
}

func TestRegistrationRejectsTakenNames(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	first := newSigner(t)
	r.register(first, "Harbour")
	for name, test := range map[string]struct {
		signer   *chain.KeySigner
		username string
		code     string
	}{
		"same wallet":                   {first, "another", "wallet_already_registered"},
		"same username":                 {newSigner(t), "Harbour", "username_taken"},
		"same username in another case": {newSigner(t), "hARBOUR", "username_taken"},
	} {
		body := client.RegisterAgentRequest{WalletAddress: test.signer.Address().Hex(), Name: "N", Username: test.username}
		got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
		if err != nil || got.JSON409 == nil || got.JSON409.Error != test.code {
			t.Errorf("%s = %s, %v, want %s", name, answer(got), err, test.code)
		}
	}
}

func TestChallengeExpires(t *testing.T) {
	t.Parallel()
	past := func(o *server.Options) {
		o.Now = func() time.Time { return time.Now().Add(-12 * time.Minute) }
	}
	r := newIdleRig(t, past)
	signer := newSigner(t)
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "N", Username: "late"}
	r.sign(signer, &body)
	got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "challenge_expired" {
		t.Errorf("step 2 = %s, %v", answer(got), err)
	}
}

// When many second steps are sent concurrently, exactly one registers the agent.
func TestRegistrationHappensOnce(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := newSigner(t)
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "N", Username: "once"}
	r.sign(signer, &body)
	count := concurrently(50, func(int) int {
		got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
		if err != nil {
			t.Errorf("step 2: %v", err)
			return 0
		}
		return got.StatusCode()
	})
	if count[201] != 1 || count[201]+count[409]+count[400] != 50 {
		t.Errorf("statuses = %v, want one 201", count)
	}
	if got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body); err != nil || got.StatusCode() != http.StatusConflict {
		t.Errorf("the same step 2 afterwards = %s, %v", answer(got), err)
	}
	body.WalletAddress, body.Username = newSigner(t).Address().Hex(), "twice"
	if got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body); err != nil || got.StatusCode() != http.StatusBadRequest {
		t.Errorf("the used challenge for another agent = %s, %v", answer(got), err)
	}
}

func TestAPIKeyIsComparedCompletely(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	agent := r.agent(r.net.Agent)
	key := agent.key
	flip := func(i int) string {
		c := byte('a')
		if key[i] == 'a' {
			c = 'b'
		}
		return key[:i] + string(c) + key[i+1:]
	}
	for name, forged := range map[string]string{
		"first digit": flip(4), "last digit": flip(46), "checksum": flip(50), "short": key[:len(key)-1], "long": key + "0",
		"empty": "", "upper prefix": "TMK_" + key[4:], "spaces inside": key[:10] + " " + key[11:], "null": "null",
	} {
		if got := r.do("GET", "/api/v1/agents/me", "", "X-API-Key", forged); got.status != 401 {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	if got := r.do("GET", "/api/v1/agents/me", "", "X-API-Key", key, "X-API-Key", key); got.status != 400 {
		t.Errorf("the key twice = %d %s", got.status, got.body)
	}
	if got := r.do("GET", "/api/v1/agents/me?X-API-Key="+key, ""); got.status != 401 {
		t.Errorf("the key in the query = %d %s", got.status, got.body)
	}
}

// An address is 20 bytes, and its mixed case is a checksum. Two spellings of one wallet are one
// account.
func TestAddressesHaveOneValue(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	signer := r.net.OtherHuman // swapCase leaves letters of both cases in its address
	wallet := signer.Address().Hex()
	digits := wallet[2:]
	bad := []string{
		"", "0x", "0x0", digits, "0X" + digits, "0x" + digits[:39], wallet + "0", wallet + "00", "0x" + strings.Repeat("0", 24) + digits, " " + wallet,
		wallet + " ", wallet + `\n`, "\t" + wallet, "0x0x" + digits[:38], "0x-" + digits[:39], "0x+" + digits[:39], "0x_" + digits[:39], swapCase(wallet),
		"0x" + strings.Repeat("g", 40), "0x" + strings.Repeat("0", 40), "0x" + strings.Repeat("0x", 20), "vitalik.eth", "not-an-address", "0",
		strings.Repeat("0", 42), strings.Repeat("1", 20), "icap:" + digits, "eip155:1:" + wallet, "０x" + digits, "0x" + digits[:39] + "é", "0x" + strings.Repeat("٣", 40),
	}
	hashes := make([]string, len(bad))
	for i, text := range bad {
		hashes[i] = strings.Replace(text, digits, digits+digits[:24], 1)
	}
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent).ID.String()
	refused := func(what, text string, got reply) {
		t.Helper()
		if got.status != 400 || errorOf(t, got.body) != "invalid_request" {
			t.Errorf("%s %q = %d %s", what, text, got.status, got.body)
		}
	}
	for i, text := range bad {
		quoted := `"` + strings.ReplaceAll(text, "\t", `\t`) + `"`
		refused("register", text, r.do("POST", "/api/v1/agents/register", `{"name":"N","username":"twin","wallet_address":`+quoted+`}`))
		refused("recover", text, r.do("POST", "/api/v1/agents/api-keys/recover", `{"wallet_address":`+quoted+`}`))
		refused("sign in", text, r.do("GET", "/api/v1/auth/siwe/message?address="+url.QueryEscape(text), ""))
		hash := `{"tx_hash":"` + strings.ReplaceAll(hashes[i], "\t", `\t`) + `"}`
		refused("confirm", hashes[i], r.do("POST", "/api/v1/tasks/"+task+"/confirm-create", hash, "X-API-Key", agent.key))
	}
	r.register(signer, "first")
	for _, twin := range []string{wallet, strings.ToLower(wallet), "0x" + strings.ToUpper(digits)} {
		got := r.do("POST", "/api/v1/agents/register", `{"name":"N","username":"second","wallet_address":"`+twin+`"}`)
		if got.status != 409 || errorOf(t, got.body) != "wallet_already_registered" {
			t.Errorf("registered again as %s = %d %s", twin, got.status, got.body)
		}
	}
}

// A username consists of letters, digits and hyphens, is compared case-insensitively, and is not a
// reserved word. A name is one line without characters that change the text direction.
func TestMisleadingNamesAreRejected(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	register := func(username, name string) reply {
		body, err := json.Marshal(map[string]string{"username": username, "name": name, "wallet_address": newSigner(t).Address().Hex()})
		if err != nil {
			t.Fatal(err)
		}
		return r.do("POST", "/api/v1/agents/register", string(body))
	}
	for _, username := range []string{"a", "Z9", "x--y", "0", "007", "Harbour-Agent", strings.Repeat("x", 30), "xn--harbour", "harbour-agent7", "mee"} {
		if got := register(username, "N"); got.status != 428 {
			t.Errorf("username %q = %d %s", username, got.status, got.body)
		}
	}
	bad := strings.Fields(`-x x- - -- -- x_y x.y x/y x\y x%2fy x%00y x@y @x ~x x+y x:y x;y x,y x!y x?y x#y x&y x=y x'y x"y <x> {x} [x] (x) x|y x*y $x .. . ./ ../x
		me Me ME admin Admin ADMIN aDmIn administrator root api agents agent humans human validators validator support security staff official system treasury
		admins admin1 support-team 5upport deleted-5f0c7b1e9a2d taskmarket TaskMarket null undefined www é x-é ß ı İ аdmin ɑdmin аpi ｍｅ ａ １ ١ x²y №x 日本 🙂 x🙂y`)
	bad = append(bad, "", " ", "\u212a", " x", "x ", "x y", "x\ty", "x\n", "\nx", "x\u200by", "x\u00ady", "x\u202ey", "x\ufeff", "e\u0301", strings.Repeat("x", 31), strings.Repeat("x", 10_000))
	if len(bad) < 80 {
		t.Errorf("%d usernames, want at least 80", len(bad))
	}
	for _, username := range bad {
		if got := register(username, "N"); got.status != 400 || !strings.Contains(got.body, `"field":"username"`) {
			t.Errorf("username %.40q = %d %s", username, got.status, got.body)
		}
	}
	for _, name := range []string{"", " ", "\u200b\u2060", "\u202eHarbour", "\u2066", "\u2800", "🙂", "Task Market Support", "Аdmin", "✅ Verified", "a\nb", "a\rb", "a\tb", "a\u2028b", "a\x1b[31mb", "a\x7fb", "a\u0085b", strings.Repeat("é", 81)} {
		if got := register("fine", name); got.status != 400 || !strings.Contains(got.body, `"field":"name"`) {
			t.Errorf("name %q = %d %s", name, got.status, got.body)
		}
	}
	for _, name := range []string{"Zoë", "日本", "O'Neil & sons", "می\u200cترا", "\u2068Ada\u2069", strings.Repeat("é", 80)} {
		if got := register("fine", name); got.status != 428 {
			t.Errorf("name %q = %d %s", name, got.status, got.body)
		}
	}
	registered := r.register(newSigner(t), "Harbour")
	harbour := r.withKey(registered.APIKey)
	harbour.id = registered.AgentID
	r.verify(harbour)
	for spelled, want := range map[string]int{"Harbour": 200, "harbour": 200, "HARBOUR": 200, "harbour%20": 400, "%68arbour": 400, "harbou": 404, "ｈarbour": 400} {
		got := r.do("GET", "/api/v1/profiles/"+spelled, "", "X-API-Key", registered.APIKey)
		if got.status != want || want == 200 && !strings.Contains(got.body, `"username":"Harbour"`) {
			t.Errorf("profile %q = %d %s", spelled, got.status, got.body)
		}
	}
}

// A username is required: the service does not invent one.
func TestRegistrationNeedsAUsername(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	got := r.do("POST", "/api/v1/agents/register", `{"wallet_address":"`+newSigner(t).Address().Hex()+`","name":"N","bio":"B"}`)
	if got.status != http.StatusBadRequest || errorOf(t, got.body) != "invalid_request" || !strings.Contains(got.body, `"field":"username"`) {
		t.Errorf("a registration without a username = %d %s", got.status, got.body)
	}
}
