package e2e_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TestThreat07ReorganisationDropsAConfirmedFunding: the task is new again and cannot
// be worked on; mined again, the hire goes on as if nothing had been.
func TestThreat07ReorganisationDropsAConfirmedFunding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.purses()
	start := w.net.Head(t).Number
	task := w.record(w.agent, "Photograph the harbour")
	_, receipt := w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(task.TermsHash))
	if _, refusal := w.confirm(w.agent.API, task.ID, receipt.TxHash); refusal != "" {
		t.Fatalf("confirm: %s", refusal)
	}
	application := w.apply(w.human(), task.ID)
	funding, stake := w.transaction(receipt.TxHash), w.transaction(common.HexToHash(*application.StakeTxHash))

	w.net.Reorg(t, int(w.net.Head(t).Number-start))
	lost := w.await(task.ID, gen.TaskStatusNew)
	if lost.EscrowTaskID != nil || lost.FundedAt != nil {
		t.Errorf("the task that lost its funding still shows number %v, funded at %v", lost.EscrowTaskID, lost.FundedAt)
	}
	w.awaitApplication(task.ID, application.ID, gen.ApplicationStatusNew)
	_, err := w.agent.AcceptApplication(w.ctx, task.ID, application.ID)
	w.wantNotAccepted(err, task.ID, application.ID)
	w.wantActivity(task.ID, gen.ActivityStatusReverted)

	w.must(w.net.Dev.Client().SendTransaction(w.ctx, funding))
	w.await(task.ID, gen.TaskStatusFunded)
	w.must(w.net.Dev.Client().SendTransaction(w.ctx, stake))
	w.awaitApplication(task.ID, application.ID, gen.ApplicationStatusPending)
	w.finish(task.ID, application.ID)
	w.wantGains(before, paid)
}

func (w *world) transaction(hash common.Hash) *types.Transaction {
	w.t.Helper()
	tx, _, err := w.net.Dev.Client().TransactionByHash(w.ctx, hash)
	w.must(err)
	return tx
}

// wantNotAccepted fails unless library and API both refuse to accept.
func (w *world) wantNotAccepted(err error, task, application uuid.UUID) {
	w.t.Helper()
	if err == nil {
		w.t.Error("the library accepted an application for a task without funds")
	}
	answer, err := w.agent.API.AcceptApplicationWithResponse(w.ctx, task, application)
	w.must(err)
	if answer.JSON400 == nil || answer.JSON400.Error != string(market.KindWrongStatus) {
		w.t.Errorf("accept = %s: %s, want 400 %s", answer.Status(), answer.Body, market.KindWrongStatus)
	}
}

// wantActivity fails unless the agent's feed has an item about the task with the status.
func (w *world) wantActivity(task uuid.UUID, status gen.ActivityStatus) {
	w.t.Helper()
	answer, err := w.agent.API.ListActivityWithResponse(w.ctx, nil)
	w.must(err)
	if answer.JSON200 == nil {
		w.t.Fatalf("list activities: %s", answer.Body)
	}
	for _, item := range answer.JSON200.Activities {
		if item.RelatedID != nil && *item.RelatedID == task && item.Status == status {
			return
		}
	}
	w.t.Errorf("no activity about task %s is %s: %s", task, status, answer.Body)
}

// finish walks a task from a staked application to the payment.
func (w *world) finish(task, application uuid.UUID) {
	w.t.Helper()
	_, err := w.agent.AcceptApplication(w.ctx, task, application)
	w.must(err)
	_, err = w.human().Submit(w.ctx, task, "The photographs are attached.")
	w.must(err)
	w.await(task, gen.TaskStatusSubmitted)
	_, err = w.agent.Approve(w.ctx, task)
	w.must(err)
	w.await(task, gen.TaskStatusValidating)
	w.vote(task, true)
	w.await(task, gen.TaskStatusApproved)
}
