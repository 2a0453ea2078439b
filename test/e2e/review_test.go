package e2e_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/test/actor"
)

// Numbers of the verdict rounds, as in the contract.
const (
	roundReview  = 0
	roundDispute = 1
)

// voteEarly submits a verdict for a task that may not be in the queue yet.
func (w *world) voteEarly(task client.Task, round uint8) error {
	w.t.Helper()
	verdict := w.net.Verdicts(w.t, escrowID(w.t, task), common.HexToHash(*task.WorkHash), round, true, 1)[0]
	for _, wallet := range w.net.Validators {
		if wallet.Address() == verdict.Validator {
			return w.person(wallet).PostVerdict(w.ctx, task.ID, true, "I am in a hurry.", verdict.Signature)
		}
	}
	w.t.Fatalf("validator %s has no wallet", verdict.Validator)
	return nil
}

// TestReviewStartsAfterDisputeWindow: if the agent does not respond, the validators can review the
// work after 24 hours, and not earlier.
func TestReviewStartsAfterDisputeWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.submitted()

	w.warpTo(task.SubmittedAt.Add(market.DisputeWindow - time.Second))
	w.wantRefused(w.voteEarly(task, roundReview), market.KindWrongStatus)
	w.await(task.ID, gen.TaskStatusSubmitted)
	w.warpTo(task.SubmittedAt.Add(market.DisputeWindow))
	w.await(task.ID, gen.TaskStatusValidating)
	_, err := w.agent.Dispute(w.ctx, task.ID, "I have just woken up.")
	if refusal, ok := errors.AsType[*rpc.RevertError](err); !ok || refusal.Name != "DisputeWindowClosed" {
		t.Errorf("a dispute after the window: %v, want DisputeWindowClosed of the contract", err)
	}
	w.vote(task.ID, true)
	w.await(task.ID, gen.TaskStatusApproved)
	w.wantGains(before, paid)
}

// disputed returns a task that the agent has disputed.
func (w *world) disputed() client.Task {
	w.t.Helper()
	task := w.submitted()
	_, err := w.agent.Dispute(w.ctx, task.ID, "The photographs show another harbour.")
	w.must(err)
	return w.await(task.ID, gen.TaskStatusDisputed)
}

func TestDisputeWonByTheHuman(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.disputed()
	w.vote(task.ID, true)
	w.await(task.ID, gen.TaskStatusApproved)
	w.wantGains(before, paid)
	w.wantOutcome(task, "agent", gen.DisputeOutcomeApproved)
}

// TestDisputeWonByTheAgent: the agent is refunded, and the human's stake is transferred to the
// treasury.
func TestDisputeWonByTheAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.disputed()
	w.vote(task.ID, false)
	w.await(task.ID, gen.TaskStatusRejected)
	w.wantGains(before, refunded)
	w.wantOutcome(task, "agent", gen.DisputeOutcomeRejected)
}

func (w *world) wantOutcome(task client.Task, filedBy gen.Party, want gen.DisputeOutcome) {
	w.t.Helper()
	dispute, err := w.agent.DisputeOf(w.ctx, task.ID)
	w.must(err)
	if dispute.FiledByAgent != (filedBy == gen.PartyAgent) || dispute.Outcome == nil || *dispute.Outcome != want || dispute.ResolvedAt == nil {
		w.t.Errorf("the dispute: filed by the agent %t, status %s, outcome %v; want filed by the %s, resolved, outcome %s",
			dispute.FiledByAgent, dispute.Status, dispute.Outcome, filedBy, want)
	}
}

// TestHumanDisputeKeepsDeadlines: a dispute by the human neither starts the vote before the agent's
// 24 hours are over, nor starts the timeout of an agent's dispute.
func TestHumanDisputeKeepsDeadlines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.submitted()
	receipt, err := w.human().Dispute(w.ctx, task.ID, "My work was not reviewed.")
	w.must(err)
	task = w.await(task.ID, gen.TaskStatusDisputed)

	w.warpTo(task.SubmittedAt.Add(market.DisputeWindow - time.Second))
	w.wantRefused(w.voteEarly(task, roundDispute), market.KindWrongStatus)
	w.warpTo(task.SubmittedAt.Add(market.DisputeWindow))
	header, err := w.net.Dev.Client().HeaderByHash(w.ctx, receipt.BlockHash)
	w.must(err)
	due := time.Unix(int64(header.Time), 0).Add(120 * time.Hour)
	settle := w.net.Contracts.Settle(w.net.Deployment.Escrow, escrowID(t, task))
	if _, ok := w.attempt(w.net.Human, settle, due); ok {
		t.Error("the human's dispute was settled after 120 hours, like an agent's")
	}
	w.settle()
	w.vote(task.ID, true)
	w.await(task.ID, gen.TaskStatusApproved)
	w.wantGains(before, paid)
	w.wantOutcome(task, "human", gen.DisputeOutcomeApproved)
}

// TestSubmissionIsHiddenUntilOnChain: the agent cannot read work before its submission is mined,
// because the agent does not have to pay for it before that.
func TestSubmissionIsHiddenUntilOnChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	task := w.active(time.Time{})
	human := w.human()
	file, err := human.Upload(w.ctx, task.ID, "harbour.txt", []byte("a photograph"))
	w.must(err)
	prepared, err := human.Prepare(w.ctx, task.ID, "The secret of the harbour.", file.ID)
	w.must(err)

	w.wantHidden(file)
	w.must(w.broadcast(human, prepared.To, prepared.SubmitTaskCalldata))
	w.await(task.ID, gen.TaskStatusSubmitted)
	w.wantReadable(file)
}

func (w *world) broadcast(person *actor.Person, to, data string) error {
	_, err := person.Send.Send(w.ctx, callOf(w.t, to, data))
	return err
}
