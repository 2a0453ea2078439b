package client_test

import (
	"context"
	"encoding/json"
	"math/big"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// A node that asks for more once the plan was agreed to gets what was agreed.
func TestNoMoreGasThanWasReviewed(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	var agreed client.Plan
	var before *big.Int
	c := w.client(t, func(o *client.Options) {
		o.RPCURL = proxy.URL
		o.Review = func(_ context.Context, p client.Plan) error {
			agreed, before = p, w.coin(t) //nolint:contextcheck // it ends with the test
			proxy.Misbehave(askForATip)
			return nil
		}
	})
	s := w.scene(t, "dear", 2)
	w.unwatched(s.task)
	if _, err := c.Approve(t.Context(), s.task.ID); err != nil {
		t.Fatal(err)
	}
	if paid := new(big.Int).Sub(before, w.coin(t)); paid.Sign() <= 0 || paid.Cmp(agreed.GasCost) > 0 {
		t.Errorf("gas cost %s wei, agreed were at most %s", paid, agreed.GasCost)
	}
}

// askForATip has a node name a tip of 50,000 gwei.
func askForATip(calls []*chaintest.Exchange) bool {
	for _, call := range calls {
		if call.Method == "eth_maxPriorityFeePerGas" {
			call.Result = json.RawMessage(`"0x2d79883d2000"`)
		}
	}
	return true
}

// coin is what the agent's wallet holds for gas, in wei.
func (w *world) coin(t *testing.T) *big.Int {
	t.Helper()
	coin, err := w.Dev.Client().BalanceAt(t.Context(), w.Agent.Address(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return coin
}
