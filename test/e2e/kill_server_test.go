package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

const (
	killSeed    = 7
	maxLifetime = 4 * time.Second // longest time from a healthy start of the server to its kill
	// killTimeout is the time limit for one kill, the restart and the hires in the meantime.
	killTimeout = 20 * time.Second
)

// kills returns how often the server is killed. TASKMARKET_TEST_KILLS sets another number; 140
// means twenty kills for each step of a hire.
func kills(tb testing.TB) int {
	tb.Helper()
	text := os.Getenv("TASKMARKET_TEST_KILLS")
	if text == "" {
		return 20
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("TASKMARKET_TEST_KILLS is %q, not a positive number", text)
	}
	return n
}

// TestKilledServerKeepsEachEffectOnce kills the server at random instants during a
// series of hires whose steps are retried.
func TestKilledServerKeepsEachEffectOnce(t *testing.T) {
	t.Parallel()
	w := newWorldFor(t, testTimeout+time.Duration(kills(t))*killTimeout)
	defer w.end()
	before := w.balances()
	w.human()
	for _, wallet := range w.net.Validators[:2] {
		w.person(wallet)
	}
	killed := w.startKilling()
	hires := 0
	for over := false; !over; hires++ {
		w.hireWithRetries(hires)
		select {
		case err := <-killed:
			w.must(err)
			over = true
		default:
		}
	}
	t.Logf("%d hires under %d kills", hires, kills(t))
	w.wantPaidOnce(before, hires)
	w.wantOnce(hires)
}

// wantPaidOnce fails the test unless each hire was paid once since the earlier balances.
func (w *world) wantPaidOnce(before balances, hires int) {
	w.t.Helper()
	times := func(tokens float64) string {
		return formatTokens(new(big.Int).Mul(big.NewInt(int64(tokens*10*float64(hires))), big.NewInt(1e17)))
	}
	w.wantGains(before, gains{"agent": times(-10), "human": times(9.5), "treasury": times(0.5)})
}

// startKilling kills the server repeatedly in the background. The channel receives the result at
// the end.
func (w *world) startKilling() <-chan error {
	count := kills(w.t)
	db := storetest.DB(w.t, w.records)
	random := rand.New(rand.NewPCG(killSeed, killSeed))
	done := make(chan error, 1)
	go func() {
		for range count {
			select {
			case <-w.ctx.Done():
			case <-time.After(lifetime(random)):
			}
			if err := w.server.kill(); err != nil {
				done <- err
				return
			}
			// End the killed process's leases now. Otherwise the next process would wait until they expire.
			for _, statement := range []string{`UPDATE chain_head SET lease_until = now() - interval '1 s'`, `UPDATE keeper_lease SET lease_until = now() - interval '1 s'`} {
				if _, err := db.ExecContext(w.ctx, statement); err != nil {
					done <- err
					return
				}
			}
			if err := w.server.start(w.ctx); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	return done
}

// lifetime returns a random time for which the server runs. Most are short, and some are long
// enough for the keeper's next run.
func lifetime(random *rand.Rand) time.Duration {
	x := random.Float64()
	return time.Duration(x * x * x * float64(maxLifetime))
}

// hireWithRetries completes one hire despite failures.
func (w *world) hireWithRetries(number int) {
	w.t.Helper()
	task := w.postWithRetries(number)
	w.submitWithRetries(task)
	retry(w, "approve", func(ctx context.Context) (client.Outcome, error) { return w.agent.Approve(ctx, task.ID) })
	w.awaitWithRetries(task.ID, gen.TaskStatusValidating)
	w.voteWithRetries(task.ID, true)
	w.awaitWithRetries(task.ID, gen.TaskStatusApproved)
}

// postWithRetries creates and funds a task of ten tokens.
func (w *world) postWithRetries(number int) client.Task {
	w.t.Helper()
	return retry(w, "create a task", func(ctx context.Context) (client.Task, error) {
		return w.agent.CreateTask(ctx, client.TaskRequest{
			Key: fmt.Sprintf("hire-%d", number), Title: "Photograph the harbour", Description: "Once more.", Amount: chaintest.Tokens(10),
		})
	})
}

// submitWithRetries hires the human for a funded task and submits the work.
func (w *world) submitWithRetries(task client.Task) {
	w.t.Helper()
	application := w.applyWithRetries(task)
	retry(w, "accept", func(ctx context.Context) (client.Outcome, error) {
		return w.agent.AcceptApplication(ctx, task.ID, application)
	})
	retry(w, "submit", func(ctx context.Context) (any, error) {
		return w.human().Submit(ctx, task.ID, "The photographs are attached.")
	})
	w.awaitWithRetries(task.ID, gen.TaskStatusSubmitted)
}

// voteWithRetries submits verdicts by two validators, which is a quorum.
func (w *world) voteWithRetries(task uuid.UUID, approved bool) {
	w.t.Helper()
	for _, wallet := range w.net.Validators[:2] {
		retry(w, "vote", func(ctx context.Context) (any, error) { return nil, w.voteOnce(ctx, w.people[wallet], task, approved) })
	}
}

// retry retries a step until it succeeds or the test's time limit expires.
func retry[T any](w *world, what string, try func(context.Context) (T, error)) T {
	w.t.Helper()
	for {
		ctx, cancel := context.WithTimeout(w.ctx, 20*time.Second)
		result, err := try(ctx)
		cancel()
		if err == nil {
			return result
		}
		w.pause(fmt.Sprintf("%s: %v", what, err))
	}
}

func (w *world) awaitWithRetries(task uuid.UUID, status gen.TaskStatus) {
	w.t.Helper()
	retry(w, "await", func(ctx context.Context) (any, error) {
		_, err := w.human().Await(ctx, task, status)
		return nil, err
	})
}

// applyWithRetries applies exactly once. If a response was lost, the application may already exist,
// with or without its stake.
func (w *world) applyWithRetries(task client.Task) uuid.UUID {
	w.t.Helper()
	return retry(w, "apply", func(ctx context.Context) (uuid.UUID, error) {
		page, err := w.agent.Applications(ctx, task.ID, client.PageQuery{})
		if err != nil {
			return uuid.Nil, err
		}
		if len(page.Applications) == 0 {
			made, err := w.human().Apply(ctx, w.net.Contracts, task.ID, "I live at the harbour.")
			return made.ID, err
		}
		application := page.Applications[0]
		if application.Status == gen.ApplicationStatusNew {
			return uuid.Nil, w.lockStake(ctx, task)
		}
		return application.ID, nil
	})
}

// lockStake sends the stake of an application that the API shows without one, and returns an error
// so that the caller reads the application again. If the stake is already locked, but the watcher has
// not recorded it yet, the contract rejects the second one.
func (w *world) lockStake(ctx context.Context, task client.Task) error {
	stake := market.RequiredStake(chaintest.Tokens(10))
	deadline, signature := w.net.SignPermit(w.t, w.net.Human, w.net.Deployment.Staking, stake) //nolint:contextcheck // the goroutine ends with the test
	call, err := w.net.Contracts.LockStakeWithPermit(escrowID(w.t, task), stake, deadline, signature)
	if err != nil {
		return err
	}
	if _, err := w.net.Sender(w.net.Human).Send(ctx, call); err != nil {
		return fmt.Errorf("send the missing stake: %w", err)
	}
	return errors.New("the application had no stake before")
}

// voteOnce votes unless the validator has already voted.
func (w *world) voteOnce(ctx context.Context, validator *actor.Person, task uuid.UUID, approved bool) error {
	queue, err := validator.Queue(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(queue, func(v gen.Validation) bool { return v.TaskID == task })
	if i < 0 {
		return w.decided(ctx, task)
	}
	if queue[i].Mine != nil {
		return nil
	}
	return validator.Vote(ctx, queue[i], approved, "I looked at the photographs.")
}

// decided returns an error unless validators have decided the task. A task that is not in a queue can also be
// one whose submission a reorganisation has dropped for a moment.
func (w *world) decided(ctx context.Context, task uuid.UUID) error {
	got, err := w.agent.Task(ctx, task)
	if err == nil && got.Status != gen.TaskStatusApproved && got.Status != gen.TaskStatusRejected {
		err = fmt.Errorf("the task is %s, but not in the validator's queue", got.Status)
	}
	return err
}

// awaitKeeper waits until the keeper has no open jobs that relay verdicts.
func (w *world) awaitKeeper() {
	w.t.Helper()
	db := storetest.DB(w.t, w.records)
	for open := 1; open > 0; {
		w.must(db.GetContext(w.ctx, &open, `SELECT count(*) FROM outbox WHERE state IN ('pending', 'sent') AND kind = 'verdicts'`))
		w.pause("wait for the keeper to finish its work")
	}
}

// wantOnce fails the test unless each hire has every one of its rows exactly once.
func (w *world) wantOnce(hires int) {
	w.t.Helper()
	w.awaitKeeper()
	db := storetest.DB(w.t, w.records)
	for what, query := range map[string]string{
		"tasks":        `SELECT count(*) FROM tasks WHERE title = 'Photograph the harbour'`,
		"paid tasks":   `SELECT count(*) FROM tasks WHERE status = 'approved'`,
		"postings":     `SELECT count(*) FROM onchain_tasks`,
		"applications": `SELECT count(*) FROM applications`,
		"stakes":       `SELECT count(*) FROM onchain_applications`,
		"submissions":  `SELECT count(*) FROM submissions`,
		"verdicts":     `SELECT count(*) / 2 FROM verdicts`,
		"relays":       `SELECT count(*) FROM outbox WHERE kind = 'verdicts' AND state = 'done'`,
	} {
		var got int
		w.must(db.GetContext(w.ctx, &got, query))
		if got != hires {
			w.t.Errorf("%s: %d rows after %d hires", what, got, hires)
		}
	}
	var items []struct {
		Audience, Kind string
		Count          int
	}
	w.must(db.SelectContext(w.ctx, &items, `
		SELECT audience_kind AS audience, kind, count(*) AS count
		FROM activities WHERE block_hash IS NOT NULL GROUP BY 1, 2`))
	if len(items) == 0 {
		w.t.Error("the hires left no activities")
	}
	for _, item := range items {
		if item.Count != hires {
			w.t.Errorf("the %s's activity %q exists %d times after %d hires", item.Audience, item.Kind, item.Count, hires)
		}
	}
}
