package chain_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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

// walletFor returns a wallet that accepts one digest: PUSH32 digest, CALLDATALOAD(4), EQ, times yes.
func walletFor(digest common.Hash) []byte {
	code := append([]byte{0x7f}, digest[:]...)
	code = append(code, common.FromHex("60043514")...)
	code = append(code, yes...)
	return append(append(code, 0x02), returnWord...)
}

func install(t *testing.T, net *chaintest.Net, at common.Address, code []byte) {
	t.Helper()
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setCode", at, hexutil.Bytes(code)))
}

// Contract wallets as EVM code. To accept, a wallet returns the selector of isValidSignature,
// left-aligned.
var (
	yes        = common.FromHex("631626ba7e60e01b") // PUSH4 selector, SHL 224
	returnWord = common.FromHex("5f5260205ff3")     // MSTORE at 0, RETURN 32 bytes
)
