package store_test

import (
	"fmt"
	"sync"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// TestReplayProducesTheSameRows runs random histories with reorganisations. It compares the
// resulting rows with those in a copy that is completely reset and then replays the canonical
// blocks.
func TestReplayProducesTheSameRows(t *testing.T) {
	t.Parallel()
	var met sync.Map // statuses in which records of at least one history ended
	t.Cleanup(func() { wantMet(t, &met) })
	for seed := range uint64(12) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed)
			for range 90 {
				h.happen(t)
			}
			wantCounted(t, h.s)
			replayed := storetest.Copy(t, h.s)
			if err := replayed.Reset(t.Context(), 0); err != nil {
				t.Fatalf("Reset() error = %v", err)
			}
			wantNothingDerived(t, replayed)
			wantCounted(t, replayed)
			execute(t, replayed, `DELETE FROM activities WHERE block_hash IS NOT NULL`)
			h.chain.Feed(t, replayed, 1+h.random.IntN(40))
			wantSameRows(t, h.s, replayed)
			wantCounted(t, replayed)
			h.collect(t, &met)
		})
	}
}

// wantMet fails the test unless each status is the last status of a record in at least one history.
func wantMet(t *testing.T, met *sync.Map) {
	t.Helper()
	for _, status := range market.Statuses() {
		if _, ok := met.Load("task " + string(status)); !ok {
			t.Errorf("no history ended with a task that is %s", status)
		}
	}
	for _, status := range market.ApplicationStatuses() {
		if _, ok := met.Load("application " + string(status)); !ok {
			t.Errorf("no history ended with an application that is %s", status)
		}
	}
}

func wantNothingDerived(t *testing.T, s *store.Store) {
	t.Helper()
	var left int
	err := storetest.DB(t, s).Get(&left, `
		SELECT (SELECT count(*) FROM chain_logs WHERE canonical) + (SELECT count(*) FROM chain_blocks WHERE canonical)
		     + (SELECT count(*) FROM onchain_tasks) + (SELECT count(*) FROM onchain_applications)
		     + (SELECT count(*) FROM chain_parameters) + (SELECT count(*) FROM tasks WHERE status <> 'new')
		     + (SELECT count(*) FROM applications WHERE onchain_application_id IS NOT NULL)`)
	if err != nil || left != 0 {
		t.Errorf("%d derived rows remain after a reset, %v; want 0", left, err)
	}
}
