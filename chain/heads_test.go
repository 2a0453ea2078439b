package chain_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
	"taskmarket/test/gate"
)

func TestThreat89WatchHeadsWakesTheWatcher(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Poll: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- w.Run(ctx) }()
	go func() { ended <- chain.WatchHeads(ctx, net.Dev.WSURL(), w.Wake, chain.HeadsOptions{}, quiet()) }()
	end := time.Now().Add(20 * time.Second)
	for { // the subscription begins at a moment that nobody tells
		net.Mine(t, 1)
		time.Sleep(5 * time.Millisecond)
		if w.Status().Outcome.Block == net.Head(t) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the watcher is at %+v of %+v", w.Status().Outcome.Block, net.Head(t))
		}
	}
	cancel()
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("ended with %v, want nil", err)
		}
	}
	checkSame(t, net, j)
}

// A block before the subscription is not announced. So a subscription, also one
// that was made again after a loss, wakes whether or not a block follows.
func TestThreat89WatchHeadsWakesOnceSubscribed(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	u, err := url.Parse(net.Dev.WSURL())
	must(t, err)
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	woken, ended := make(chan struct{}, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- chain.WatchHeads(ctx, u.String(), func() { woken <- struct{}{} }, chain.HeadsOptions{}, quiet())
	}()
	for _, moment := range []string{"the subscription", "the subscription after a loss"} {
		select {
		case <-woken: // and no block was mined
		case <-time.After(30 * time.Second):
			t.Fatalf("no wake-up after %s", moment)
		}
		g.Cut()
	}
	cancel()
	must(t, <-ended)
}

func TestErrorsOfAProviderHideItsKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	const key = "v2/0123456789abcdef"
	node := chaintest.Dial(t, p.URL+"/"+key)
	p.server.Close()
	_, _, err := chain.NewReader(node, net.Contracts).Balances(t.Context(), net.Agent.Address())
	said, ok := errors.AsType[*market.Error](err)
	if !ok || strings.Contains(said.Error()+said.Cause.Error(), key) {
		t.Errorf("Balances() = %v (%v), want an error without the key", err, said.Cause)
	}
	_, err = newWatcher(net, node, newJournal(net.Deployment), chain.WatcherOptions{}).Step(t.Context())
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("Step() = %v, want an error without the key", err)
	}
}

func TestReadsTurnAwayFromAProviderThatCountsRequests(t *testing.T) {
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

// The socket only wakes: events that come while it is cut again and again are
// followed all the same, by asking.
func TestThreat89SocketsMayDrop(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	u, err := url.Parse(net.Dev.WSURL())
	must(t, err)
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Poll: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- w.Run(ctx) }()
	go func() { ended <- chain.WatchHeads(ctx, u.String(), w.Wake, chain.HeadsOptions{}, quiet()) }()
	for range 10 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		g.Cut()
		net.Mine(t, 2)
	}
	end := time.Now().Add(20 * time.Second)
	for head := net.Head(t); w.Status().Outcome.Block != head; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the watcher is at %+v of %+v", w.Status().Outcome.Block, head)
		}
	}
	cancel()
	for range 2 {
		must(t, <-ended)
	}
	checkSame(t, net, j)
}
