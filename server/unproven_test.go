package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

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
	r := newRig(t, limited(&c, "unprovenSignatures"))
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
	r := newRig(t, limited(&c, "signIns"), func(o *server.Options) {
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
func TestThreat31ContractWalletChecksAreBounded(t *testing.T) {
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

// Concurrent requests for /agents/me share reads of the balances, and invalid requests cause none.
func TestThreat56AgentsMeReadsBalancesOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	here := r.replica(func(o *server.Options) { o.Reader = chain.NewReader(chaintest.Dial(t, p.URL), r.net.Contracts) })
	agent := r.agent(r.net.Agent)
	before := p.requests.Load()
	for range 20 {
		if got := here.do("GET", "/api/v1/agents/me?handle=a%40elsewhere.example", "", "X-API-Key", agent.key); got.status != 400 {
			t.Fatalf("a handle of an unknown network = %d %s", got.status, got.body)
		}
	}
	if got := p.requests.Load() - before; got != 0 {
		t.Errorf("invalid requests cost %d calls to the node, want 0", got)
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key); got.status != 200 {
				t.Errorf("agents/me = %d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	if got := p.requests.Load() - before; got > 6 { // two calls per read, and the requests can take more than a second
		t.Errorf("50 requests cost %d calls to the node, want at most 6", got)
	}
	read := func() string { return here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key).body }
	had := read()
	r.net.Send(t, r.net.Agent, r.net.Contracts.TransferToken(common.Address{0xab}, chaintest.Tokens(1)))
	r.settle()
	for end := time.Now().Add(10 * time.Second); read() == had; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the balance after a transfer was not read within 10 s")
		}
	}
}

// While the node does not respond, GET /agents/me returns 503 within ten seconds. It works again as soon as the
// node does.
func TestAgentsMeOutageOfASuspendedNode(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := newNodeProxy(t, r.net.Dev.URL())
	here := r.replica(func(o *server.Options) { o.Reader = chain.NewReader(chaintest.Dial(t, p.URL), r.net.Contracts) })
	agent := r.agent(r.net.Agent)
	p.delay.Store(int64(time.Minute))
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			began := time.Now()
			got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key)
			if took := time.Since(began); got.status != 503 || errorOf(t, got.body) != "chain_unavailable" || took > 10*time.Second {
				t.Errorf("agents/me = %d %s after %s", got.status, got.body, took)
			}
		})
	}
	all.Wait()
	p.delay.Store(0)
	if got := here.do("GET", "/api/v1/agents/me", "", "X-API-Key", agent.key); got.status != 200 {
		t.Errorf("agents/me after the outage = %d %s", got.status, got.body)
	}
}
