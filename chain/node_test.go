package chain_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

func TestWatcherSwitchesToAProviderWithItsBlock(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	lying, good := newProxy(t, net.Dev.URL()), newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, lying.URL, good.URL)
	// Simulates a node that has not executed the newest blocks: it returns no logs.
	lying.answer = oftenOf(1<<30, "eth_getLogs", func(c *call) bool {
		c.Result = json.RawMessage("[]")
		return true
	})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	if faults := follow(t, net, w, j); faults != 1 {
		t.Errorf("%d faults, want one and then the other provider", faults)
	}
	checkSame(t, net, j)

	good.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	lying.set(func(p *proxy) { p.answer = nil })
	net.Mine(t, 3)
	follow(t, net, w, j)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.rewinds)
	}
}

func TestThreat94WatcherDoesNotAlternateBetweenProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	ahead, behind := newProxy(t, net.Dev.URL()), newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, ahead.URL, behind.URL)
	behind.answer = oftenOf(1<<30, "eth_getBlockByNumber", func(c *call) bool { return lag(t, net, c, 5) })
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{StallTimeout: time.Hour})
	flaky := 0
	ahead.http = func(w http.ResponseWriter, _ []string) bool {
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
			if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
				t.Fatal(err)
			}
		}
	}
	behind.set(func(p *proxy) { p.answer = nil })
	follow(t, net, w, j)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds without a reorganisation", j.rewinds)
	}
}

func TestWatcherDoesNotSwitchToAnotherBranch(t *testing.T) {
	t.Parallel()
	genesis := devnet.Options{Genesis: time.Unix(1_700_000_000, 0), SlotsPerEpoch: 64}
	net, branch := chaintest.New(t, genesis), chaintest.New(t, genesis)
	net.Warp(t, time.Hour) // the two chains differ from this block on
	branch.Mine(t, 20)
	flaky := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, flaky.URL, branch.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	follow(t, net, w, j)
	net.Mine(t, 1)
	times := 5
	flaky.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool {
			if times--; times < 0 {
				return false
			}
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	if faults := follow(t, net, w, j); faults != 5 || j.rewinds != 0 {
		t.Errorf("%d faults and %d rewinds, want 5 and none", faults, j.rewinds)
	}
	checkSame(t, net, j)
}

func TestThreat91WatcherRejectsAnotherChain(t *testing.T) {
	t.Parallel()
	net, other := chaintest.New(t), chaintest.New(t, devnet.Options{Genesis: time.Unix(1_700_000_000, 0)})
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{})
	catchUp(t, w)
	before := j.cursor
	other.Mine(t, 50)
	p.set(func(p *proxy) { p.upstream = other.Dev.URL() })
	for range 3 {
		if _, err := w.Step(t.Context()); !errors.Is(err, chain.ErrWrongChain) {
			t.Fatalf("Step() = %v, want %v", err, chain.ErrWrongChain)
		}
	}
	if j.cursor != before || j.rewinds != 0 {
		t.Errorf("cursor moved from %+v to %+v", before, j.cursor)
	}
	p.set(func(p *proxy) { p.upstream = net.Dev.URL() })
	net.Mine(t, 1)
	follow(t, net, w, j)
	checkSame(t, net, j)
}

func TestThreat91DialRejectsAnotherChain(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	closed := newProxy(t, net.Dev.URL())
	closed.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
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
			_, err := chain.Dial(t.Context(), c.urls, c.chainID, chain.NodeOptions{})
			if err == nil || errors.Is(err, chain.ErrWrongChain) != c.wrong {
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
	first := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, first.URL, net.Dev.URL())
	first.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	reader := chain.NewReader(node, net.Contracts)
	for range 5 {
		if _, _, err := reader.Balances(t.Context(), net.Agent.Address()); err != nil {
			t.Fatal(err)
		}
	}
	if n := first.count("eth_call"); n > 1 {
		t.Errorf("the resting provider received %d requests", n)
	}
	alone := chain.NewReader(chaintest.Dial(t, newProxy(t, net.Dev.URL()).URL), net.Contracts)
	if _, err := alone.PermitNonce(t.Context(), net.Agent.Address()); err != nil {
		t.Fatal(err)
	}
}

func TestReadsReturnChainUnavailable(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	p.set(func(p *proxy) { p.upstream = "http://127.0.0.1:1" })
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

func TestReadsSwitchAwayFromARateLimitingProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	full := newProxy(t, net.Dev.URL())
	full.answer = oftenOf(1<<30, "eth_call", func(c *call) bool {
		c.Fault = &fault{Code: -32005, Message: "daily request count exceeded"}
		return true
	})
	reader := chain.NewReader(chaintest.Dial(t, full.URL, net.Dev.URL()), net.Contracts)
	if _, err := reader.TokenInfo(t.Context()); err != nil {
		t.Fatal(err)
	}
	alone := chain.NewReader(chaintest.Dial(t, full.URL), net.Contracts)
	err := alone.Simulate(t.Context(), net.Agent.Address(), net.Contracts.PostTask(chaintest.Tokens(1), 500, common.Hash{}))
	if market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("Simulate() = %v, want kind %q", err, market.KindChainUnavailable)
	}
}

// Calls before Connect are refused without a request. Otherwise, the providers would look as if they served
// another chain.
func TestCallsBeforeConnectAreRefused(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	node, err := chain.NewNode([]string{p.URL}, net.Deployment.ChainID, chain.NodeOptions{})
	must(t, err)
	t.Cleanup(node.Close)
	ctx := t.Context()
	settle := net.Contracts.Settle(net.Deployment.Escrow, 1)
	_, estimate := chain.NewSender(node, net.Agent).Estimate(ctx, settle)
	call := node.CallsAt(ctx, common.Hash{1}, []chain.Call{settle}, func(string, []hexutil.Bytes) error { return nil })
	for name, err := range map[string]error{
		"estimate": estimate, "call": call,
		"search": node.SearchLogs(ctx, chain.LogQuery{}, func([]types.Log) {}),
	} {
		if market.KindOf(err) != market.KindChainUnavailable {
			t.Errorf("%s = %v, want %s", name, err, market.KindChainUnavailable)
		}
	}
	must(t, node.Connect(ctx))
	_, err = chain.NewSender(node, net.Agent).Fees(ctx)
	must(t, err)
}
