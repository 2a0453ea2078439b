package journal_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

func TestRewindRestoresRows(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{1, 3, 32} {
		t.Run(fmt.Sprintf("depth %d", depth), func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			for range 3 {
				w.Chain.Mine(t)
			}
			before := map[string][]string{}
			for table, query := range storetest.DerivedWithFeeds() {
				before[table] = storetest.Rows(t, w.Store, query)
			}
			post, stake := storetest.Post(t, w.Task, false), storetest.Stake(t, storetest.Of(w.Task), w.Human.Wallet)
			accept := storetest.Accept(t, storetest.Of(w.Task), w.Human.Wallet)
			if depth == 1 {
				w.Chain.Mine(t, post, stake, accept)
			} else {
				w.Chain.Mine(t, post)
				w.Chain.Mine(t, stake)
				w.Chain.Mine(t, accept)
			}
			for range depth - 3 {
				w.Chain.Mine(t)
			}
			storetest.WantStatus(t, w.Store, w.Task, market.StatusActive)

			w.Chain.Rewind(t, depth)
			delete(before, "applications") // not compared: the row of the implicit application is not deleted
			for table, want := range before {
				if diff := cmp.Diff(want, storetest.Rows(t, w.Store, storetest.DerivedWithFeeds()[table])); diff != "" {
					t.Errorf("%s (-before +rewound):\n%s", table, diff)
				}
			}
			storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationReleased)

			w.Chain.Mine(t, post, stake, accept)
			storetest.WantStatus(t, w.Store, w.Task, market.StatusActive)
			storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationAccepted)
		})
	}
}

func TestRewindRejectsFinalizedBlocks(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	w.Chain.Finalized = w.Chain.Head().Number
	w.Chain.Mine(t)
	from, err := w.Store.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	below := storetest.Must(w.Store.Journal.CanonicalBlock(t.Context(), w.Chain.Finalized-1))
	if err := w.Store.Journal.Rewind(t.Context(), from, below); !errors.Is(err, market.ErrFinalityViolated) {
		t.Errorf("Rewind() below finality = %v, want %v", err, market.ErrFinalityViolated)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
	if err := w.Store.Journal.Rewind(t.Context(), from, storetest.Must(w.Store.Journal.CanonicalBlock(t.Context(), w.Chain.Finalized))); err != nil {
		t.Errorf("Rewind() to the finalized block = %v, want nil", err)
	}
	if err := w.Store.Journal.Reset(t.Context(), w.Chain.Finalized); err != nil {
		t.Errorf("Reset() from the finalized block = %v, want nil", err)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	if got := storetest.Must(w.Store.Journal.Cursor(t.Context())); got.Block != below || got.Finalized != below.Number {
		t.Errorf("Cursor() after Reset() = %+v, want at block %d", got, below.Number)
	}
}

func TestReorganisationSwapsIDs(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	other := storetest.Task(t, w.Store, w.Agent)
	first, second := storetest.Post(t, w.Task, false), storetest.Post(t, other, false)
	// A stake refers to its task by the on-chain id, so it belongs to the other task after the ids are swapped.
	stake := storetest.Stake(t, storetest.Numbered(1), w.Human.Wallet)
	w.Chain.Mine(t, first, second, stake)
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationPending)

	w.Chain.Rewind(t, 1)
	w.Chain.Mine(t, second, first, stake)
	if got := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded).Escrow.ID; got != 2 {
		t.Errorf("the first task is linked to escrow task %d, want 2", got)
	}
	if got := storetest.WantStatus(t, w.Store, other, market.StatusFunded).Escrow.ID; got != 1 {
		t.Errorf("the other task is linked to escrow task %d, want 1", got)
	}
	storetest.WantApplication(t, w.Store, other, w.Human, market.ApplicationPending)
	if _, err := w.Store.ApplicationOf(t.Context(), w.Task.ID, w.Human.ID); market.KindOf(err) != market.KindNotFound {
		t.Errorf("the implicit application of the moved stake: error = %v, want %s", err, market.KindNotFound)
	}
}

func TestReorganisationBackToTheFirstFork(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	post := storetest.Post(t, w.Task, false)
	fork := w.Chain.Fork
	block := w.Chain.Mine(t, post)
	w.Chain.Rewind(t, 1)
	w.Chain.Mine(t)
	w.Chain.Rewind(t, 1)
	w.Chain.Fork = fork
	if again := w.Chain.Mine(t, post); again != block {
		t.Fatalf("the first fork was mined again as block %s, want %s", again.Hash, block.Hash)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
	want := []string{"event_reverted confirmed", "task_funded pending"}
	if diff := cmp.Diff(want, storetest.KindsAndStatuses(t, w, w.Agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
}

func TestResetFencesAndDropsBlocks(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	lease := storetest.Must(w.Store.Journal.Lead(t.Context(), "watcher", time.Minute))
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	from := storetest.Must(w.Store.Journal.Cursor(t.Context()))
	if err := w.Store.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatalf("Reset() error = %v", err)
	}
	after := storetest.Must(w.Store.Journal.Cursor(t.Context()))
	if want := (market.Cursor{Epoch: lease.Epoch + 1}); after != want {
		t.Errorf("Cursor() after Reset() = %+v, want %+v", after, want)
	}
	if err := w.Store.Journal.Advance(t.Context(), from, market.Step{Safe: 9}); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Advance() of the fenced watcher = %v, want %v", err, market.ErrNotLeader)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	w.Chain.Feed(t, w.Store, 10)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
}
