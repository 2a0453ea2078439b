package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

func TestRegistrationInTwoSteps(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	me, err := r.withKey(key).GetAgentMeWithResponse(t.Context())
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

// neverKept fails the test when the secret lies in the database or in the log.
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

func TestThreat26RegistrationIsBoundToItsBody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer, other := newSigner(t), newSigner(t)
	tests := map[string]struct {
		change func(*client.RegisterAgentRequest)
		code   string
	}{
		"other username":     {func(b *client.RegisterAgentRequest) { b.Username = "other-name" }, "challenge_mismatch"},
		"other name":         {func(b *client.RegisterAgentRequest) { b.Name = "Other" }, "challenge_mismatch"},
		"other bio":          {func(b *client.RegisterAgentRequest) { b.Bio = new("Other.") }, "challenge_mismatch"},
		"other wallet":       {func(b *client.RegisterAgentRequest) { b.WalletAddress = other.Address().Hex() }, "signature_invalid"},
		"other's signature":  {func(b *client.RegisterAgentRequest) { b.Signature = new(signText(t, other, *b.Challenge)) }, "signature_invalid"},
		"edited challenge":   {func(b *client.RegisterAgentRequest) { b.Challenge = new(*b.Challenge + " ") }, "signature_invalid"},
		"edited and signed":  {func(b *client.RegisterAgentRequest) { resign(t, signer, b, *b.Challenge+" ") }, "challenge_mismatch"},
		"own text":           {func(b *client.RegisterAgentRequest) { resign(t, signer, b, "hello") }, "challenge_mismatch"},
		"no signature":       {func(b *client.RegisterAgentRequest) { b.Signature = nil }, "invalid_request"},
		"no challenge":       {func(b *client.RegisterAgentRequest) { b.Challenge = nil }, "invalid_request"},
		"short signature":    {func(b *client.RegisterAgentRequest) { b.Signature = new("0x00") }, "signature_invalid"},
		"64 bytes":           {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130]) }, "signature_invalid"},
		"66 bytes":           {func(b *client.RegisterAgentRequest) { b.Signature = new(*b.Signature + "00") }, "signature_invalid"},
		"last byte 29":       {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130] + "1d") }, "signature_invalid"},
		"last byte 54":       {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[:130] + "36") }, "signature_invalid"},
		"signature not hex":  {func(b *client.RegisterAgentRequest) { b.Signature = new("0xzz") }, "invalid_request"},
		"signature odd":      {func(b *client.RegisterAgentRequest) { b.Signature = new("0x000") }, "invalid_request"},
		"signature no 0x":    {func(b *client.RegisterAgentRequest) { b.Signature = new((*b.Signature)[2:]) }, "invalid_request"},
		"username reserved":  {func(b *client.RegisterAgentRequest) { b.Username = "Admin" }, "invalid_request"},
		"name with newline":  {func(b *client.RegisterAgentRequest) { b.Name = "a\nb" }, "invalid_request"},
		"wallet checksum":    {func(b *client.RegisterAgentRequest) { b.WalletAddress = swapCase(b.WalletAddress) }, "invalid_request"},
		"wallet zero":        {func(b *client.RegisterAgentRequest) { b.WalletAddress = "0x" + strings.Repeat("0", 40) }, "invalid_request"},
		"wallet without 0x":  {func(b *client.RegisterAgentRequest) { b.WalletAddress = b.WalletAddress[2:] }, "invalid_request"},
		"wallet with 0X":     {func(b *client.RegisterAgentRequest) { b.WalletAddress = "0X" + b.WalletAddress[2:] }, "invalid_request"},
		"username with dash": {func(b *client.RegisterAgentRequest) { b.Username = "-x" }, "invalid_request"},
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

// swapCase breaks the checksum of an address and nothing else.
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

func TestRegistrationNeedsFreeNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := newSigner(t)
	r.register(first, "Harbour")
	for name, test := range map[string]struct {
		signer   *chain.KeySigner
		username string
		code     string
	}{
		"same wallet":           {first, "another", "wallet_already_registered"},
		"same username":         {newSigner(t), "Harbour", "username_taken"},
		"same username in case": {newSigner(t), "hARBOUR", "username_taken"},
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
		o.Now = func() time.Time { return time.Now().Add(-11 * time.Minute) }
	}
	r := newRig(t, past)
	signer := newSigner(t)
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "N", Username: "late"}
	r.sign(signer, &body)
	got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
	if err != nil || got.JSON400 == nil || got.JSON400.Error != "challenge_expired" {
		t.Errorf("step 2 = %s, %v", answer(got), err)
	}
}

// Of many second steps at once exactly one registers.
func TestThreat27RegistrationHappensOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	signer := newSigner(t)
	body := client.RegisterAgentRequest{WalletAddress: signer.Address().Hex(), Name: "N", Username: "once"}
	r.sign(signer, &body)
	var wg sync.WaitGroup
	statuses := make(chan int, 20)
	for range cap(statuses) {
		wg.Go(func() {
			got, err := r.anonymous().RegisterAgentWithResponse(t.Context(), body)
			if err != nil {
				t.Errorf("step 2: %v", err)
				return
			}
			statuses <- got.StatusCode()
		})
	}
	wg.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if count[201] != 1 || count[201]+count[409]+count[400] != cap(statuses) {
		t.Errorf("statuses = %v, want one 201", count)
	}
}

func TestAPIKeysAreCheckedWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
