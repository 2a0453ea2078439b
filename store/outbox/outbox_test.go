package outbox_test

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// signed returns a transaction signed by the account.
func signed(account common.Address, nonce uint64) market.Transaction {
	return market.Transaction{Sender: account, Nonce: nonce, Hash: storetest.NewHash(), Raw: []byte("signed"), MaxCost: big.NewInt(1_000)}
}

func TestSettleIsEnqueuedOnceWhenDue(t *testing.T) {
	t.Parallel()
	w, _ := storetest.DueWorld(t)
	settle := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1}
	storetest.WantJobs(t, w, settle)
	w.Chain.Mine(t)
	storetest.WantJobs(t, w, settle)
	w.Chain.Mine(t, storetest.Decide(t, storetest.Of(w.Task), true), storetest.Settle(t, storetest.Of(w.Task)))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusApproved)
	storetest.WantJobs(t, w)
	w.Chain.Rewind(t, 1)
	storetest.WantJobs(t, w, settle)
}

func TestJobIsSentOnceAcrossReorganisations(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	tx, settle := signed(storetest.KeeperAccount, 7), storetest.Settle(t, storetest.Of(w.Task))
	tx.Hash = settle.Hash
	if err := w.Store.Outbox.JobSent(t.Context(), lease.Epoch, 1, tx); err != nil {
		t.Fatalf("JobSent() = %v", err)
	}
	sent := market.Job{
		ID: 1, Kind: market.OutboxSettle, TaskID: 1, TxHash: tx.Hash[:], RawTx: tx.Raw, Sender: storetest.KeeperAccount, Nonce: 7, Attempts: 1,
	}
	storetest.WantJobs(t, w, sent)
	w.Chain.Mine(t, settle)
	storetest.WantJobs(t, w)
	w.Chain.Rewind(t, 1)
	storetest.WantJobs(t, w, sent)
}

// After another account has settled the task, the keeper's transaction still occupies its nonce.
// The job stays open until the outcome of the transaction is known.
func TestSentJobStaysUntilItsTransactionIsResolved(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	tx := signed(storetest.KeeperAccount, 7)
	if err := w.Store.Outbox.JobSent(t.Context(), lease.Epoch, 1, tx); err != nil {
		t.Fatalf("JobSent() = %v", err)
	}
	w.Chain.Mine(t, storetest.Settle(t, storetest.Of(w.Task)))
	storetest.WantJobs(t, w, market.Job{
		ID: 1, Kind: market.OutboxSettle, TaskID: 1, TxHash: tx.Hash[:], RawTx: tx.Raw, Sender: storetest.KeeperAccount, Nonce: 7, Attempts: 1,
	})
	if err := w.Store.Outbox.JobFailed(t.Context(), lease.Epoch, 1, "reverted", time.Now().Add(-time.Minute)); err != nil {
		t.Fatalf("JobFailed() = %v", err)
	}
	w.Chain.Mine(t)
	storetest.WantJobs(t, w)
}

func TestFailedJobs(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, signed(storetest.KeeperAccount, 7)); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Outbox.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(time.Hour)); err != nil {
		t.Fatalf("JobFailed() = %v", err)
	}
	storetest.WantJobs(t, w) // not returned before its retry time
	if err := w.Store.Outbox.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(-time.Minute)); err != nil {
		t.Fatalf("JobFailed() = %v", err)
	}
	pending := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1, Attempts: 3, Error: "reverted"}
	storetest.WantJobs(t, w, pending)
	if err := w.Store.Outbox.JobPostponed(ctx, lease.Epoch, 1, "too much gas", time.Now().Add(time.Hour)); err != nil {
		t.Fatalf("JobPostponed() = %v", err)
	}
	storetest.WantJobs(t, w)
	if err := w.Store.Outbox.JobPostponed(ctx, lease.Epoch, 1, "too much gas", time.Now().Add(-time.Minute)); err != nil {
		t.Fatalf("JobPostponed() = %v", err)
	}
	pending.Error = "too much gas"
	storetest.WantJobs(t, w, pending)
}

// Operators can see why a job does not advance, until it advances. The reason can contain any text from a
// node or a contract, and the database must not reject it.
func TestStalledJobs(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	stall := func(reason, want string) {
		t.Helper()
		if err := w.Store.Outbox.JobStalled(t.Context(), lease.Epoch, 1, reason); err != nil {
			t.Fatalf("JobStalled() = %v", err)
		}
		job := market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1, Error: want}
		storetest.WantJobs(t, w, job)
		transactions := storetest.Must(w.Store.Outbox.KeeperTransactions(t.Context()))
		if listed := len(transactions) == 1 && transactions[0].Job.Error == want; listed != (want != "") {
			t.Errorf("KeeperTransactions() = %+v, want only jobs with an error", transactions)
		}
		if jobs := storetest.Must(w.Store.Operators.Operations(t.Context())).Jobs; len(jobs) != 1 || jobs[0].Reason != want || (jobs[0].Stalled == 1) != (want != "") {
			t.Errorf("Operations() has the jobs %+v, want the reason %q", jobs, want)
		}
	}
	stall("", "")
	stall("no money", "no money")
	stall("a\x00b\xffc\r\n\u202ed \t e", "a b c d e")
	stall(strings.Repeat("é", 400), strings.Repeat("é", 150))
	stall("x"+strings.Repeat("é", 400), "x"+strings.Repeat("é", 149))
	stall("", "")
	stall("no money", "no money")
	tx := signed(storetest.KeeperAccount, 7)
	if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, tx); err != nil {
		t.Fatal(err)
	}
	storetest.WantJobs(t, w, market.Job{
		ID: 1, Kind: market.OutboxSettle, TaskID: 1, TxHash: tx.Hash.Bytes(), RawTx: tx.Raw, Sender: tx.Sender, Nonce: tx.Nonce, Attempts: 1,
	})
	if err := w.Store.Outbox.JobFailed(ctx, lease.Epoch, 1, "revert \xff\x00", time.Now().Add(-time.Minute)); err != nil {
		t.Errorf("JobFailed() with invalid characters = %v", err)
	}
	storetest.WantKind(t, "JobStalled() of a closed job", w.Store.Outbox.JobStalled(ctx, lease.Epoch, 99, "no money"), market.KindNotFound)
}

// The watcher's next step reopens a closed job if the task is still due.
func TestJobOfADueTaskIsReopened(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"done", "failed"} {
		w, lease := storetest.DueWorld(t)
		if err := w.Store.Outbox.JobFailed(t.Context(), lease.Epoch, 1, "the task has ended", time.Time{}); err != nil {
			t.Fatalf("JobFailed() without a retry = %v", err)
		}
		storetest.Execute(t, w.Store, `UPDATE outbox SET state = $1`, state)
		storetest.WantJobs(t, w)
		w.Chain.Mine(t)
		storetest.WantJobs(t, w, market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1})
	}
}

// If a reorganisation drops the log that ended a task, the task's permanently failed job is opened
// again.
func TestReorganisationReopensFailedJobs(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	if err := w.Store.Outbox.JobFailed(t.Context(), lease.Epoch, 1, "the task has ended", time.Time{}); err != nil {
		t.Fatalf("JobFailed() without a retry = %v", err)
	}
	w.Chain.Mine(t, storetest.Settle(t, storetest.Of(w.Task)))
	storetest.WantJobs(t, w)
	w.Chain.Rewind(t, 1)
	storetest.WantJobs(t, w, market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1})
}

func TestJobsAreFenced(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	writes := func(epoch int64) map[string]error {
		ctx := t.Context()
		return map[string]error{
			"JobSent":         w.Store.Outbox.JobSent(ctx, epoch, 1, signed(storetest.KeeperAccount, 1)),
			"JobFailed":       w.Store.Outbox.JobFailed(ctx, epoch, 1, "", time.Time{}),
			"JobPostponed":    w.Store.Outbox.JobPostponed(ctx, epoch, 1, "", time.Now()),
			"JobStalled":      w.Store.Outbox.JobStalled(ctx, epoch, 1, "no money"),
			"TransactionPaid": w.Store.Outbox.TransactionPaid(ctx, epoch, signed(storetest.KeeperAccount, 1), big.NewInt(1)),
			"FillNonce":       w.Store.Outbox.FillNonce(ctx, epoch, market.AccountNonce{Account: storetest.KeeperAccount, Nonce: 1}),
			"KeeperLimited":   w.Store.Outbox.KeeperLimited(ctx, epoch),
		}
	}
	for name, err := range writes(lease.Epoch - 1) {
		if !errors.Is(err, market.ErrNotLeader) {
			t.Errorf("%s() in a former epoch = %v, want %v", name, err, market.ErrNotLeader)
		}
	}
	storetest.Execute(t, w.Store, `UPDATE keeper_lease SET lease_until = now() - interval '1 minute'`)
	for name, err := range writes(lease.Epoch) {
		if name != "KeeperLimited" && !errors.Is(err, market.ErrNotLeader) {
			t.Errorf("%s() after the lease = %v, want %v", name, err, market.ErrNotLeader)
		}
	}
	storetest.WantJobs(t, w, market.Job{ID: 1, Kind: market.OutboxSettle, TaskID: 1})
}

// A transaction that the nodes have dropped blocks all later ones of the account. Its job must be among the
// jobs that the keeper reads, whatever its kind and however many others are open.
func TestTheLowestNonceIsListedFirst(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	storetest.Must(w.Store.Claim(ctx, storetest.Earned(storetest.Agent(t, w.Store), 60)))
	claim := storetest.Must(w.Store.Outbox.OpenJobs(ctx, 10))[1]
	if claim.Kind != market.OutboxClaim {
		t.Fatalf("the second job is %+v, want the claim", claim)
	}
	if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, claim.ID, signed(storetest.KeeperAccount, 7)); err != nil {
		t.Fatal(err)
	}
	storetest.Execute(t, w.Store, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload, state, sender, nonce, tx_hash, raw_tx)
		SELECT o.chain_id, o.escrow, o.kind, 'sent ' || n, o.payload, 'sent', $1, 40 - n, $2, '\x01'
		FROM outbox o, generate_series(0, 31) n
		WHERE o.id = 1`, storetest.KeeperAccount, storetest.NewHash())
	jobs := storetest.Must(w.Store.Outbox.OpenJobs(ctx, 32))
	if len(jobs) != 32 || jobs[0].ID != claim.ID {
		t.Fatalf("OpenJobs() = %d jobs, the first is %s; want 32, with the claim first", len(jobs), jobs[0])
	}
	for i, job := range jobs[1:] {
		if want := uint64(9 + i); job.Nonce != want {
			t.Errorf("job %d has nonce %d, want %d", i+1, job.Nonce, want)
		}
	}
}

func TestVerdictsToRelay(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	of, work := storetest.Of(w.Task), storetest.NewHash()
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet),
		storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, work), storetest.Approve(t, of))
	parameters := storetest.Must(w.Store.Journal.Parameters(t.Context()))
	validator := storetest.Human(t, w.Store, func(h *market.Human) { h.Wallet = parameters.Validators[0].Wallet })
	task := storetest.Must(w.Store.Task(t.Context(), w.Task.ID))
	verdict := storetest.NewVerdict(task, validator, true)
	if err := w.Store.AddVerdict(t.Context(), task, verdict); err != nil {
		t.Fatalf("AddVerdict() = %v", err)
	}
	jobs := storetest.Must(w.Store.Outbox.OpenJobs(t.Context(), 10))
	if len(jobs) != 1 || jobs[0].Kind != market.OutboxVerdicts || !jobs[0].Approved || jobs[0].TaskID != task.Escrow.ID ||
		len(jobs[0].Verdicts) != 1 || !bytes.Equal(jobs[0].Verdicts[0].Signature, verdict.Signature) {
		t.Fatalf("OpenJobs() = %+v, want the one verdict to relay", jobs)
	}
	w.Chain.Mine(t, storetest.Decide(t, of, true))
	storetest.WantJobs(t, w)
	w.Chain.Rewind(t, 1)
	if again := storetest.Must(w.Store.Outbox.OpenJobs(t.Context(), 10)); len(again) != 1 || again[0].ID != jobs[0].ID {
		t.Errorf("OpenJobs() after the decision was dropped = %+v, want %+v", again, jobs)
	}
}

// The age of a transaction begins when it is first sent, not when its job was created and not when it
// is replaced. The age of a job begins again when a reorganisation reopens it after it was done, but not
// when the watcher reopens a failed job that is still due.
func TestAgesOfJobsAndTransactions(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	pass := func() {
		storetest.Execute(t, w.Store, `UPDATE outbox SET created_at = created_at - interval '1 hour 1 minute', run_at = run_at - interval '1 hour 1 minute'`)
	}
	want := func(when string, hours int) {
		t.Helper()
		jobs, listed := storetest.Must(w.Store.Operators.Operations(ctx)).Jobs, storetest.Must(w.Store.Outbox.KeeperTransactions(ctx))
		if len(jobs) != 1 || jobs[0].Oldest.Truncate(time.Hour) != time.Duration(hours)*time.Hour {
			t.Errorf("%s: Operations() has the jobs %+v, want an age of %d h", when, jobs, hours)
		}
		if len(listed) == 1 && listed[0].Age.Truncate(time.Hour) != time.Duration(hours)*time.Hour {
			t.Errorf("%s: KeeperTransactions() = %+v, want an age of %d h", when, listed, hours)
		}
	}
	send := func() {
		t.Helper()
		if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, signed(storetest.KeeperAccount, 7)); err != nil {
			t.Fatal(err)
		}
	}
	want("a new job", 0)
	pass()
	want("a job without a transaction", 1)
	send()
	want("the first transaction of an old job", 0)
	pass()
	send()
	want("a replacement", 1)
	pass()
	want("a transaction that is not mined", 2)
	storetest.Execute(t, w.Store, `UPDATE outbox SET state = 'failed'`)
	w.Chain.Mine(t)
	if jobs := storetest.Must(w.Store.Outbox.OpenJobs(ctx, 10)); len(jobs) != 1 {
		t.Fatalf("OpenJobs() = %+v, want the reopened job", jobs)
	}
	if err := w.Store.Outbox.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	want("a failed job that is still due", 3)
	send()
	w.Chain.Mine(t, storetest.Settle(t, storetest.Of(w.Task)))
	storetest.Execute(t, w.Store, `UPDATE outbox SET state = 'done'`)
	pass()
	w.Chain.Rewind(t, 1)
	want("a transaction that a reorganisation dropped", 0)
	if err := w.Store.Outbox.JobFailed(ctx, lease.Epoch, 1, "reverted", time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	want("the job of a payment that a reorganisation dropped", 0)
}
