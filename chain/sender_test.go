package chain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
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

// No node accepts a transaction with less than the intrinsic gas, so its nonce would block all later ones.
func TestSenderRejectsEstimatesBelowTheIntrinsicGas(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	own, call := net.Agent.Address(), net.Contracts.ApproveToken(net.Human.Address(), common.Big1)
	alone := chain.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	both := chain.NewSender(chaintest.Dial(t, p.URL, net.Dev.URL()), net.Agent)
	for name, want := range map[string]struct {
		call     chain.Call
		estimate uint64
		faulty   bool
	}{
		"zero":                         {call, 0, true},
		"one":                          {call, 1, true},
		"a transfer's gas with data":   {call, 21_000, true},
		"below the gas of a transfer":  {chain.Call{To: own}, 20_999, true},
		"exactly the gas of transfers": {chain.Call{To: own}, 21_000, false},
	} {
		p.set(func(p *proxy) { p.answer = estimating(want.estimate) })
		if gas, err := alone.Estimate(t.Context(), want.call); want.faulty != (market.KindOf(err) == market.KindChainUnavailable) {
			t.Errorf("%s: Estimate() with the only provider = %d, %v", name, gas, err)
		}
		if gas, err := both.Estimate(t.Context(), want.call); err != nil || gas < 25_200 {
			t.Errorf("%s: Estimate() with another provider = %d, %v, want its estimate", name, gas, err)
		}
	}
}

// A provider that accepts a transaction and does not pass it on does not keep it from the chain.
func TestSenderBroadcastsToAllProviders(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]func(withholding, honest string) []string{
		"first":  func(withholding, honest string) []string { return []string{withholding, honest} },
		"second": func(withholding, honest string) []string { return []string{honest, withholding} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			withholding := chaintest.NewProxy(t, net.Dev.URL())
			withholding.Intercept(func(e *chaintest.Exchange) bool {
				e.Result = json.RawMessage(strconv.Quote(common.Hash{1}.Hex()))
				return e.Method == "eth_sendRawTransaction"
			})
			sender := chain.NewSender(chaintest.Dial(t, order(withholding.URL, net.Dev.URL())...), net.Agent)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := sender.Send(ctx, net.Contracts.TransferToken(net.Human.Address(), common.Big1))
			must(t, err)
		})
	}
}

// A provider that has stopped syncing does not hide a used nonce, but one that only lags does.
func TestLeastUsedNoncesIgnoresAStalledProvider(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age  time.Duration
		want uint64
	}{
		"lagging": {want: 0},
		"stalled": {age: time.Hour, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			behind := newProxy(t, net.Dev.URL())
			behind.answer = func(e *call) {
				switch e.Method {
				case "eth_getTransactionCount":
					e.Result = json.RawMessage(`"0x0"`)
				case "eth_getBlockByNumber":
					var head types.Header
					if string(e.Params[0]) == `"latest"` && json.Unmarshal(e.Result, &head) == nil {
						head.Time -= uint64(c.age.Seconds())
						e.Result, _ = json.Marshal(&head)
					}
				}
			}
			sender := chain.NewSender(chaintest.Dial(t, behind.URL, net.Dev.URL()), net.Agent)
			net.Send(t, net.Agent, net.Contracts.TransferToken(net.Human.Address(), common.Big1))
			if used, err := sender.LeastUsedNoncesOf(t.Context(), net.Agent.Address()); err != nil || used != c.want {
				t.Errorf("LeastUsedNoncesOf() = %d, %v, want %d", used, err, c.want)
			}
		})
	}
}

// A node rejects a gas limit below the floor for the data, even if it is above the intrinsic gas.
func TestSenderSignsNoGasLimitBelowTheFloor(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	call := chain.Call{To: net.Human.Address(), Data: bytes.Repeat([]byte{0xFF}, 1_000)} // intrinsic gas 37,000, floor 61,000
	p.answer = estimating(37_000)
	sender := chain.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	signed, err := sender.Build(t.Context(), call, 0)
	must(t, err)
	var tx types.Transaction
	must(t, tx.UnmarshalBinary(signed.Raw))
	if tx.Gas() != 61_000 {
		t.Fatalf("Build() has a gas limit of %d, want 61000", tx.Gas())
	}
	must(t, sender.Broadcast(t.Context(), signed.Raw))
	_, err = sender.Wait(t.Context(), signed.Hash)
	must(t, err)
}

// estimating makes a node return this gas estimate for every call.
func estimating(gas uint64) func(*call) {
	return func(c *call) {
		if c.Method == "eth_estimateGas" {
			c.Result, c.Fault = json.RawMessage(strconv.Quote(hexutil.EncodeUint64(gas))), nil
		}
	}
}
