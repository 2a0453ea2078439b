package e2e_test

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/google/uuid"

	"taskmarket/chain"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/store/storetest"
)

// move is an action of a party on a task: the API request, and the call that the response contains.
type move struct {
	name  string
	human bool // whether the human performs the action; otherwise the agent
	ask   func(a *raceWorld, j job) ask
	call  func(a *raceWorld, j job) chain.Call
	data  string // name of the response field with the call's data; empty: the response is not compared
}

var (
	accept = acceptOf(0)
	reject = move{
		name: "reject", data: "reject_application_calldata",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "rejectApplication", path: []string{j.task.ID.String(), j.applications[0].id.String()}, body: gen.RejectApplicationRequest{Reason: new("No.")}}
		},
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.RejectApplication(j.applications[0].escrowID)
		},
	}
	withdraw = move{
		name: "withdraw", human: true, data: "withdraw_stake_calldata",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "withdrawApplication", path: []string{j.task.ID.String(), j.applications[0].id.String()}}
		},
		call: func(a *raceWorld, j job) chain.Call { return a.net.Contracts.WithdrawStake(j.applications[0].escrowID) },
	}
	cancel = move{
		name: "cancel", data: "cancel_task_calldata",
		ask: func(_ *raceWorld, j job) ask { return ask{op: "cancelTask", path: []string{j.task.ID.String()}} },
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.CancelTask(a.net.Deployment.Escrow, j.escrowID)
		},
	}
	approve = move{
		name: "approve", data: "approve_task_calldata",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "approveTask", path: []string{j.task.ID.String()}, body: gen.ApproveTaskRequest{}}
		},
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.ApproveTask(a.net.Deployment.Escrow, j.escrowID)
		},
	}
	dispute = move{
		name: "dispute", human: true, data: "dispute_task_calldata",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "disputeTask", path: []string{j.task.ID.String()}, body: gen.DisputeTaskRequest{Reason: "I ran."}}
		},
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.DisputeTask(a.net.Deployment.Escrow, j.escrowID)
		},
	}
	submit = move{
		// data is empty: each response contains the hash of a different draft.
		name: "submit", human: true, data: "",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "submitWork", path: []string{j.task.ID.String()}, body: gen.SubmitWorkRequest{Note: "I ran.", FileIds: []uuid.UUID{}}}
		},
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.SubmitTask(a.net.Deployment.Escrow, j.escrowID, workHash)
		},
	}
)

// acceptOf returns the move that accepts a job's application with the index n.
func acceptOf(n int) move {
	return move{
		name: fmt.Sprintf("accept %d", n+1), data: "accept_application_calldata",
		ask: func(_ *raceWorld, j job) ask {
			return ask{op: "acceptApplication", path: []string{j.task.ID.String(), j.applications[n].id.String()}}
		},
		call: func(a *raceWorld, j job) chain.Call {
			return a.net.Contracts.AcceptApplication(a.net.Deployment.Escrow, j.escrowID, j.applications[n].escrowID)
		},
	}
}

// end is the outcome of two moves that are executed in a certain order.
type end struct {
	both   bool // whether the second move is still valid after the first; otherwise it fails
	status gen.TaskStatus
}

// conflict is a pair of concurrent moves on one task. The ends are the outcomes of the two orders:
// moves[0] first, moves[1] first. In two cases the contract accepts both moves: an agent can cancel
// after accepting a human, and can approve after the human's dispute.
type conflict struct {
	from  stage
	moves [2]move
	ends  [2]end
}

func conflicts() []conflict {
	return []conflict{
		{posted, [2]move{accept, acceptOf(1)}, [2]end{{status: "active"}, {status: "active"}}},
		{posted, [2]move{accept, reject}, [2]end{{status: "active"}, {status: "funded"}}},
		{posted, [2]move{accept, withdraw}, [2]end{{status: "active"}, {status: "funded"}}},
		{posted, [2]move{accept, cancel}, [2]end{{both: true, status: "cancelled"}, {status: "cancelled"}}},
		{active, [2]move{submit, cancel}, [2]end{{status: "submitted"}, {status: "cancelled"}}},
		{submitted, [2]move{approve, dispute}, [2]end{{status: "validating"}, {both: true, status: "disputed"}}},
		{submitted, [2]move{dispute, cancel}, [2]end{{status: "disputed"}, {status: "disputed"}}},
	}
}

// TestRacesForCalls sends two conflicting moves concurrently. Regardless of which calls the API
// returns, the chain's rules determine which moves take effect, and the database rows must match.
func TestRacesForCalls(t *testing.T) {
	t.Parallel()
	a := newRaceWorld(t, len(conflicts()))
	defer a.end()
	a.prepareChain()
	for _, d := range conflicts() {
		humans := []*chain.KeySigner{a.net.Human}
		if d.moves[1].name == acceptOf(1).name {
			humans = append(humans, a.net.OtherHuman)
		}
		jobs := a.jobs(d.from, humans...)
		name := "threat 49: " + d.moves[0].name + " and " + d.moves[1].name
		firsts := make([]int, a.rounds) // for each round, the index of the move that was first
		a.run(name, func(n int) { firsts[n] = a.raceForActions(d, jobs[n]) })
		// With 50 rounds, the same order in all of them is not a coincidence.
		if a.rounds >= 50 && (!slices.Contains(firsts, 0) || !slices.Contains(firsts, 1)) {
			t.Errorf("%s: the moves were mined in the same order in all rounds", name)
		}
		a.settle()
		a.wantChains(jobs, func(n int) gen.TaskStatus { return d.ends[firsts[n]].status })
	}
}

// raceForActions requests one move with half of the racers and the other move with the rest, while
// a block with both calls is mined. It returns which move was first in the block.
func (a *raceWorld) raceForActions(d conflict, j job) (first int) {
	order := rand.IntN(2)
	asks := func(n int) ask {
		m := d.moves[side(n)]
		question := m.ask(a, j)
		question.as = withKey(a.agent.Key)
		if m.human {
			question.as = a.session(a.net.Human)
		}
		return question
	}
	block := a.announce(a.sentAs(d.moves[order], j), a.sentAs(d.moves[1-order], j))
	runningRace := a.begin(asks)
	runningRace.midway()
	receipts := block.mine()
	answers := runningRace.end()
	a.wantOnly(answers, "200", "201", "400 wrong_status", "400 would_revert")
	for _, got := range answers {
		a.wantData(got, d.moves[side(got.racer)], j)
	}
	if receipts[0].TransactionIndex > receipts[1].TransactionIndex {
		a.t.Fatal("the transactions in the block are not ordered by their fees")
	}
	succeeded := receipts[0].Status + receipts[1].Status
	if want := d.ends[order]; succeeded != 1 && !want.both || succeeded != 2 && want.both {
		a.t.Errorf("%s before %s: %d succeeded", d.moves[order].name, d.moves[1-order].name, succeeded)
	}
	return order
}

// sentAs returns the move's transaction.
func (a *raceWorld) sentAs(m move, j job) sent {
	if m.human {
		return sent{a.net.Human.Address(), m.call(a, j)}
	}
	return sent{a.net.Agent.Address(), m.call(a, j)}
}

// wantData fails the test unless a successful response contains the expected call.
func (a *raceWorld) wantData(got reply, m move, j job) {
	a.t.Helper()
	if got.status != 200 || m.data == "" {
		return
	}
	members := read[map[string]any](a, got)
	if want := m.call(a, j); members[m.data] != hexutil.Encode(want.Data) || members["to"] != want.To.Hex() {
		a.t.Errorf("%s returned %s", m.name, got.body)
	}
}

// wantChains compares the jobs' rows with the contracts' state, and their statuses with the
// expected ones.
func (a *raceWorld) wantChains(jobs []job, status func(n int) gen.TaskStatus) {
	a.t.Helper()
	tasks, stakes := a.onChain(jobs)
	for n, j := range jobs {
		row := a.rowOf(j)
		task := tasks[n]
		if row.Status != string(status(n)) || row.Chain != task.Status || row.Approved != task.AgentApproved ||
			row.Submitted != task.SubmittedAt.Int64() || row.Application != task.ApplicationId.Int64() || row.Human != (task.ApplicationId.Sign() > 0) {
			a.t.Errorf("round %d: the row is %+v, want %s; the contract returns %+v", n, row, status(n), task)
		}
		for i, stake := range stakes[n] {
			if want := stakeStatuses[row.Stakes[i]]; want != stake.Status {
				a.t.Errorf("round %d: stake %d is %s in the database and has status %d in the contract", n, i, row.Stakes[i], stake.Status)
			}
		}
	}
}

// stakeStatuses maps the stake statuses in the database to the contract's StakeStatus values.
var stakeStatuses = map[string]uint8{"live": 1, "activated": 2, "returned": 3, "forfeited": 3}

// jobRow contains the database's state of a job's task and stakes.
type jobRow struct {
	Status      string `db:"status"`
	Chain       uint8  `db:"chain"`
	Approved    bool   `db:"agent_approved"`
	Submitted   int64  `db:"submitted"`
	Application int64  `db:"application"`
	Human       bool   `db:"human"`
	Stakes      []string
}

func (a *raceWorld) rowOf(j job) jobRow {
	a.t.Helper()
	db := storetest.DB(a.t, a.records)
	var row jobRow
	a.must(db.GetContext(a.ctx, &row, `
		SELECT t.status, o.status AS chain, o.agent_approved, coalesce(extract(epoch FROM o.submitted_at)::bigint, 0) AS submitted,
			coalesce(o.application_id, 0) AS application, t.human_id IS NOT NULL AS human
		FROM tasks t
		JOIN onchain_tasks o ON o.chain_id = t.chain_id AND o.escrow = t.escrow AND o.id = t.escrow_task_id
		WHERE t.id = $1`, j.task.ID))
	a.must(db.SelectContext(a.ctx, &row.Stakes, `
		SELECT o.status
		FROM applications a
		JOIN onchain_applications o ON o.chain_id = a.chain_id AND o.escrow = a.escrow AND o.id = a.onchain_application_id
		WHERE a.task_id = $1
		ORDER BY o.id`, j.task.ID))
	return row
}

// onChain reads the jobs' tasks and stakes from the contracts.
func (a *raceWorld) onChain(jobs []job) (tasks []contracts.IEscrowTaskView, stakes [][]contracts.IApplicationStakingStakeView) {
	a.t.Helper()
	escrow, staking := contracts.NewEscrow(), contracts.NewApplicationStaking()
	var calls []chain.Call
	for _, j := range jobs {
		calls = append(calls, chain.Call{To: a.net.Deployment.Escrow, Data: escrow.PackGetTask(new(big.Int).SetUint64(j.escrowID))})
		for _, application := range j.applications {
			calls = append(calls, chain.Call{To: a.net.Deployment.Staking, Data: staking.PackGetStake(new(big.Int).SetUint64(application.escrowID))})
		}
	}
	results := a.views(calls)
	for _, j := range jobs {
		task, err := escrow.UnpackGetTask(results[0])
		a.must(err)
		tasks, results = append(tasks, task), results[1:]
		var own []contracts.IApplicationStakingStakeView
		for range j.applications {
			stake, err := staking.UnpackGetStake(results[0])
			a.must(err)
			own, results = append(own, stake), results[1:]
		}
		stakes = append(stakes, own)
	}
	return tasks, stakes
}

// views calls the contracts and returns the results.
func (a *raceWorld) views(calls []chain.Call) [][]byte {
	a.t.Helper()
	results := make([]hexutil.Bytes, len(calls))
	batch := make([]rpc.BatchElem, len(calls))
	for i, call := range calls {
		batch[i] = rpc.BatchElem{Method: "eth_call", Result: &results[i], Args: []any{
			map[string]any{"to": call.To, "data": hexutil.Bytes(call.Data)}, "latest",
		}}
	}
	a.call(batch)
	raw := make([][]byte, len(results))
	for i := range results {
		raw[i] = bytes.Clone(results[i])
	}
	return raw
}
