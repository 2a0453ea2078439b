package rpc_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
)

// A header with any forged field is rejected, because its hash does not match the next block's
// parent.
func TestWatcherRejectsForgedHeaders(t *testing.T) {
	t.Parallel()
	other := common.Hash{0xee}.Hex()
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	for member, value := range map[string]string{
		"parentHash": other, "number": "0x7777", "timestamp": "0x7fffffff", "receiptsRoot": other, "stateRoot": other,
		"transactionsRoot": other, "logsBloom": "0x" + strings.Repeat("0", 512), "gasUsed": "0x1",
	} {
		t.Run(member, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			p.Answer = chaintest.OftenOf(4, "eth_getBlockByNumber", func(c *chaintest.Exchange) bool {
				var header map[string]any
				if json.Unmarshal(c.Result, &header) != nil || !strings.HasPrefix(string(c.Params[0]), `"0x`) || header[member] == value {
					return false
				}
				header[member] = value
				c.Result, _ = json.Marshal(header)
				return true
			})
			j := chaintest.NewJournal(net.Deployment)
			if faults := chaintest.Follow(t, net, chaintest.NewWatcher(net, node, j, follow.WatcherOptions{}), j); faults == 0 || j.Rewinds != 0 {
				t.Errorf("%d faults and %d rewinds, want some and none", faults, j.Rewinds)
			}
			chaintest.CheckSame(t, net, j)
		})
	}
}
