package send_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/params"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// A node without eth_maxPriorityFeePerGas suggests a tip by its fee history or its gas price. It stays in use.
func TestTipWithoutItsMethod(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	head, err := net.Dev.Client().HeaderByNumber(t.Context(), nil)
	chaintest.Must(t, err)
	price, err := json.Marshal("0x" + new(big.Int).Add(head.BaseFee, big.NewInt(3*params.GWei)).Text(16))
	chaintest.Must(t, err)
	history := json.RawMessage(`{"oldestBlock":"0x1","baseFeePerGas":["0x1","0x1","0x1","0x1","0x1"],"gasUsedRatio":[0.5,0.1,0,0.2],` +
		`"reward":[["0x77359400"],["0x3b9aca00"],["0x0"],["0xba43b7400"]]}`)
	const tipMethod, historyMethod, priceMethod = "eth_maxPriorityFeePerGas", "eth_feeHistory", "eth_gasPrice"
	for name, c := range map[string]struct {
		missing []string
		history json.RawMessage
		tip     int64 // in wei
	}{
		"the history":                      {missing: []string{tipMethod}, history: history, tip: 2 * params.GWei},
		"a history without transactions":   {missing: []string{tipMethod}, history: json.RawMessage(`{"oldestBlock":"0x1","baseFeePerGas":["0x1"],"gasUsedRatio":[0],"reward":[["0x5"]]}`)},
		"a history without tips":           {missing: []string{tipMethod}, history: json.RawMessage(`{"oldestBlock":"0x1","baseFeePerGas":["0x1"],"gasUsedRatio":[0.5],"reward":[[]]}`), tip: 3 * params.GWei},
		"the gas price":                    {missing: []string{tipMethod, historyMethod}, tip: 3 * params.GWei},
		"only the method that is not used": {missing: []string{historyMethod, priceMethod}, tip: params.GWei},
	} {
		p := chaintest.NewProxy(t, net.Dev.URL())
		node := chaintest.Dial(t, p.URL)
		p.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				missing := chaintest.MissingMethod(call.Method)["geth"]
				switch {
				case slices.Contains(c.missing, call.Method):
					call.Fault = &missing
				case call.Method == tipMethod:
					call.Result = json.RawMessage(`"0x3b9aca00"`)
				case call.Method == historyMethod:
					call.Result, call.Fault = c.history, nil
				case call.Method == priceMethod:
					call.Result = price
				}
			}
			return true
		})
		fees, err := send.NewSender(node, net.Agent).Fees(t.Context())
		if err != nil || fees.Tip.Cmp(big.NewInt(c.tip)) != 0 {
			t.Errorf("%s: Fees() = %+v, %v, want a tip of %d", name, fees, err, c.tip)
		}
		if states := node.Providers(); states[0].Failures > 0 {
			t.Errorf("%s: the provider is %+v, want no failures", name, states[0])
		}
	}
}

// A node that serves none of the methods for fees cannot price a transaction, but is sound otherwise.
func TestFeesWithoutAnyMethod(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	alone, both := chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, p.URL), chaintest.Dial(t, p.URL, net.Dev.URL())
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if slices.Contains([]string{"eth_maxPriorityFeePerGas", "eth_feeHistory", "eth_gasPrice"}, call.Method) {
				missing := chaintest.MissingMethod(call.Method)["another gateway"]
				call.Fault = &missing
			}
		}
		return true
	})
	if _, err := send.NewSender(alone, net.Agent).Fees(t.Context()); market.KindOf(err) != market.KindChainUnavailable {
		t.Errorf("Fees() = %v, want kind %q", err, market.KindChainUnavailable)
	}
	if _, err := send.NewSender(both, net.Agent).Fees(t.Context()); err != nil {
		t.Errorf("Fees() with another provider = %v", err)
	}
	for _, state := range append(alone.Providers(), both.Providers()...) {
		if state.Failures > 0 {
			t.Errorf("the provider is %+v, want no failures", state)
		}
	}
}
