package fold_test

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
			h := storetest.NewHistory(t, seed)
			for range 90 {
				h.Happen(t)
			}
			storetest.WantCounted(t, h.Store)
			replayed := storetest.Copy(t, h.Store)
			if err := replayed.Journal.Reset(t.Context(), 0); err != nil {
				t.Fatalf("Reset() error = %v", err)
			}
			wantNothingDerived(t, replayed)
			storetest.WantCounted(t, replayed)
			storetest.Execute(t, replayed, `DELETE FROM activities WHERE block_hash IS NOT NULL`)
			h.Chain.Feed(t, replayed, 1+h.Random.IntN(40))
			storetest.WantSameRows(t, h.Store, replayed)
			storetest.WantCounted(t, replayed)
			h.Collect(t, &met)
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
