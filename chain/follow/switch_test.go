package follow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
)

// readHeads reads the head every few milliseconds, as the other parts of a server do, until the test ends.
func readHeads(t *testing.T, net *chaintest.Net, node *rpc.Node) {
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
	bad := chaintest.NewProxy(t, net.Dev.URL())
	bad.Answer = chaintest.OftenOf(1<<30, "eth_getBlockReceipts", func(c *chaintest.Exchange) bool {
		c.Result, c.Fault = nil, &chaintest.Fault{Code: -32601, Message: "the method does not exist"}
		return true
	})
	node := chaintest.Dial(t, bad.URL, net.Dev.URL())
	readHeads(t, net, node)
	j := chaintest.NewJournal(net.Deployment)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Poll: 500 * time.Millisecond}).CatchUp(ctx); err != nil {
		t.Errorf("CatchUp() = %v, want nil", err)
	}
	if states := node.Providers(); !states[1].Current {
		t.Errorf("the providers are %+v, want the second one in use", states)
	}
	chaintest.CheckSame(t, net, j)
}

func TestWatcherLeavesAStalledProviderThatAnswersReads(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	frozen := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, frozen.URL, net.Dev.URL())
	readHeads(t, net, node)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Poll: 500 * time.Millisecond, StallTimeout: 100 * time.Millisecond})
	if _, err := w.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	frozen.Set(func(p *chaintest.Proxy) {
		p.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool { return chaintest.Lag(t, net, c, 5) })
	})
	net.Mine(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	chaintest.WaitUntil(t, "the watcher follows the other provider", func() bool {
		return w.Status().Outcome.Block == net.Head(t) && node.Providers()[1].Current
	})
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	if j.Rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.Rewinds)
	}
	chaintest.CheckSame(t, net, j)
}

// forgeNext makes the proxy append a forged block to the chain. The block contains the logs of one
// transaction. The header, the logs and the receipts match.
func forgeNext(t *testing.T, net *chaintest.Net, p *chaintest.Proxy, logs ...*types.Log) {
	t.Helper()
	h, err := net.Dev.Client().HeaderByNumber(t.Context(), nil)
	chaintest.Must(t, err)
	h.ParentHash, h.Number, h.Time = h.Hash(), new(big.Int).Add(h.Number, big.NewInt(1)), h.Time+1
	receipt := &types.Receipt{Status: 1, CumulativeGasUsed: 21_000, Logs: logs}
	receipt.Bloom = types.CreateBloom(receipt)
	h.Bloom, h.ReceiptHash = receipt.Bloom, types.DeriveSha(types.Receipts{receipt}, trie.NewStackTrie(nil))
	for _, log := range logs {
		log.BlockNumber, log.BlockHash, log.TxHash = h.Number.Uint64(), h.Hash(), common.Hash{1}
	}
	header, err := json.Marshal(h)
	chaintest.Must(t, err)
	found, err := json.Marshal(append([]*types.Log{}, logs...))
	chaintest.Must(t, err)
	receipts, err := json.Marshal([]map[string]any{{"type": "0x0", "status": "0x1", "cumulativeGasUsed": "0x5208", "logs": logs}})
	chaintest.Must(t, err)
	forged := h.Hash().Hex()
	p.Set(func(p *chaintest.Proxy) {
		p.Answer = func(c *chaintest.Exchange) {
			number, _ := chaintest.Numbered(c)
			params, _ := json.Marshal(c.Params)
			switch about := bytes.Contains(params, []byte(forged)); {
			case number == h.Number.Uint64(), c.Method == "eth_getBlockByNumber" && string(c.Params[0]) == `"latest"`:
				c.Result, c.Fault = header, nil
			case about && c.Method == "eth_getLogs":
				c.Result, c.Fault = found, nil
			case about && c.Method == "eth_getBlockReceipts":
				c.Result, c.Fault = receipts, nil
			}
		}
	})
}

// A forged block with an unknown event does not stop the watcher while another provider can decide
// whether the block is on the chain.
func TestWatcherLeavesAProviderThatForgesAnUnknownEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ next, silent, alone bool }{
		"the other provider has another block":    {next: true},
		"the other provider does not have it yet": {},
		"the other provider does not answer":      {silent: true},
		"there is no other provider":              {alone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			lying, honest := chaintest.NewProxy(t, net.Dev.URL()), chaintest.NewProxy(t, net.Dev.URL())
			urls := []string{lying.URL, honest.URL}
			if c.alone {
				urls = urls[:1]
			}
			node := chaintest.Dial(t, urls...)
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
			chaintest.CatchUp(t, w)
			forgeNext(t, net, lying, &types.Log{Address: net.Deployment.Escrow, Topics: []common.Hash{{0xee}}})
			if c.next {
				net.Mine(t, 1)
			}
			if c.silent {
				honest.Set(func(p *chaintest.Proxy) {
					p.HTTP = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
				})
			}
			_, err := w.Step(t.Context())
			_, faulty := errors.AsType[*rpc.ProviderError](err)
			if fatal := errors.Is(err, chain.ErrUnknownEvent); fatal != c.alone || faulty == c.alone {
				t.Fatalf("Step() = %v", err)
			}
			if c.alone || c.silent {
				return
			}
			_, err = w.CatchUp(t.Context())
			chaintest.Must(t, err)
			chaintest.CheckSame(t, net, j)
		})
	}
}

// The watcher leaves a provider that is far behind, even if its head rises.
func TestWatcherLeavesAProviderThatIsFarBehind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		behind time.Duration
		leave  bool
	}{
		"an hour":      {behind: time.Hour, leave: true},
		"five minutes": {behind: 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, devnet.Options{Genesis: time.Now().Add(-c.behind - time.Minute)})
			net.Mine(t, 100)
			net.Warp(t, c.behind)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			head := net.Head(t).Number
			slow := chaintest.NewProxy(t, net.Dev.URL())
			behind := head - 50
			slow.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				switch string(c.Params[0]) {
				case `"latest"`:
					behind--
				case `"safe"`, `"finalized"`: // the node's are above the head of this provider
					c.Result = json.RawMessage("null")
				}
				return chaintest.Lag(t, net, c, behind)
			})
			node := chaintest.Dial(t, slow.URL, net.Dev.URL())
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{StallTimeout: 100 * time.Millisecond})
			for end := time.Now().Add(10 * time.Second); !node.Providers()[1].Current && j.At.Block.Number < 90; time.Sleep(time.Millisecond) {
				_, err := w.Step(t.Context())
				if _, faulty := errors.AsType[*rpc.ProviderError](err); err != nil && !faulty || time.Now().After(end) {
					t.Fatalf("Step() = %v at block %d", err, j.At.Block.Number)
				}
			}
			if states := node.Providers(); states[1].Current != c.leave {
				t.Fatalf("the providers are %+v at block %d, want the second in use = %t", states, j.At.Block.Number, c.leave)
			}
			if c.leave {
				chaintest.CatchUp(t, w)
				chaintest.CheckSame(t, net, j)
			}
		})
	}
}

// A provider that appends a forged block and then fails does not stop the watcher for longer than Doubt,
// although no other provider has the cursor's block.
func TestWatcherLeavesAForgedBranch(t *testing.T) {
	t.Parallel()
	const doubt = 300 * time.Millisecond
	net := chaintest.New(t)
	lying := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, lying.URL, net.Dev.URL())
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Doubt: doubt})
	chaintest.CatchUp(t, w)
	head := net.Head(t).Number
	forgeNext(t, net, lying)
	chaintest.CatchUp(t, w)
	if j.At.Block.Number != head+1 {
		t.Fatalf("the cursor is at %d, want the forged block %d", j.At.Block.Number, head+1)
	}
	began := time.Now()
	lying.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool { w.WriteHeader(http.StatusBadGateway); return true }
	})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := w.CatchUp(ctx); err != nil {
		t.Errorf("CatchUp() = %v, want nil", err)
	}
	if took := time.Since(began); took < doubt || j.Rewinds != 1 {
		t.Errorf("%d rewinds after %s, want one after %s", j.Rewinds, took, doubt)
	}
	chaintest.CheckSame(t, net, j)
}
