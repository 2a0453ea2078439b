package server_test

import (
	"taskmarket/chain"
	"encoding/hex"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/gen/client"
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

// A misbehaving contract wallet cannot sign in, and is refused within seconds. An externally owned
// account with delegated code can still sign in with its key.
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
