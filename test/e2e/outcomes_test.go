package e2e_test

import (
	"testing"
	"time"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TestRejectedApplicationForfeitsItsStake: the stake is transferred to the treasury, and the task
// stays open.
func TestRejectedApplicationForfeitsItsStake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.post(time.Time{})
	application := w.apply(w.human(), task.ID)
	_, err := w.agent.RejectApplication(w.ctx, task.ID, application.ID, "No photographs in the portfolio.")
	w.must(err)
	rejected := w.awaitApplication(task.ID, application.ID, gen.ApplicationStatusRejected)
	if reason := rejected.RejectionReason; reason == nil || *reason != "No photographs in the portfolio." {
		t.Errorf("the reason for the rejection is %v", reason)
	}
	w.await(task.ID, gen.TaskStatusFunded)
	w.wantGains(before, gains{"agent": "-10", "escrow": "10", "human": "-0.5", "treasury": "0.5"})
}

// TestOtherApplicantsGetStakeBack: applicants can withdraw their stakes once another applicant is
// accepted.
func TestOtherApplicantsGetStakeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.post(time.Time{})
	other := w.person(w.net.OtherHuman)
	unlucky := w.apply(other, task.ID)
	chosen := w.apply(w.human(), task.ID)
	_, err := w.agent.AcceptApplication(w.ctx, task.ID, chosen.ID)
	w.must(err)
	w.awaitApplication(task.ID, unlucky.ID, gen.ApplicationStatusReleased)
	_, err = other.Withdraw(w.ctx, task.ID, unlucky.ID)
	w.must(err)
	w.wantGains(before, gains{"agent": "-10", "escrow": "10", "human": "-0.5", "stakes": "0.5"})
}

// TestCancel: a task without a submission can be cancelled in every status, and each party gets its
// money back.
func TestCancel(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*world) client.Task{
		"funded": func(w *world) client.Task {
			task := w.post(time.Time{})
			application := w.apply(w.human(), task.ID)
			_, err := w.human().Withdraw(w.ctx, task.ID, application.ID)
			w.must(err)
			return task
		},
		"active": func(w *world) client.Task { return w.active(time.Time{}) },
		"expired": func(w *world) client.Task {
			task := w.active(w.net.Head(w.t).Time.Add(time.Hour))
			w.warpTo(task.Deadline.Time)
			return w.await(task.ID, gen.TaskStatusExpired)
		},
	}
	for name, reach := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			defer w.end()
			before := w.balances()
			task := reach(w)
			_, err := w.agent.Cancel(w.ctx, task.ID)
			w.must(err)
			w.await(task.ID, gen.TaskStatusCancelled)
			w.wantGains(before, nothing)
		})
	}
}

// TestSubmittedTaskCannotBeCancelled: after a submission, the API and the contract refuse the agent's
// cancellation.
func TestSubmittedTaskCannotBeCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	task := w.submitted()
	_, err := w.agent.Cancel(w.ctx, task.ID)
	w.wantRefused(err, market.KindWrongStatus)
	if _, ok := w.attempt(w.net.Agent, w.net.Contracts.CancelTask(w.net.Deployment.Escrow, escrowID(t, task)), time.Time{}); ok {
		t.Error("the escrow cancelled a submitted task")
	}
}

// TestHumanResigns: the human resigns from an accepted task, and neither side loses money.
func TestHumanResigns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.active(time.Time{})
	w.net.Cancel(t, w.net.Human, escrowID(t, task))
	w.await(task.ID, gen.TaskStatusCancelled)
	w.wantGains(before, nothing)
}

// TestSettleAfterTimeLimit: if the other side does not act, the keeper settles the task at the due
// time, and not a second earlier.
func TestSettleAfterTimeLimit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		reach func(*world) client.Task
		after time.Duration // time from a party's last action until the task can be settled
	}{
		"approved, but no validator votes": {func(w *world) client.Task {
			task := w.submitted()
			_, err := w.agent.Approve(w.ctx, task.ID)
			w.must(err)
			return w.await(task.ID, gen.TaskStatusValidating)
		}, 72 * time.Hour},
		"disputed, but no validator votes": {(*world).disputed, 120 * time.Hour},
		"neither side acts for 37 days":    {(*world).submitted, 37 * 24 * time.Hour},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			defer w.end()
			before := w.balances()
			task := test.reach(w)
			due := w.net.Head(t).Time.Add(test.after) // the last action was mined in the head block
			settle := w.net.Contracts.Settle(w.net.Deployment.Escrow, escrowID(t, task))
			if _, ok := w.attempt(w.net.OtherHuman, settle, due.Add(-time.Second)); ok {
				t.Error("the escrow settled a second too early")
			}
			w.warpTo(due)
			task = w.await(task.ID, gen.TaskStatusApproved)
			w.wantGains(before, paid)
			if task.ValidatorApprovals != 0 {
				t.Errorf("the task shows %d approvals, want none", task.ValidatorApprovals)
			}
		})
	}
}

// TestEmergencyRelease: after 30 days without action, the human can withdraw the money, and not a
// second earlier.
func TestEmergencyRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	task := w.submitted()
	release := w.net.Contracts.EmergencyRelease(w.net.Deployment.Escrow, escrowID(t, task))
	due := task.SubmittedAt.Add(30 * 24 * time.Hour)
	if _, ok := w.attempt(w.net.Human, release, due.Add(-time.Second)); ok {
		t.Error("the escrow released a second too early")
	}
	if _, ok := w.attempt(w.net.Human, release, due); !ok {
		t.Error("the escrow did not release after 30 days")
	}
	w.await(task.ID, gen.TaskStatusApproved)
	w.wantGains(before, paid)
}
