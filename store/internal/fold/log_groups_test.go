package fold_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// postings returns a transaction that posts count tasks. None of them has a row in table tasks.
func postings(tb testing.TB, task market.Task, count int) storetest.Tx {
	tb.Helper()
	return storetest.Tx{Hash: storetest.Hash(tb), Run: func(s *storetest.State) []storetest.Emission {
		var emitted []storetest.Emission
		for i := range count {
			id := uint64(len(s.Tasks) + 1 + i)
			emitted = append(emitted, storetest.Emission{Address: task.EscrowAddress, Event: market.Event{
				Kind: market.EventTaskPosted, TaskID: id, Agent: task.AgentWallet, Amount: task.Amount, FeeBasisPoints: task.FeeBasisPoints,
			}}, storetest.Emission{Address: task.EscrowAddress, Event: market.Event{
				Kind: market.EventTaskTerms, TaskID: id, Hash: common.BigToHash(task.Amount),
			}})
		}
		return emitted
	}}
}

// When a later step folds a posting's task again without reading the whole transaction, the
// posting's ordinal within the transaction does not change.
func TestOrdinalsOfEarlierSteps(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	w.Chain.Mine(t, postings(t, w.Task, 3))
	ordinals := func() (ordinals []int) {
		err := storetest.DB(t, w.Store).Select(&ordinals, `SELECT posted_ordinal FROM onchain_tasks ORDER BY id`)
		if err != nil {
			t.Fatal(err)
		}
		return ordinals
	}
	first := ordinals()
	w.Chain.Mine(t, storetest.Cancel(t, storetest.Numbered(2)))
	if diff := cmp.Diff([]int{0, 1, 2}, first); diff != "" {
		t.Errorf("ordinals of one transaction (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, ordinals()); diff != "" {
		t.Errorf("ordinals after a later step (-before +after):\n%s", diff)
	}
}

// A step that fills a table updates the planner's statistics before the foreign keys are checked.
func TestManyRowsAreAnalyzed(t *testing.T) {
	t.Parallel()
	const count = 600
	w := storetest.NewWorld(t)
	w.Chain.Mine(t, postings(t, w.Task, count))
	var known float64
	if err := storetest.DB(t, w.Store).Get(&known, `SELECT reltuples FROM pg_class WHERE relname = 'onchain_tasks'`); err != nil {
		t.Fatal(err)
	}
	if known != count {
		t.Errorf("the planner knows of %v rows, want %d", known, count)
	}
}

// BenchmarkAdvance commits ranges of blocks that contain postings. Its events/s metric should not
// depend on the number of earlier postings.
func BenchmarkAdvance(b *testing.B) {
	const blocks, perBlock = 40, 25
	s := storetest.New(b)
	task := storetest.Task(b, s, storetest.Agent(b, s))
	chain := storetest.NewChain(b, s)
	events := 0
	for b.Loop() {
		b.StopTimer()
		chain.Store = nil
		for range blocks {
			chain.Mine(b, postings(b, task, perBlock))
		}
		b.StartTimer()
		chain.Feed(b, s, blocks)
		events += 2 * blocks * perBlock
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
