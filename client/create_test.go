package client_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/market"
)

func TestCreateTaskPaysExactlyTheAmount(t *testing.T) {
	w := newWorld(t)
	before, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.client(t).CreateTask(t.Context(), request("one")); err != nil {
		t.Fatal(err)
	}
	after, _, err := w.Reader.Balances(t.Context(), w.Agent.Address())
	if err != nil {
		t.Fatal(err)
	}
	if paid := before.Sub(before, after); paid.Cmp(chaintest.Tokens(1)) != 0 {
		t.Errorf("paid %s", paid)
	}
	allowance, err := w.Reader.Allowance(t.Context(), w.Agent.Address(), w.Deployment.Escrow)
	if err != nil || allowance.Sign() != 0 {
		t.Errorf("left an allowance of %s, error %v", allowance, err)
	}
}

func TestCreateTaskKeys(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	create := func(change func(*client.TaskRequest)) (client.Task, error) {
		task := request("keys")
		change(&task)
		return c.CreateTask(t.Context(), task)
	}
	first, err := create(func(r *client.TaskRequest) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := create(func(r *client.TaskRequest) { r.Description += "!" }); !errors.Is(err, client.ErrOtherRequest) {
		t.Errorf("another task with the same key: error %v", err)
	}
	other, err := create(func(r *client.TaskRequest) { r.Key = "another" })
	if err != nil || other.ID == first.ID {
		t.Errorf("another key: task %s, error %v", other.ID, err)
	}
	if paid := len(w.posted(t)); paid != 2 {
		t.Errorf("paid %d times", paid)
	}
}

// A task needs a key, because a repeated request without one would pay again.
func TestCreateTaskNeedsAKey(t *testing.T) {
	w := newWorld(t)
	task := request("")
	if _, err := w.client(t).CreateTask(t.Context(), task); market.KindOf(err) != market.KindInvalid || w.api.creations != 0 {
		t.Errorf("without a key: error %v, %d requests", err, w.api.creations)
	}
}

// A key stays in the journal until it is forgotten, and identifies the task until then.
func TestCreateTaskUntilForgotten(t *testing.T) {
	w := newWorld(t)
	c := w.client(t)
	first, err := c.CreateTask(t.Context(), request("kept"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), client.Fund(request("kept")))
	if err != nil || !plan.Done {
		t.Fatalf("got plan %+v, error %v", plan, err)
	}
	if err := c.Forget(t.Context(), plan.Key); err != nil {
		t.Fatal(err)
	}
	silent := w.client(t, func(o *client.Options) { o.Signer = mute{w.Agent, t} })
	if _, err := silent.Execute(t.Context(), plan); !errors.Is(err, client.ErrEnded) {
		t.Errorf("executed a plan of the forgotten operation: error %v", err)
	}
	again := request("kept")
	again.Title = "another"
	if other, err := c.CreateTask(t.Context(), again); err != nil || other.ID == first.ID || len(w.posted(t)) != 2 {
		t.Errorf("task %s, paid %d times, error %v", other.ID, len(w.posted(t)), err)
	}
}

func TestCreateTaskConcurrently(t *testing.T) {
	w := newWorld(t)
	ids := make([]string, 6)
	shared := w.client(t)
	var wait sync.WaitGroup
	for i := range ids {
		c := shared
		if i%2 == 1 {
			c = w.client(t) // simulates another process
		}
		wait.Go(func() {
			task, err := c.CreateTask(t.Context(), request("same"))
			if err != nil {
				t.Error(err)
			}
			ids[i] = task.ID.String()
		})
	}
	wait.Wait()
	if len(slices.Compact(ids)) != 1 || len(w.posted(t)) != 1 {
		t.Errorf("got tasks %v with %d payments", ids, len(w.posted(t)))
	}
	for i := range ids {
		wait.Go(func() {
			if _, err := shared.CreateTask(t.Context(), request(fmt.Sprint("different ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if paid := len(w.posted(t)); paid != 7 {
		t.Errorf("paid %d times", paid)
	}
}

func TestCreateTaskReplacesAStaleRecord(t *testing.T) {
	w := newWorld(t)
	w.api.stale = 1
	task, err := w.client(t).CreateTask(t.Context(), request("stale"))
	if err != nil {
		t.Fatal(err)
	}
	if task.Status != "funded" || len(w.api.tasks) != 2 || len(w.posted(t)) != 1 {
		t.Errorf("got status %s, %d records, %d payments", task.Status, len(w.api.tasks), len(w.posted(t)))
	}
	w.api.stale = 2
	if _, err := w.client(t).CreateTask(t.Context(), request("very stale")); err == nil || len(w.posted(t)) != 1 {
		t.Errorf("paid for a record that cannot be funded, error %v", err)
	}
}

func TestCreateTaskReturnsRevert(t *testing.T) {
	w := newWorld(t)
	task := request("rich")
	task.Amount = chaintest.Tokens(5_000_000)
	_, err := w.client(t).CreateTask(t.Context(), task)
	refused, ok := errors.AsType[*rpc.RevertError](err)
	if !ok || refused.Name != "ERC20InsufficientBalance" {
		t.Errorf("got error %v", err)
	}
}

// An invalid task is rejected before anything is written to the journal or sent to the API.
func TestInvalidTasksLeaveNoJournal(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(*client.TaskRequest){
		"no title":                  func(r *client.TaskRequest) { r.Title = "" },
		"a blank title":             func(r *client.TaskRequest) { r.Title = " \u200b" },
		"a long title":              func(r *client.TaskRequest) { r.Title = strings.Repeat("é", market.MaxTitle+1) },
		"a title with a line break": func(r *client.TaskRequest) { r.Title = "one\ntwo" },
		"no description":            func(r *client.TaskRequest) { r.Description = "" },
		"a long description":        func(r *client.TaskRequest) { r.Description = strings.Repeat("x", market.MaxDescription+1) },
		"too many skills":           func(r *client.TaskRequest) { r.Skills = make([]string, market.MaxSkills+1) },
		"an empty skill":            func(r *client.TaskRequest) { r.Skills = []string{""} },
		"a long location":           func(r *client.TaskRequest) { r.Location = strings.Repeat("x", market.MaxLocation+1) },
	} {
		task := request(name)
		change(&task)
		if _, err := w.client(t).Plan(t.Context(), client.Fund(task)); market.KindOf(err) != market.KindInvalid {
			t.Errorf("%s: planned with error %v", name, err)
		}
		if _, err := w.client(t).CreateTask(t.Context(), task); market.KindOf(err) != market.KindInvalid {
			t.Errorf("%s: created with error %v", name, err)
		}
		if left := w.unfinished(t); left != 0 || w.api.creations != 0 {
			t.Fatalf("%s: left %d flows, %d requests", name, left, w.api.creations)
		}
	}
	longest := request("longest")
	longest.Title, longest.Description = strings.Repeat("é", market.MaxTitle), strings.Repeat("é", market.MaxDescription)
	if _, err := w.client(t).CreateTask(t.Context(), longest); err != nil {
		t.Errorf("a title of maximum length was rejected: %v", err)
	}
}

// If only the API can detect that a task is invalid, its rejection also removes the flow from the
// journal. After a temporary error, the flow stays.
func TestRejectedTasksLeaveNoJournal(t *testing.T) {
	w := newWorld(t)
	// The order matters: the first error removes its flow, the second leaves its flow in the
	// journal.
	for want, kind := range []market.Kind{market.KindInvalid, market.KindNotVerified} {
		w.api.refuseCreate = kind
		_, err := w.client(t).CreateTask(t.Context(), request(string(kind)))
		if left := w.unfinished(t); client.CodeOf(err) != kind || left != want {
			t.Errorf("%s: %d flows are left, want %d, error %v", kind, left, want, err)
		}
	}
}

// Format characters that arrive with pasted text are removed before the task is sent and its terms are hashed, so the
// pasted text and the cleaned text are the same task.
func TestPastedFormatCharactersDoNotChangeTheTask(t *testing.T) {
	w := newWorld(t)
	pasted := request("pasted")
	pasted.Title, pasted.Description = "Photo\u00adgraph \u200e3 doors\u200f", "\ufeffCall \u202a+351 21 555\u202c. می\u200cخواهم"
	pasted.Skills, pasted.Location = []string{"photo\u00adgraphy"}, "Lis\u00adbon"
	plan, err := w.client(t).Plan(t.Context(), client.Fund(pasted))
	if err != nil || plan.Title != "Photograph 3 doors" {
		t.Fatalf("planned %q: %v", plan.Title, err)
	}
	task, err := w.client(t).CreateTask(t.Context(), pasted)
	if err != nil {
		t.Fatal(err)
	}
	if task.Title != "Photograph 3 doors" || task.Description != "Call +351 21 555. می\u200cخواهم" {
		t.Errorf("created %+q, %+q", task.Title, task.Description)
	}
	for _, again := range []client.TaskRequest{pasted, pasted.Clean()} {
		if same, err := w.client(t).CreateTask(t.Context(), again); err != nil || same.ID != task.ID {
			t.Errorf("created %s again: %v", same.ID, err)
		}
	}
	if w.api.creations != 1 {
		t.Errorf("%d tasks were created", w.api.creations)
	}
}
