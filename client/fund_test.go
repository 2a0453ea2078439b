package client_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/market"
)

// saved is a FlowStore that records the last saved flow. Save then returns the error from fail.
type saved struct {
	client.FlowStore
	last *client.Flow
	fail func(*client.Flow) error
}

func (s *saved) Save(ctx context.Context, flow *client.Flow) error {
	if err := s.FlowStore.Save(ctx, flow); err != nil {
		return err
	}
	s.last = flow
	return s.fail(flow)
}

// signedOnly creates a flow whose transaction was signed and saved but never sent.
func (w *world) signedOnly(t *testing.T, task client.TaskRequest) *client.Flow {
	t.Helper()
	flows := &saved{FlowStore: w.options.Flows, fail: func(flow *client.Flow) error {
		if len(flow.Transactions) > 0 {
			return errKilled
		}
		return nil
	}}
	_, err := w.client(t, func(o *client.Options) { o.Flows = flows }).CreateTask(t.Context(), task)
	if !errors.Is(err, errKilled) {
		t.Fatalf("got error %v", err)
	}
	return flows.last
}

// Another program used the wallet's nonce while our transaction was saved only in the journal. Until
// the other transaction is final, nothing else is signed, because a reorganisation could make ours
// valid again.
func TestPaymentNonceReplaced(t *testing.T) {
	w := newWorld(t)
	task := request("overtaken")
	w.signedOnly(t, task)
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), big.NewInt(1)))

	impatient := func(o *client.Options) { o.MineTimeout = 200 * time.Millisecond }
	_, err := w.client(t, impatient).CreateTask(t.Context(), task)
	if !errors.Is(err, client.ErrNotMined) || len(w.posted(t)) != 0 {
		t.Fatalf("before it is final: error %v, %d payments", err, len(w.posted(t)))
	}
	w.Mine(t, 3)
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || !strings.Contains(err.Error(), "try again to pay") {
		t.Fatalf("after it is final: error %v", err)
	}
	w.finish(t, task, "overtaken")
}

// Two payments with the same permit nonce were signed and then abandoned, because other transactions used
// their transaction nonces. The replacement for the first payment has the same permit nonce, so that at most
// one payment can succeed. For the second payment, nothing is signed, because the permit nonce has been used.
func TestAbandonedPaymentPaysOnce(t *testing.T) {
	w := newWorld(t)
	first, second := request("given up"), request("given up as well")
	signed := map[string]*client.Flow{first.Key: w.signedOnly(t, first)}
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), big.NewInt(1)))
	w.Mine(t, 3)
	signed[second.Key] = w.signedOnly(t, second) // signed with the same permit nonce as the first payment
	w.Send(t, w.Agent, w.Contracts.TransferToken(w.Owner.Address(), big.NewInt(1)))
	w.Mine(t, 3)
	for _, task := range []client.TaskRequest{first, second} {
		if flow := signed[task.Key]; flow.Permit == nil || flow.Permit.ToInt().Sign() != 0 {
			t.Fatalf("the journal has permit %s", flow.Permit)
		}
		if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || !strings.Contains(err.Error(), "try again to pay") {
			t.Fatalf("%s: error %v", task.Key, err)
		}
	}
	w.finish(t, first, "given up")
	before := w.nonce(t)
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.CreateTask(t.Context(), second); !errors.Is(err, client.ErrPermitUsed) || w.nonce(t) != before {
		t.Errorf("with a used permit: error %v, %d transactions", err, w.nonce(t)-before)
	}
}

// A payment that failed on the chain can be repeated once the failure is final.
func TestPaymentFailed(t *testing.T) {
	w := newWorld(t)
	task := request("failed")
	w.signedOnly(t, task)
	// The fee changes between signing and mining.
	w.Send(t, w.Owner, w.setFee(chaintest.FeeBasisPoints+1))
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || !strings.Contains(err.Error(), "did not pay") {
		t.Fatalf("got error %v", err)
	}
	w.Send(t, w.Owner, w.setFee(chaintest.FeeBasisPoints))
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || len(w.posted(t)) != 0 {
		t.Fatalf("before it is final: error %v, %d payments", err, len(w.posted(t)))
	}
	w.Mine(t, 3)
	if _, err := w.client(t).CreateTask(t.Context(), task); err == nil || !strings.Contains(err.Error(), "try again to pay") {
		t.Fatalf("after it is final: error %v", err)
	}
	w.finish(t, task, "failed")
}

// If a reorganisation drops the payment between mining and confirmation, the same transaction is
// sent again.
func TestPaymentDroppedByAReorganisation(t *testing.T) {
	w := newWorld(t)
	var first common.Hash
	w.api.confirm = func(hash common.Hash) {
		first = hash
		w.Reorg(t, 1)
	}
	task := request("dropped")
	got, err := w.client(t).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "dropped")
	if receipt, err := w.Dev.Client().TransactionReceipt(t.Context(), first); err != nil || receipt.Status != 1 {
		t.Errorf("the first transaction was replaced: %v, error %v", receipt, err)
	}
}

// If a reorganisation drops a confirmed payment, repeating the request sends the same transaction
// again.
func TestPaymentDroppedAfterItsConfirmation(t *testing.T) {
	w := newWorld(t)
	task := request("dropped late")
	first, err := w.client(t).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	paid := w.dropPayment(t, first)
	got, err := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} }).CreateTask(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w.paidOnce(t, got, task, "dropped late")
	if now := got.EscrowCreationTxHash; now == nil || *now != paid {
		t.Errorf("paid by %v, first by %s", now, paid)
	}
}

// dropPayment drops the task's payment, which is in the latest block, by a reorganisation. It
// returns the payment's hash.
func (w *world) dropPayment(t *testing.T, task client.Task) string {
	t.Helper()
	w.Reorg(t, 1)
	w.api.mu.Lock()
	defer w.api.mu.Unlock()
	record := w.api.tasks[task.ID.String()]
	paid := text(record, "escrow_creation_tx_hash")
	record["status"] = "new"
	delete(record, "escrow_task_id")
	delete(record, "escrow_creation_tx_hash")
	return paid
}

// The task that the API shows after the payment must match the request.
func TestFundedTaskMatchesRequest(t *testing.T) {
	w := newWorld(t)
	task := request("asked for")
	w.api.lie = func(path string, answer object) {
		if strings.Contains(path, "/confirm") {
			answer["id"] = uuid.NewString()
		}
	}
	if got, err := w.client(t).CreateTask(t.Context(), task); !errors.Is(err, client.ErrOtherTerms) {
		t.Errorf("got task %s, error %v", got.ID, err)
	}
	w.api.lie = func(string, object) {}
	w.finish(t, task, "asked for")
}

// dear is a fee per unit of gas, in wei, that is higher than in any other test.
var dear = big.NewInt(9_000_000_000_000)

// When the base fee rises above the payment's fee limit, the payment is replaced under its nonce.
func TestPaymentReplacedWhenFeesRise(t *testing.T) {
	w := newWorld(t)
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	task := request("outgrown")
	done := make(chan error, 1)
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	c := w.client(t, func(o *client.Options) { o.Flows, o.MaxFeePerGas = flows, dear })
	go func() {
		_, err := c.CreateTask(t.Context(), task)
		done <- err
	}()
	w.awaitPool(t, done, func(limit *big.Int) bool { return true })
	high := big.NewInt(1_000_000_000_000)
	if err := w.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", hexutil.EncodeBig(high)); err != nil {
		t.Fatal(err)
	}
	w.Mine(t, 1)
	w.awaitPool(t, done, func(limit *big.Int) bool { return limit.Cmp(high) > 0 })
	w.Mine(t, 1)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if len(flows.last.Transactions) != 2 {
		t.Errorf("%d transactions were signed", len(flows.last.Transactions))
	}
	if paid := len(w.posted(t)); paid != 1 {
		t.Errorf("paid %d times", paid)
	}
}

// A node can reject a transaction for a fee below the next block's base fee before its latest block
// shows that fee. The payment is then made once, with a higher fee.
func TestPaymentReplacedBeforeFeesShow(t *testing.T) {
	w := newWorld(t)
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := w.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", "0xe8d4a51000"); err != nil {
		t.Fatal(err)
	}
	signed := make(chan struct{}, 8)
	flows := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if len(f.Transactions) > 0 {
			signed <- struct{}{}
		}
		return nil
	}}
	c := w.client(t, func(o *client.Options) { o.Flows, o.MaxFeePerGas = flows, dear })
	done := make(chan error, 1)
	go func() {
		_, err := c.CreateTask(t.Context(), request("outgrown at once"))
		done <- err
	}()
	<-signed
	w.Mine(t, 1)
	w.awaitPool(t, done, func(limit *big.Int) bool { return true })
	w.Mine(t, 1)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if len(flows.last.Transactions) != 2 {
		t.Errorf("%d transactions were signed", len(flows.last.Transactions))
	}
	if paid := len(w.posted(t)); paid != 1 {
		t.Errorf("paid %d times", paid)
	}
}

// awaitPool waits until the agent has a pending transaction whose fee limit satisfies fits.
func (w *world) awaitPool(t *testing.T, done <-chan error, fits func(limit *big.Int) bool) {
	t.Helper()
	for {
		var pool struct {
			Pending map[common.Address]map[string]struct {
				MaxFeePerGas *hexutil.Big `json:"maxFeePerGas"`
			} `json:"pending"`
		}
		if err := w.Dev.Client().Client().CallContext(t.Context(), &pool, "txpool_content"); err != nil {
			t.Fatal(err)
		}
		for _, tx := range pool.Pending[w.Agent.Address()] {
			if fits(tx.MaxFeePerGas.ToInt()) {
				return
			}
		}
		select {
		case err := <-done:
			t.Fatalf("no matching transaction appeared: error %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// If the API lags behind the chain, the client waits for it.
func TestPaymentConfirmedLate(t *testing.T) {
	w := newWorld(t)
	w.api.refuseConfirm = []market.Kind{market.KindTxNotFound, market.KindTxNotFound}
	if _, err := w.client(t).CreateTask(t.Context(), request("late")); err != nil {
		t.Fatal(err)
	}
	if paid := len(w.posted(t)); paid != 1 {
		t.Errorf("paid %d times", paid)
	}
	w.api.refuseConfirm = []market.Kind{market.KindTxMismatch}
	_, err := w.client(t).CreateTask(t.Context(), request("never"))
	if refused, ok := errors.AsType[*client.APIError](err); !ok || refused.Code != market.KindTxMismatch {
		t.Errorf("got error %v", err)
	}
}
