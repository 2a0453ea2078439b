package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// TestRacesForFunding: confirmations and the watcher process the same posting in any order; the
// posting funds exactly one task, once.
func TestRacesForFunding(t *testing.T) {
	t.Parallel()
	a := newRaceWorld(t, 2)
	defer a.end()
	a.prepareChain()
	a.run("threat 51: confirm a posting with the task's terms", a.raceToConfirm)
	a.run("threat 02: confirm a posting that matches two tasks", a.raceForAmbiguousFunding)
	var funded string
	a.must(storetest.DB(t, a.records).GetContext(a.ctx, &funded, `SELECT sum(amount)::text FROM tasks WHERE status = 'funded'`))
	if held := a.balances()["escrow"].String(); funded != held {
		t.Errorf("the records are funded with %s, the escrow's balance is %s", funded, held)
	}
}

// raceToConfirm confirms a posting with the terms of one task.
func (a *raceWorld) raceToConfirm(round int) {
	task, err := a.recorded(fmt.Sprintf("Terms %d", round))
	a.must(err)
	answers := a.raceToFund(common.HexToHash(task.TermsHash), func(int) uuid.UUID { return task.ID })
	a.wantOnly(answers, "200")
	a.wantFunded(answers, task.ID)
}

// raceForAmbiguousFunding confirms a posting without terms, for two tasks.
func (a *raceWorld) raceForAmbiguousFunding(round int) {
	var tasks [2]uuid.UUID
	for i, name := range []string{"Either", "Or"} {
		task, err := a.recorded(fmt.Sprint(name, " ", round))
		a.must(err)
		tasks[i] = task.ID
	}
	answers := a.raceToFund(common.Hash{}, func(n int) uuid.UUID { return tasks[side(n)] })
	a.wantOnly(answers, "200", "400 tx_already_used")
	winners := withStatus(answers, http.StatusOK)
	if len(winners) == 0 {
		a.t.Fatalf("the racers for two tasks got %v", tally(answers))
	}
	won := side(winners[0].racer)
	for _, got := range answers {
		if (got.status == http.StatusOK) != (side(got.racer) == won) {
			a.t.Errorf("racer %d got %s, and task %d is funded", got.racer, got, won)
		}
	}
	a.wantFunded(winners, tasks[won])
}

// raceToFund confirms a posting with all racers while it is mined. A racer whose request arrives
// too early retries.
func (a *raceWorld) raceToFund(terms common.Hash, task func(n int) uuid.UUID) []reply {
	a.t.Helper()
	block := a.announce(sent{a.net.Agent.Address(), a.net.Contracts.PostTask(jobAmount(), chaintest.FeeBasisPoints, terms)})
	runningRace := a.begin(func(n int) ask {
		return ask{
			op: "confirmTaskFunding", path: []string{task(n).String()}, body: gen.ConfirmRequest{TxHash: block.hashes[0].Hex()},
			as: withKey(a.agent.Key), retryOn: string(market.KindTxNotFound),
		}
	})
	runningRace.midway()
	block.mine()
	return runningRace.end()
}

// wantFunded fails the test unless all responses contain the same funded task, one task has the
// posting, and there is one activity about it.
func (a *raceWorld) wantFunded(answers []reply, id uuid.UUID) {
	a.t.Helper()
	var escrowID string
	for _, got := range answers {
		task := read[gen.Task](a, got)
		if task.ID != id || task.Status != gen.TaskStatusFunded || task.EscrowTaskID == nil || escrowID != "" && *task.EscrowTaskID != escrowID {
			a.t.Errorf("racer %d got: %s", got.racer, got.body)
			continue
		}
		escrowID = *task.EscrowTaskID
	}
	var rows struct {
		Tasks      int `db:"tasks"`
		Activities int `db:"activities"`
	}
	a.must(storetest.DB(a.t, a.records).GetContext(a.ctx, &rows, `
		SELECT (SELECT count(*) FROM tasks WHERE escrow_task_id = $1) AS tasks,
			(SELECT count(*) FROM activities WHERE related_id = $2) AS activities`, escrowID, id))
	if rows.Tasks != 1 || rows.Activities != 1 {
		a.t.Errorf("posting %s funds %d tasks, and its agent's feed has %d items, want one each", escrowID, rows.Tasks, rows.Activities)
	}
}
