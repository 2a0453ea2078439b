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

// events decodes what the contracts we follow said in a transaction.
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
