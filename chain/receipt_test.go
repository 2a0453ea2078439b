package chain_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

// Blocks with more than 16 and more than 128 transactions have tries of other
// shapes. The roots to compare with are the node's own.
func TestWatcherProvesBlocksOfManyReceipts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for _, n := range []int{1, 2, 15, 16, 17, 127, 128, 129, 130, 260} {
		must(t, net.Dev.SetMining(t.Context(), false))
		transfer := net.Contracts.TransferToken(net.Human.Address(), chaintest.Tokens(0))
		for range n - 1 {
			must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", map[string]any{
				"from": net.Owner.Address(), "to": transfer.To, "data": hexutil.Bytes(transfer.Data), "gas": hexutil.Uint64(60_000),
			}))
		}
		post := net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{1}) // fails: no allowance
		must(t, net.Dev.Client().Client().CallContext(t.Context(), new(common.Hash), "eth_sendTransaction", map[string]any{
			"from": net.Agent.Address(), "to": post.To, "data": hexutil.Bytes(post.Data), "gas": hexutil.Uint64(200_000),
		}))
		net.Mine(t, 1)
		must(t, net.Dev.SetMining(t.Context(), true))
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			head := net.Head(t)
			proven, err := chain.ProveReceipts(t.Context(), net.Node, head.Hash)
			if err != nil || !proven {
				t.Errorf("the receipts of a block with %d transactions: proven = %t, %v", n, proven, err)
			}
		})
	}
}

// forgeData changes one log's data in every answer that holds it, so that the
// node's answers agree with each other.
func forgeData(c *call) {
	change := func(log map[string]any) bool {
		if data, ok := log["data"].(string); ok && len(data) >= 66 {
			log["data"] = data[:65] + "7" + data[66:]
			return true
		}
		return false
	}
	switch c.Method {
	case "eth_getLogs":
		var logs []map[string]any
		if json.Unmarshal(c.Result, &logs) == nil {
			for _, log := range logs {
				change(log)
			}
			c.Result, _ = json.Marshal(logs)
		}
	case "eth_getBlockReceipts":
		var receipts []map[string]any
		if json.Unmarshal(c.Result, &receipts) == nil {
			for _, r := range receipts {
				logs, _ := r["logs"].([]any)
				for _, log := range logs {
					if log, ok := log.(map[string]any); ok {
						change(log)
					}
				}
			}
			c.Result, _ = json.Marshal(receipts)
		}
	}
}
