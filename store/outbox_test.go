package store_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// dueWorld is a world whose task can be settled, and a lease.
func dueWorld(t *testing.T) (world, market.Lease) {
	t.Helper()
	w := newWorld(t)
	of := storetest.Of(w.task)
	w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, of, w.human.Wallet),
		storetest.Accept(t, of, w.human.Wallet), storetest.Submit(t, of, newHash()), storetest.Approve(t, of))
	wantJobs(t, w)
	w.chain.Wait(t, market.ApprovedReview-2*storetest.BlockTime)
	wantJobs(t, w)
	w.chain.Mine(t)
	return w, ok(w.s.Lead(t.Context(), "keeper", time.Minute))
}

func wantJobs(t *testing.T, w world, want ...market.Job) {
	t.Helper()
	got, err := w.s.OpenJobs(t.Context(), 10)
	if err != nil {
		t.Fatalf("OpenJobs() error = %v", err)
	}
	if len(want) == 0 && len(got) == 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("OpenJobs() (-want +got):\n%s", diff)
	}
}

func TestSettleIsEnqueuedOnceWhenDue(t *testing.T) {
	t.Parallel()
	w, _ := dueWorld(t)
	settle := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1}
	wantJobs(t, w, settle)
	w.chain.Mine(t)
	wantJobs(t, w, settle)
	w.chain.Mine(t, storetest.Decide(t, storetest.Of(w.task), true), storetest.Settle(t, storetest.Of(w.task)))
	wantStatus(t, w.s, w.task, market.StatusApproved)
	wantJobs(t, w)
	w.chain.Rewind(t, 1)
	wantJobs(t, w, settle)
}

func TestJobIsSentOnceAcrossReorganisations(t *testing.T) {
	t.Parallel()
	w, lease := dueWorld(t)
	ctx, hash, raw := t.Context(), newHash(), []byte("signed")
	if err := w.s.JobSent(ctx, lease.Epoch, 1, 7, hash, raw); err != nil {
		t.Fatalf("JobSent() = %v", err)
	}
	sent := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1, TxHash: hash[:], RawTx: raw, Nonce: 7, Attempts: 1}
	wantJobs(t, w, sent)
	w.chain.Mine(t, storetest.Settle(t, storetest.Of(w.task)))
	if err := w.s.JobDone(ctx, lease.Epoch, 1); err != nil {
		t.Fatalf("JobDone() = %v", err)
	}
	wantJobs(t, w)
	w.chain.Rewind(t, 1)
	wantJobs(t, w, sent)
}

func TestFailedJobs(t *testing.T) {
	t.Parallel()
	w, lease := dueWorld(t)
	ctx := t.Context()
	if err := w.s.JobSent(ctx, lease.Epoch, 1, 7, newHash(), []byte("signed")); err != nil {
		t.Fatal(err)
	}
	if err := w.s.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(time.Hour)); err != nil {
		t.Fatalf("JobFailed() = %v", err)
	}
	wantJobs(t, w) // not before its time
	if err := w.s.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(-time.Second)); err != nil {
		t.Fatalf("JobFailed() = %v", err)
	}
	wantJobs(t, w, market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1, Attempts: 3})
	if err := w.s.JobFailed(ctx, lease.Epoch, 1, "pointless", time.Time{}); err != nil {
		t.Fatalf("JobFailed() for good = %v", err)
	}
	wantJobs(t, w)
	w.chain.Mine(t)
	wantJobs(t, w)
}

// The end that made the job pointless is dropped: the job is due again.
func TestFailedJobsComeBackInAReorganisation(t *testing.T) {
	t.Parallel()
	w, lease := dueWorld(t)
	if err := w.s.JobFailed(t.Context(), lease.Epoch, 1, "the task has ended", time.Time{}); err != nil {
		t.Fatalf("JobFailed() for good = %v", err)
	}
	w.chain.Mine(t, storetest.Settle(t, storetest.Of(w.task)))
	wantJobs(t, w)
	w.chain.Rewind(t, 1)
	wantJobs(t, w, market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1})
}

func TestJobsAreFenced(t *testing.T) {
	t.Parallel()
	w, lease := dueWorld(t)
	ctx, former := t.Context(), lease.Epoch-1
	for name, err := range map[string]error{
		"JobSent":   w.s.JobSent(ctx, former, 1, 1, newHash(), []byte("signed")),
		"JobDone":   w.s.JobDone(ctx, former, 1),
		"JobFailed": w.s.JobFailed(ctx, former, 1, "", time.Time{}),
	} {
		if !errors.Is(err, market.ErrNotLeader) {
			t.Errorf("%s() in a former epoch = %v, want %v", name, err, market.ErrNotLeader)
		}
	}
	wantKind(t, "done with a job that is not there", w.s.JobDone(ctx, lease.Epoch, 99), market.KindNotFound)
}

func TestVerdictsToRelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of, work := storetest.Of(w.task), newHash()
	w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, of, w.human.Wallet),
		storetest.Accept(t, of, w.human.Wallet), storetest.Submit(t, of, work), storetest.Approve(t, of))
	parameters := ok(w.s.Parameters(t.Context()))
	validator := storetest.Human(t, w.s, func(h *market.Human) { h.Wallet = parameters.Validators[0].Wallet })
	task := ok(w.s.Task(t.Context(), w.task.ID))
	verdict := newVerdict(task, validator, true)
	if err := w.s.AddVerdict(t.Context(), task, verdict); err != nil {
		t.Fatalf("AddVerdict() = %v", err)
	}
	jobs := ok(w.s.OpenJobs(t.Context(), 10))
	if len(jobs) != 1 || jobs[0].Kind != market.OutboxVerdicts || !jobs[0].Approved || jobs[0].TaskID != task.Escrow.ID ||
		len(jobs[0].Verdicts) != 1 || !bytes.Equal(jobs[0].Verdicts[0].Signature, verdict.Signature) {
		t.Fatalf("OpenJobs() = %+v, want the one verdict to relay", jobs)
	}
	w.chain.Mine(t, storetest.Decide(t, of, true))
	wantJobs(t, w)
}
