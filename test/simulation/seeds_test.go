package simulation_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"taskmarket/test/seeds"
)

const (
	defaultSeeds = 200
	seedsEnv     = "TASKMARKET_TEST_SEEDS"  // number of seeds
	seedEnv      = "TASKMARKET_TEST_SEED"   // the only seed to play
	resumeEnv    = "TASKMARKET_TEST_RESUME" // file with the seeds that passed, which are not played again
)

// longestMedian is the maximum median of the histories' processor times in the long run.
const longestMedian = 500 * time.Millisecond

// TestSeeds plays the histories of the seeds that failed in earlier runs, then those of the first seeds.
func TestSeeds(t *testing.T) {
	switch {
	case os.Getenv(workerEnv) != "":
		work(t)
		return
	case os.Getenv(seedEnv) != "":
		must(t, newBase(t).fulfil(t, order{Seed: seeds.Number(t, os.Getenv(seedEnv))}).err())
		return
	}
	var mu sync.Mutex
	var times []time.Duration
	c := seeds.Campaign{
		Failing: filepath.Join("testdata", "seeds.txt"), Passing: os.Getenv(resumeEnv), Workers: cap(workers()),
		Play: func(seed uint64) (map[string]int, error) {
			played, err := workers().play(order{Seed: seed})
			mu.Lock()
			defer mu.Unlock()
			times = append(times, played.Processor)
			return played.Seen, errors.Join(err, played.err())
		},
	}
	c.Run(t, seeds.Count(t, seedsEnv, defaultSeeds))
	mustHaveSeen(t, &c)
	if len(times) >= defaultSeeds {
		slices.Sort(times)
		median := times[len(times)/2]
		t.Logf("the median processor time of a history is %s", median)
		if os.Getenv(resumeEnv) != "" && median > longestMedian { // only in the long run, when nothing else runs on the machine
			t.Errorf("the median is above %s", longestMedian)
		}
	}
}

// mustHaveSeen fails the test if an action or effect never happened in many histories.
func mustHaveSeen(t *testing.T, c *seeds.Campaign) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(c.Seen)) {
		t.Logf("%6d %s", c.Seen[what], what)
	}
	wanted := []string{
		"fund", "apply", "accept", "reject", "withdraw", "submit", "approve", "dispute", "verdict", "cancel", "resign", "settle",
		"task approved", "task rejected", "task cancelled", "refused attempt",
	}
	for _, what := range append(wanted, effects()...) {
		if c.Played >= defaultSeeds && c.Seen[what] == 0 {
			t.Errorf("none of %d histories has the event %q", c.Played, what)
		}
	}
}

// TestSeedRepeatsHistory plays some seeds twice and compares the chains.
func TestSeedRepeatsHistory(t *testing.T) {
	for seed := range uint64(5) {
		first, err := workers().play(order{Seed: seed})
		must(t, errors.Join(err, first.err()))
		second, err := workers().play(order{Seed: seed})
		must(t, errors.Join(err, second.err()))
		if first.Last != second.Last {
			t.Errorf("seed %d: the digest of the chain is %s, and %s when it is played again", seed, first.Last, second.Last)
		}
	}
}
