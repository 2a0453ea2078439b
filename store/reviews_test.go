package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// stars makes the human review the task's agent.
func stars(t *testing.T, s *store.Store, task market.Task, human market.Human, rating int) {
	t.Helper()
	storetest.Must(s.AddReview(t.Context(), store.Review{
		ID: storetest.NewID(), TaskID: task.ID, ReviewerKind: market.PrincipalHuman, ReviewerID: human.ID, Rating: rating,
	}))
}

// Averages and completed tasks follow the rules of karma: a task with a low fee does not count, and
// neither does a second one with the same counterparty within the interval.
func TestRatingsAndCompletedTasksFollowKarma(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain := storetest.NewChain(t, s)
	agent, first, second := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	want := func(when string, reviews int, average *float64, completed, counterparties int) {
		t.Helper()
		chain.Finalized = chain.Head().Number
		chain.Mine(t)
		got := storetest.Must(s.Reviews(t.Context(), store.ReviewQuery{SubjectKind: market.PrincipalAgent, SubjectID: agent.ID})).Rating
		if got.Reviews != reviews || (got.Average == nil) != (average == nil) || average != nil && *got.Average != *average {
			t.Errorf("%s: the rating is %d reviews, %v; want %d, %v", when, got.Reviews, got.Average, reviews, average)
		}
		standing := storetest.Must(s.Standing(t.Context(), agent.ID))
		if standing.Completed != completed || standing.Counterparties != counterparties {
			t.Errorf("%s: %d completed for %d counterparties, want %d for %d", when, standing.Completed, standing.Counterparties, completed, counterparties)
		}
	}
	stars(t, s, storetest.Hired(t, s, chain, agent, first, market.MinimumEscrow()), first, 5)
	want("with a fee of 0.0005 token", 1, nil, 0, 0)
	stars(t, s, storetest.Hired(t, s, chain, agent, first, storetest.Token(1)), first, 5)
	want("with the first counterparty", 2, new(5.0), 1, 1)
	again := storetest.Hired(t, s, chain, agent, first, storetest.Token(1))
	stars(t, s, again, first, 1)
	want("with the same counterparty", 3, new(5.0), 1, 1)
	stars(t, s, storetest.Hired(t, s, chain, agent, second, storetest.Token(1)), second, 2)
	want("with another counterparty", 4, new(3.5), 2, 2)
	chain.Wait(t, market.KarmaInterval+time.Hour)
	stars(t, s, storetest.Hired(t, s, chain, agent, first, storetest.Token(1)), first, 5)
	want("with the same counterparty after the interval", 5, new(4.0), 3, 2)

	storetest.Execute(t, s, `UPDATE humans SET available = true WHERE id IN ($1, $2)`, first.ID, second.ID)
	listed := map[uuid.UUID][2]int{}
	for _, human := range storetest.Must(s.AvailableHumans(t.Context(), store.HumanQuery{})).Items {
		listed[human.ID] = [2]int{human.Standing.Completed, human.Standing.Counterparties}
	}
	for human, want := range map[uuid.UUID][2]int{first.ID: {2, 1}, second.ID: {1, 1}} {
		if got, found := listed[human]; found && got != want {
			t.Errorf("the directory lists %d completed tasks for %d agents, want %v", got[0], got[1], want)
		}
		own := storetest.Must(s.HumanStanding(t.Context(), human))
		if got := [2]int{own.Completed, own.Counterparties}; got != want {
			t.Errorf("HumanStanding() = %v, want %v", got, want)
		}
	}
	if len(listed) != 2 {
		t.Errorf("the directory lists %d humans, want 2", len(listed))
	}
}
