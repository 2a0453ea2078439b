package outbox_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/store/outbox"
	"taskmarket/store/storetest"
)

// Only one keeper holds the lease at a time, even if another one uses the same key. The next keeper
// starts a new epoch.
func TestKeeperLease(t *testing.T) {
	t.Parallel()
	s, ctx := storetest.New(t), t.Context()
	first := storetest.Must(s.Outbox.LeadKeeper(ctx, "first", storetest.KeeperAccount, time.Minute))
	if again := storetest.Must(s.Outbox.LeadKeeper(ctx, "first", storetest.KeeperAccount, time.Minute)); again.Epoch != first.Epoch {
		t.Errorf("LeadKeeper() again = epoch %d, want %d", again.Epoch, first.Epoch)
	}
	for _, account := range []common.Address{storetest.KeeperAccount, {0xFF}} {
		if _, err := s.Outbox.LeadKeeper(ctx, "second", account, time.Minute); !errors.Is(err, market.ErrNotLeader) {
			t.Errorf("LeadKeeper() beside another = %v, want %v", err, market.ErrNotLeader)
		}
	}
	if err := s.Outbox.ReleaseKeeper(ctx, first.Epoch); err != nil {
		t.Fatalf("ReleaseKeeper() = %v", err)
	}
	second := storetest.Must(s.Outbox.LeadKeeper(ctx, "second", common.Address{0xFF}, time.Minute))
	if second.Epoch != first.Epoch+1 {
		t.Errorf("LeadKeeper() after the release = epoch %d, want %d", second.Epoch, first.Epoch+1)
	}
	if err := s.Outbox.ReleaseKeeper(ctx, first.Epoch); err != nil {
		t.Fatalf("ReleaseKeeper() in a former epoch = %v", err)
	}
	if _, err := s.Outbox.LeadKeeper(ctx, "first", storetest.KeeperAccount, time.Minute); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("a former keeper released the lease of its successor: LeadKeeper() = %v", err)
	}
}

func TestKeeperLeaseRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	leads := make(chan error, 8)
	for i := range cap(leads) {
		go func() {
			_, err := s.Outbox.LeadKeeper(t.Context(), string(rune('a'+i)), storetest.KeeperAccount, time.Minute)
			leads <- err
		}()
	}
	won := 0
	for range cap(leads) {
		if err := <-leads; err == nil {
			won++
		} else if !errors.Is(err, market.ErrNotLeader) {
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d keepers acquired the lease, want one", won)
	}
}

// All replicas report the same status, because it is stored in the database.
func TestKeeperStatus(t *testing.T) {
	t.Parallel()
	const grace, overdue = time.Minute, 10 * time.Minute
	w := storetest.NewWorld(t)
	want := func(want outbox.KeeperStatus) {
		t.Helper()
		if got := storetest.Must(w.Store.Outbox.KeeperStatus(t.Context(), grace, overdue)); got != want {
			t.Errorf("KeeperStatus() = %+v, want %+v", got, want)
		}
	}
	want(outbox.KeeperStatus{Absent: true})
	lease := storetest.Must(w.Store.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	want(outbox.KeeperStatus{})
	if err := w.Store.Outbox.ReleaseKeeper(t.Context(), lease.Epoch); err != nil {
		t.Fatal(err)
	}
	want(outbox.KeeperStatus{})
	storetest.Execute(t, w.Store, `UPDATE keeper_lease SET lease_until = now() - interval '2 minutes'`)
	want(outbox.KeeperStatus{Absent: true})
	lease = storetest.Must(w.Store.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	if err := w.Store.Outbox.KeeperLimited(t.Context(), lease.Epoch); err != nil {
		t.Fatal(err)
	}
	want(outbox.KeeperStatus{Limited: true})
	storetest.Execute(t, w.Store, `UPDATE keeper_lease SET limited_at = now() - interval '6 minutes'`)
	want(outbox.KeeperStatus{})

	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet),
		storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, storetest.NewHash()), storetest.Approve(t, of))
	w.Chain.Wait(t, market.ApprovedReview+overdue-2*storetest.BlockTime)
	want(outbox.KeeperStatus{})
	w.Chain.Wait(t, 3*storetest.BlockTime)
	want(outbox.KeeperStatus{Overdue: true})
	w.Chain.Mine(t, storetest.Settle(t, of))
	want(outbox.KeeperStatus{})
}

// Health checks are frequent, so they must not scan all tasks.
func TestKeeperStatusPlan(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet),
		storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, storetest.NewHash()))
	storetest.Execute(t, w.Store, `
		INSERT INTO onchain_tasks (chain_id, escrow, id, status, agent, human, amount, fee_basis_points, posted_at, submitted_at, settle_at,
		                           posted_tx, posted_ordinal, posted_block, posted_index)
		SELECT chain_id, escrow, 1000 + n, status, agent, human, amount, fee_basis_points, posted_at, submitted_at, settle_at,
		       posted_tx, 1000 + n, posted_block, posted_index
		FROM onchain_tasks, generate_series(1, 20000) n`)
	storetest.Execute(t, w.Store, `ANALYZE onchain_tasks`)
	d := w.Store.Deployment()
	p, text := storetest.Explain(t, storetest.DB(t, w.Store), outbox.KeeperStatusSQL, d.ChainID, d.Escrow, 1.0, 1.0, 1.0)
	if p.Scans("onchain_tasks") || p.Hit+p.Read > 20 {
		t.Errorf("the keeper's status touches %d blocks:\n%s", p.Hit+p.Read, text)
	}
}

func TestKeeperNonce(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	want := func(account common.Address, want uint64) {
		t.Helper()
		if got := storetest.Must(w.Store.Outbox.KeeperNonce(t.Context(), account)); got != want {
			t.Errorf("KeeperNonce(%s) = %d, want %d", account, got, want)
		}
	}
	want(storetest.KeeperAccount, 0)
	if err := w.Store.Outbox.JobSent(t.Context(), lease.Epoch, 1, signed(storetest.KeeperAccount, 7)); err != nil {
		t.Fatal(err)
	}
	want(storetest.KeeperAccount, 8)
	want(common.Address{0xFF}, 0) // another account has no open transactions
	if err := w.Store.Outbox.JobFailed(t.Context(), lease.Epoch, 1, "reverted", time.Now()); err != nil {
		t.Fatal(err)
	}
	want(storetest.KeeperAccount, 0)
}

// The daily limit counts a transaction's maximum cost until its receipt is known. Each nonce counts
// once, the limit covers all keepers, and spending older than 24 hours is excluded.
func TestKeeperSpending(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	want := func(want int64) {
		t.Helper()
		if got := storetest.Must(w.Store.Outbox.KeeperSpent(ctx, storetest.KeeperAccount, 99)); got.Int64() != want {
			t.Errorf("KeeperSpent() = %s, want %d", got, want)
		}
	}
	send := func(account common.Address, nonce uint64, most int64) market.Transaction {
		t.Helper()
		tx := signed(account, nonce)
		tx.MaxCost = big.NewInt(most)
		if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, tx); err != nil {
			t.Fatalf("JobSent() = %v", err)
		}
		return tx
	}
	pay := func(tx market.Transaction, cost int64) {
		t.Helper()
		if err := w.Store.Outbox.TransactionPaid(ctx, lease.Epoch, tx, big.NewInt(cost)); err != nil {
			t.Fatalf("TransactionPaid() = %v", err)
		}
	}
	want(0)
	former := send(storetest.KeeperAccount, 7, 1_000)
	want(1_000)
	replacement := send(storetest.KeeperAccount, 7, 1_200)
	want(1_200)
	if got := storetest.Must(w.Store.Outbox.KeeperSpent(ctx, storetest.KeeperAccount, 7)); got.Sign() != 0 {
		t.Errorf("KeeperSpent() without the only nonce = %s, want 0", got)
	}
	pay(former, 500) // has no effect, because the transaction was replaced
	want(1_200)
	if unpaid := storetest.Must(w.Store.Outbox.UnpaidTransactions(ctx, 10)); len(unpaid) != 1 || unpaid[0].Hash != replacement.Hash {
		t.Errorf("UnpaidTransactions() = %+v, want %s", unpaid, replacement.Hash)
	}
	pay(replacement, 800)
	want(800)
	pay(send(common.Address{0xFF}, 7, 400), 0) // a faulty node reports a cost of 0; a quarter of the maximum cost counts
	want(900)
	pay(send(common.Address{0xFF}, 8, 400), 5_000)
	want(1_300)
	storetest.Execute(t, w.Store, `UPDATE keeper_spending SET signed_at = now() - interval '25 hours' WHERE sender = $1`, storetest.KeeperAccount)
	want(500)
}

// A transaction that is still open after 24 hours can be mined at any time, so the daily limit counts it.
func TestKeeperSpendingOfOpenTransactions(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	want := func(want int64, wantUnpaid int) {
		t.Helper()
		spent, unpaid := storetest.Must(w.Store.Outbox.KeeperSpent(ctx, storetest.KeeperAccount, 99)), storetest.Must(w.Store.Outbox.UnpaidTransactions(ctx, 10))
		if spent.Int64() != want || len(unpaid) != wantUnpaid {
			t.Errorf("KeeperSpent() = %s, UnpaidTransactions() = %+v; want %d and %d transactions", spent, unpaid, want, wantUnpaid)
		}
	}
	if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, signed(storetest.KeeperAccount, 7)); err != nil {
		t.Fatal(err)
	}
	want(1_000, 1)
	storetest.Execute(t, w.Store, `UPDATE keeper_spending SET signed_at = now() - interval '25 hours'`)
	want(1_000, 1)
	if got := storetest.Must(w.Store.Outbox.KeeperSpent(ctx, storetest.KeeperAccount, 7)); got.Sign() != 0 {
		t.Errorf("KeeperSpent() without the only nonce = %s, want 0", got)
	}
	storetest.Execute(t, w.Store, `UPDATE outbox SET state = 'done'`)
	want(0, 0)
}

// The store records all transactions that the keeper signed with a nonce, because any of them can be mined.
func TestKeeperVersions(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	ctx := t.Context()
	var sent []common.Hash
	for range 3 {
		tx := signed(storetest.KeeperAccount, 7)
		if err := w.Store.Outbox.JobSent(ctx, lease.Epoch, 1, tx); err != nil {
			t.Fatal(err)
		}
		sent = append(sent, tx.Hash)
	}
	want := func(account common.Address, nonce uint64, want []common.Hash, wantComplete bool) {
		t.Helper()
		got, complete, err := w.Store.Outbox.KeeperVersions(ctx, market.AccountNonce{Account: account, Nonce: nonce})
		if err != nil || complete != wantComplete || !slices.Equal(got, want) {
			t.Errorf("KeeperVersions(%s, %d) = %v, %t, %v; want %v, %t", account, nonce, got, complete, err, want, wantComplete)
		}
	}
	want(storetest.KeeperAccount, 7, sent, true)
	want(storetest.KeeperAccount, 8, nil, false)
	want(common.Address{0xFF}, 7, nil, false)
	storetest.Execute(t, w.Store, `UPDATE keeper_spending SET replaced = '{}'`) // as an older server version would have left it
	want(storetest.KeeperAccount, 7, sent[2:], false)
}

func TestRecordedNonces(t *testing.T) {
	t.Parallel()
	w, lease := storetest.DueWorld(t)
	want := func(account common.Address, first, end, wantCount, wantNext uint64) {
		t.Helper()
		count, next, err := w.Store.Outbox.RecordedNonces(t.Context(), account, first, end)
		if err != nil || count != wantCount || next != wantNext {
			t.Errorf("RecordedNonces(%s, %d, %d) = %d, %d, %v; want %d, %d", account, first, end, count, next, err, wantCount, wantNext)
		}
	}
	want(storetest.KeeperAccount, 0, 9, 0, 0)
	for _, nonce := range []uint64{2, 3, 3, 5} {
		if err := w.Store.Outbox.JobSent(t.Context(), lease.Epoch, 1, signed(storetest.KeeperAccount, nonce)); err != nil {
			t.Fatal(err)
		}
	}
	want(storetest.KeeperAccount, 0, 9, 3, 6)
	want(storetest.KeeperAccount, 3, 5, 1, 6)
	want(common.Address{0xFF}, 0, 9, 0, 0)
}

// A released lease can be acquired at once, even if it was released in the middle of a millisecond.
func TestReleasedLeaseIsFree(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for i := range 200 {
		lease, err := s.Outbox.LeadKeeper(t.Context(), fmt.Sprintf("keeper %d", i), common.Address{1}, time.Minute)
		if err != nil {
			t.Fatalf("LeadKeeper() after %d releases = %v", i, err)
		}
		if err := s.Outbox.ReleaseKeeper(t.Context(), lease.Epoch); err != nil {
			t.Fatal(err)
		}
	}
}
