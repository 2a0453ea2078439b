package chain_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
)

// onRange applies a change only to the responses to range queries.
func onRange(change func(c *call) bool) func(*call) bool {
	return func(c *call) bool {
		return c.Method == "eth_getLogs" && strings.Contains(string(c.Params[0]), "fromBlock") && change(c)
	}
}

// withoutBlock removes the logs of the block that contains the list's nth log.
func withoutBlock(nth int) func(*call) bool {
	return onList(func(logs []any) []any {
		hash := func(log any) any {
			members, _ := log.(map[string]any)
			return members["blockHash"]
		}
		dropped := hash(logs[min(nth, len(logs)-1)])
		return slices.DeleteFunc(logs, func(log any) bool { return hash(log) == dropped })
	})
}

// rangeLies returns functions that falsify the responses to range queries, by name.
func rangeLies() map[string]func(*call) bool {
	return map[string]func(*call) bool{
		"everything omitted":         onList(func([]any) []any { return []any{} }),
		"the first block omitted":    withoutBlock(0),
		"a middle block omitted":     withoutBlock(9),
		"the last block omitted":     withoutBlock(1 << 20),
		"one log omitted":            onList(func(logs []any) []any { return slices.Delete(logs, len(logs)/2, len(logs)/2+1) }),
		"one log's data changed":     onLogs(set("data", "0x"+strings.Repeat("0", 62)+"ee"+strings.Repeat("0", 64))),
		"one log's index changed":    onLogs(set("logIndex", "0x63")),
		"one log's position changed": onLogs(set("transactionIndex", "0x63")),
		"one log's topics changed":   onLogs(changeTopics(func(topics []any) []any { slices.Reverse(topics); return topics })),
		"one log moved to a block":   onLogs(set("blockNumber", "0x1")),
		"a transaction's hash":       onLogs(set("transactionHash", common.Hash{0xee}.Hex())),
		"one log twice":              onList(func(logs []any) []any { return append(logs[:1:1], logs...) }),
		"in another order":           onList(func(logs []any) []any { slices.Reverse(logs); return logs }),
		"the list is null":           func(c *call) bool { c.Result = json.RawMessage("null"); return true },
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
func TestThreat43WatcherRejectsRangesThatContradictTheHeaders(t *testing.T) {
	t.Parallel()
	net := history(t)
	for name, lie := range rangeLies() {
		for times, label := range map[int]string{1: "once", 3: "three times"} {
			t.Run(name+", "+label+", by the only provider", func(t *testing.T) {
				t.Parallel()
				p := newProxy(t, net.Dev.URL())
				node := chaintest.Dial(t, p.URL)
				lied := 0
				p.answer = oftenOf(times, "eth_getLogs", onRange(func(c *call) bool {
					fits := lie(c)
					if fits {
						lied++
					}
					return fits
				}))
				j := newJournal(net.Deployment)
				follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{Range: 100}), j)
				checkSame(t, net, j)
				if lied != times {
					t.Errorf("the provider returned %d false answers, want %d", lied, times)
				}
			})
		}
		t.Run(name+", always, by the first of two providers", func(t *testing.T) {
			t.Parallel()
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL, net.Dev.URL())
			p.answer = oftenOf(1<<30, "eth_getLogs", onRange(lie))
			j := newJournal(net.Deployment)
			if faults := follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{Range: 100}), j); faults != 1 {
				t.Errorf("%d faults, want one and then the other provider", faults)
			}
			checkSame(t, net, j)
		})
	}
}

// False logs that match the provider's false receipts are detected by comparing the receipts with
// the headers' receipts roots, both in ranges and near the head.
func TestThreat43WatcherRejectsReceiptsWithAnotherRoot(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]devnet.Options{"in ranges": {SlotsPerEpoch: 2}, "near the head": {SlotsPerEpoch: 64}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, options)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			net.Mine(t, 10)
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.answer = forgeData
			j := newJournal(net.Deployment)
			w := newWatcher(net, node, j, chain.WatcherOptions{})
			for range 5 {
				if _, err := w.Step(t.Context()); err == nil {
					continue // blocks without logs of the contracts
				} else if _, faulty := errors.AsType[*chain.ProviderError](err); !faulty {
					t.Fatalf("Step() = %v, want nil or a ProviderError", err)
				}
			}
			for _, log := range j.all() {
				if data := hexutil.Encode(log.Data); len(data) > 65 && data[65] == '7' {
					t.Fatalf("the forged log %d of block %d was followed", log.Index, log.Block.Number)
				}
			}
			p.set(func(p *proxy) { p.answer = nil })
			follow(t, net, w, j)
			checkSame(t, net, j)
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
		must(t, net.Dev.SetMining(t.Context(), false))
		if posts {
			post := net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{1})
			send(t, net, map[string]any{"from": net.Agent.Address(), "to": post.To, "data": hexutil.Bytes(post.Data), "gas": hexutil.Uint64(300_000)})
		}
		send(t, net, map[string]any{"from": net.Owner.Address(), "data": hexutil.Bytes(spam), "gas": hexutil.Uint64(5_000_000)})
		net.Mine(t, 1)
		must(t, net.Dev.SetMining(t.Context(), true))
	}
	net.Mine(t, 20)
	return net
}

func send(t *testing.T, net *chaintest.Net, tx map[string]any) {
	t.Helper()
	must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", tx))
}

// If bloom filters are too full, an omitted log is detected with another provider, with a second
// request to the same one, or with the contracts' counters.
func TestThreat43WatcherVerifiesRangesOfFullBlooms(t *testing.T) {
	t.Parallel()
	net := crowded(t)
	empty := func(c *call) bool { c.Result = json.RawMessage("[]"); return true }
	noState := func(c *call) {
		if c.Method == "eth_call" && strings.Contains(string(c.Params[1]), "blockHash") {
			c.Fault = &fault{Code: -32000, Message: "missing trie node"}
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
			p := newProxy(t, net.Dev.URL())
			urls := []string{p.URL, net.Dev.URL()}[:c.providers]
			node := chaintest.Dial(t, urls...)
			lie := oftenOf(c.times, "eth_getLogs", onRange(empty))
			p.answer = func(exchange *call) {
				lie(exchange)
				if !c.state {
					noState(exchange)
				}
			}
			j := newJournal(net.Deployment)
			follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j)
			checkSame(t, net, j)
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
		must(t, err)
		if types.BloomLookup(h.Bloom, net.Deployment.Escrow) && chain.BitsOf(h.Bloom) >= chain.FullBloom {
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
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	lied := 0
	p.answer = oftenOf(3, "eth_getBlockByNumber", func(c *call) bool {
		var header map[string]any
		if string(c.Params[0]) != `"0x30"` || json.Unmarshal(c.Result, &header) != nil {
			return false
		}
		header["extraData"] = "0xee"
		c.Result, _ = json.Marshal(header)
		lied++
		return true
	})
	j := newJournal(net.Deployment)
	follow(t, net, newWatcher(net, node, j, chain.WatcherOptions{}), j)
	checkSame(t, net, j)
	if lied != 3 || j.rewinds != 0 {
		t.Errorf("%d false answers and %d rewinds, want 3 and none", lied, j.rewinds)
	}
}
