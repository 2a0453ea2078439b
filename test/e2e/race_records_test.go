package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"

	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// TestRacesForRecords: a request with one key leaves one record, even when it is sent many times.
func TestRacesForRecords(t *testing.T) {
	t.Parallel()
	a := newArena(t, 2)
	defer a.end()
	a.prepareChain()
	a.run("threat 53: create a task with one Idempotency-Key", a.raceToCreate)
	jobs := a.jobs(cancelled, a.always(), a.net.Human)
	a.run("review one task", func(n int) { a.raceToReview(jobs[n]) })
}

// raceToCreate: one task is created, and all successful answers are equal.
func (a *arena) raceToCreate(round int) {
	title := fmt.Sprintf("once-%d", round)
	question := ask{
		op: "createTask", as: withKey(a.agent.Key), header: [2]string{"Idempotency-Key", title},
		body: gen.CreateTaskRequest{Title: title, Description: "Run.", EscrowAmount: market.MinimumEscrow().String()},
	}
	answers := a.race(func(int) ask { return question })
	a.wantOnly(answers, "201", "409 request_in_progress")
	for _, r := range a.replicas {
		later, err := a.askPatiently(r, question)
		a.must(err)
		answers = append(answers, later)
	}
	made := withStatus(answers, http.StatusCreated)
	if len(made) < 1+len(a.replicas) {
		a.t.Errorf("answers %v; the stored answer differs", tally(answers))
	}
	for _, got := range made {
		if !bytes.Equal(got.body, made[0].body) {
			a.t.Fatalf("racer %d got another task: %s", got.racer, got.body)
		}
	}
	a.wantCount(1, `SELECT count(*) FROM tasks WHERE title = $1`, title)
}

// raceToReview has either side review the other, each with half of the racers.
func (a *arena) raceToReview(j job) {
	sides := [2]signature{withKey(a.agent.Key), a.session(a.net.Human)}
	answers := a.race(func(n int) ask {
		return ask{op: "reviewTask", path: []string{j.task.ID.String()}, body: gen.ReviewRequest{Rating: 1 + n%5}, as: sides[side(n)]}
	})
	a.wantOnly(answers, "201", "409 already_exists")
	for reviewer := range sides {
		own := slices.DeleteFunc(slices.Clone(answers), func(got reply) bool { return side(got.racer) != reviewer })
		a.wantWinner(own, http.StatusCreated)
	}
	a.wantCount(2, `SELECT count(*) FROM reviews WHERE task_id = $1`, j.task.ID)
}

func (a *arena) wantCount(want int, query string, args ...any) {
	a.t.Helper()
	var got int
	a.must(storetest.DB(a.t, a.records).GetContext(a.ctx, &got, query, args...))
	if got != want {
		a.t.Errorf("%s: %d rows, want %d", query, got, want)
	}
}
