package client_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// aheadBy makes a node report a higher transaction count for the agent: always in the pending count
// and, if mined is true, also in the mined count.
func aheadBy(more uint64, mined bool) func([]*chaintest.Exchange) bool {
	return func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			waiting := len(call.Params) == 2 && string(call.Params[1]) == `"pending"`
			if call.Method != "eth_getTransactionCount" || !waiting && !mined {
				continue
			}
			var count hexutil.Uint64
			if json.Unmarshal(call.Result, &count) == nil {
				call.Result, _ = json.Marshal(count + hexutil.Uint64(more))
			}
		}
		return true
	}
}

// faultyNode is a world whose node temporarily reports wrong values.
type faultyNode struct {
	*world
	proxy *chaintest.Proxy
	flows *saved
}

// newFaultyNode starts a world whose node returns wrong values until a transaction is signed.
func newFaultyNode(t *testing.T, lie func([]*chaintest.Exchange) bool) (*faultyNode, scene) {
	t.Helper()
	w := &faultyNode{world: newWorld(t)}
	w.proxy = chaintest.NewProxy(t, w.Dev.URL())
	s := w.scene(t, "lied to", 2)
	w.proxy.Misbehave(lie)
	w.flows = &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if len(f.Transactions) > 0 {
			w.proxy.Misbehave(nil)
		}
		return nil
	}}
	w.options.RPCURL, w.options.Flows = w.proxy.URL, w.flows
	return w, s
}

// unfinished returns the number of unfinished flows.
func (w *faultyNode) unfinished(t *testing.T) int {
	t.Helper()
	flows, err := w.client(t).Unfinished(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(flows)
}

// If the node reports pending transactions that are not in the journal, nothing is signed, because
// they may not exist.
func TestForeignPendingTransactions(t *testing.T) {
	w, s := newFaultyNode(t, aheadBy(5, false))
	impatient := w.client(t, func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond })
	if _, err := impatient.Approve(t.Context(), s.task.ID); !errors.Is(err, client.ErrNotMined) || w.unfinishedSigned(t) != 0 {
		t.Errorf("got error %v, left %d transactions", err, w.unfinishedSigned(t))
	}
	w.proxy.Misbehave(nil)
	if _, err := w.client(t).Approve(t.Context(), s.task.ID); err != nil || !w.held(t, s.id).AgentApproved {
		t.Errorf("after the node recovered: error %v", err)
	}
}

func (w *faultyNode) unfinishedSigned(t *testing.T) (signed int) {
	t.Helper()
	flows, err := w.client(t).Unfinished(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, flow := range flows {
		signed += len(flow.Transactions)
	}
	return signed
}

// The node reports a nonce that is too high, so the transaction is not mined while lower nonces are
// missing. The wallet stays usable. The call is signed again with the next nonce and takes effect once.
func TestNonceGapAfterWrongCount(t *testing.T) {
	w, s := newFaultyNode(t, aheadBy(5, true))
	impatient := func(o *client.Options) { o.MineTimeout = 3 * time.Second }
	_, err := w.client(t, impatient).Approve(t.Context(), s.task.ID)
	if !errors.Is(err, client.ErrNotMined) || !strings.Contains(err.Error(), "lacks earlier transactions") || w.unfinishedSigned(t) != 1 {
		t.Fatalf("got error %v, left %d transactions", err, w.unfinishedSigned(t))
	}
	other, _ := w.created(t, "beside it")
	before := w.nonce(t)
	if _, err := w.client(t).Cancel(t.Context(), other.ID); err != nil || w.nonce(t) != before+1 {
		t.Errorf("another action: error %v, %d transactions", err, w.nonce(t)-before)
	}
	patient := w.client(t, func(o *client.Options) { o.ReplaceAfter = 100 * time.Millisecond })
	got, err := patient.Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash == nil || w.nonce(t) != before+2 || !w.held(t, s.id).AgentApproved || w.unfinished(t) != 0 {
		t.Errorf("repeated request: %v, error %v, %d transactions, %d flows", got.TxHash, err, w.nonce(t)-before, w.unfinished(t))
	}
}

// A payment with a nonce beyond a gap is made only once. If a second payment could also succeed, no
// replacement is signed.
func TestPaymentBeyondGapPaysOnce(t *testing.T) {
	w, _ := newFaultyNode(t, aheadBy(5, true))
	task := request("beyond a gap")
	_, err := w.client(t, func(o *client.Options) { o.MineTimeout = time.Second }).CreateTask(t.Context(), task)
	if !errors.Is(err, client.ErrNotMined) || w.unfinishedSigned(t) != 1 {
		t.Fatalf("got error %v, left %d transactions", err, w.unfinishedSigned(t))
	}
	again := func() error {
		_, err := w.client(t, func(o *client.Options) { o.ReplaceAfter = 100 * time.Millisecond }).CreateTask(t.Context(), task)
		return err
	}
	w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, chaintest.Tokens(1000)))
	if err := again(); err == nil || !strings.Contains(err.Error(), "paid twice") || w.unfinishedSigned(t) != 1 {
		t.Errorf("with an allowance: error %v", err)
	}
	w.Send(t, w.Agent, w.Contracts.ApproveToken(w.Deployment.Escrow, chaintest.Tokens(0)))
	before := len(w.posted(t))
	if err := again(); err != nil || len(w.posted(t)) != before+1 {
		t.Fatalf("error %v, paid %d times", err, len(w.posted(t))-before)
	}
	for range 4 { // until the wallet's next nonce is above the wrong one
		w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), chaintest.Tokens(1)))
	}
	w.Mine(t, 1)
	if paid := len(w.posted(t)) - before; paid != 1 {
		t.Errorf("paid %d times", paid)
	}
}

// A transaction that every node rejects, here because of its gas limit, is replaced under its
// nonce.
func TestRejectedTransactionIsReplaced(t *testing.T) {
	w, s := newFaultyNode(t, answering("eth_estimateGas", `"0x7530"`)) // 30,000 gas, for a limit of 36,000
	w.proxy.Intercept(func(call *chaintest.Exchange) bool {
		if call.Method != "eth_sendRawTransaction" {
			return false
		}
		var raw hexutil.Bytes
		var tx types.Transaction
		if json.Unmarshal(call.Params[0], &raw) != nil || tx.UnmarshalBinary(raw) != nil || tx.Gas() > 36_000 {
			return false
		}
		call.Fault = &chaintest.Fault{Code: -32000, Message: "intrinsic gas too low"}
		return true
	})
	if _, err := w.client(t).Approve(t.Context(), s.task.ID); err == nil || w.unfinishedSigned(t) != 1 {
		t.Fatalf("got error %v, left %d transactions", err, w.unfinishedSigned(t))
	}
	before := w.nonce(t)
	got, err := w.client(t).Approve(t.Context(), s.task.ID)
	if err != nil || got.TxHash == nil || w.nonce(t) != before+1 || !w.held(t, s.id).AgentApproved {
		t.Errorf("repeated request: %v, error %v, %d transactions", got.TxHash, err, w.nonce(t)-before)
	}
}
