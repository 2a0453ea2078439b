package follow_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
)

func TestWatcherBoundsItsRanges(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 6 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
	}
	net.Mine(t, 10)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Logs: 10})
	pages := 0
	for outcome := (follow.Outcome{}); outcome.Progress != follow.CaughtUp; {
		var err error
		if outcome, err = w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if outcome.Logs > 0 {
			pages++
		}
		if outcome.Logs > 10 && pages > 1 { // the deployment's block has more
			t.Errorf("a step contains %d logs, want at most 10", outcome.Logs)
		}
	}
	chaintest.CheckSame(t, net, j)
	if pages < 4 {
		t.Errorf("%d logs were followed in %d ranges, want at least 4", len(j.All()), pages)
	}
}

// The first range is small, and ranges without logs soon reach the limit.
func TestRangesGrow(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Mine(t, 2_500)
	p := chaintest.NewProxy(t, net.Dev.URL())
	var mu sync.Mutex
	var sizes []int64
	p.Answer = func(c *chaintest.Exchange) {
		if n := chaintest.Span(c); n > 0 {
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, n)
		}
	}
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, p.URL), j, follow.WatcherOptions{Range: 1_000}))
	chaintest.CheckSame(t, net, j)
	if sizes[0] > 20 || slices.Max(sizes) != 1_000 || len(sizes) > 10 {
		t.Errorf("the ranges have %v blocks, want at first a few, and 1,000 soon", sizes)
	}
}
