package chain_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

// events decodes the logs of the followed contracts in a transaction.
func events(t *testing.T, net *chaintest.Net, receipt *types.Receipt) []market.Event {
	t.Helper()
	var events []market.Event
	for _, log := range receipt.Logs {
		if log.Address == net.Deployment.Token {
			continue
		}
		event, err := net.Contracts.Decode(*log)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	return events
}

func timeOf(t *testing.T, net *chaintest.Net, block common.Hash) time.Time {
	t.Helper()
	h, err := net.Dev.Client().HeaderByHash(t.Context(), block)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(int64(h.Time), 0).UTC()
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// waitUntil fails the test if the condition does not become true.
func waitUntil(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

func acceptedTask(t *testing.T, net *chaintest.Net) uint64 {
	t.Helper()
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	application, _ := net.Apply(t, net.Human, id, chaintest.Tokens(1))
	net.Accept(t, net.Agent, id, application)
	return id
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
