//go:build operations

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/invariant"
)

// outcome is how far a hire gets.
type outcome string

// The outcomes. Tasks that are only posted, staked or submitted end when the faults are over.
const (
	approved  outcome = "approved"
	won       outcome = "won by the human in a dispute"
	lost      outcome = "lost by the human in a dispute"
	abandoned outcome = "only posted"
	staked    outcome = "only applied for"
	unpaid    outcome = "only submitted"
)

// outcomes contains the outcomes to choose from. The outcome approved is twice as likely as each of the
// others.
var outcomes = []outcome{approved, approved, won, lost, abandoned, staked, unpaid}

// hired is a task in a history.
type hired struct {
	task        client.Task
	application uuid.UUID
	outcome     outcome
}

// hire completes a hire with this outcome, despite the faults.
func (h *history) hire(to outcome) {
	h.t.Helper()
	h.t.Logf("hire %d: %s", len(h.tasks), to)
	made := hired{task: h.postWithRetries(len(h.tasks)), outcome: to}
	id := made.task.ID
	switch to {
	case approved:
		h.submitWithRetries(made.task)
		retry(h.world, "approve", func(ctx context.Context) (client.Outcome, error) { return h.agent.Approve(ctx, id) })
		h.awaitWithRetries(id, gen.TaskStatusValidating)
		h.voteWithRetries(id, true)
		h.awaitWithRetries(id, gen.TaskStatusApproved)
	case won, lost:
		h.submitWithRetries(made.task)
		retry(h.world, "dispute", func(ctx context.Context) (any, error) {
			return h.agent.Dispute(ctx, id, "The photographs show another harbour.")
		})
		h.awaitWithRetries(id, gen.TaskStatusDisputed)
		h.voteWithRetries(id, to == won)
		h.awaitWithRetries(id, map[outcome]gen.TaskStatus{won: gen.TaskStatusApproved, lost: gen.TaskStatusRejected}[to])
	case staked:
		made.application = h.applyWithRetries(made.task)
	case unpaid:
		h.submitWithRetries(made.task)
	case abandoned:
	}
	h.tasks = append(h.tasks, made)
	h.saw("hire " + string(to))
}

// verify checks the invariants after all faults have ended.
func (h *history) verify(clients *writers, endStream func()) {
	h.t.Helper()
	for _, err := range h.errs {
		h.t.Fatal(err)
	}
	h.checking(invariant.Written)
	written := clients.stop()
	h.openRecords()
	if missing := h.missing(h.records, written); len(missing) > 0 {
		h.t.Fatalf("%d of %d acknowledged writes are missing, one of them %s of %s at %s", len(missing), len(written), missing[0].id, missing[0].table, missing[0].ended)
	}
	h.checking(invariant.Head)
	for _, r := range h.replicas {
		ctx, cancel := context.WithTimeout(h.ctx, time.Minute)
		h.must(r.awaitHealth(ctx))
		cancel()
	}
	h.check()
	h.finish()
	h.check()
	h.checking(invariant.Money)
	h.wantOutcomes()
	h.checking(invariant.Events)
	endStream()
	h.checking(invariant.Head)
	for _, r := range h.replicas {
		h.must(r.stop())
	}
	h.checking(invariant.Replay)
	h.wantReplay()
	h.checking("")
}

// holds ends the test if err is not nil. If err is an *invariant.Error, the failure is attributed to
// its invariant.
func (h *history) holds(err error) {
	h.t.Helper()
	if violated, ok := errors.AsType[*invariant.Error](err); ok {
		h.failed = violated.Invariant
	}
	h.must(err)
}

// check compares chain, rows and API.
func (h *history) check() {
	h.t.Helper()
	h.checking(invariant.Head)
	h.settle()
	h.checking(invariant.Agree)
	s, err := store.Open(h.ctx, h.primary().URL(databaseName), h.net.Deployment)
	h.must(err)
	defer s.Close()
	truth := h.truth()
	r := invariant.Records{DB: storetest.DB(h.t, h.records), Store: s, Node: h.net.Node, Deployment: h.net.Deployment}
	h.holds(r.Logs(h.ctx, truth))
	h.holds(r.State(h.ctx))
	for _, made := range h.tasks {
		for _, server := range h.replicas {
			answer, err := h.keyed(server, h.agent.Key).GetTaskWithResponse(h.ctx, made.task.ID, nil)
			h.must(err)
			if answer.JSON200 == nil {
				h.t.Fatalf("task %s: the API returns %s", made.task.ID, answer.Body)
			}
			h.holds(truth.Agrees(common.HexToHash(made.task.TermsHash), *answer.JSON200))
		}
	}
	h.holds(r.Events(h.ctx))
	before := make(map[common.Address]*big.Int)
	for _, party := range []common.Address{h.net.Agent.Address(), h.net.OtherAgent.Address(), h.net.Human.Address(), h.net.OtherHuman.Address()} {
		before[party] = chaintest.Tokens(1_000)
	}
	h.holds(r.Balance(h.ctx, truth.Head, before))
}

// truth returns the state that follows from the chain's logs.
func (h *history) truth() *invariant.Truth {
	h.t.Helper()
	chain, d := h.net.Dev.Client(), h.net.Deployment
	t, head := invariant.NewTruth(h.net.Contracts, d), h.net.Head(h.t)
	for number := d.StartBlock; number <= head.Number; number++ {
		header, err := chain.HeaderByNumber(h.ctx, new(big.Int).SetUint64(number))
		h.must(err)
		hash := header.Hash()
		logs, err := chain.FilterLogs(h.ctx, ethereum.FilterQuery{BlockHash: &hash, Addresses: d.Contracts()})
		h.must(err)
		var found []*types.Log
		for _, l := range logs {
			found = append(found, &l)
		}
		h.must(t.Add(market.Block{Number: number, Hash: hash, Parent: header.ParentHash, Time: time.Unix(int64(header.Time), 0).UTC()}, found))
	}
	h.must(t.Fold())
	return t
}

// finish ends all tasks by actions of the parties and the keeper.
func (h *history) finish() {
	h.t.Helper()
	h.checking(invariant.End)
	for _, made := range h.tasks {
		switch made.outcome {
		case staked, abandoned:
			_, err := h.agent.Cancel(h.ctx, made.task.ID)
			h.must(err)
			h.await(made.task.ID, gen.TaskStatusCancelled)
			if made.outcome == staked {
				_, err := h.human().Withdraw(h.ctx, made.task.ID, made.application)
				h.must(err)
			}
		case unpaid:
			h.warpTo(h.net.Head(h.t).Time.Add(40 * 24 * time.Hour))
			h.await(made.task.ID, gen.TaskStatusApproved)
		case approved, won, lost:
		}
	}
	h.holds(h.truth().Ended())
}

// wantOutcomes compares the parties' balances with the outcomes.
func (h *history) wantOutcomes() {
	h.t.Helper()
	count := make(map[outcome]int64)
	for _, made := range h.tasks {
		count[made.outcome]++
	}
	paid := count[approved] + count[won] + count[unpaid]
	halves := func(n int64) *big.Int { return new(big.Int).Div(chaintest.Tokens(n), big.NewInt(2)) }
	want := map[string]*big.Int{
		"agent": halves(-20 * paid), "human": halves(19*paid - count[lost]), "treasury": halves(paid + count[lost]),
	}
	start := balances{"agent": chaintest.Tokens(1_000), "human": chaintest.Tokens(1_000), "treasury": new(big.Int)}
	now := h.balances()
	for who, change := range want {
		if got := new(big.Int).Sub(now[who], start[who]); got.Cmp(change) != 0 {
			h.t.Errorf("%s gained %s tokens, want %s after %s", who, formatTokens(got), formatTokens(change), fmt.Sprint(count))
		}
	}
}

// warpTo mines a block at exactly this time and waits until the server has followed it.
func (w *world) warpTo(at time.Time) {
	w.t.Helper()
	w.must(w.net.Dev.SetNextTime(w.ctx, at))
	w.net.Mine(w.t, 1)
	w.settle()
}
