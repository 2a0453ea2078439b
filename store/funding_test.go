package store_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

func TestPostingsThatDoNotMatch(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*market.Task){
		"another agent":     func(task *market.Task) { task.AgentWallet = newWallet() },
		"one wei less":      func(task *market.Task) { task.Amount = new(big.Int).Sub(task.Amount, big.NewInt(1)) },
		"another fee":       func(task *market.Task) { task.FeeBasisPoints++ },
		"other terms":       func(task *market.Task) { task.TermsHash = newHash() },
		"a zero terms hash": func(task *market.Task) { task.TermsHash = common.Hash{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			posted := w.task
			change(&posted)
			w.chain.Mine(t, storetest.Post(t, posted, false))
			wantStatus(t, w.s, w.task, market.StatusNew)
			w.chain.Mine(t, storetest.Post(t, w.task, false))
			if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow.ID; got != 2 {
				t.Errorf("linked to escrow task %d, want 2", got)
			}
		})
	}
}

func TestSecondPostingStaysUnlinkedUntilTheFirstIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := storetest.Post(t, w.task, false), storetest.Post(t, w.task, false)
	w.chain.Mine(t, first)
	w.chain.Mine(t, second)
	if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow; got.ID != 1 || got.Posted.TxHash != first.Hash {
		t.Errorf("linked to escrow task %d of %s, want 1 of %s", got.ID, got.Posted.TxHash, first.Hash)
	}
	w.chain.Rewind(t, 2)
	w.chain.Mine(t, second, first)
	if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow; got.ID != 1 || got.Posted.TxHash != second.Hash {
		t.Errorf("linked to escrow task %d of %s, want 1 of %s", got.ID, got.Posted.TxHash, second.Hash)
	}
}

func TestLinkFunding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := storetest.Task(t, w.s, w.agent)
	bare := storetest.Post(t, w.task, true)
	// Create a transaction with two postings. The task is linked to the second one.
	both := storetest.Tx{Hash: bare.Hash, Run: func(s *storetest.State) []storetest.Emission {
		emitted := bare.Run(s)
		twin := emitted[0]
		twin.Event.TaskID++
		return append(emitted, twin)
	}}
	claim := market.Posting{TxHash: bare.Hash, Ordinal: 1}
	wantKind(t, "a posting for an unknown task", w.s.LinkFunding(t.Context(), newID(), claim), market.KindNotFound)
	if err := w.s.LinkFunding(t.Context(), w.task.ID, claim); err != nil {
		t.Fatalf("LinkFunding() before the posting is followed = %v", err)
	}
	wantKind(t, "a posting linked to another task", w.s.LinkFunding(t.Context(), other.ID, claim), market.KindTxAlreadyUsed)

	w.chain.Mine(t, both)
	if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow.ID; got != 2 {
		t.Errorf("linked to escrow task %d, want 2", got)
	}
	wantStatus(t, w.s, other, market.StatusNew)
	if err := w.s.LinkFunding(t.Context(), w.task.ID, claim); err != nil {
		t.Errorf("LinkFunding() again = %v", err)
	}
	wantKind(t, "another posting for a funded task",
		w.s.LinkFunding(t.Context(), w.task.ID, market.Posting{TxHash: newHash()}), market.KindWrongStatus)

	w.chain.Rewind(t, 1)
	wantStatus(t, w.s, w.task, market.StatusNew)
	w.chain.Mine(t, storetest.Post(t, other, false), both)
	if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow.ID; got != 3 {
		t.Errorf("after the reorganisation linked to escrow task %d, want 3", got)
	}
	if err := w.s.LinkFunding(t.Context(), w.task.ID, claim); err != nil {
		t.Errorf("LinkFunding() after the reorganisation = %v", err)
	}
}

func TestLinkFundingOfAFollowedPosting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bare := storetest.Post(t, w.task, true)
	w.chain.Mine(t, bare)
	wantStatus(t, w.s, w.task, market.StatusNew)
	if err := w.s.LinkFunding(t.Context(), w.task.ID, market.Posting{TxHash: bare.Hash}); err != nil {
		t.Fatalf("LinkFunding() = %v", err)
	}
	wantStatus(t, w.s, w.task, market.StatusFunded)
}

// A request that locks the cursor later must not overtake a waiting watcher. Otherwise a stream of
// requests could starve the watcher.
func TestLinkFundingDoesNotStarveTheWatcher(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := storetest.Task(t, w.s, w.agent)
	db := storetest.DB(t, w.s)
	tx, err := db.Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(`SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE`, w.task.ID); err != nil {
		t.Fatal(err)
	}
	claim := func(id uuid.UUID) error { return w.s.LinkFunding(t.Context(), id, market.Posting{TxHash: newHash()}) }
	var group errgroup.Group
	for i, act := range []func() error{
		func() error { return claim(w.task.ID) },
		func() error { _, err := w.s.Lead(t.Context(), "watcher", time.Minute); return err },
		func() error { return claim(other.ID) },
	} {
		group.Go(act)
		awaitBlocked(t, db, i+1)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// awaitBlocked waits until at least the given number of statements are waiting for locks.
func awaitBlocked(t *testing.T, db *sqlx.DB, want int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var got int
		err := db.Get(&got, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
		if got >= want {
			return
		}
	}
	t.Fatalf("timed out waiting for %d blocked statements", want)
}

func TestHumanSignsInLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wallet := newWallet()
	w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, storetest.Of(w.task), wallet),
		storetest.Accept(t, storetest.Of(w.task), wallet))
	if got := wantStatus(t, w.s, w.task, market.StatusActive); got.HumanID != nil || got.Escrow.Human != wallet {
		t.Errorf("assigned to %v with wallet %s, want no account with wallet %s", got.HumanID, got.Escrow.Human, wallet)
	}
	human := ok(w.s.SignIn(t.Context(), loginChallenge(t, w.s, wallet), newcomer(wallet), newSession()))
	if got := wantStatus(t, w.s, w.task, market.StatusActive); got.HumanID == nil || *got.HumanID != human.ID {
		t.Errorf("assigned to %v, want %s", got.HumanID, human.ID)
	}
	made := wantApplication(t, w.s, w.task, human, market.ApplicationAccepted)
	if made.Message != "" || made.ID.Version() != 7 {
		t.Errorf("made application %s with message %q, want a version 7 id and no message", made.ID, made.Message)
	}
	want := map[string]int{"stake_locked pending": 1, "application_accepted pending": 1}
	for _, item := range kindsAndStatuses(t, w, human.ID) {
		want[item]--
	}
	for item, missing := range want {
		if missing != 0 {
			t.Errorf("the human's feed misses %d × %q", missing, item)
		}
	}
}

func TestSecondStakeOfOneHuman(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	application := storetest.Application(t, w.s, w.task, w.human)
	of := storetest.Of(w.task)
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	w.chain.Mine(t, storetest.Stake(t, of, w.human.Wallet))
	w.chain.Mine(t, storetest.Withdraw(t, of, w.human.Wallet))
	if got := wantApplication(t, w.s, w.task, w.human, market.ApplicationWithdrawn); got.ID != application.ID {
		t.Errorf("withdrawn application = %s, want %s", got.ID, application.ID)
	}
	// The human applies and stakes again. Then a reorganisation drops the log that ended the first
	// stake.
	again := storetest.Application(t, w.s, w.task, w.human)
	w.chain.Mine(t, storetest.Stake(t, of, w.human.Wallet))
	if got := wantApplication(t, w.s, w.task, w.human, market.ApplicationPending); got.ID != again.ID {
		t.Errorf("pending application = %s, want %s", got.ID, again.ID)
	}
	w.chain.Rewind(t, 2)
	first := ok(w.s.Application(t.Context(), w.task.ID, application.ID))
	second := ok(w.s.Application(t.Context(), w.task.ID, again.ID))
	if first.Status != market.ApplicationPending || second.Status != market.ApplicationReleased {
		t.Errorf("after the reorganisation %s and %s, want pending and released", first.Status, second.Status)
	}
}

func TestStatusesFollowChainTimeBothWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, deadline(9*24*time.Hour))
	of := storetest.Of(w.task)
	w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, of, w.human.Wallet))
	w.chain.Wait(t, market.StakeLifetime)
	wantApplication(t, w.s, w.task, w.human, market.ApplicationExpired)
	w.chain.Wait(t, 3*24*time.Hour)
	wantStatus(t, w.s, w.task, market.StatusExpired)
	w.chain.Rewind(t, 1)
	wantStatus(t, w.s, w.task, market.StatusFunded)
	wantApplication(t, w.s, w.task, w.human, market.ApplicationExpired)
	w.chain.Rewind(t, 1)
	wantApplication(t, w.s, w.task, w.human, market.ApplicationPending)

	w.chain.Mine(t, storetest.Accept(t, of, w.human.Wallet), storetest.Submit(t, of, newHash()))
	wantStatus(t, w.s, w.task, market.StatusSubmitted)
	w.chain.Wait(t, market.DisputeWindow-2*storetest.BlockTime)
	wantStatus(t, w.s, w.task, market.StatusSubmitted)
	w.chain.Mine(t)
	wantStatus(t, w.s, w.task, market.StatusValidating)
	w.chain.Rewind(t, 1)
	wantStatus(t, w.s, w.task, market.StatusSubmitted)
}
