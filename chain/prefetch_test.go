package chain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
)

func TestWatcherBoundsItsRanges(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 6 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
	}
	net.Mine(t, 10)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Logs: 10})
	pages := 0
	for outcome := (chain.Outcome{}); outcome.Progress != chain.CaughtUp; {
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
	checkSame(t, net, j)
	if pages < 4 {
		t.Errorf("%d logs were followed in %d ranges, want at least 4", len(j.all()), pages)
	}
}
