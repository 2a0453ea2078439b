package follow_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
)

// onRange applies a change only to the responses to range queries.
func onRange(change func(c *chaintest.Exchange) bool) func(*chaintest.Exchange) bool {
	return func(c *chaintest.Exchange) bool {
		return c.Method == "eth_getLogs" && strings.Contains(string(c.Params[0]), "fromBlock") && change(c)
	}
}

// withoutBlock removes the logs of the block that contains the list's nth log.
func withoutBlock(nth int) func(*chaintest.Exchange) bool {
	return chaintest.OnList(func(logs []any) []any {
		hash := func(log any) any {
			members, _ := log.(map[string]any)
			return members["blockHash"]
		}
		dropped := hash(logs[min(nth, len(logs)-1)])
		return slices.DeleteFunc(logs, func(log any) bool { return hash(log) == dropped })
	})
}

// rangeLies returns functions that falsify the responses to range queries, by name.
func rangeLies() map[string]func(*chaintest.Exchange) bool {
	return map[string]func(*chaintest.Exchange) bool{
		"everything omitted":         chaintest.OnList(func([]any) []any { return []any{} }),
		"the first block omitted":    withoutBlock(0),
		"a middle block omitted":     withoutBlock(9),
		"the last block omitted":     withoutBlock(1 << 20),
		"one log omitted":            chaintest.OnList(func(logs []any) []any { return slices.Delete(logs, len(logs)/2, len(logs)/2+1) }),
		"one log's data changed":     chaintest.OnLogs(chaintest.Member("data", "0x"+strings.Repeat("0", 62)+"ee"+strings.Repeat("0", 64))),
		"one log's index changed":    chaintest.OnLogs(chaintest.Member("logIndex", "0x63")),
		"one log's position changed": chaintest.OnLogs(chaintest.Member("transactionIndex", "0x63")),
		"one log's topics changed":   chaintest.OnLogs(chaintest.ChangeTopics(func(topics []any) []any { slices.Reverse(topics); return topics })),
		"one log moved to a block":   chaintest.OnLogs(chaintest.Member("blockNumber", "0x1")),
		"a transaction's hash":       chaintest.OnLogs(chaintest.Member("transactionHash", common.Hash{0xee}.Hex())),
		"one log twice":              chaintest.OnList(func(logs []any) []any { return append(logs[:1:1], logs...) }),
		"in another order":           chaintest.OnList(func(logs []any) []any { slices.Reverse(logs); return logs }),
		"the list is null":           func(c *chaintest.Exchange) bool { c.Result = json.RawMessage("null"); return true },
	}
}

// history returns a chain that has events in finalized blocks.
func history(t *testing.T) *chaintest.Net {
	t.Helper()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 4 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 30)
	}
	return net
}

// False responses to range queries are detected, whether the provider returns them once, several
// times or always, and with or without a second provider.
func TestWatcherRejectsRangesThatContradictTheHeaders(t *testing.T) {
	t.Parallel()
	net := history(t)
	for name, lie := range rangeLies() {
		for times, label := range map[int]string{1: "once", 3: "three times"} {
			t.Run(name+", "+label+", by the only provider", func(t *testing.T) {
				t.Parallel()
				p := chaintest.NewProxy(t, net.Dev.URL())
				node := chaintest.Dial(t, p.URL)
				lied := 0
				p.Answer = chaintest.OftenOf(times, "eth_getLogs", onRange(func(c *chaintest.Exchange) bool {
					fits := lie(c)
					if fits {
						lied++
					}
					return fits
				}))
				j := chaintest.NewJournal(net.Deployment)
				chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Range: 100}), j)
				chaintest.CheckSame(t, net, j)
				if lied != times {
					t.Errorf("the provider returned %d false answers, want %d", lied, times)
				}
			})
		}
		t.Run(name+", always, by the first of two providers", func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL, net.Dev.URL())
			p.Answer = chaintest.OftenOf(1<<30, "eth_getLogs", onRange(lie))
			j := chaintest.NewJournal(net.Deployment)
			if faults := chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Range: 100}), j); faults != 1 {
				t.Errorf("%d faults, want one and then the other provider", faults)
			}
			chaintest.CheckSame(t, net, j)
		})
	}
}

// False logs that match the provider's false receipts are detected by comparing the receipts with
// the headers' receipts roots, both in ranges and near the head.
func TestWatcherRejectsReceiptsWithAnotherRoot(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]devnet.Options{"in ranges": {SlotsPerEpoch: 2}, "near the head": {SlotsPerEpoch: 64}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, options)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			net.Mine(t, 10)
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.Answer = chaintest.ForgeData
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
			for range 5 {
				if _, err := w.Step(t.Context()); err == nil {
					continue // blocks without logs of the contracts
				} else if _, faulty := errors.AsType[*rpc.ProviderError](err); !faulty {
					t.Fatalf("Step() = %v, want nil or a ProviderError", err)
				}
			}
			for _, log := range j.All() {
				if data := hexutil.Encode(log.Data); len(data) > 65 && data[65] == '7' {
					t.Fatalf("the forged log %d of block %d was followed", log.Index, log.Block.Number)
				}
			}
			p.Set(func(p *chaintest.Proxy) { p.Answer = nil })
			chaintest.Follow(t, net, w, j)
			chaintest.CheckSame(t, net, j)
		})
	}
}

// spam is the creation code of a contract that emits 700 logs with different topics, which fill the
// block's bloom filter.
var spam = hexutil.MustDecode("0x6102bc5b8060006000a160019003806003575b00")

// crowded returns a chain on which a posting shares its block with so many logs that the bloom
// filter matches nearly everything. The next block has such a filter and no log of the contracts.
func crowded(t *testing.T) *chaintest.Net {
	t.Helper()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Send(t, net.Agent, net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(5)))
	for _, posts := range []bool{true, false} {
		chaintest.Must(t, net.Dev.SetMining(t.Context(), false))
		if posts {
			post := net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{1})
			broadcast(t, net, map[string]any{"from": net.Agent.Address(), "to": post.To, "data": hexutil.Bytes(post.Data), "gas": hexutil.Uint64(300_000)})
		}
		broadcast(t, net, map[string]any{"from": net.Owner.Address(), "data": hexutil.Bytes(spam), "gas": hexutil.Uint64(5_000_000)})
		net.Mine(t, 1)
		chaintest.Must(t, net.Dev.SetMining(t.Context(), true))
	}
	net.Mine(t, 20)
	return net
}

func broadcast(t *testing.T, net *chaintest.Net, tx map[string]any) {
	t.Helper()
	chaintest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", tx))
}

// If bloom filters are too full, an omitted log is detected with another provider, with a second
// request to the same one, or with the contracts' counters.
func TestWatcherVerifiesRangesOfFullBlooms(t *testing.T) {
	t.Parallel()
	net := crowded(t)
	empty := func(c *chaintest.Exchange) bool { c.Result = json.RawMessage("[]"); return true }
	noState := func(c *chaintest.Exchange) {
		if c.Method == "eth_call" && strings.Contains(string(c.Params[1]), "blockHash") {
			c.Fault = &chaintest.Fault{Code: -32000, Message: "missing trie node"}
		}
	}
	cases := map[string]struct {
		times     int // number of times that the first provider omits all logs
		providers int
		state     bool // whether the node has the state of old blocks
	}{
		"once, the only provider":                   {times: 1, providers: 1},
		"always, the first of two":                  {times: 1 << 30, providers: 2},
		"twice, the only provider, with state":      {times: 2, providers: 1, state: true},
		"five times, the only provider, with state": {times: 5, providers: 1, state: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			urls := []string{p.URL, net.Dev.URL()}[:c.providers]
			node := chaintest.Dial(t, urls...)
			lie := chaintest.OftenOf(c.times, "eth_getLogs", onRange(empty))
			p.Answer = func(exchange *chaintest.Exchange) {
				lie(exchange)
				if !c.state {
					noState(exchange)
				}
			}
			j := chaintest.NewJournal(net.Deployment)
			chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j)
			chaintest.CheckSame(t, net, j)
		})
	}
}

// At least one block of crowded has a full bloom filter.
func TestCrowdedBlocksHaveFullBlooms(t *testing.T) {
	t.Parallel()
	net := crowded(t)
	full := 0
	for number := uint64(1); number <= net.Head(t).Number; number++ {
		h, err := net.Dev.Client().HeaderByNumber(t.Context(), hexutil.MustDecodeBig(hexutil.EncodeUint64(number)))
		chaintest.Must(t, err)
		if types.BloomLookup(h.Bloom, net.Deployment.Escrow) && follow.BitsOf(h.Bloom) >= follow.FullBloom {
			full++
		}
	}
	if full < 1 {
		t.Errorf("%d blocks have a full bloom filter that matches the escrow, want at least 1", full)
	}
}

func TestWatcherRejectsRangesWithUnlinkedHeaders(t *testing.T) {
	t.Parallel()
	net := history(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	lied := 0
	p.Answer = chaintest.OftenOf(3, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
		var header map[string]any
		if string(c.Params[0]) != `"0x30"` || json.Unmarshal(c.Result, &header) != nil {
			return false
		}
		header["extraData"] = "0xee"
		c.Result, _ = json.Marshal(header)
		lied++
		return true
	})
	j := chaintest.NewJournal(net.Deployment)
	chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j)
	chaintest.CheckSame(t, net, j)
	if lied != 3 || j.Rewinds != 0 {
		t.Errorf("%d false answers and %d rewinds, want 3 and none", lied, j.Rewinds)
	}
}
