package keeper_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

func newKeeper(net *chaintest.Net, j *jobs, o keeper.Options) *keeper.Keeper {
	return newKeeperOn(net, net.Node, j, o)
}

func newKeeperOn(net *chaintest.Net, node *rpc.Node, j *jobs, o keeper.Options) *keeper.Keeper {
	j.net = net
	return keeper.New(node, net.Keeper, net.Contracts, j, o, slog.New(slog.DiscardHandler))
}

// newProxy returns a proxy that calls change with each call and its response.
func newProxy(t *testing.T, net *chaintest.Net, change func(*chaintest.Exchange)) *chaintest.Proxy {
	t.Helper()
	p := chaintest.NewProxy(t, net.Dev.URL())
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			change(call)
		}
		return true
	})
	return p
}

// eventsOf returns the events of the transactions that the keeper sent, from contracts that a
// watcher follows.
func eventsOf(t *testing.T, net *chaintest.Net, j *jobs) []market.Event {
	t.Helper()
	var events []market.Event
	for _, tx := range j.sent {
		receipt, err := net.Dev.Client().TransactionReceipt(t.Context(), tx.Hash)
		must(t, err)
		for _, log := range receipt.Logs {
			if log.Address == net.Deployment.Token {
				continue
			}
			event, err := net.Contracts.Decode(*log)
			must(t, err)
			events = append(events, event)
		}
	}
	return events
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func step(t *testing.T, k *keeper.Keeper) {
	t.Helper()
	must(t, k.Step(t.Context()))
}

// workOff steps until all jobs are closed. It repeats the steps, because anvil mines a transaction
// shortly after it has responded.
func workOff(t *testing.T, k *keeper.Keeper, j *jobs) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(j.open) > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d jobs stay open, waiting until %v: %s", len(j.open), j.waits, j.open[0].Error)
		}
		step(t, k)
		j.follow(t)
	}
}

// sentBy returns how many transactions of the keeper are mined.
func sentBy(t *testing.T, net *chaintest.Net) uint64 {
	t.Helper()
	n, err := net.Dev.Client().NonceAt(t.Context(), net.Keeper.Address(), nil)
	must(t, err)
	return n
}

func verdictJob(t *testing.T, net *chaintest.Net, approved bool) market.Job {
	t.Helper()
	work := common.Hash{2}
	id := net.Submitted(t, common.Hash{1}, work)
	net.Dispute(t, net.Agent, id)
	return market.Job{Kind: market.OutboxVerdicts, TaskID: id, Approved: approved, Verdicts: net.Verdicts(t, id, work, 1, approved, 2)}
}
