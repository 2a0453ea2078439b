package client_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/send"
	"taskmarket/client"
)

// A transaction with a sufficient fee that is not mined is replaced after some time, with rising
// fees up to the limit.
func TestStuckTransactionIsReplaced(t *testing.T) {
	for name, limitBy := range map[string]func(*client.Options, *big.Int){
		"MaxFeePerGas": func(o *client.Options, limit *big.Int) { o.MaxFeePerGas = limit },
		"MaxOffer":     func(o *client.Options, limit *big.Int) { o.MaxOffer = limit },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testStuckTransaction(t, limitBy)
		})
	}
}

func testStuckTransaction(t *testing.T, limitBy func(*client.Options, *big.Int)) {
	t.Helper()
	w := newWorld(t)
	s := w.scene(t, "stuck", 2)
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	plan, err := w.client(t).Plan(t.Context(), client.Approve(s.task.ID))
	if err != nil {
		t.Fatal(err)
	}
	limit := new(big.Int).Quo(new(big.Int).Mul(plan.Transaction.MaxFee, big.NewInt(3)), big.NewInt(2)) // the limit allows three increases of 12.5%
	c := w.client(t, func(o *client.Options) {
		o.Flows, o.ReplaceAfter, o.MineTimeout = flows, 10*time.Millisecond, 9*time.Second
		limitBy(o, limit)
	})
	if _, err := c.Approve(t.Context(), s.task.ID); !errors.Is(err, client.ErrNotMined) || !errors.Is(err, send.ErrGasLimit) {
		t.Fatalf("got error %v", err)
	}
	w.wantRaised(t, flows.last.Transactions, limit)
	before := w.nonce(t)
	w.Mine(t, 1)
	got, err := w.client(t).Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash == nil || w.nonce(t) != before {
		t.Errorf("mined %v, error %v, %d more transactions", got.TxHash, err, w.nonce(t)-before)
	}
}

// wantRaised fails the test unless each transaction has the same nonce as the previous one, and a
// fee that is at least an eighth higher but not above the limit.
func (w *world) wantRaised(t *testing.T, raw []hexutil.Bytes, limit *big.Int) {
	t.Helper()
	if len(raw) < 3 {
		t.Errorf("%d transactions were signed", len(raw))
	}
	var last *types.Transaction
	for _, r := range raw {
		tx := new(types.Transaction)
		if err := tx.UnmarshalBinary(r); err != nil {
			t.Fatal(err)
		}
		if tx.GasFeeCap().Cmp(limit) > 0 {
			t.Errorf("it pays %s, the limit is %s", tx.GasFeeCap(), limit)
		}
		if last != nil {
			least := new(big.Int).Quo(new(big.Int).Mul(last.GasFeeCap(), big.NewInt(9)), big.NewInt(8))
			if tx.Nonce() != last.Nonce() || tx.GasFeeCap().Cmp(least) < 0 {
				t.Errorf("nonce %d pays %s after nonce %d paid %s", tx.Nonce(), tx.GasFeeCap(), last.Nonce(), last.GasFeeCap())
			}
		}
		last = tx
	}
}
