package follow_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/market"
)

// cancelled cancels three tasks: as the agent, as the human, and as the agent before acceptance. It
// returns the expected callers.
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

func TestWatcherSetsTheCallerOfACancellation(t *testing.T) {
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
			j := chaintest.NewJournal(net.Deployment)
			chaintest.CatchUp(t, chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Range: 50}))
			found := 0
			for _, log := range j.All() {
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

// A transaction whose hash differs from the log's transaction hash is ignored: the caller remains
// unknown and the watcher continues.
func TestWatcherLeavesTheCallerOfAForgedTransactionUnknown(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	cancelled(t, net)
	proxy := chaintest.NewProxy(t, net.Dev.URL())
	changed := 0
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
			call.Result, _ = json.Marshal(tx) // cannot fail, because the map was decoded from JSON
			changed++
		}
		return true
	})
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, chaintest.Dial(t, proxy.URL), j, follow.WatcherOptions{}))
	chaintest.CheckSame(t, net, j)
	for _, log := range j.All() {
		if log.Event.Kind == market.EventTaskCancelled && log.Event.Caller != (common.Address{}) {
			t.Errorf("task %d was cancelled by %s, want an unknown caller", log.Event.TaskID, log.Event.Caller)
		}
	}
	if changed == 0 {
		t.Error("no transaction was requested")
	}
}

// A transaction without replay protection has no chain id. Its caller is set all the same.
func TestWatcherSetsTheCallerOfATransactionWithoutReplayProtection(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	application, _ := net.Apply(t, net.Human, id, chaintest.Tokens(10))
	net.Accept(t, net.Agent, id, application)
	call := net.Contracts.CancelTask(net.Deployment.Escrow, id)
	nonce, err := net.Dev.Client().PendingNonceAt(t.Context(), net.Agent.Address())
	chaintest.Must(t, err)
	at := slices.IndexFunc(net.Dev.Accounts(), func(a devnet.Account) bool { return a.Address == net.Agent.Address() })
	tx, err := types.SignTx(types.NewTx(&types.LegacyTx{
		Nonce: nonce, To: &call.To, Data: call.Data, Gas: 500_000, GasPrice: big.NewInt(10e9),
	}), types.HomesteadSigner{}, net.Dev.Accounts()[at].Key)
	chaintest.Must(t, err)
	chaintest.Must(t, net.Dev.Client().SendTransaction(t.Context(), tx))
	net.Mine(t, 1)
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{}))
	for _, log := range j.All() {
		if log.Event.Kind == market.EventTaskCancelled && log.Event.Caller != net.Agent.Address() {
			t.Errorf("the task was cancelled by %s, want %s", log.Event.Caller, net.Agent.Address())
		}
	}
	chaintest.CheckSame(t, net, j)
}
