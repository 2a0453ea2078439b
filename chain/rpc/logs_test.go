package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
)

func TestWatcherRejectsLogsThatContradictTheBlock(t *testing.T) {
	t.Parallel()
	other := common.Hash{0xee}.Hex()
	cases := map[string]func(*chaintest.Exchange) bool{
		"of another block's hash":        chaintest.OnLogs(chaintest.Member("blockHash", other)),
		"of another block's number":      chaintest.OnLogs(chaintest.Member("blockNumber", "0x1")),
		"of another contract":            chaintest.OnLogs(chaintest.Member("address", "0x00000000000000000000000000000000000000ee")),
		"of another transaction":         chaintest.OnLogs(chaintest.Member("transactionHash", other)),
		"with another topic":             chaintest.OnLogs(chaintest.Member("topics", []string{other})),
		"without topics":                 chaintest.OnLogs(chaintest.Member("topics", []string{})),
		"with one topic removed":         chaintest.OnLogs(chaintest.ChangeTopics(func(topics []any) []any { return topics[:len(topics)-1] })),
		"with one topic added":           chaintest.OnLogs(chaintest.ChangeTopics(func(topics []any) []any { return append(topics, other) })),
		"with its topics swapped":        chaintest.OnLogs(chaintest.ChangeTopics(func(topics []any) []any { slices.Reverse(topics); return topics })),
		"with other data":                chaintest.OnLogs(chaintest.Member("data", "0xee")),
		"without data":                   chaintest.OnLogs(chaintest.Member("data", "0x")),
		"with an added word":             chaintest.OnLogs(func(log map[string]any) { log["data"] = fmt.Sprint(log["data"], other[2:]) }),
		"with another index":             chaintest.OnLogs(chaintest.Member("logIndex", "0x63")),
		"with another transaction index": chaintest.OnLogs(chaintest.Member("transactionIndex", "0x63")),
		"marked as removed":              chaintest.OnLogs(chaintest.Member("removed", true)),
		"with one log removed":           chaintest.OnList(func(logs []any) []any { return logs[1:] }),
		"with one log repeated":          chaintest.OnList(func(logs []any) []any { return append(logs[:1:1], logs...) }),
		"in reverse order":               chaintest.OnList(func(logs []any) []any { slices.Reverse(logs); return logs }),
		"with all logs removed":          chaintest.OnList(func([]any) []any { return []any{} }),
		"null instead of a list": func(c *chaintest.Exchange) bool {
			found := len(c.Result) > 2
			c.Result = json.RawMessage("null")
			return found
		},
	}
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.Answer = chaintest.OftenOf(4, "eth_getLogs", change)
			j := chaintest.NewJournal(net.Deployment)
			faults := chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j)
			chaintest.CheckSame(t, net, j)
			if faults != 4 {
				t.Errorf("%d of 4 wrong answers were refused", faults)
			}
		})
	}
}

// Headers come from one node and logs from another, which lags by twenty blocks without reporting
// it. The watcher misses no log.
func TestLogsOfALaggingNode(t *testing.T) {
	t.Parallel()
	const behind, rounds = 20, 10
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	omitted := 0
	p.Answer = func(c *chaintest.Exchange) {
		number, ok := chaintest.BlockOf(t, net, c)
		if !ok || number+behind <= net.Head(t).Number {
			return
		}
		omitted++
		c.Result = json.RawMessage("[]")
		if c.Method == "eth_getBlockReceipts" && omitted%2 == 0 {
			c.Result = json.RawMessage("null")
		}
	}
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{})
	for range rounds {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		for range behind {
			chaintest.StepWhileItCan(t, w)
			net.Mine(t, 1)
		}
	}
	chaintest.Follow(t, net, w, j)
	chaintest.CheckSame(t, net, j)
	if omitted < rounds {
		t.Errorf("the node omitted %d answers", omitted)
	}
}

func TestWatcherComparesReceiptsWithTheBloomFilter(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	left := 5
	p.Answer = func(c *chaintest.Exchange) { // simulates a node that has the headers but none of the logs
		switch {
		case left == 0:
		case c.Method == "eth_getLogs":
			c.Result = json.RawMessage("[]")
		case c.Method == "eth_getBlockReceipts":
			c.Result = json.RawMessage("[]")
			left--
		}
	}
	j := chaintest.NewJournal(net.Deployment)
	if faults := chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j); faults != 5 {
		t.Errorf("%d of 5 wrong answers were refused", faults)
	}
	chaintest.CheckSame(t, net, j)
}

// Blocks with more than 16 and more than 128 transactions have tries of different shapes. The
// expected roots are the node's.
func TestWatcherProvesBlocksWithManyReceipts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for _, n := range []int{1, 2, 15, 16, 17, 127, 128, 129, 130, 260} {
		chaintest.Must(t, net.Dev.SetMining(t.Context(), false))
		transfer := net.Contracts.TransferToken(net.Human.Address(), chaintest.Tokens(0))
		for range n - 1 {
			chaintest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", map[string]any{
				"from": net.Owner.Address(), "to": transfer.To, "data": hexutil.Bytes(transfer.Data), "gas": hexutil.Uint64(60_000),
			}))
		}
		// Reverts, because the account has no allowance.
		post := net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{1})
		chaintest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", map[string]any{
			"from": net.Agent.Address(), "to": post.To, "data": hexutil.Bytes(post.Data), "gas": hexutil.Uint64(200_000),
		}))
		net.Mine(t, 1)
		chaintest.Must(t, net.Dev.SetMining(t.Context(), true))
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			head := net.Head(t)
			proven, err := rpc.ProveReceipts(t.Context(), net.Node, head.Hash)
			if err != nil || !proven {
				t.Errorf("the receipts of a block with %d transactions: proven = %t, %v", n, proven, err)
			}
		})
	}
}

// A log outside the query is a fault of its provider, and the next provider is asked.
func TestSearchLogsRejectsLogsOutsideTheQuery(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id, posted := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	net.Mine(t, 3)
	from := posted.BlockNumber.Uint64()
	q := rpc.LogQuery{
		Contract: net.Deployment.Escrow, Topic: common.BigToHash(new(big.Int).SetUint64(id)), From: from, To: from + 2,
	}
	for name, change := range map[string]func(log map[string]any){
		"a block below the range": chaintest.Member("blockNumber", hexutil.EncodeUint64(from-1)),
		"a block above the range": chaintest.Member("blockNumber", hexutil.EncodeUint64(from+3)),
		"another contract":        chaintest.Member("address", net.Deployment.Staking.Hex()),
		"another record":          chaintest.ChangeTopics(func(topics []any) []any { topics[1] = common.Hash{0xee}.Hex(); return topics }),
		"no record":               chaintest.ChangeTopics(func(topics []any) []any { return topics[:1] }),
		"a removed log":           chaintest.Member("removed", true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := chaintest.NewProxy(t, net.Dev.URL())
			bad.Set(func(p *chaintest.Proxy) { p.Answer = chaintest.OftenOf(1<<30, "eth_getLogs", chaintest.OnLogs(change)) })
			node := chaintest.Dial(t, net.Dev.URL(), bad.URL)
			calls := 0
			err := node.SearchLogs(t.Context(), q, func(logs []types.Log) {
				calls++
				for _, log := range logs {
					if log.TxHash != posted.TxHash || log.BlockNumber != from || log.Address != q.Contract || log.Topics[1] != q.Topic {
						t.Errorf("the search returned log %d of block %d, which was not requested", log.Index, log.BlockNumber)
					}
				}
			})
			if err != nil || calls != 1 || bad.Count("eth_getLogs") != 1 {
				t.Errorf("SearchLogs() = %v after %d answers, want only the honest provider's", err, calls)
			}
			only := chaintest.Dial(t, bad.URL)
			if err := only.SearchLogs(t.Context(), q, func([]types.Log) {}); err == nil {
				t.Error("SearchLogs() = nil with only the dishonest provider, want an error")
			}
		})
	}
}

// A provider that invents many logs, in one range or in several, fails. The next provider is asked.
func TestSearchLogsLimitsTheLogs(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id, posted := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	from := posted.BlockNumber.Uint64()
	q := rpc.LogQuery{
		Contract: net.Deployment.Escrow, Topic: common.BigToHash(new(big.Int).SetUint64(id)), From: from, To: from + 3_999,
	}
	honest := chaintest.NewProxy(t, net.Dev.URL())
	honest.Answer = func(c *chaintest.Exchange) {
		if c.Method == "eth_getLogs" && c.Fault != nil { // the second range is above the head
			c.Result, c.Fault = json.RawMessage("[]"), nil
		}
	}
	for name, invented := range map[string]int{"one range": 2_000, "two ranges": 600} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := chaintest.NewProxy(t, net.Dev.URL())
			bad.Answer = func(c *chaintest.Exchange) {
				var query struct{ FromBlock string }
				if c.Method != "eth_getLogs" || json.Unmarshal(c.Params[0], &query) != nil {
					return
				}
				logs := make([]map[string]any, invented)
				for i := range logs {
					logs[i] = map[string]any{
						"address": q.Contract, "topics": []common.Hash{{1}, q.Topic}, "data": "0x", "blockNumber": query.FromBlock,
						"blockHash": common.Hash{1}, "transactionHash": common.Hash{1}, "transactionIndex": "0x0", "logIndex": hexutil.EncodeUint64(uint64(i)),
					}
				}
				c.Result, _ = json.Marshal(logs)
			}
			var found []types.Log
			node := chaintest.Dial(t, bad.URL, honest.URL)
			err := node.SearchLogs(t.Context(), q, func(logs []types.Log) { found = append(found, logs...) })
			if err != nil || len(found) == 0 || len(found) >= invented || found[0].BlockNumber != from {
				t.Errorf("SearchLogs() = %v and %d logs, want the honest provider's logs", err, len(found))
			}
			only := chaintest.Dial(t, bad.URL)
			if err := only.SearchLogs(t.Context(), q, func([]types.Log) {}); err == nil {
				t.Error("SearchLogs() = nil with only the dishonest provider, want an error")
			}
		})
	}
}

// A provider that answers each range just in time does not delay the search without limit.
func TestSearchLogsLimitsTheTime(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	slow := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.DialWith(t, rpc.NodeOptions{CallTimeout: 2 * time.Second, BatchTimeout: 2 * time.Second}, slow.URL)
	slow.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(http.ResponseWriter, []string) bool {
			time.Sleep(1500 * time.Millisecond)
			return false
		}
		p.Answer = chaintest.OftenOf(1<<30, "eth_getLogs", func(c *chaintest.Exchange) bool { c.Result, c.Fault = json.RawMessage("[]"), nil; return true })
	})
	const ranges = 10 // 15 s, but the limit is 2 s + 10 * 0.5 s
	err := node.SearchLogs(t.Context(), rpc.LogQuery{From: 1, To: ranges * 2_000}, func([]types.Log) {})
	if n := slow.Count("eth_getLogs"); !errors.Is(err, context.DeadlineExceeded) || n == ranges {
		t.Errorf("SearchLogs() = %v after %d of %d ranges, want its time to end", err, n, ranges)
	}
}
