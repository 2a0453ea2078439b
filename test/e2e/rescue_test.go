package e2e_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client/rescue"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TestRescueWithoutTheServer stops the server during a hire. With a node and the escrow's address,
// the agent and the human find all their money in the contracts and withdraw it. After a restart,
// the server shows these transactions.
func TestRescueWithoutTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	deadline := w.net.Head(t).Time.Add(100 * 24 * time.Hour)
	open, active := w.post(deadline), w.active(deadline)
	approved, silent := w.submitted(), w.submitted()
	w.apply(w.human(), open.ID)
	w.must(w.server.stop())

	r, err := rescue.Open(w.ctx, rescue.Options{RPCURL: w.net.Dev.URL(), Deployment: market.Deployment{Escrow: w.net.Deployment.Escrow}})
	w.must(err)
	defer r.Close()
	number := w.number
	agent, human := w.agent.Wallet, w.net.Human
	w.wantHeld(r, agent, 4, 1)
	w.wantHeld(r, human, 3, 4)
	pay, stake := market.Payout(chaintest.Tokens(10), chaintest.FeeBasisPoints), market.RequiredStake(chaintest.Tokens(10))
	wages := new(big.Int).Add(pay, stake)
	w.takes(r, human, rescue.Request{Exit: "withdraw", ID: w.stakeFor(r, human, number(open))}, stake)
	w.takes(r, agent, rescue.Request{Exit: "cancel", ID: number(open)}, chaintest.Tokens(10))
	w.takes(r, agent, rescue.Request{Exit: "cancel", ID: number(active)}, chaintest.Tokens(10))
	w.takes(r, agent, rescue.Request{Exit: "approve", ID: number(approved)}, new(big.Int))
	w.net.Warp(t, market.ApprovedReview)
	w.takes(r, human, rescue.Request{Exit: "settle", ID: number(approved)}, wages)
	w.net.Warp(t, market.EmergencyDelay)
	w.takes(r, human, rescue.Request{Exit: "emergency-release", ID: number(silent)}, wages)
	w.wantHeld(r, agent, 0, 0)
	w.wantHeld(r, human, 0, 0)

	w.must(w.server.start(w.ctx))
	for task, status := range map[*gen.Task]gen.TaskStatus{
		&open: gen.TaskStatusCancelled, &active: gen.TaskStatusCancelled,
		&approved: gen.TaskStatusApproved, &silent: gen.TaskStatusApproved,
	} {
		w.await(task.ID, status)
	}
}

// number returns the task's ID in the escrow.
func (w *world) number(task gen.Task) uint64 {
	w.t.Helper()
	if task.EscrowTaskID == nil {
		w.t.Fatalf("task %s is not in the escrow", task.ID)
	}
	n, ok := new(big.Int).SetString(*task.EscrowTaskID, 10)
	if !ok {
		w.t.Fatalf("task %s is number %q in the escrow", task.ID, *task.EscrowTaskID)
	}
	return n.Uint64()
}

// wantHeld fails the test unless the wallet has this many open tasks and stakes. A stake counts
// until it is returned or forfeited.
func (w *world) wantHeld(r *rescue.Rescue, wallet *chain.KeySigner, tasks, stakes int) {
	w.t.Helper()
	h, err := r.Holdings(w.ctx, wallet.Address())
	w.must(err)
	heldTasks, heldStakes := 0, 0
	for _, task := range h.Tasks {
		if !task.EscrowTask.Status.Ended() {
			heldTasks++
		}
	}
	for _, s := range h.Stakes {
		if s.Status == market.StakeLive || s.Status == market.StakeActivated {
			heldStakes++
		}
	}
	if heldTasks != tasks || heldStakes != stakes {
		w.t.Errorf("%s holds %d tasks and %d stakes, want %d and %d", wallet, heldTasks, heldStakes, tasks, stakes)
	}
}

// stakeFor returns the id of the wallet's live application for a task.
func (w *world) stakeFor(r *rescue.Rescue, wallet *chain.KeySigner, task uint64) uint64 {
	w.t.Helper()
	h, err := r.Holdings(w.ctx, wallet.Address())
	w.must(err)
	for _, s := range h.Stakes {
		if s.TaskID == task && s.Status == market.StakeLive {
			return s.ID
		}
	}
	w.t.Fatalf("%s has no stake for task %d", wallet, task)
	return 0
}

// takes uses an exit as the wallet and checks that the wallet receives the amount, in wei of the
// token.
func (w *world) takes(r *rescue.Rescue, wallet *chain.KeySigner, o rescue.Request, want *big.Int) {
	w.t.Helper()
	o.Wallet = wallet.Address()
	plan, err := r.Plan(w.ctx, o)
	w.must(err)
	before := w.tokens(o.Wallet)
	_, err = r.Execute(w.ctx, wallet, plan)
	w.must(err)
	if got := new(big.Int).Sub(w.tokens(o.Wallet), before); got.Cmp(want) != 0 {
		w.t.Errorf("%s paid %s wei, want %s", o.Exit, got, want)
	}
}

func (w *world) tokens(wallet common.Address) *big.Int {
	w.t.Helper()
	tokens, _, err := w.net.Reader.Balances(w.ctx, wallet)
	w.must(err)
	return tokens
}
