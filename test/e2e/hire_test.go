package e2e_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/test/actor"
)

// post creates and funds a task of ten tokens as the agent; a zero deadline means no deadline.
func (w *world) post(deadline time.Time) client.Task {
	w.t.Helper()
	request := client.TaskRequest{
		Key: uuid.NewString(), Title: "Photograph the harbour", Description: "Three photographs, by daylight.",
		Amount: chaintest.Tokens(10), Skills: []string{"photography"},
	}
	if !deadline.IsZero() {
		request.Deadline = &deadline
	}
	task, err := w.agent.CreateTask(w.ctx, request)
	w.must(err)
	w.wantStatus(task, gen.TaskStatusFunded)
	return task
}

// apply applies for the task as the simulated user, with a stake, and waits until the agent can
// read the application.
func (w *world) apply(person *actor.Person, task uuid.UUID) client.Application {
	w.t.Helper()
	made, err := person.Apply(w.ctx, w.net.Contracts, task, "I live at the harbour.")
	w.must(err)
	return w.awaitApplication(task, made.ID, gen.ApplicationStatusPending)
}

// awaitApplication waits until the API shows the agent the application with the status.
func (w *world) awaitApplication(task, id uuid.UUID, status gen.ApplicationStatus) client.Application {
	w.t.Helper()
	for {
		page, err := w.agent.Applications(w.ctx, task, client.PageQuery{})
		w.must(err)
		i := slices.IndexFunc(page.Applications, func(a client.Application) bool { return a.ID == id && a.Status == status })
		if i >= 0 {
			return page.Applications[i]
		}
		w.pause("wait for an application to be " + string(status))
	}
}

// active returns a task with an accepted human.
func (w *world) active(deadline time.Time) client.Task {
	w.t.Helper()
	task := w.post(deadline)
	application := w.apply(w.human(), task.ID)
	_, err := w.agent.AcceptApplication(w.ctx, task.ID, application.ID)
	w.must(err)
	return w.await(task.ID, gen.TaskStatusActive)
}

// submitted returns a task with submitted work.
func (w *world) submitted() client.Task {
	w.t.Helper()
	task := w.active(time.Time{})
	_, err := w.human().Submit(w.ctx, task.ID, "The photographs are attached.")
	w.must(err)
	return w.await(task.ID, gen.TaskStatusSubmitted)
}

// await waits until the API shows the agent the task with the status.
func (w *world) await(id uuid.UUID, status gen.TaskStatus) client.Task {
	w.t.Helper()
	for {
		task, err := w.agent.Task(w.ctx, id)
		w.must(err)
		if task.Status == status {
			return task
		}
		w.pause("wait for a task that is " + string(task.Status) + " to be " + string(status))
	}
}

func (w *world) wantStatus(task client.Task, want gen.TaskStatus) {
	w.t.Helper()
	if task.Status != want {
		w.t.Fatalf("task is %s, want %s", task.Status, want)
	}
}

// vote submits verdicts by two validators, which is a quorum.
func (w *world) vote(task uuid.UUID, approved bool) {
	w.t.Helper()
	for _, wallet := range w.net.Validators[:2] {
		w.must(w.voteAs(wallet, task, approved))
	}
}

// voteAs submits one validator's verdict on the task, which must be in the validator's queue.
func (w *world) voteAs(wallet *chain.KeySigner, task uuid.UUID, approved bool) error {
	w.t.Helper()
	validator := w.person(wallet)
	queue, err := validator.Queue(w.ctx)
	w.must(err)
	i := slices.IndexFunc(queue, func(v gen.Validation) bool { return v.TaskID == task })
	if i < 0 {
		w.t.Fatalf("task %s is not in the validator's queue", task)
	}
	return validator.Vote(w.ctx, queue[i], approved, "I looked at the photographs.")
}

// pay approves submitted work, as the agent and as a quorum of validators, and waits until the task
// is paid.
func (w *world) pay(task client.Task) client.Task {
	w.t.Helper()
	_, err := w.agent.Approve(w.ctx, task.ID)
	w.must(err)
	w.await(task.ID, gen.TaskStatusValidating)
	w.vote(task.ID, true)
	return w.await(task.ID, gen.TaskStatusApproved)
}

// TestHire is the happy path: the human is paid, the platform receives its fee, the stake is
// returned, and the balances of the escrow and staking contracts are unchanged.
func TestHire(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()

	task := w.submitted()
	w.wantGains(before, gains{"agent": "-10", "escrow": "10", "human": "-0.5", "stakes": "0.5"})
	task = w.pay(task)

	w.wantGains(before, paid)
	if task.ValidatorApprovals != 2 || task.SettleTxHash == nil || task.PayoutAmount != "9500000000000000000" {
		t.Errorf("the task shows %d approvals, settlement %v, payout %s", task.ValidatorApprovals, task.SettleTxHash, task.PayoutAmount)
	}
}

// escrowID returns the task's ID in the escrow.
func escrowID(tb testing.TB, task client.Task) uint64 {
	tb.Helper()
	if task.EscrowTaskID == nil {
		tb.Fatalf("task %s is not in the escrow", task.ID)
	}
	id, err := strconv.ParseUint(*task.EscrowTaskID, 10, 64)
	if err != nil {
		tb.Fatalf("read the escrow's id: %v", err)
	}
	return id
}
