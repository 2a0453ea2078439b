package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

func TestWatcherSwitchesToAProviderWithItsBlock(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	lying, good := chaintest.NewProxy(t, net.Dev.URL()), chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, lying.URL, good.URL)
	// Simulates a node that has not executed the newest blocks: it returns no logs.
	lying.Answer = chaintest.OftenOf(1<<30, "eth_getLogs", func(c *chaintest.Exchange) bool {
		c.Result = json.RawMessage("[]")
		return true
	})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	if faults := chaintest.Follow(t, net, w, j); faults != 1 {
		t.Errorf("%d faults, want one and then the other provider", faults)
	}
	chaintest.CheckSame(t, net, j)

	good.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	lying.Set(func(p *chaintest.Proxy) { p.Answer = nil })
	net.Mine(t, 3)
	chaintest.Follow(t, net, w, j)
	chaintest.CheckSame(t, net, j)
	if j.Rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.Rewinds)
	}
}

func TestWatcherDoesNotAlternateBetweenProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	ahead, behind := chaintest.NewProxy(t, net.Dev.URL()), chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, ahead.URL, behind.URL)
	behind.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool { return chaintest.Lag(t, net, c, 5) })
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{StallTimeout: time.Hour})
	flaky := 0
	ahead.HTTP = func(w http.ResponseWriter, _ []string) bool {
		if flaky++; flaky%3 == 0 {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	for range 8 {
		net.Mine(t, 2)
		for range 4 {
			_, err := w.Step(t.Context())
			if _, faulty := errors.AsType[*rpc.ProviderError](err); err != nil && !faulty {
				t.Fatal(err)
			}
		}
	}
	behind.Set(func(p *chaintest.Proxy) { p.Answer = nil })
	chaintest.Follow(t, net, w, j)
	chaintest.CheckSame(t, net, j)
	if j.Rewinds != 0 {
		t.Errorf("%d rewinds without a reorganisation", j.Rewinds)
	}
}

func TestWatcherDoesNotSwitchToAnotherBranch(t *testing.T) {
	t.Parallel()
	genesis := devnet.Options{Genesis: time.Unix(1_700_000_000, 0), SlotsPerEpoch: 64}
	net, branch := chaintest.New(t, genesis), chaintest.New(t, genesis)
	net.Warp(t, time.Hour) // the two chains differ from this block on
	branch.Mine(t, 20)
	flaky := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, flaky.URL, branch.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	chaintest.Follow(t, net, w, j)
	net.Mine(t, 1)
	times := 5
	flaky.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool {
			if times--; times < 0 {
				return false
			}
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	if faults := chaintest.Follow(t, net, w, j); faults != 5 || j.Rewinds != 0 {
		t.Errorf("%d faults and %d rewinds, want 5 and none", faults, j.Rewinds)
	}
	chaintest.CheckSame(t, net, j)
}

func TestWatcherRejectsAnotherChain(t *testing.T) {
	t.Parallel()
	net, other := chaintest.New(t), chaintest.New(t, devnet.Options{Genesis: time.Unix(1_700_000_000, 0)})
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	before := j.At
	other.Mine(t, 50)
	p.Set(func(p *chaintest.Proxy) { p.Upstream = other.Dev.URL() })
	for range 3 {
		if _, err := w.Step(t.Context()); !errors.Is(err, rpc.ErrWrongChain) {
			t.Fatalf("Step() = %v, want %v", err, rpc.ErrWrongChain)
		}
	}
	if j.At != before || j.Rewinds != 0 {
		t.Errorf("cursor moved from %+v to %+v", before, j.At)
	}
	p.Set(func(p *chaintest.Proxy) { p.Upstream = net.Dev.URL() })
	net.Mine(t, 1)
	chaintest.Follow(t, net, w, j)
	chaintest.CheckSame(t, net, j)
}

func TestDialRejectsAnotherChain(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	closed := chaintest.NewProxy(t, net.Dev.URL())
	closed.HTTP = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	cases := map[string]struct {
		urls    []string
		chainID uint64
		wrong   bool
	}{
		"another chain id":    {urls: []string{net.Dev.URL()}, chainID: 1, wrong: true},
		"no provider":         {chainID: 1},
		"not a URL":           {urls: []string{"secret"}, chainID: 1},
		"no working provider": {urls: []string{closed.URL}, chainID: devnet.ChainID},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := rpc.Dial(t.Context(), c.urls, c.chainID, rpc.NodeOptions{})
			if err == nil || errors.Is(err, rpc.ErrWrongChain) != c.wrong {
				t.Errorf("Dial() = %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("Dial() = %v, which repeats the URL", err)
			}
		})
	}
	if node := chaintest.Dial(t, closed.URL, net.Dev.URL()); node.ChainID() != devnet.ChainID {
		t.Errorf("chain id is %d", node.ChainID())
	}
}

func TestReadsSwitchToAnotherProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	first := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, first.URL, net.Dev.URL())
	first.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	reader := chain.NewReader(node, net.Contracts)
	for range 5 {
		if _, _, err := reader.Balances(t.Context(), net.Agent.Address()); err != nil {
			t.Fatal(err)
		}
	}
	if n := first.Count("eth_call"); n > 1 {
		t.Errorf("the resting provider received %d requests", n)
	}
	alone := chain.NewReader(chaintest.Dial(t, chaintest.NewProxy(t, net.Dev.URL()).URL), net.Contracts)
	if _, err := alone.PermitNonce(t.Context(), net.Agent.Address()); err != nil {
		t.Fatal(err)
	}
}

func TestReadsReturnChainUnavailable(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	p.Set(func(p *chaintest.Proxy) { p.Upstream = "http://127.0.0.1:1" })
	reader := chain.NewReader(node, net.Contracts)
	call := net.Contracts.Settle(net.Deployment.Escrow, 1)
	_, _, balances := reader.Balances(t.Context(), net.Agent.Address())
	_, proof := reader.ProveFunding(t.Context(), common.Hash{1}, &market.Task{})
	cases := map[string]error{
		"Balances":     balances,
		"Simulate":     reader.Simulate(t.Context(), net.Agent.Address(), call),
		"ProveFunding": proof,
		"VerifyDigest": chain.NewVerifier(node).VerifyDigest(t.Context(), net.Agent.Address(), common.Hash{}, []byte{1}),
	}
	for name, err := range cases {
		if market.KindOf(err) != market.KindChainUnavailable {
			t.Errorf("%s = %v, want kind %q", name, err, market.KindChainUnavailable)
		}
	}
}

// operation is a use of the node that succeeds with an honest provider.
type operation struct {
	name string
	run  func(context.Context, *rpc.Node) error
}

// operations returns every use of a node by the server, the keeper and the clients, except for the watcher.
func operations(t *testing.T, net *chaintest.Net) []operation {
	t.Helper()
	id, posted := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{})
	wallet, head := common.Address{7}, net.Head(t)
	chaintest.Install(t, net, wallet, chaintest.WalletFor(common.Hash{1}))
	cancel := net.Contracts.CancelTask(net.Deployment.Escrow, id)
	read := func(name string, call func(context.Context, *chain.Reader) error) operation {
		return operation{name, func(ctx context.Context, n *rpc.Node) error { return call(ctx, chain.NewReader(n, net.Contracts)) }}
	}
	sent := func(name string, call func(context.Context, *send.Sender) error) operation {
		return operation{name, func(ctx context.Context, n *rpc.Node) error { return call(ctx, send.NewSender(n, net.Agent)) }}
	}
	return []operation{
		read("Head", func(ctx context.Context, r *chain.Reader) error { _, err := r.Head(ctx); return err }),
		read("Balances", func(ctx context.Context, r *chain.Reader) error { _, _, err := r.Balances(ctx, wallet); return err }),
		read("HeldAt", func(ctx context.Context, r *chain.Reader) error { _, _, err := r.HeldAt(ctx, head.Hash); return err }),
		read("PermitNonce", func(ctx context.Context, r *chain.Reader) error { _, err := r.PermitNonce(ctx, wallet); return err }),
		read("TokenInfo", func(ctx context.Context, r *chain.Reader) error { _, err := r.TokenInfo(ctx); return err }),
		read("RewardBudget", func(ctx context.Context, r *chain.Reader) error { _, err := r.RewardBudget(ctx); return err }),
		read("CheckCode", func(ctx context.Context, r *chain.Reader) error { return r.CheckCode(ctx) }),
		read("Simulate", func(ctx context.Context, r *chain.Reader) error { return r.Simulate(ctx, net.Agent.Address(), cancel) }),
		read("ProveFunding", func(ctx context.Context, r *chain.Reader) error {
			_, err := r.ProveFunding(ctx, posted.TxHash, &market.Task{EscrowAddress: net.Deployment.Escrow})
			if market.KindOf(err) == market.KindTxMismatch { // the receipt was read
				return nil
			}
			return err
		}),
		{"VerifyDigest", func(ctx context.Context, n *rpc.Node) error {
			return chain.NewVerifier(n).VerifyDigest(ctx, wallet, common.Hash{1}, []byte{1})
		}},
		sent("Estimate", func(ctx context.Context, s *send.Sender) error { _, err := s.Estimate(ctx, cancel); return err }),
		sent("Fees", func(ctx context.Context, s *send.Sender) error { _, err := s.Fees(ctx); return err }),
		sent("NextNonce", func(ctx context.Context, s *send.Sender) error { _, err := s.NextNonce(ctx); return err }),
		sent("NonceBounds", func(ctx context.Context, s *send.Sender) error { _, _, _, err := s.NonceBounds(ctx); return err }),
		sent("LeastUsedNoncesOf", func(ctx context.Context, s *send.Sender) error {
			_, err := s.LeastUsedNoncesOf(ctx, wallet)
			return err
		}),
		sent("Receipt", func(ctx context.Context, s *send.Sender) error { _, err := s.Receipt(ctx, posted.TxHash); return err }),
		sent("Known", func(ctx context.Context, s *send.Sender) error { _, err := s.Known(ctx, posted.TxHash); return err }),
		sent("Send", func(ctx context.Context, s *send.Sender) error {
			_, err := s.Send(ctx, net.Contracts.ApproveToken(wallet, common.Big1))
			return err
		}),
	}
}

// failing makes a provider answer every call with the fault.
func failing(p *chaintest.Proxy, fault chaintest.Fault) {
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			c.Fault = &fault
		}
		return true
	})
	p.Intercept(func(*chaintest.Exchange) bool { return true })
}

// An error in a response with HTTP status 200 that is no answer to the call is a fault of the provider: the node
// tries another provider, opens the circuit breaker, and reports the chain as unavailable if there is no other.
func TestErrorResponsesAreFaultsOfTheProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	all := operations(t, net)
	for name, fault := range chaintest.ProviderFaults() {
		t.Run(name, func(t *testing.T) {
			bad := chaintest.NewProxy(t, net.Dev.URL())
			both, alone := chaintest.Dial(t, bad.URL, net.Dev.URL()), chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, bad.URL)
			failing(bad, fault)
			for _, o := range all {
				if err := o.run(t.Context(), both); err != nil {
					t.Errorf("%s with an honest provider = %v", o.name, err)
				}
				if o.name == "HeldAt" { // returns the provider's error
					continue
				}
				if err := o.run(t.Context(), alone); market.KindOf(err) != market.KindChainUnavailable {
					t.Errorf("%s without another provider = %v, want kind %q", o.name, err, market.KindChainUnavailable)
				}
			}
			if states := both.Providers(); states[0].Failures == 0 || states[1].Failures > 0 {
				t.Errorf("the providers are %+v, want failures of the first one", states)
			}
		})
	}
}

// Another provider's answer hides the fault of a provider, so it is logged, at most once a minute.
func TestFaultOfAProviderIsLogged(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	bad := chaintest.NewProxy(t, net.Dev.URL())
	var log bytes.Buffer
	node := chaintest.DialWith(t, rpc.NodeOptions{Log: slog.New(slog.NewTextHandler(&log, nil))}, bad.URL+"/secret", net.Dev.URL())
	failing(bad, chaintest.ProviderFaults()["own code"])
	for range 3 {
		if _, err := chain.NewReader(node, net.Contracts).Head(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	text, host := log.String(), strings.TrimPrefix(bad.URL, "http://")
	if strings.Count(text, "a call to a provider failed") != 1 || !strings.Contains(text, host) || !strings.Contains(text, "capacity exceeded") || strings.Contains(text, "secret") {
		t.Errorf("the log is %q, want one message with the provider and its error", text)
	}
}

// A provider that lacks a method is not used for it, and stays in use for all others.
func TestMissingMethodLeavesTheProviderInUse(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	all := operations(t, net)
	methods := []string{
		"eth_call", "eth_estimateGas", "eth_getBalance", "eth_getCode", "eth_getTransactionReceipt", "eth_getTransactionByHash",
		"eth_getTransactionCount", "eth_sendRawTransaction", "eth_maxPriorityFeePerGas",
	}
	for i, method := range methods {
		words := chaintest.MissingMethod(method)
		name := slices.Sorted(maps.Keys(words))[i%len(words)]
		fault := words[name]
		without := chaintest.NewProxy(t, net.Dev.URL())
		node := chaintest.Dial(t, without.URL, net.Dev.URL())
		without.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, c := range calls {
				if c.Method == method {
					c.Fault = &fault
				}
			}
			return true
		})
		without.Intercept(func(c *chaintest.Exchange) bool { return c.Method == method })
		for _, o := range all {
			if err := o.run(t.Context(), node); err != nil {
				t.Errorf("%s, %s with an honest provider = %v", method, o.name, err)
			}
		}
		if states := node.Providers(); states[0].Failures != 0 || states[0].Resting {
			t.Errorf("%s, in the words of %s: the providers are %+v, want no failures", method, name, states)
		}
	}
}

// A node that is several servers behind one URL can answer every third call with an error.
func TestOneBadAnswerOfThreeIsRetried(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	all := operations(t, net)
	for name, fault := range chaintest.ProviderFaults() {
		t.Run(name, func(t *testing.T) {
			flaky := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.DialWith(t, rpc.NodeOptions{Pause: time.Millisecond}, flaky.URL)
			var calls atomic.Int32
			flaky.Misbehave(func(exchanges []*chaintest.Exchange) bool {
				for _, c := range exchanges {
					if calls.Add(1)%3 == 0 {
						c.Fault = &fault
					}
				}
				return true
			})
			for _, o := range all {
				if o.name == "HeldAt" || o.name == "NonceBounds" { // one attempt makes three calls
					continue
				}
				if err := o.run(t.Context(), node); err != nil {
					t.Errorf("%s = %v", o.name, err)
				}
			}
		})
	}
}

// A revert that another provider does not confirm has no effect.
func TestRevertNeedsAllProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	all := operations(t, net)
	for name, fault := range map[string]chaintest.Fault{
		"with data":      {Code: 3, Message: "execution reverted", Data: json.RawMessage(`"0x4e487b710000000000000000000000000000000000000000000000000000000000000011"`)},
		"without data":   {Code: 3, Message: "execution reverted"},
		"out of gas":     {Code: -32000, Message: "out of gas"},
		"invalid opcode": {Code: -32015, Message: "VM execution error."},
	} {
		liar := chaintest.NewProxy(t, net.Dev.URL())
		node := chaintest.Dial(t, liar.URL, net.Dev.URL())
		liar.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, c := range calls {
				if c.Method == "eth_call" || c.Method == "eth_estimateGas" {
					c.Fault = &fault
				}
			}
			return true
		})
		for _, o := range all {
			if o.name == "VerifyDigest" { // one provider that rejects a signature is enough
				continue
			}
			if err := o.run(t.Context(), node); err != nil {
				t.Errorf("%s, %s = %v", name, o.name, err)
			}
		}
	}
}

// Calls before Connect are refused without a request. Otherwise, the providers would look as if they served
// another chain.
func TestCallsBeforeConnectAreRefused(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node, err := rpc.NewNode([]string{p.URL}, net.Deployment.ChainID, rpc.NodeOptions{})
	chaintest.Must(t, err)
	t.Cleanup(node.Close)
	ctx := t.Context()
	settle := net.Contracts.Settle(net.Deployment.Escrow, 1)
	_, estimate := send.NewSender(node, net.Agent).Estimate(ctx, settle)
	call := node.CallsAt(ctx, common.Hash{1}, []chain.Call{settle}, func(string, []hexutil.Bytes) error { return nil })
	for name, err := range map[string]error{
		"estimate": estimate, "call": call,
		"search": node.SearchLogs(ctx, rpc.LogQuery{}, func([]types.Log) {}),
	} {
		if market.KindOf(err) != market.KindChainUnavailable {
			t.Errorf("%s = %v, want %s", name, err, market.KindChainUnavailable)
		}
	}
	chaintest.Must(t, node.Connect(ctx))
	_, err = send.NewSender(node, net.Agent).Fees(ctx)
	chaintest.Must(t, err)
}
