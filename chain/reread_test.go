package chain_test

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
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

// A block that cannot be read again does not prevent the repair of others, and a block is read from each
// provider until one has its receipts.
func TestWatcherRereadsEachBlockFromAllProviders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail [2]bool // whether the first and the second provider fail for the receipts of the first block
		left int     // requests that remain
	}{
		"all providers fail for one block": {fail: [2]bool{true, true}, left: 1},
		"only the second has the receipts": {fail: [2]bool{true, false}},
		"only the first has the receipts":  {fail: [2]bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			proxies := [2]*proxy{newProxy(t, net.Dev.URL()), newProxy(t, net.Dev.URL())}
			j := newJournal(net.Deployment)
			w := newWatcher(net, chaintest.Dial(t, proxies[0].URL, proxies[1].URL), j, chain.WatcherOptions{})
			catchUp(t, w)
			first, last := j.logs[0].Block.Number, j.logs[len(j.logs)-1].Block.Number
			for i, p := range proxies {
				p.set(func(p *proxy) {
					p.answer = func(request *call) {
						if number, ok := blockOf(t, net, request); ok && request.Method == "eth_getBlockReceipts" && number == first && c.fail[i] {
							request.Fault = &fault{Code: -32000, Message: "the receipts are not available"}
						}
					}
				})
			}
			j.logs, j.rereads = nil, []uint64{first, last}
			_, err := w.CatchUp(t.Context())
			must(t, err)
			if len(j.rereads) != c.left || c.left == 1 && j.rereads[0] != first {
				t.Errorf("rereads = %v after %d and %d were requested, want %d", j.rereads, first, last, c.left)
			}
			for _, number := range []uint64{first, last} {
				if repaired := slices.ContainsFunc(j.logs, func(l market.Log) bool { return l.Block.Number == number }); repaired == slices.Contains(j.rereads, number) {
					t.Errorf("block %d is repaired = %t, with the requests %v", number, repaired, j.rereads)
				}
			}
		})
	}
}

// Blocks whose receipts no provider returns do not keep others from being read again, however many they are.
func TestWatcherRereadsTakeTurns(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Mine(t, 20)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	p := newProxy(t, net.Dev.URL())
	j := newJournal(net.Deployment)
	w := newWatcher(net, chaintest.Dial(t, p.URL), j, chain.WatcherOptions{})
	catchUp(t, w)
	last := j.logs[len(j.logs)-1].Block.Number
	p.set(func(p *proxy) {
		p.answer = func(request *call) {
			if number, ok := blockOf(t, net, request); ok && request.Method == "eth_getBlockReceipts" && number != last {
				request.Fault = &fault{Code: -32000, Message: "the receipts are not available"}
			}
		}
	})
	for number := last - 20; number <= last; number++ { // more than are read between two steps
		j.rereads = append(j.rereads, number)
	}
	for range 2 {
		_, err := w.CatchUp(t.Context())
		must(t, err)
	}
	if slices.Contains(j.rereads, last) || len(j.rereads) != 20 {
		t.Errorf("rereads = %v, want only the 20 blocks below %d", j.rereads, last)
	}
}
