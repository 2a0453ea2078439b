package rpc_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// slowAnswer is the response time of an overloaded or distant node. The default timeouts must allow
// it.
const slowAnswer = 2500 * time.Millisecond

// delayed delays each response by d.
func delayed(d time.Duration) func(http.ResponseWriter, []string) bool {
	return func(http.ResponseWriter, []string) bool {
		time.Sleep(d)
		return false
	}
}

func TestSlowNodeIsUsable(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	p.Set(func(p *chaintest.Proxy) { p.HTTP = delayed(slowAnswer) })
	node := chaintest.Dial(t, p.URL)
	reader, escrow := chain.NewReader(node, net.Contracts), net.Deployment.Escrow
	if _, _, err := reader.Balances(t.Context(), net.Agent.Address()); err != nil {
		t.Errorf("Balances() = %v", err)
	}
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	if err := reader.Simulate(t.Context(), net.Agent.Address(), net.Contracts.ApproveTask(escrow, id)); err != nil {
		t.Errorf("Simulate() = %v", err)
	}
	receipt, err := send.NewSender(node, net.Keeper).Send(t.Context(), net.Contracts.ApproveToken(escrow, chaintest.Tokens(1)))
	if err != nil || receipt.Status != types.ReceiptStatusSuccessful {
		t.Errorf("Send() = %v, %v", receipt, err)
	}
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	for range 2 { // first the events from before the start, then those that occur while following
		if outcome, err := w.CatchUp(t.Context()); err != nil || w.Status().Err != nil || outcome.Progress != follow.CaughtUp {
			t.Fatalf("CatchUp() = %+v, %v", outcome, err)
		}
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 3)
	}
}

// oneFailure fails the first request for the method and counts the requests in failed.
func oneFailure(failed *atomic.Int32, method string) func(http.ResponseWriter, []string) bool {
	return func(w http.ResponseWriter, methods []string) bool {
		if len(methods) != 1 || methods[0] != method || failed.Add(1) > 1 {
			return false
		}
		http.Error(w, "overloaded", http.StatusBadGateway)
		return true
	}
}

func TestCallIsRetried(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for method, call := range map[string]func(*rpc.Node) error{
		"eth_call": func(n *rpc.Node) error {
			_, err := chain.NewReader(n, net.Contracts).PermitNonce(t.Context(), net.Agent.Address())
			return err
		},
		"eth_sendRawTransaction": func(n *rpc.Node) error {
			_, err := send.NewSender(n, net.Keeper).Send(t.Context(), net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(1)))
			return err
		},
	} {
		var failed atomic.Int32
		p := chaintest.NewProxy(t, net.Dev.URL())
		node := chaintest.Dial(t, p.URL)
		p.Set(func(p *chaintest.Proxy) { p.HTTP = oneFailure(&failed, method) })
		if err := call(node); err != nil || failed.Load() != 2 {
			t.Errorf("%s, failing once: %v after %d requests, want success after 2", method, err, failed.Load())
		}
	}
}

// A transaction is sent to all providers, but within the number of tries of any other call.
func TestBroadcastTries(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	tx, err := net.Sender(net.Agent).Build(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1), 0)
	chaintest.Must(t, err)
	for providers, want := range map[int]int32{1: 2, 2: 2, 3: 3} {
		var sent atomic.Int32
		var urls []string
		for range providers {
			p := chaintest.NewProxy(t, net.Dev.URL())
			p.Set(func(p *chaintest.Proxy) {
				p.HTTP = func(w http.ResponseWriter, methods []string) bool {
					if methods[0] == "eth_sendRawTransaction" {
						sent.Add(1)
						w.WriteHeader(http.StatusBadGateway)
					}
					return methods[0] == "eth_sendRawTransaction"
				}
			})
			urls = append(urls, p.URL)
		}
		sender := send.NewSender(chaintest.DialWith(t, rpc.NodeOptions{Tries: 2}, urls...), net.Agent)
		if err := sender.Broadcast(t.Context(), tx.Raw); market.KindOf(err) != market.KindChainUnavailable || sent.Load() != want {
			t.Errorf("%d providers: %v after %d attempts, want kind %s after %d", providers, err, sent.Load(), market.KindChainUnavailable, want)
		}
	}
}

// The options bound a call to a node that never answers.
func TestSilentNodeTimesOut(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.DialWith(t, rpc.NodeOptions{CallTimeout: 2 * time.Second, Tries: 2}, p.URL)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a disconnected client is detected only after the body is read
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	p.Set(func(p *chaintest.Proxy) { p.Upstream = silent.URL })
	received := func() int { return p.Count("eth_call") + p.Count("eth_chainId") }
	dialled, began := received(), time.Now()
	_, err := chain.NewReader(node, net.Contracts).PermitNonce(t.Context(), net.Agent.Address())
	if took := time.Since(began); market.KindOf(err) != market.KindChainUnavailable || took > 15*time.Second { // two tries with the default timeout take 20 s
		t.Errorf("PermitNonce() = %v after %s, want kind %q after two tries of 2 s", err, took, market.KindChainUnavailable)
	}
	if n := received() - dialled; n != 2 { // the first try, and an identity check before the second
		t.Errorf("the node received %d requests, want 2", n)
	}
}
