package e2e_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// TestOneTransactionFundsSeveralTasks: a wallet with code posts four tasks in one
// transaction, without their terms and not in the order in which they were recorded. Each task is
// linked to a different posting with its amount, and a fifth task to no posting.
func TestOneTransactionFundsSeveralTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	w.delegate(w.net.Agent, batcher(w.net.Deployment.Escrow))
	w.net.Send(t, w.net.Agent, w.net.Contracts.ApproveToken(w.net.Deployment.Escrow, chaintest.Tokens(7)))
	var tasks []gen.Task
	for _, tokens := range []int64{1, 2, 3, 1} {
		tasks = append(tasks, w.recordOf(chaintest.Tokens(tokens)))
	}
	fifth := w.recordOf(chaintest.Tokens(2))
	var input []byte
	for _, tokens := range []int64{3, 1, 2, 1} {
		input = append(input, w.net.Contracts.PostTask(chaintest.Tokens(tokens), chaintest.FeeBasisPoints, common.Hash{}).Data...)
	}
	// The batcher continues after a call that fails, so an estimate of the gas could be too low.
	receipt, _ := w.attempt(w.net.Agent, chain.Call{To: w.net.Agent.Address(), Data: input}, time.Time{})
	w.settle()

	numbers := make(map[uint64]bool)
	for i, want := range []uint64{2, 3, 1, 4} {
		got, refusal := w.confirm(w.agent.API, tasks[i].ID, receipt.TxHash)
		if refusal != "" || got.Status != gen.TaskStatusFunded || escrowID(t, got) != want {
			t.Errorf("task %d: %q, %s as number %v, want %d", i, refusal, got.Status, got.EscrowTaskID, want)
			continue
		}
		numbers[escrowID(t, got)] = true
	}
	if len(numbers) != len(tasks) {
		t.Errorf("four tasks share the numbers %v", numbers)
	}
	if _, refusal := w.confirm(w.agent.API, fifth.ID, receipt.TxHash); refusal != market.KindTxAlreadyUsed {
		t.Errorf("a fifth task: %q, want %q", refusal, market.KindTxAlreadyUsed)
	}
	var funded string
	w.must(storetest.DB(t, w.records).GetContext(w.ctx, &funded, `SELECT sum(amount)::text FROM tasks WHERE status = 'funded'`))
	if held := w.balances()["escrow"]; funded != held.String() || held.Cmp(chaintest.Tokens(7)) != 0 {
		t.Errorf("the records are funded with %s, the escrow's balance is %s", funded, held)
	}
}

// recordOf creates the record for a task with this amount, without funding it.
func (w *world) recordOf(amount *big.Int) gen.Task {
	w.t.Helper()
	made, err := w.agent.API.CreateTaskWithResponse(w.ctx, nil, gen.CreateTaskRequest{
		Title: "Photograph the harbour", Description: "By daylight.", EscrowAmount: amount.String(),
	})
	w.must(err)
	if made.JSON201 == nil {
		w.t.Fatalf("create a task: %s", made.Body)
	}
	return *made.JSON201
}

// delegate makes the wallet's account execute the code, as after an EIP-7702 delegation.
func (w *world) delegate(wallet *chain.KeySigner, code []byte) {
	w.t.Helper()
	to := common.BytesToAddress(append([]byte("code of "), wallet.Address().Bytes()[:12]...))
	for at, installed := range map[common.Address][]byte{
		to: code, wallet.Address(): append(common.FromHex("ef0100"), to.Bytes()...),
	} {
		w.must(w.net.Dev.Client().Client().CallContext(w.ctx, nil, "anvil_setCode", at, hexutil.Bytes(installed)))
	}
}

// batcher returns the code of a wallet that sends each 100 bytes of its input to the escrow:
// CALLDATACOPY(0, i, 100), CALL(gas, escrow, 0, 0, 100, 0, 0), i += 100.
func batcher(escrow common.Address) []byte {
	code := common.FromHex("5f5b368110156032576064815f375f5f60645f5f73")
	code = append(code, escrow.Bytes()...)
	return append(code, common.FromHex("5af1506064016001565b00")...)
}
