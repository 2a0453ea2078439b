package store_test

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
			w := newWorld(t)
			for range 3 {
				w.chain.Mine(t)
			}
			before := map[string][]string{}
			for table, query := range derived() {
				before[table] = storetest.Rows(t, w.s, query)
			}
			post, stake := storetest.Post(t, w.task, false), storetest.Stake(t, storetest.Of(w.task), w.human.Wallet)
			accept := storetest.Accept(t, storetest.Of(w.task), w.human.Wallet)
			if depth == 1 {
				w.chain.Mine(t, post, stake, accept)
			} else {
				w.chain.Mine(t, post)
				w.chain.Mine(t, stake)
				w.chain.Mine(t, accept)
			}
			for range depth - 3 {
				w.chain.Mine(t)
			}
			wantStatus(t, w.s, w.task, market.StatusActive)

			w.chain.Rewind(t, depth)
			delete(before, "applications") // not compared: the row of the implicit application is not deleted
			for table, want := range before {
				if diff := cmp.Diff(want, storetest.Rows(t, w.s, derived()[table])); diff != "" {
					t.Errorf("%s (-before +rewound):\n%s", table, diff)
				}
			}
			wantApplication(t, w.s, w.task, w.human, market.ApplicationReleased)

			w.chain.Mine(t, post, stake, accept)
			wantStatus(t, w.s, w.task, market.StatusActive)
			wantApplication(t, w.s, w.task, w.human, market.ApplicationAccepted)
		})
	}
}

func TestRewindRejectsFinalizedBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	w.chain.Finalized = w.chain.Head().Number
	w.chain.Mine(t)
	from, err := w.s.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	below := ok(w.s.CanonicalBlock(t.Context(), w.chain.Finalized-1))
	if err := w.s.Rewind(t.Context(), from, below); !errors.Is(err, market.ErrFinalityViolated) {
		t.Errorf("Rewind() below finality = %v, want %v", err, market.ErrFinalityViolated)
	}
	wantStatus(t, w.s, w.task, market.StatusFunded)
	if err := w.s.Rewind(t.Context(), from, ok(w.s.CanonicalBlock(t.Context(), w.chain.Finalized))); err != nil {
		t.Errorf("Rewind() to the finalized block = %v, want nil", err)
	}
	if err := w.s.Reset(t.Context(), w.chain.Finalized); err != nil {
		t.Errorf("Reset() from the finalized block = %v, want nil", err)
	}
	wantStatus(t, w.s, w.task, market.StatusNew)
	if got := ok(w.s.Cursor(t.Context())); got.Block != below || got.Finalized != below.Number {
		t.Errorf("Cursor() after Reset() = %+v, want at block %d", got, below.Number)
	}
}

func TestReorganisationSwapsIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := storetest.Task(t, w.s, w.agent)
	first, second := storetest.Post(t, w.task, false), storetest.Post(t, other, false)
	// A stake refers to its task by the on-chain id, so it belongs to the other task after the ids are swapped.
	stake := storetest.Stake(t, storetest.Numbered(1), w.human.Wallet)
	w.chain.Mine(t, first, second, stake)
	wantApplication(t, w.s, w.task, w.human, market.ApplicationPending)

	w.chain.Rewind(t, 1)
	w.chain.Mine(t, second, first, stake)
	if got := wantStatus(t, w.s, w.task, market.StatusFunded).Escrow.ID; got != 2 {
		t.Errorf("the first task is linked to escrow task %d, want 2", got)
	}
	if got := wantStatus(t, w.s, other, market.StatusFunded).Escrow.ID; got != 1 {
		t.Errorf("the other task is linked to escrow task %d, want 1", got)
	}
	wantApplication(t, w.s, other, w.human, market.ApplicationPending)
	if _, err := w.s.ApplicationOf(t.Context(), w.task.ID, w.human.ID); market.KindOf(err) != market.KindNotFound {
		t.Errorf("the implicit application of the moved stake: error = %v, want %s", err, market.KindNotFound)
	}
}

func TestReorganisationBackToTheFirstFork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := storetest.Post(t, w.task, false)
	fork := w.chain.Fork
	block := w.chain.Mine(t, post)
	w.chain.Rewind(t, 1)
	w.chain.Mine(t)
	w.chain.Rewind(t, 1)
	w.chain.Fork = fork
	if again := w.chain.Mine(t, post); again != block {
		t.Fatalf("the first fork was mined again as block %s, want %s", again.Hash, block.Hash)
	}
	wantStatus(t, w.s, w.task, market.StatusFunded)
	want := []string{"event_reverted confirmed", "task_funded pending"}
	if diff := cmp.Diff(want, kindsAndStatuses(t, w, w.agent.ID)); diff != "" {
		t.Errorf("the agent's feed (-want +got):\n%s", diff)
	}
}

func TestResetFencesAndDropsBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lease := ok(w.s.Lead(t.Context(), "watcher", time.Minute))
	w.chain.Mine(t, storetest.Post(t, w.task, false))
	from := ok(w.s.Cursor(t.Context()))
	if err := w.s.Reset(t.Context(), 0); err != nil {
		t.Fatalf("Reset() error = %v", err)
	}
	after := ok(w.s.Cursor(t.Context()))
	if want := (market.Cursor{Epoch: lease.Epoch + 1}); after != want {
		t.Errorf("Cursor() after Reset() = %+v, want %+v", after, want)
	}
	if err := w.s.Advance(t.Context(), from, market.Step{Safe: 9}); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Advance() of the fenced watcher = %v, want %v", err, market.ErrNotLeader)
	}
	wantStatus(t, w.s, w.task, market.StatusNew)
	w.chain.Feed(t, w.s, 10)
	wantStatus(t, w.s, w.task, market.StatusFunded)
}
