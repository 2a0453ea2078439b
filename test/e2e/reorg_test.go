package e2e_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

// TestReorgDropsConfirmedFunding: a reorg makes the task unfunded again, so no application
// can be accepted. Once the funding is mined again, the hire continues normally.
func TestReorgDropsConfirmedFunding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
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
	rerun := w.await(task.ID, gen.TaskStatusFunded)
	if *rerun.EscrowCreationTxHash != receipt.TxHash.Hex() {
		t.Errorf("the task is funded by %s, want %s again", *rerun.EscrowCreationTxHash, receipt.TxHash)
	}
	w.wantMoved(receipt)
	w.must(w.net.Dev.Client().SendTransaction(w.ctx, stake))
	w.awaitApplication(task.ID, application.ID, gen.ApplicationStatusPending)
	w.finish(w.human(), task.ID, application.ID)
	w.wantGains(before, paid)
}

// TestReorgSwapsTaskNumbers: a reorganisation mines two postings in reverse order, so that
// each task gets the other's ID. Later actions and payments still belong to the right task.
func TestReorgSwapsTaskNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	theirs := *w
	theirs.agent = w.newAgent(w.net.OtherAgent, "rival-agent")
	before := w.balances()
	ours, rival := w.record(w.agent, "Photograph the harbour"), theirs.record(theirs.agent, "Photograph the station")
	first, a := w.net.Post(t, w.net.Agent, chaintest.Tokens(10), common.HexToHash(ours.TermsHash))
	second, b := w.net.Post(t, w.net.OtherAgent, chaintest.Tokens(10), common.HexToHash(rival.TermsHash))
	w.net.Mine(t, 4)
	w.wantNumbers(&theirs, ours.ID, first, rival.ID, second)

	w.net.Reorg(t, 6, devnet.ForkTx{Raw: w.raw(b.TxHash), Block: 0}, devnet.ForkTx{Raw: w.raw(a.TxHash), Block: 1})
	w.settle()
	w.wantNumbers(&theirs, ours.ID, second, rival.ID, first)
	w.hire(w.human(), ours.ID)
	w.wantGains(before, gains{"agent": "-10", "other agent": "-10", "escrow": "10", "human": "9.5", "treasury": "0.5"})
	theirs.hire(w.person(w.net.OtherHuman), rival.ID)
	w.wantGains(before, gains{"agent": "-10", "other agent": "-10", "human": "9.5", "other human": "9.5", "treasury": "1"})
}

// wantNumbers fails the test unless both agents' tasks have these IDs in the escrow.
func (w *world) wantNumbers(theirs *world, ours uuid.UUID, number uint64, rival uuid.UUID, rivals uint64) {
	w.t.Helper()
	got, other := w.await(ours, gen.TaskStatusFunded), theirs.await(rival, gen.TaskStatusFunded)
	if a, b := escrowID(w.t, got), escrowID(w.t, other); a != number || b != rivals {
		w.t.Errorf("the tasks have the numbers %d and %d, want %d and %d", a, b, number, rivals)
	}
}

// hire completes a funded task up to the payment, with person as the human.
func (w *world) hire(person *actor.Person, task uuid.UUID) {
	w.t.Helper()
	w.finish(person, task, w.apply(person, task).ID)
}

func (w *world) raw(hash common.Hash) hexutil.Bytes {
	w.t.Helper()
	raw, err := w.transaction(hash).MarshalBinary()
	w.must(err)
	return raw
}

// wantMoved fails the test unless the transaction's logs are canonical in a block other than the
// receipt's, and no longer canonical in the receipt's block.
func (w *world) wantMoved(receipt *types.Receipt) {
	w.t.Helper()
	var blocks []struct {
		Hash      []byte
		Canonical bool
	}
	w.must(storetest.DB(w.t, w.records).SelectContext(w.ctx, &blocks,
		`SELECT DISTINCT block_hash AS hash, canonical FROM chain_logs WHERE tx_hash = $1 ORDER BY canonical`, receipt.TxHash[:]))
	if len(blocks) != 2 || blocks[0].Canonical || common.BytesToHash(blocks[0].Hash) != receipt.BlockHash || !blocks[1].Canonical {
		w.t.Errorf("the funding's logs are in the blocks %+v; those in block %s must not be canonical, and those in another block must be", blocks, receipt.BlockHash)
	}
}

func (w *world) transaction(hash common.Hash) *types.Transaction {
	w.t.Helper()
	tx, _, err := w.net.Dev.Client().TransactionByHash(w.ctx, hash)
	w.must(err)
	return tx
}

// wantNotAccepted fails the test unless both the library, which returned err, and the API reject the
// acceptance.
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

// wantActivity fails the test unless the agent's feed has an item about the task with the status.
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

// finish completes a task from a staked application to the payment.
func (w *world) finish(person *actor.Person, task, application uuid.UUID) {
	w.t.Helper()
	_, err := w.agent.AcceptApplication(w.ctx, task, application)
	w.must(err)
	_, err = person.Submit(w.ctx, task, "The photographs are attached.")
	w.must(err)
	w.await(task, gen.TaskStatusSubmitted)
	_, err = w.agent.Approve(w.ctx, task)
	w.must(err)
	w.await(task, gen.TaskStatusValidating)
	w.vote(task, true)
	w.await(task, gen.TaskStatusApproved)
}
