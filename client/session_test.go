package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	"taskmarket/client"
)

// The journal contains a payment that was never sent. The wallet's next command, in another
// process, sends that payment before it makes its own.
func TestWalletIsSharedByCommands(t *testing.T) {
	w := newWorld(t)
	first, second := request("left behind"), request("the next")
	w.unsent(t, func(c *client.Client) error {
		_, err := c.CreateTask(t.Context(), first)
		return err
	})
	if _, err := w.client(t).CreateTask(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
	before := w.nonce(t)
	w.finish(t, first, "left behind")
	if w.nonce(t) != before {
		t.Error("the task was paid again")
	}
}

// Programs that act concurrently for one wallet never choose the same transaction nonce or permit
// nonce, however long a block takes.
func TestWalletIsSharedInParallel(t *testing.T) {
	w := newWorld(t)
	const programs = 4
	var tasks [programs]client.Task
	for i := range tasks {
		tasks[i], _ = w.created(t, fmt.Sprint("shared ", i))
	}
	before := w.nonce(t)
	defer w.mineSlowly(t)()
	var wait sync.WaitGroup
	for i, task := range tasks {
		c := w.client(t, func(o *client.Options) { o.MineTimeout = time.Minute })
		wait.Go(func() {
			if _, err := c.Cancel(t.Context(), task.ID); err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() {
			if _, err := c.CreateTask(t.Context(), request(fmt.Sprint("another ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if sent := w.nonce(t) - before; sent != 2*programs {
		t.Errorf("%d transactions were sent", sent)
	}
}

// mineSlowly mines blocks at a fixed interval, instead of one per transaction, until end is called.
func (w *world) mineSlowly(t *testing.T) (end func()) {
	t.Helper()
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			if err := w.Dev.Mine(ctx, 1); err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

// If the node reports a higher gas price after the plan was agreed to, the transaction still offers
// the agreed fee.
func TestGasIsLimitedToReview(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	var agreed client.Plan
	var before *big.Int
	c := w.client(t, func(o *client.Options) {
		o.RPCURL = proxy.URL
		o.Allow = func(_ context.Context, p client.Plan) error {
			agreed, before = p, w.coin(t) //nolint:contextcheck // the context ends with the test
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
		t.Errorf("gas cost %s wei, want at most %s as agreed", paid, agreed.GasCost)
	}
}

// Replacements never offer more than four times the first transaction's fee, even after the action is
// resumed. The error suggests a higher limit.
func TestReplacementsAreBounded(t *testing.T) {
	w := newWorld(t)
	s := w.scene(t, "outgrown for good", 2)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	if err := w.Dev.SetMining(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	var first *big.Int
	flows := &saved{FlowStore: w.options.Flows, fail: func(f *client.Flow) error {
		if len(f.Transactions) == 1 {
			first = feeCap(t, f.Transactions[0])
			proxy.Misbehave(askForABaseFee)
		}
		return nil
	}}
	c := w.client(t, func(o *client.Options) {
		o.RPCURL, o.Flows, o.ReplaceAfter, o.MineTimeout = proxy.URL, flows, 10*time.Millisecond, 4*time.Second
		o.MaxOffer = chaintest.Tokens(1) // a high MaxOffer does not raise the limit for replacements
	})
	for range 2 {
		_, err := c.Approve(t.Context(), s.task.ID)
		if !errors.Is(err, client.ErrNotMined) || !errors.Is(err, send.ErrGasLimit) || !strings.Contains(err.Error(), "try again with a higher limit") {
			t.Fatalf("got error %v", err)
		}
	}
	if n := len(flows.last.Transactions); n < 2 {
		t.Errorf("%d transactions were signed", n)
	}
	most := new(big.Int).Lsh(first, 2)
	for _, raw := range flows.last.Transactions {
		if offer := feeCap(t, raw); offer.Cmp(most) > 0 {
			t.Errorf("a replacement offers %s wei, the first transaction %s", offer, first)
		}
	}
}

func feeCap(t *testing.T, raw []byte) *big.Int {
	t.Helper()
	var tx types.Transaction
	if err := tx.UnmarshalBinary(raw); err != nil {
		t.Fatal(err)
	}
	return tx.GasFeeCap()
}

// askForABaseFee makes a node report a base fee of 50,000 gwei.
func askForABaseFee(calls []*chaintest.Exchange) bool {
	for _, call := range calls {
		if call.Method != "eth_getBlockByNumber" {
			continue
		}
		var block map[string]json.RawMessage
		if json.Unmarshal(call.Result, &block) == nil && block != nil {
			block["baseFeePerGas"] = json.RawMessage(`"0x2d79883d2000"`)
			call.Result, _ = json.Marshal(block)
		}
	}
	return true
}

// An action is rejected if the node's gas estimate is higher than any call needs.
func TestExcessiveGasIsRejected(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	s := w.scene(t, "a block full", 2)
	proxy.Misbehave(answering("eth_estimateGas", `"0x1c9c380"`))
	_, err := w.client(t, func(o *client.Options) { o.RPCURL = proxy.URL }).Approve(t.Context(), s.task.ID)
	if flows, _ := w.client(t).Unfinished(t.Context()); !errors.Is(err, send.ErrTooMuchGas) || len(flows) != 0 {
		t.Errorf("got error %v, left %+v", err, flows)
	}
}

// The signed permit is the reviewed one, even if most of its validity passes between review and signature.
func TestReviewedPermitIsSigned(t *testing.T) {
	w := newWorld(t)
	var agreed client.Plan
	flows := &saved{FlowStore: w.options.Flows, fail: func(*client.Flow) error { return nil }}
	c := w.client(t, func(o *client.Options) {
		o.Flows = flows
		o.Allow = func(_ context.Context, p client.Plan) error {
			agreed = p
			w.Warp(t, 40*time.Minute) //nolint:contextcheck // the context ends with the test
			return nil
		}
	})
	if _, err := c.CreateTask(t.Context(), request("late")); err != nil {
		t.Fatal(err)
	}
	var tx types.Transaction
	if err := tx.UnmarshalBinary(flows.last.Transactions[0]); err != nil {
		t.Fatal(err)
	}
	until := new(big.Int).SetBytes(tx.Data()[4+3*32 : 4+4*32])
	if agreed.Deadline == nil || until.Int64() != agreed.Deadline.Unix() {
		t.Errorf("the permit is valid until %s, want %s as agreed", until, agreed.Deadline)
	}
}

// askForATip makes a node suggest a tip of 50,000 gwei.
var askForATip = answering("eth_maxPriorityFeePerGas", `"0x2d79883d2000"`)

// answering makes a node return the result for every call to the method.
func answering(method, result string) func([]*chaintest.Exchange) bool {
	return func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == method {
				call.Result, call.Fault = json.RawMessage(result), nil
			}
		}
		return true
	}
}

// coin returns the agent's balance of the chain's coin, in wei.
func (w *world) coin(t *testing.T) *big.Int {
	t.Helper()
	coin, err := w.Dev.Client().BalanceAt(t.Context(), w.Agent.Address(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return coin
}

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
