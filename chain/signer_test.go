package chain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

const secret = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

func TestParseKeySigner(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		hex string
		ok  bool
	}{
		"with 0x":    {hex: "0x" + secret, ok: true},
		"without 0x": {hex: secret, ok: true},
		"too short":  {hex: secret[2:]},
		"no hex":     {hex: "zz" + secret[2:]},
		"zero":       {hex: strings.Repeat("0", 64)},
		"empty":      {},
	}
	for name, c := range cases {
		signer, err := chain.ParseKeySigner(c.hex)
		if c.ok != (err == nil) {
			t.Errorf("%s: ParseKeySigner() = %v", name, err)
		}
		if err != nil && len(c.hex) > 10 && strings.Contains(err.Error(), c.hex[2:10]) {
			t.Errorf("%s: the error repeats the key: %v", name, err)
		}
		if c.ok && signer.Address() != common.HexToAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266") {
			t.Errorf("%s: address is %s", name, signer.Address())
		}
	}
}

func TestASignerNeverShowsItsKey(t *testing.T) {
	t.Parallel()
	signer, err := chain.ParseKeySigner(secret)
	must(t, err)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("signer", slog.Any("signer", signer))
	slog.New(slog.NewJSONHandler(&log, nil)).Info("signer", slog.Any("signer", signer))
	shown := log.String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
		shown += fmt.Sprintf(verb, signer)
	}
	for _, form := range []string{secret, "ac0974", "78086683", "172 9 116"} { // hex, and decimal as big.Int and bytes print it
		if strings.Contains(shown, form) {
			t.Errorf("the key is shown: %s", shown)
		}
	}
}

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
	for range 3 { // while it waits, and after it was mined
		must(t, sender.Broadcast(t.Context(), signed.Raw))
	}
	receipt, err := sender.Wait(t.Context(), signed.Hash)
	must(t, err)
	must(t, sender.Broadcast(t.Context(), signed.Raw))
	if used, err := sender.UsedNonces(t.Context()); err != nil || used != 1 || receipt.TxHash != signed.Hash {
		t.Errorf("UsedNonces() = %d, %v, want 1", used, err)
	}
}

func TestSenderTellsRefusalsBeforeItSends(t *testing.T) {
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
