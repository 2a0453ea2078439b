package chain_test

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

// readHeads reads the head every few milliseconds, as the other parts of a server do, until the test ends.
func readHeads(t *testing.T, net *chaintest.Net, node *chain.Node) {
	t.Helper()
	reader, ended := chain.NewReader(node, net.Contracts), make(chan struct{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(func() { cancel(); <-ended })
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = reader.Head(ctx)
			time.Sleep(3 * time.Millisecond)
		}
	}()
}

// The watcher leaves a provider that fails only its own requests, although the provider answers the
// requests of the other parts of the server.
func TestWatcherLeavesAProviderWithoutReceipts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	bad := newProxy(t, net.Dev.URL())
	bad.answer = oftenOf(1<<30, "eth_getBlockReceipts", func(c *call) bool {
		c.Result, c.Fault = nil, &fault{Code: -32601, Message: "the method does not exist"}
		return true
	})
	node := chaintest.Dial(t, bad.URL, net.Dev.URL())
	readHeads(t, net, node)
	j := newJournal(net.Deployment)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := newWatcher(net, node, j, chain.WatcherOptions{Poll: 500 * time.Millisecond}).CatchUp(ctx); err != nil {
		t.Errorf("CatchUp() = %v, want nil", err)
	}
	if states := node.Providers(); !states[1].Current {
		t.Errorf("the providers are %+v, want the second one in use", states)
	}
	checkSame(t, net, j)
}

func TestWatcherLeavesAStalledProviderThatAnswersReads(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	frozen := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, frozen.URL, net.Dev.URL())
	readHeads(t, net, node)
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{Poll: 500 * time.Millisecond, StallTimeout: 100 * time.Millisecond})
	if _, err := w.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	frozen.set(func(p *proxy) {
		p.answer = oftenOf(1<<30, "eth_getBlockByNumber", func(c *call) bool { return lag(t, net, c, 5) })
	})
	net.Mine(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	waitUntil(t, "the watcher follows the other provider", func() bool { return w.Status().Outcome.Block == net.Head(t) })
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	if states := node.Providers(); !states[1].Current || j.rewinds != 0 {
		t.Errorf("the providers are %+v after %d rewinds, want the second one in use, and no rewind", states, j.rewinds)
	}
	checkSame(t, net, j)
}
