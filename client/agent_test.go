package client_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"taskmarket/chain"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/client"
	"taskmarket/market"
)

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// registrar is a fake API for registrations. It first responds with the challenge and then, to a
// request with a valid signature, with the API key.
type registrar struct {
	challenge func(host, wallet string) string
	signed    int
}

func (g *registrar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Wallet    string  `json:"wallet_address"`
		Challenge *string `json:"challenge"`
		Signature string  `json:"signature"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(400, "invalid_request")(w, r)
		return
	}
	if body.Challenge == nil {
		text, _ := json.Marshal(g.challenge(r.Host, body.Wallet)) //nolint:errchkjson // a string can always be encoded
		respond(428, fmt.Sprintf(`{"error":"signature_required","message":"Sign.","hint":"Sign.","challenge":%s,"request_id":"r"}`, text))(w, r)
		return
	}
	g.signed++
	signature := common.FromHex(body.Signature)
	signature[64] -= 27
	key, err := crypto.SigToPub(accounts.TextHash([]byte(*body.Challenge)), signature)
	if err != nil || crypto.PubkeyToAddress(*key) != common.HexToAddress(body.Wallet) {
		refuse(400, "signature_invalid")(w, r)
		return
	}
	respond(201, `{"agent_id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80","username":"harbour","api_key":"tmk_new","verification_code":"c"}`)(w, r)
}

func TestRegister(t *testing.T) {
	lines := func(change ...string) func(host, wallet string) string {
		return func(host, wallet string) string {
			text := "Task Market: register an agent\nDomain: " + host + "\nChain ID: 31337\nWallet: " + wallet +
				"\nUsername: harbour\nProfile: 0xabc\nNonce: 123\nExpires At: 2030-01-01T00:00:00Z"
			return strings.NewReplacer(change...).Replace(text)
		}
	}
	tests := map[string]struct {
		challenge func(host, wallet string) string
		says      string // part of the expected error; "" for success
	}{
		"a valid challenge":     {lines(), ""},
		"another loopback name": {lines("127.0.0.1", "localhost"), ""},
		"another wallet":        {lines("Wallet: 0x", "Wallet: 0x00"), "the Wallet"},
		"another host":          {lines("Domain: ", "Domain: evil."), "the Domain"},
		"another chain":         {lines("31337", "1"), "the Chain ID"},
		"another username":      {lines("harbour", "harbour2"), "the Username"},
		"no username":           {lines("Username: harbour\n", ""), "the Username"},
		"a second host":         {lines("Nonce: 123", "Domain: evil.example"), "unexpected line"},
		"a line without a name": {lines("Nonce: 123", "I owe you everything"), "unexpected line"},
		"fields in the title":   {func(host, wallet string) string { return "register " + host + wallet + "31337 harbour" }, "was not signed"},
		"a sign-in message":     {lines("Task Market: register an agent", "evil.example wants you to sign in with your Ethereum account:"), "expected a challenge to register"},
		"a key recovery":        {lines("register an agent", "recover an API key"), "expected a challenge to register"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := &registrar{challenge: test.challenge}
			s := &script{answers: []http.HandlerFunc{g.ServeHTTP}}
			c := dialTest(t, s, func(o *client.Options) {
				o.Signer, o.APIKey = chain.NewKeySigner(newKey(t)), ""
				o.Contracts = &market.Deployment{ChainID: 31337}
			})
			got, err := c.Register(t.Context(), client.Profile{Name: "Harbour", Username: "harbour"})
			if test.says == "" {
				if err != nil || got.APIKey != "tmk_new" {
					t.Errorf("got %v, error %v", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got error %v, want %q", err, test.says)
			}
			if g.signed != 0 {
				t.Error("a signature was sent")
			}
		})
	}
}

func TestRegisterReturnsAPIError(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{refuse(409, "wallet_already_registered")}}
	c := dialTest(t, s, func(o *client.Options) {
		o.Signer, o.Contracts = chain.NewKeySigner(newKey(t)), &market.Deployment{ChainID: 31337}
	})
	_, err := c.Register(t.Context(), client.Profile{Name: "Harbour", Username: "harbour"})
	if err == nil || !strings.Contains(err.Error(), "wallet_already_registered") {
		t.Errorf("got error %v", err)
	}
}

// The API key in a node's URL must not appear in logs, so errors leave out the URL.
func TestNodeErrorsHideTheURL(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{respond(200, `{}`)}}
	node := url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: "/v2/provider-key"}
	c := dialTest(t, s, func(o *client.Options) {
		o.Signer, o.RPCURL = chain.NewKeySigner(newKey(t)), node.String()
	})
	_, err := c.CreateTask(t.Context(), client.TaskRequest{Title: "t", Description: "d", Amount: hexutil.MustDecodeBig("0x1")})
	if err == nil || strings.Contains(err.Error(), "provider-key") {
		t.Errorf("got error %v", err)
	}
}
