package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/client/doctor"
)

// TestDoctor causes up to two faults at a time, and checks that the doctor reports exactly those.
func TestDoctor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, devnet.Options{SlotsPerEpoch: 64, Genesis: time.Now().Add(-time.Hour).Truncate(time.Second)})
	w.net.Warp(t, time.Hour)                         // brings the chain to the present; the first block remains an hour old
	poor := w.newAgent(w.net.Rewarder, "poor-agent") // has native currency for gas, but no tokens
	stranger := w.unverified()
	elsewhere, err := devnet.Start(w.ctx, devnet.Options{ChainID: devnet.ChainID + 1})
	w.must(err)
	defer func() { w.must(elsewhere.Stop()) }()
	another, err := send.Deploy(w.ctx, w.net.Node, w.net.Owner, send.DeployParams{
		Token: w.net.Deployment.Token, Owner: w.net.Owner.Address(), Guardian: w.net.Owner.Address(),
		FeeBasisPoints: chaintest.FeeBasisPoints, Validators: []common.Address{w.net.Validators[0].Address()}, Quorum: 1,
		RewardSigner: w.net.Rewarder.Address(), DailyBudget: chaintest.Tokens(1),
	})
	w.must(err)
	wallet, key := w.agent.Wallet.Address(), w.agent.Key
	tests := []struct {
		name   string
		change func(*doctor.Setup)
		begin  func()
		end    func()
		want   []string
	}{
		{name: "no fault"},
		{"no pinned contracts", func(s *doctor.Setup) { s.Options.Contracts = nil }, nil, nil, nil},
		{"no API configured", func(s *doctor.Setup) { s.Options.BaseURL = "" }, nil, nil, []string{"api"}},
		{"a URL without an API", func(s *doctor.Setup) { s.Options.BaseURL = w.net.Dev.URL() }, nil, nil, []string{"api"}},
		{"the API is unreachable", nil, func() { w.must(w.server.stop()) }, func() { w.must(w.server.start(w.ctx)) }, []string{"api"}},
		{"no API key", func(s *doctor.Setup) { s.Options.APIKey = "" }, nil, nil, []string{"api-key"}},
		{"an unverified agent", func(s *doctor.Setup) { s.Options.APIKey, s.Wallet = stranger.Key, stranger.Wallet.Address() }, nil, nil, []string{"verified"}},
		{"another account's wallet", func(s *doctor.Setup) { s.Wallet = w.net.Human.Address() }, nil, nil, []string{"wallet"}},
		{"no node configured", func(s *doctor.Setup) { s.Options.RPCURL = "" }, nil, nil, []string{"node"}},
		{"the node is unreachable", func(s *doctor.Setup) { s.Options.RPCURL = "http://127.0.0.1:1/" }, nil, nil, []string{"node"}},
		{"another chain", func(s *doctor.Setup) { s.Options.RPCURL = elsewhere.URL() }, nil, nil, []string{"chain"}},
		{"another escrow", func(s *doctor.Setup) { s.Options.Contracts.Escrow = wallet }, nil, nil, []string{"contracts"}},
		{"the contracts of another market", func(s *doctor.Setup) { s.Options.Contracts = &another }, nil, nil, []string{"contracts"}},
		{"addresses without contracts", func(s *doctor.Setup) {
			s.Options.BaseURL, s.Options.Contracts.Escrow = "http://127.0.0.1:1", wallet
		}, nil, nil, []string{"api", "contracts"}},
		{"contracts of two markets", func(s *doctor.Setup) {
			s.Options.BaseURL, s.Options.Contracts.Staking = "http://127.0.0.1:1", s.Options.Contracts.Treasury
		}, nil, nil, []string{"api", "contracts"}},
		{"a node without new blocks", func(s *doctor.Setup) { s.Options.RPCURL = stillNode(t, w.net.Dev.URL()) }, nil, nil, []string{"node-sync"}},
		{"a node without a method", func(s *doctor.Setup) { s.Options.RPCURL = w.without("eth_getLogs") }, nil, nil, []string{"node-methods"}},
		{"a node without methods that others replace", func(s *doctor.Setup) {
			s.Options.RPCURL = w.without("eth_maxPriorityFeePerGas", "eth_gasPrice", "eth_getTransactionByHash")
		}, nil, nil, nil},
		{"a node without the methods for fees", func(s *doctor.Setup) {
			s.Options.RPCURL = w.without("eth_maxPriorityFeePerGas", "eth_feeHistory", "eth_gasPrice")
		}, nil, nil, []string{"node-methods"}},
		{"a clock that is fast", func(s *doctor.Setup) { s.Now = shifted(time.Hour) }, nil, nil, []string{"clock"}},
		{"a clock that is slow", func(s *doctor.Setup) { s.Now = shifted(-time.Hour) }, nil, nil, []string{"clock"}},
		{"no gas", nil, w.setGas(wallet, 0), w.setGas(wallet, 1e18), []string{"gas"}},
		{"too little gas", nil, w.setGas(wallet, 1e3), w.setGas(wallet, 1e18), []string{"gas"}},
		{"no tokens", func(s *doctor.Setup) { s.Options.APIKey, s.Wallet = poor.Key, poor.Wallet.Address() }, nil, nil, []string{"tokens"}},
		{"a stuck transaction", nil, w.stickTransaction, w.unstick, []string{"transactions"}},
		{"a replaced key", func(s *doctor.Setup) { s.Options.APIKey = key }, w.rotate, nil, []string{"api-key"}},
		{"the current key", nil, nil, nil, nil},
		{"a chain ahead of the clock", nil, func() { w.net.Warp(t, time.Hour) }, nil, []string{"node-sync"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.begin != nil {
				test.begin()
			}
			s := w.setup()
			if test.change != nil {
				test.change(&s)
			}
			wantFaults(t, doctor.Examine(w.ctx, s), test.want)
			if test.end != nil {
				test.end()
			}
		})
	}
}

// without starts a node that does not support the methods, and returns its URL.
func (w *world) without(methods ...string) string {
	p := chaintest.NewProxy(w.t, w.net.Dev.URL())
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if slices.Contains(methods, call.Method) {
				missing := chaintest.MissingMethod(call.Method)["geth"]
				call.Fault = &missing
			}
		}
		return true
	})
	return p.URL
}

// wantFaults compares the failed checks. Every check must have a result, and a check must have a hint
// if and only if it failed or warned. If no fault is expected, only the journal may be skipped.
func wantFaults(t *testing.T, got []doctor.Result, want []string) {
	t.Helper()
	var names, faults []string
	for _, r := range got {
		names = append(names, r.Name)
		if r.Status == doctor.Fail {
			faults = append(faults, r.Name)
		}
		if r.Message == "" || (r.Status == doctor.Fail || r.Status == doctor.Warn) != (r.Hint != "") {
			t.Errorf("%+v has missing or extra text", r)
		}
		if r.Status == doctor.Skipped && want == nil && r.Name != "journal" {
			t.Errorf("%s was skipped, although nothing is wrong: %s", r.Name, r.Message)
		}
	}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s\n%+v", diff, got)
	}
	if diff := cmp.Diff(doctor.Checks(), names); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

// setup returns the agent's valid configuration.
func (w *world) setup() doctor.Setup {
	contracts := w.net.Deployment
	return doctor.Setup{
		Options:        client.Options{BaseURL: w.server.api(), APIKey: w.agent.Key, RPCURL: w.net.Dev.URL(), Contracts: &contracts},
		Wallet:         w.agent.Wallet.Address(),
		Version:        "dev",
		PendingTimeout: 100 * time.Millisecond,
	}
}

// rotate replaces the agent's key.
func (w *world) rotate() {
	replacement, err := w.agent.RotateKey(w.ctx)
	w.must(err)
	w.agent.Key = replacement.APIKey
}

// unverified registers an agent without verifying it.
func (w *world) unverified() *agent {
	w.t.Helper()
	wallet := w.net.OtherAgent
	newcomer, err := client.New(client.Options{BaseURL: w.server.api(), RPCURL: w.net.Dev.URL(), Signer: wallet})
	w.must(err)
	defer newcomer.Close()
	registered, err := newcomer.Register(w.ctx, client.Profile{Name: "Stranger", Username: "stranger-agent"})
	w.must(err)
	return &agent{ID: registered.AgentID, Key: registered.APIKey, Wallet: wallet}
}

func shifted(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by) }
}

func (w *world) setGas(wallet common.Address, wei int64) func() {
	return func() { w.must(w.net.Dev.SetBalance(w.ctx, wallet, big.NewInt(wei))) }
}

// stickTransaction sends a transaction that stays pending until unstick is called.
func (w *world) stickTransaction() {
	w.must(w.net.Dev.SetMining(w.ctx, false))
	w.dispatch(w.agent.Wallet, &w.net.Deployment.Token, w.net.Contracts.TransferToken(w.net.Human.Address(), chaintest.Tokens(1)).Data)
}

func (w *world) unstick() {
	w.net.Mine(w.t, 1)
	w.must(w.net.Dev.SetMining(w.ctx, true))
}

// stillNode returns the URL of a proxy for the node. The proxy reports the first block as the latest.
func stillNode(t *testing.T, node string) string {
	t.Helper()
	target, err := url.Parse(node)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var call struct {
			Method string            `json:"method"`
			Params []json.RawMessage `json:"params"`
		}
		if json.Unmarshal(body, &call) == nil && call.Method == "eth_getBlockByNumber" {
			body = bytes.Replace(body, []byte(`"latest"`), []byte(`"0x0"`), 1)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		proxy.ServeHTTP(rw, r.WithContext(context.WithoutCancel(r.Context())))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
