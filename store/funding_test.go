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
		"another agent":     func(task *market.Task) { task.AgentWallet = storetest.NewWallet() },
		"one wei less":      func(task *market.Task) { task.Amount = new(big.Int).Sub(task.Amount, big.NewInt(1)) },
		"another fee":       func(task *market.Task) { task.FeeBasisPoints++ },
		"other terms":       func(task *market.Task) { task.TermsHash = storetest.NewHash() },
		"a zero terms hash": func(task *market.Task) { task.TermsHash = common.Hash{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			posted := w.Task
			change(&posted)
			w.Chain.Mine(t, storetest.Post(t, posted, false))
			storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
			w.Chain.Mine(t, storetest.Post(t, w.Task, false))
			if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow.ID; got != 2 {
				t.Errorf("linked to escrow task %d, want 2", got)
			}
		})
	}
}

func TestSecondPostingStaysUnlinkedUntilTheFirstIsDropped(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	first, second := storetest.Post(t, w.Task, false), storetest.Post(t, w.Task, false)
	w.Chain.Mine(t, first)
	w.Chain.Mine(t, second)
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow; got.ID != 1 || got.Posted.TxHash != first.Hash {
		t.Errorf("linked to escrow task %d of %s, want 1 of %s", got.ID, got.Posted.TxHash, first.Hash)
	}
	w.Chain.Rewind(t, 2)
	w.Chain.Mine(t, second, first)
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow; got.ID != 1 || got.Posted.TxHash != second.Hash {
		t.Errorf("linked to escrow task %d of %s, want 1 of %s", got.ID, got.Posted.TxHash, second.Hash)
	}
}

func TestLinkFunding(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	other := storetest.Task(t, w.Store, w.Agent)
	bare := storetest.Post(t, w.Task, true)
	// Create a transaction with two postings. The task is linked to the second one.
	both := storetest.Tx{Hash: bare.Hash, Run: func(s *storetest.State) []storetest.Emission {
		emitted := bare.Run(s)
		twin := emitted[0]
		twin.Event.TaskID++
		return append(emitted, twin)
	}}
	claim := market.Posting{TxHash: bare.Hash, Ordinal: 1}
	storetest.WantKind(t, "a posting for an unknown task", w.Store.LinkFunding(t.Context(), storetest.NewID(), claim), market.KindNotFound)
	if err := w.Store.LinkFunding(t.Context(), w.Task.ID, claim); err != nil {
		t.Fatalf("LinkFunding() before the posting is followed = %v", err)
	}
	storetest.WantKind(t, "a posting linked to another task", w.Store.LinkFunding(t.Context(), other.ID, claim), market.KindTxAlreadyUsed)

	w.Chain.Mine(t, both)
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow.ID; got != 2 {
		t.Errorf("linked to escrow task %d, want 2", got)
	}
	storetest.WantStatus(t, w.Store, other, market.StatusNew)
	if err := w.Store.LinkFunding(t.Context(), w.Task.ID, claim); err != nil {
		t.Errorf("LinkFunding() again = %v", err)
	}
	storetest.WantKind(t, "another posting for a funded task",
		w.Store.LinkFunding(t.Context(), w.Task.ID, market.Posting{TxHash: storetest.NewHash()}), market.KindWrongStatus)

	w.Chain.Rewind(t, 1)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	w.Chain.Mine(t, storetest.Post(t, other, false), both)
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow.ID; got != 3 {
		t.Errorf("after the reorganisation linked to escrow task %d, want 3", got)
	}
	if err := w.Store.LinkFunding(t.Context(), w.Task.ID, claim); err != nil {
		t.Errorf("LinkFunding() after the reorganisation = %v", err)
	}
}

func TestLinkFundingOfAFollowedPosting(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	bare := storetest.Post(t, w.Task, true)
	w.Chain.Mine(t, bare)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	if err := w.Store.LinkFunding(t.Context(), w.Task.ID, market.Posting{TxHash: bare.Hash}); err != nil {
		t.Fatalf("LinkFunding() = %v", err)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
}

// A request that locks the cursor later must not overtake a waiting watcher. Otherwise a stream of
// requests could starve the watcher.
func TestLinkFundingDoesNotStarveTheWatcher(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	other := storetest.Task(t, w.Store, w.Agent)
	db := storetest.DB(t, w.Store)
	tx, err := db.Beginx()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.Exec(`SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE`, w.Task.ID); err != nil {
		t.Fatal(err)
	}
	claim := func(id uuid.UUID) error {
		return w.Store.LinkFunding(t.Context(), id, market.Posting{TxHash: storetest.NewHash()})
	}
	var group errgroup.Group
	for i, act := range []func() error{
		func() error { return claim(w.Task.ID) },
		func() error { _, err := w.Store.Journal.Lead(t.Context(), "watcher", time.Minute); return err },
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
	w := storetest.NewWorld(t)
	wallet := storetest.NewWallet()
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, storetest.Of(w.Task), wallet),
		storetest.Accept(t, storetest.Of(w.Task), wallet))
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusActive); got.HumanID != nil || got.Escrow.Human != wallet {
		t.Errorf("assigned to %v with wallet %s, want no account with wallet %s", got.HumanID, got.Escrow.Human, wallet)
	}
	human := storetest.Must(w.Store.SignIn(t.Context(), storetest.NewLogin(t, w.Store, wallet), storetest.Newcomer(wallet), storetest.NewSession()))
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusActive); got.HumanID == nil || *got.HumanID != human.ID {
		t.Errorf("assigned to %v, want %s", got.HumanID, human.ID)
	}
	made := storetest.WantApplication(t, w.Store, w.Task, human, market.ApplicationAccepted)
	if made.Message != "" || made.ID.Version() != 7 {
		t.Errorf("made application %s with message %q, want a version 7 id and no message", made.ID, made.Message)
	}
	want := map[string]int{"stake_locked pending": 1, "application_accepted pending": 1}
	for _, item := range storetest.KindsAndStatuses(t, w, human.ID) {
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
	w := storetest.NewWorld(t)
	application := storetest.Application(t, w.Store, w.Task, w.Human)
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
	w.Chain.Mine(t, storetest.Withdraw(t, of, w.Human.Wallet))
	if got := storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationWithdrawn); got.ID != application.ID {
		t.Errorf("withdrawn application = %s, want %s", got.ID, application.ID)
	}
	// The human applies and stakes again. Then a reorganisation drops the log that ended the first
	// stake.
	again := storetest.Application(t, w.Store, w.Task, w.Human)
	w.Chain.Mine(t, storetest.Stake(t, of, w.Human.Wallet))
	if got := storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationPending); got.ID != again.ID {
		t.Errorf("pending application = %s, want %s", got.ID, again.ID)
	}
	w.Chain.Rewind(t, 2)
	first := storetest.Must(w.Store.Application(t.Context(), w.Task.ID, application.ID))
	second := storetest.Must(w.Store.Application(t.Context(), w.Task.ID, again.ID))
	if first.Status != market.ApplicationPending || second.Status != market.ApplicationReleased {
		t.Errorf("after the reorganisation %s and %s, want pending and released", first.Status, second.Status)
	}
}

func TestStatusesFollowChainTimeBothWays(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t, storetest.WithDeadline(9*24*time.Hour))
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet))
	w.Chain.Wait(t, market.StakeLifetime)
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationExpired)
	w.Chain.Wait(t, 3*24*time.Hour)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusExpired)
	w.Chain.Rewind(t, 1)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationExpired)
	w.Chain.Rewind(t, 1)
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationPending)

	w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, storetest.NewHash()))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusSubmitted)
	w.Chain.Wait(t, market.DisputeWindow-2*storetest.BlockTime)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusSubmitted)
	w.Chain.Mine(t)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusValidating)
	w.Chain.Rewind(t, 1)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusSubmitted)
}
