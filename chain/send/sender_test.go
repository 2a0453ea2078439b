package send_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
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
	chaintest.Must(t, err)
	signed, err := sender.Build(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1), nonce)
	chaintest.Must(t, err)
	for range 3 { // while pending, and after it was mined
		chaintest.Must(t, sender.Broadcast(t.Context(), signed.Raw))
	}
	receipt, err := sender.Wait(t.Context(), signed.Hash)
	chaintest.Must(t, err)
	chaintest.Must(t, sender.Broadcast(t.Context(), signed.Raw))
	if used, err := sender.UsedNonces(t.Context()); err != nil || used != 1 || receipt.TxHash != signed.Hash {
		t.Errorf("UsedNonces() = %d, %v, want 1", used, err)
	}
}

func TestSenderReturnsRevertsBeforeSending(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	_, err := net.Sender(net.Keeper).Send(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1))
	if refusal, ok := errors.AsType[*rpc.RevertError](err); !ok || refusal.Name != "ERC20InsufficientBalance" {
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
	p := chaintest.NewProxy(t, net.Dev.URL())
	p.Answer = func(c *chaintest.Exchange) {
		if c.Method == "eth_estimateGas" {
			c.Result = json.RawMessage(`"0x2255100"`)
		}
	}
	sender := send.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	call := net.Contracts.ApproveToken(net.Human.Address(), common.Big1)
	if _, err := sender.Build(t.Context(), call, 0); !errors.Is(err, send.ErrTooMuchGas) {
		t.Errorf("Build() = %v, want %v", err, send.ErrTooMuchGas)
	}
	if _, err := sender.Send(t.Context(), call); !errors.Is(err, send.ErrTooMuchGas) {
		t.Errorf("Send() = %v, want %v", err, send.ErrTooMuchGas)
	}
}

// No node accepts a transaction with less than the intrinsic gas, so its nonce would block all later ones.
func TestSenderRejectsEstimatesBelowTheIntrinsicGas(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	own, call := net.Agent.Address(), net.Contracts.ApproveToken(net.Human.Address(), common.Big1)
	alone := send.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	both := send.NewSender(chaintest.Dial(t, p.URL, net.Dev.URL()), net.Agent)
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
		p.Set(func(p *chaintest.Proxy) { p.Answer = estimating(want.estimate) })
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
			sender := send.NewSender(chaintest.Dial(t, order(withholding.URL, net.Dev.URL())...), net.Agent)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := sender.Send(ctx, net.Contracts.TransferToken(net.Human.Address(), common.Big1))
			chaintest.Must(t, err)
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
			behind := chaintest.NewProxy(t, net.Dev.URL())
			behind.Answer = func(e *chaintest.Exchange) {
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
			sender := send.NewSender(chaintest.Dial(t, behind.URL, net.Dev.URL()), net.Agent)
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
	p := chaintest.NewProxy(t, net.Dev.URL())
	call := chain.Call{To: net.Human.Address(), Data: bytes.Repeat([]byte{0xFF}, 1_000)} // intrinsic gas 37,000, floor 61,000
	p.Answer = estimating(37_000)
	sender := send.NewSender(chaintest.Dial(t, p.URL), net.Agent)
	signed, err := sender.Build(t.Context(), call, 0)
	chaintest.Must(t, err)
	var tx types.Transaction
	chaintest.Must(t, tx.UnmarshalBinary(signed.Raw))
	if tx.Gas() != 61_000 {
		t.Fatalf("Build() has a gas limit of %d, want 61000", tx.Gas())
	}
	chaintest.Must(t, sender.Broadcast(t.Context(), signed.Raw))
	_, err = sender.Wait(t.Context(), signed.Hash)
	chaintest.Must(t, err)
}

// estimating makes a node return this gas estimate for every call.
func estimating(gas uint64) func(*chaintest.Exchange) {
	return func(c *chaintest.Exchange) {
		if c.Method == "eth_estimateGas" {
			c.Result, c.Fault = json.RawMessage(strconv.Quote(hexutil.EncodeUint64(gas))), nil
		}
	}
}

// refusing makes a node refuse every transaction with the fault.
func refusing(p *chaintest.Proxy, fault chaintest.Fault) {
	p.Intercept(func(c *chaintest.Exchange) bool {
		c.Fault = &fault
		return c.Method == "eth_sendRawTransaction"
	})
}

// After a refusal, the chain decides whether the transaction is sent, and not the words of the node.
func TestBroadcastAsksTheChainAfterARefusal(t *testing.T) {
	t.Parallel()
	refusals := map[string]chaintest.Fault{
		"AlreadyKnown":            {Code: -32010, Message: "AlreadyKnown"},
		"OldNonce":                {Code: -32010, Message: "OldNonce, Current nonce: 1, nonce of rejected tx: 0"},
		"nonce too low":           {Code: -32000, Message: "nonce too low: next nonce 1, tx nonce 0"},
		"replacement underpriced": {Code: -32000, Message: "replacement transaction underpriced"},
		"unknown words":           {Code: -32000, Message: "transaction rejected"},
		"no words":                {Code: -32003},
		"an internal error":       {Code: -32603, Message: "internal error"},
		"an unsupported method":   {Code: -32601, Message: "the method eth_sendRawTransaction does not exist/is not available"},
	}
	sent := func(t *testing.T, net *chaintest.Net, signed send.Signed) {
		t.Helper()
		var tx types.Transaction
		chaintest.Must(t, tx.UnmarshalBinary(signed.Raw))
		chaintest.Must(t, net.Dev.Client().SendTransaction(t.Context(), &tx))
	}
	for name, c := range map[string]struct {
		// arrange changes the chain before the transaction is sent. other has the same nonce.
		arrange func(t *testing.T, net *chaintest.Net, own, other send.Signed)
		want    error // for a refusal; nil if the transaction counts as sent
		// unavailable: an error that is no refusal means that the transaction can be sent later
		unavailable bool
	}{
		"pending": {arrange: func(t *testing.T, net *chaintest.Net, own, _ send.Signed) {
			t.Helper()
			sent(t, net, own)
		}},
		"mined": {arrange: func(t *testing.T, net *chaintest.Net, own, _ send.Signed) {
			t.Helper()
			sent(t, net, own)
			net.Mine(t, 1)
		}},
		"absent": {arrange: func(*testing.T, *chaintest.Net, send.Signed, send.Signed) {}, want: rpc.ErrRefused, unavailable: true},
		"another one with the nonce is pending": {
			arrange: func(t *testing.T, net *chaintest.Net, _, other send.Signed) {
				t.Helper()
				sent(t, net, other)
			}, want: send.ErrNonceTaken,
		},
		"another one with the nonce is mined": {arrange: func(t *testing.T, net *chaintest.Net, _, other send.Signed) {
			t.Helper()
			sent(t, net, other)
			net.Mine(t, 1)
		}, want: send.ErrNonceTaken},
		"without coins": {arrange: func(t *testing.T, net *chaintest.Net, _, _ send.Signed) {
			t.Helper()
			chaintest.Must(t, net.Dev.SetBalance(t.Context(), net.Agent.Address(), common.Big1))
		}, want: send.ErrInsufficientFunds},
		"below the base fee": {arrange: func(t *testing.T, net *chaintest.Net, _, _ send.Signed) {
			t.Helper()
			chaintest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", hexutil.Uint64(1e13)))
			net.Mine(t, 1)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			chaintest.Must(t, net.Dev.SetMining(t.Context(), false))
			build := func(amount int64) send.Signed {
				signed, err := net.Sender(net.Agent).Build(t.Context(), net.Contracts.TransferToken(net.Human.Address(), big.NewInt(amount)), 0)
				chaintest.Must(t, err)
				return signed
			}
			own := build(1)
			c.arrange(t, net, own, build(2))
			p := chaintest.NewProxy(t, net.Dev.URL())
			sender := send.NewSender(chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, p.URL), net.Agent)
			for words, fault := range refusals {
				refusing(p, fault)
				err := sender.Broadcast(t.Context(), own.Raw)
				switch {
				case words == "AlreadyKnown" && c.want != nil: // the words suffice, because a pool can hide its transactions
					if err != nil {
						t.Errorf("%s: Broadcast() = %v, want nil", words, err)
					}
				case c.unavailable && (fault.Code == -32603 || fault.Code == -32601):
					if market.KindOf(err) != market.KindChainUnavailable {
						t.Errorf("%s: Broadcast() = %v, want kind %q", words, err, market.KindChainUnavailable)
					}
				case !errors.Is(err, c.want):
					t.Errorf("%s: Broadcast() = %v, want %v", words, err, c.want)
				case errors.Is(c.want, rpc.ErrRefused) && !strings.Contains(err.Error(), fault.Message):
					t.Errorf("%s: Broadcast() = %v, want the node's words", words, err)
				}
			}
		})
	}
}

// The strange answer of one provider does not hide that another one accepts the transaction.
func TestBroadcastSucceedsIfOneProviderAccepts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	faults := chaintest.ProviderFaults()
	faults["a refusal"] = chaintest.Fault{Code: -32000, Message: "the sender is on a list"}
	for name, fault := range faults {
		for _, first := range []bool{true, false} {
			bad := chaintest.NewProxy(t, net.Dev.URL())
			urls := []string{bad.URL, net.Dev.URL()}
			if !first {
				slices.Reverse(urls)
			}
			sender := send.NewSender(chaintest.Dial(t, urls...), net.Agent)
			refusing(bad, fault)
			if _, err := sender.Send(t.Context(), net.Contracts.TransferToken(net.Human.Address(), common.Big1)); err != nil {
				t.Errorf("%s, first %t: Send() = %v", name, first, err)
			}
		}
	}
}

// Some nodes return no estimate for an account without coins, in words of their own.
func TestEstimateWithoutCoins(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, p.URL)
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			if c.Method == "eth_estimateGas" {
				c.Fault = &chaintest.Fault{Code: -32000, Message: "account cannot afford it"}
			}
		}
		return true
	})
	call := net.Contracts.ApproveToken(net.Human.Address(), common.Big1)
	if _, err := send.NewSender(node, net.Agent).Estimate(t.Context(), call); market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("Estimate() of an account with coins = %v, want kind %q", err, market.KindChainUnavailable)
	}
	chaintest.Must(t, net.Dev.SetBalance(t.Context(), net.Agent.Address(), common.Big1))
	if _, err := send.NewSender(node, net.Agent).Estimate(t.Context(), call); !errors.Is(err, send.ErrInsufficientFunds) {
		t.Errorf("Estimate() of an account without coins = %v, want %v", err, send.ErrInsufficientFunds)
	}
}
