package follow_test

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/market"
)

// The stored blocks can be further apart than the range of this watcher. A reread then reads the
// headers between them in parts, from the followed block down, and stops at the first contradiction.
func TestWatcherRereadsAcrossAWideGapInParts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Mine(t, 150)
	p := chaintest.NewProxy(t, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, p.URL), j, follow.WatcherOptions{Range: 200}))
	number := net.Head(t).Number - 120
	known, err := j.CanonicalBlockFrom(t.Context(), number)
	chaintest.Must(t, err)
	if known.Number < number+50 {
		t.Fatalf("the followed block above %d is %d, want a wide gap", number, known.Number)
	}

	w := chaintest.NewWatcher(net, chaintest.Dial(t, p.URL), j, follow.WatcherOptions{Range: 10})
	j.Doubted = []uint64{number}
	before := p.Count("eth_getBlockByNumber")
	p.Set(func(p *chaintest.Proxy) { p.Answer = otherBranch(known.Number - 1) })
	_, _ = w.Step(t.Context())
	if n := p.Count("eth_getBlockByNumber") - before; len(j.Doubted) != 1 || n > 40 {
		t.Errorf("%d headers were read for a block that the node does not have, want at most 40; rereads = %v", n, j.Doubted)
	}

	p.Set(func(p *chaintest.Proxy) { p.Answer = nil })
	chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, p.URL), j, follow.WatcherOptions{Range: 10}))
	if len(j.Doubted) != 0 {
		t.Errorf("rereads = %v, want the block read again", j.Doubted)
	}
	chaintest.CheckSame(t, net, j)
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
			proxies := [2]*chaintest.Proxy{chaintest.NewProxy(t, net.Dev.URL()), chaintest.NewProxy(t, net.Dev.URL())}
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, chaintest.Dial(t, proxies[0].URL, proxies[1].URL), j, follow.WatcherOptions{})
			chaintest.CatchUp(t, w)
			first, last := j.Logs[0].Block.Number, j.Logs[len(j.Logs)-1].Block.Number
			for i, p := range proxies {
				p.Set(func(p *chaintest.Proxy) {
					p.Answer = func(request *chaintest.Exchange) {
						if number, ok := chaintest.BlockOf(t, net, request); ok && request.Method == "eth_getBlockReceipts" && number == first && c.fail[i] {
							request.Fault = &chaintest.Fault{Code: -32000, Message: "the receipts are not available"}
						}
					}
				})
			}
			j.Logs, j.Doubted = nil, []uint64{first, last}
			_, err := w.CatchUp(t.Context())
			chaintest.Must(t, err)
			if len(j.Doubted) != c.left || c.left == 1 && j.Doubted[0] != first {
				t.Errorf("rereads = %v after %d and %d were requested, want %d", j.Doubted, first, last, c.left)
			}
			for _, number := range []uint64{first, last} {
				if repaired := slices.ContainsFunc(j.Logs, func(l market.Log) bool { return l.Block.Number == number }); repaired == slices.Contains(j.Doubted, number) {
					t.Errorf("block %d is repaired = %t, with the requests %v", number, repaired, j.Doubted)
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
	p := chaintest.NewProxy(t, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, chaintest.Dial(t, p.URL), j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	last := j.Logs[len(j.Logs)-1].Block.Number
	p.Set(func(p *chaintest.Proxy) {
		p.Answer = func(request *chaintest.Exchange) {
			if number, ok := chaintest.BlockOf(t, net, request); ok && request.Method == "eth_getBlockReceipts" && number != last {
				request.Fault = &chaintest.Fault{Code: -32000, Message: "the receipts are not available"}
			}
		}
	})
	for number := last - 20; number <= last; number++ { // more than are read between two steps
		j.Doubted = append(j.Doubted, number)
	}
	for range 2 {
		_, err := w.CatchUp(t.Context())
		chaintest.Must(t, err)
	}
	if slices.Contains(j.Doubted, last) || len(j.Doubted) != 20 {
		t.Errorf("rereads = %v, want only the 20 blocks below %d", j.Doubted, last)
	}
}
