package store_test

import (
	"math/big"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// A cancellation after acceptance counts against the agent if the agent cancelled, and against the
// human if the human resigned. It counts against neither if it happened before acceptance or if the
// caller is unknown.
func TestCancellationsCountForTheSideThatCancelled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		accepted     bool
		cancel       func(testing.TB, storetest.Target) storetest.Tx
		agent, human int
	}{
		"the agent cancels after acceptance":  {true, storetest.Cancel, 1, 0},
		"the human resigns":                   {true, storetest.Resign, 0, 1},
		"the agent cancels before acceptance": {false, storetest.Cancel, 0, 0},
		"a contract cancels for a party":      {true, storetest.CancelUnknown, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			of := storetest.Of(w.Task)
			w.Chain.Mine(t, storetest.Post(t, w.Task, false))
			w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
			if test.accepted {
				w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
			}
			w.Chain.Mine(t, test.cancel(t, of))
			agent, human := storetest.Must(w.Store.Profile(t.Context(), w.Agent.Username)), storetest.Must(w.Store.Profile(t.Context(), w.Human.Username))
			if got := agent.Record.CancelledLate; got != test.agent {
				t.Errorf("the agent's record counts %d cancellations, want %d", got, test.agent)
			}
			if got := human.Record.CancelledLate; got != test.human {
				t.Errorf("the human's record counts %d cancellations, want %d", got, test.human)
			}
		})
	}
}

func decided(t *testing.T, task market.Task, forHuman bool) []storetest.Tx {
	t.Helper()
	of := storetest.Of(task)
	return []storetest.Tx{storetest.Dispute(t, of, true), storetest.Decide(t, of, forHuman)}
}

func wantStanding(t *testing.T, s *store.Store, agent market.Agent, karma int64, fees *big.Int) {
	t.Helper()
	got := storetest.Must(s.Standing(t.Context(), agent.ID))
	if got.Karma != karma || got.Fees.Cmp(fees) != 0 {
		t.Errorf("Standing() = %d karma, %s fees; want %d, %s", got.Karma, got.Fees, karma, fees)
	}
}

func review(t *testing.T, s *store.Store, task market.Task, rating int, counts bool) {
	t.Helper()
	got := storetest.Must(s.Task(t.Context(), task.ID))
	storetest.Execute(t, s, `
		INSERT INTO reviews (id, task_id, reviewer_id, reviewer_kind, subject_id, subject_kind, rating, counts)
		VALUES ($1, $2, $3, 'human', $4, 'agent', $5, $6)`, storetest.NewID(), task.ID, *got.HumanID, task.AgentID, rating, counts)
}

func TestStanding(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain := storetest.NewChain(t, s)
	agent := storetest.Agent(t, s)
	fee := market.Fee(storetest.Token(1), 500)
	wantStanding(t, s, agent, 0, new(big.Int))

	paid := storetest.Task(t, s, agent)
	worker := storetest.Human(t, s)
	storetest.Finish(t, chain, paid, worker, storetest.Approval(t, paid)...)
	wantStanding(t, s, agent, 0, new(big.Int)) // the task is not final yet
	chain.Finalized = chain.Head().Number
	chain.Mine(t)
	wantStanding(t, s, agent, 10, fee)
	review(t, s, paid, 5, true)
	wantStanding(t, s, agent, 14, fee)
	if got := storetest.Must(s.HumanStanding(t.Context(), worker.ID)); got.Karma != 10 {
		t.Errorf("HumanStanding() = %d, want 10 for the paid task", got.Karma)
	}

	again := storetest.Task(t, s, agent)
	storetest.Finish(t, chain, again, worker, storetest.Approval(t, again)...)
	defeat := storetest.Task(t, s, agent)
	storetest.Finish(t, chain, defeat, storetest.Human(t, s), decided(t, defeat, true)...)
	victory := storetest.Task(t, s, agent)
	loser := storetest.Human(t, s)
	storetest.Finish(t, chain, victory, loser, decided(t, victory, false)...)
	if got := storetest.Must(s.HumanStanding(t.Context(), loser.ID)); got.Rejected != 0 {
		t.Errorf("HumanStanding() counts %d rejected tasks before they are final, want 0", got.Rejected)
	}
	small := storetest.Task(t, s, agent, func(task *market.Task) { task.Amount = market.MinimumEscrow() })
	storetest.Finish(t, chain, small, storetest.Human(t, s), storetest.Approval(t, small)...)
	chain.Finalized = chain.Head().Number
	chain.Mine(t)
	wantStanding(t, s, agent, 4, fee) // the lost dispute costs 10; no karma for the second task with the same human, the won dispute, or the task with a low fee
	if got := storetest.Must(s.HumanStanding(t.Context(), loser.ID)); got.Karma != 0 {
		t.Errorf("HumanStanding() = %d after a lost dispute, want 0", got.Karma)
	}
	if got := storetest.Must(s.HumanStanding(t.Context(), loser.ID)); got.Rejected != 1 || got.RejectionShare() != 1 {
		t.Errorf("HumanStanding() = %d rejected tasks, share %v; want 1, 1", got.Rejected, got.RejectionShare())
	}

	low := storetest.Open(t, storetest.URL(t, s), store.WithKarmaFeeFloor(big.NewInt(1)))
	wantStanding(t, low, agent, 14, new(big.Int).Add(fee, market.Fee(market.MinimumEscrow(), 500)))
}

// A user who owns both sides of a hundred tasks pays more in fees than karma returns, regardless of
// the number of accounts.
func TestSelfDealingLoses(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain := storetest.NewChain(t, s)
	agent := storetest.Agent(t, s)
	burnt := new(big.Int)
	for i := range 100 {
		task := storetest.Task(t, s, agent, func(task *market.Task) {
			task.Amount = new(big.Int).Mul(market.MinimumEscrow(), big.NewInt(int64(i+1)))
		})
		storetest.Finish(t, chain, task, storetest.Human(t, s), storetest.Approval(t, task)...)
		review(t, s, task, 5, true)
		burnt.Add(burnt, market.Fee(task.Amount, task.FeeBasisPoints))
	}
	chain.Finalized = chain.Head().Number
	chain.Mine(t)
	standing := storetest.Must(s.Standing(t.Context(), agent.ID))
	if standing.Karma == 0 || standing.Fees.Cmp(burnt) > 0 {
		t.Fatalf("Standing() = %d karma on fees of %s; want some, on at most %s", standing.Karma, standing.Fees, burnt)
	}
	earned := new(big.Int).Mul(big.NewInt(standing.Karma), big.NewInt(1_000_000_000_000_000))
	if half := new(big.Int).Rsh(standing.Fees, 1); half.Cmp(earned) < 0 {
		earned = half
	}
	if earned.Cmp(burnt) >= 0 {
		t.Errorf("100 self-dealt tasks earn %s and cost %s", earned, burnt)
	}
}
