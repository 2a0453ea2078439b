package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// commitRounds is the number of tasks that each kind of client creates while connections are closed
// at a COMMIT.
const commitRounds = 40

// Tasks are created while connections to the database are cut just before and just after a COMMIT.
// A client that repeats a request with its Idempotency-Key until it succeeds has exactly one task.
// A client that does not repeat it has one task after a success, and at most one after a failure.
func TestThreat39LostCommits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	proxy, database := newCommitProxy(t, storetest.URL(t, r.records))
	s := openStore(t, database, r.net.Deployment)
	cut := r.replica(func(o *server.Options) { o.Store = s })
	told := make(map[string]bool)
	for i := range commitRounds {
		told[cut.createOnce(agent, fmt.Sprintf("once %d", i))] = true
		cut.createUntilAccepted(agent, fmt.Sprintf("repeated %d", i))
	}
	before, after := proxy.cuts()
	t.Logf("%d commits and %d answers were lost", before, after)
	if before == 0 || after == 0 {
		t.Error("nothing was cut")
	}

	var tasks []struct {
		Title string
		Count int
	}
	if err := storetest.DB(t, r.records).Select(&tasks, `SELECT title, count(*) FROM tasks GROUP BY title`); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]int)
	for _, task := range tasks {
		found[task.Title] = task.Count
		if task.Count != 1 {
			t.Errorf("%d tasks have the title %q", task.Count, task.Title)
		}
	}
	for i := range commitRounds {
		if title := fmt.Sprintf("repeated %d", i); found[title] == 0 {
			t.Errorf("task %q is lost", title)
		}
		if title := fmt.Sprintf("once %d", i); told[title] && found[title] == 0 {
			t.Errorf("task %q was confirmed, but is lost", title)
		}
	}
}

// If a request was carried out but its response was not stored, repeating it with its idempotency key
// returns the record that it created.
func TestThreat53RepeatAfterALostResponse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.earn(agent, human)
	task := r.funded(agent)
	for name, request := range map[string]func() (uuid.UUID, any){
		"claim": func() (id uuid.UUID, got any) {
			claimed, err := agent.ClaimRewardsWithResponse(t.Context(), &client.ClaimRewardsParams{IdempotencyKey: new("claim")})
			if err == nil && claimed.JSON201 != nil {
				id = claimed.JSON201.ID
			}
			return id, answer(claimed)
		},
		"application": func() (id uuid.UUID, got any) {
			applied, err := human.ApplyForTaskWithResponse(t.Context(), task.ID,
				&client.ApplyForTaskParams{IdempotencyKey: new("apply")}, client.ApplyForTaskRequest{ApplicationMessage: "I am near."})
			if err == nil && applied.JSON201 != nil {
				id = applied.JSON201.Application.ID
			}
			return id, answer(applied)
		},
	} {
		made, first := request()
		r.loseAnswers()
		if found, again := request(); made == uuid.Nil || found != made {
			t.Errorf("%s: first %s, again %s", name, first, again)
		}
	}
}

// createOnce creates a task and returns its title if that succeeds. Any other response must be a
// server error.
func (r *rig) createOnce(agent *user, title string) string {
	r.t.Helper()
	switch got := r.create(agent, title); got.status {
	case 201:
		return title
	case 500, 503:
		return ""
	default:
		r.t.Errorf("create %q = %d %s", title, got.status, got.body)
		return ""
	}
}

// createUntilAccepted repeats the request until a task is created.
func (r *rig) createUntilAccepted(agent *user, title string) {
	r.t.Helper()
	for range 100 {
		got := r.create(agent, title, "Idempotency-Key", strings.ReplaceAll(title, " ", "-"))
		switch got.status {
		case 201:
			return
		case 409: // the key of an unfinished request stays locked for a few seconds
			r.freeKeys()
		case 500, 503:
		default:
			r.t.Fatalf("create %q = %d %s", title, got.status, got.body)
		}
	}
	r.t.Fatalf("create %q failed a hundred times", title)
}

func (r *rig) create(agent *user, title string, headers ...string) reply {
	r.t.Helper()
	body := fmt.Sprintf(`{"title":%q,"description":"D","escrow_amount":"10000000000000000"}`, title)
	return r.do("POST", "/api/v1/tasks/", body, append(headers, "X-API-Key", agent.key)...)
}

// freeKeys makes unfinished requests old enough that their idempotency keys are no longer locked.
func (r *rig) freeKeys() {
	r.t.Helper()
	if _, err := storetest.DB(r.t, r.records).Exec(`UPDATE idempotency_keys SET held_until = now() - interval '1 s'`); err != nil {
		r.t.Fatal(err)
	}
}

// loseAnswers deletes the stored responses of all requests with an idempotency key.
func (r *rig) loseAnswers() {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = now() - interval '1 s'`)
	if err != nil {
		r.t.Fatal(err)
	}
}
