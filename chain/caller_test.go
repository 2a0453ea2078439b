package chain_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// cancelled has three tasks cancelled: by the agent, by the human, and by the
// agent before acceptance. It returns the callers to expect.
func cancelled(t *testing.T, net *chaintest.Net) map[uint64]common.Address {
	t.Helper()
	want := make(map[uint64]common.Address)
	for _, by := range []*chain.KeySigner{net.Agent, net.Human} {
		amount := chaintest.Tokens(10)
		id, _ := net.Post(t, net.Agent, amount, common.Hash{1})
		application, _ := net.Apply(t, net.Human, id, amount)
		net.Accept(t, net.Agent, id, application)
		net.Cancel(t, by, id)
		want[id] = by.Address()
	}
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	net.Cancel(t, net.Agent, id)
	want[id] = common.Address{}
	return want
}

func TestWatcherNamesWhoCancelled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		net   devnet.Options
		after uint64
	}{
		"block by block":            {},
		"in ranges behind finality": {net: devnet.Options{SlotsPerEpoch: 2}, after: 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, test.net)
			want := cancelled(t, net)
			if test.after > 0 {
				net.Mine(t, test.after)
			}
			j := newJournal(net.Deployment)
			catchUp(t, newWatcher(net, net.Node, j, chain.WatcherOptions{Range: 50}))
			found := 0
			for _, log := range j.said() {
				if log.Event.Kind != market.EventTaskCancelled {
					continue
				}
				found++
				if got := log.Event.Caller; got != want[log.Event.TaskID] {
					t.Errorf("task %d was cancelled by %s, want %s", log.Event.TaskID, got, want[log.Event.TaskID])
				}
			}
			if found != len(want) {
				t.Errorf("%d cancellations, want %d", found, len(want))
			}
		})
	}
}

// TestWatcherRefusesAnotherTransaction: a provider cannot name another caller
// by answering with another transaction.
func TestWatcherRefusesAnotherTransaction(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	cancelled(t, net)
	proxy := chaintest.NewProxy(t, net.Dev.URL())
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method != "eth_getTransactionByBlockHashAndIndex" {
				continue
			}
			var tx map[string]any
			if err := json.Unmarshal(call.Result, &tx); err != nil {
				t.Error(err)
			}
			tx["nonce"] = "0x7"
			call.Result, _ = json.Marshal(tx) // a map of strings
		}
		return true
	})
	w := newWatcher(net, chaintest.Dial(t, proxy.URL), newJournal(net.Deployment), chain.WatcherOptions{})
	for range 200 {
		if _, err := w.Step(t.Context()); err != nil {
			if fault := (*chain.ProviderError)(nil); !errors.As(err, &fault) {
				t.Errorf("Step() = %v, want a fault of the provider", err)
			}
			return
		}
	}
	t.Error("the watcher followed another transaction's sender")
}
