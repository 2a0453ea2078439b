package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

func TestSenderSendsFromManyGoroutines(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	sender := net.Sender(net.Agent)
	results := make(chan error)
	for range 10 {
		go func() {
			_, err := sender.Send(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1))
			results <- err
		}()
	}
	for range 10 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if used, err := sender.UsedNonces(t.Context()); err != nil || used != 10 {
		t.Errorf("UsedNonces() = %d, %v, want 10", used, err)
	}
}

func TestSenderBroadcastsTheSameTransactionOnce(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	sender := net.Sender(net.Agent)
	nonce, err := sender.NextNonce(t.Context())
	must(t, err)
	signed, err := sender.Build(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1), nonce)
	must(t, err)
	for range 3 { // while pending, and after it was mined
		must(t, sender.Broadcast(t.Context(), signed.Raw))
	}
	receipt, err := sender.Wait(t.Context(), signed.Hash)
	must(t, err)
	must(t, sender.Broadcast(t.Context(), signed.Raw))
	if used, err := sender.UsedNonces(t.Context()); err != nil || used != 1 || receipt.TxHash != signed.Hash {
		t.Errorf("UsedNonces() = %d, %v, want 1", used, err)
	}
}

func TestSenderReturnsRevertsBeforeSending(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	_, err := net.Sender(net.Keeper).Send(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1))
	if refusal, ok := errors.AsType[*chain.RevertError](err); !ok || refusal.Name != "ERC20InsufficientBalance" {
		t.Errorf("Send() = %v, want ERC20InsufficientBalance", err)
	}
	if used, err := net.Sender(net.Keeper).UsedNonces(t.Context()); err != nil || used != 0 {
		t.Errorf("UsedNonces() = %d, %v, want 0", used, err)
	}
}

func TestSenderStopsWaitingWithItsContext(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := net.Sender(net.Agent).Wait(ctx, common.Hash{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait() = %v, want %v", err, context.DeadlineExceeded)
	}
}

// The gas limit applies to every sender of the market's calls, not only to the keeper.
func TestSenderRejectsCallsWithTooMuchGas(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	p.answer = func(c *call) {
		if c.Method == "eth_estimateGas" {
			c.Result = json.RawMessage(`"0x2255100"`)
		}
	}
	sender := chain.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	call := net.Contracts.ApproveToken(net.Human.Address(), common.Big1)
	if _, err := sender.Build(t.Context(), call, 0); !errors.Is(err, chain.ErrTooMuchGas) {
		t.Errorf("Build() = %v, want %v", err, chain.ErrTooMuchGas)
	}
	if _, err := sender.Send(t.Context(), call); !errors.Is(err, chain.ErrTooMuchGas) {
		t.Errorf("Send() = %v, want %v", err, chain.ErrTooMuchGas)
	}
}
