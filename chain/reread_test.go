package chain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
)

// The stored blocks can be further apart than the range of this watcher. A reread then reads the
// headers between them in parts, from the followed block down, and stops at the first contradiction.
func TestWatcherRereadsAcrossAWideGapInParts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Mine(t, 150)
	p := newProxy(t, net.Dev.URL())
	j := newJournal(net.Deployment)
	catchUp(t, newWatcher(net, chaintest.Dial(t, p.URL), j, chain.WatcherOptions{Range: 200}))
	number := net.Head(t).Number - 120
	known, err := j.CanonicalBlockFrom(t.Context(), number)
	must(t, err)
	if known.Number < number+50 {
		t.Fatalf("the followed block above %d is %d, want a wide gap", number, known.Number)
	}

	w := newWatcher(net, chaintest.Dial(t, p.URL), j, chain.WatcherOptions{Range: 10})
	j.rereads = []uint64{number}
	before := p.count("eth_getBlockByNumber")
	p.set(func(p *proxy) { p.answer = otherBranch(known.Number - 1) })
	_, _ = w.Step(t.Context())
	if n := p.count("eth_getBlockByNumber") - before; len(j.rereads) != 1 || n > 40 {
		t.Errorf("%d headers were read for a block that the node does not have, want at most 40; rereads = %v", n, j.rereads)
	}

	p.set(func(p *proxy) { p.answer = nil })
	catchUp(t, newWatcher(net, chaintest.Dial(t, p.URL), j, chain.WatcherOptions{Range: 10}))
	if len(j.rereads) != 0 {
		t.Errorf("rereads = %v, want the block read again", j.rereads)
	}
	checkSame(t, net, j)
}
