package chaintest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// Events decodes the logs of the followed contracts in a transaction.
func Events(t *testing.T, net *Net, receipt *types.Receipt) []market.Event {
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

// TimeOf returns the time of a block.
func TimeOf(t *testing.T, net *Net, block common.Hash) time.Time {
	t.Helper()
	h, err := net.Dev.Client().HeaderByHash(t.Context(), block)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(int64(h.Time), 0).UTC()
}

// Quiet returns a logger that discards everything.
func Quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// WaitUntil fails the test if the condition does not become true.
func WaitUntil(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// AcceptedTask posts a task, and accepts an application for it.
func AcceptedTask(t *testing.T, net *Net) uint64 {
	t.Helper()
	id, _ := net.Post(t, net.Agent, Tokens(1), common.Hash{1})
	application, _ := net.Apply(t, net.Human, id, Tokens(1))
	net.Accept(t, net.Agent, id, application)
	return id
}

// WalletFor returns a wallet that accepts one digest: PUSH32 digest, CALLDATALOAD(4), EQ, times yes.
func WalletFor(digest common.Hash) []byte {
	code := append([]byte{0x7f}, digest[:]...)
	code = append(code, common.FromHex("60043514")...)
	code = append(code, AcceptCode...)
	return append(append(code, 0x02), ReturnCode...)
}

// Install sets the code of an account.
func Install(t *testing.T, net *Net, at common.Address, code []byte) {
	t.Helper()
	Must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setCode", at, hexutil.Bytes(code)))
}

// Contract wallets as EVM code. To accept, a wallet returns the selector of isValidSignature,
// left-aligned.
var (
	AcceptCode = common.FromHex("631626ba7e60e01b") // PUSH4 selector, SHL 224
	ReturnCode = common.FromHex("5f5260205ff3")     // MSTORE at 0, RETURN 32 bytes
)
