//go:build operations

package e2e_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/store/localpg"
	"taskmarket/store/storetest"
	"taskmarket/test/seeds"
	"taskmarket/test/tmpfs"
)

const (
	historiesEnv     = "TASKMARKET_TEST_HISTORIES" // number of seeds
	historyEnv       = "TASKMARKET_TEST_HISTORY"   // the only seed to play
	resumeEnv        = "TASKMARKET_TEST_RESUME"    // file with the seeds that passed, which are not played again
	defaultHistories = 100

	historyTimeout = 4 * time.Minute
	// minimiseTime limits the time for removing steps: each attempt can take up to historyTimeout.
	minimiseTime = 10 * time.Minute
	// clusterDisk is the size of each cluster's disk, in bytes. A new cluster needs a third of it.
	clusterDisk = 256 << 20
	// writerRest is the pause of a writer between two writes.
	writerRest = 20 * time.Millisecond
)

// clusterSettings keep the write-ahead log smaller than the disk.
var clusterSettings = []string{"wal_level=replica", "wal_keep_size=48MB", "min_wal_size=32MB", "max_wal_size=64MB"}

// TestOperationsHistories plays random histories on real processes: hires and other writes, while
// servers are killed and suspended, PostgreSQL fails over, its disk fills up, nodes answer wrongly and
// the chain reorganises.
func TestOperationsHistories(t *testing.T) {
	c := seeds.Campaign{
		Failing: filepath.Join("testdata", "histories.txt"), Passing: os.Getenv(resumeEnv), Workers: 1,
		Play: func(seed uint64) (map[string]int, error) { return playSeed(t, seed) },
	}
	if only := os.Getenv(historyEnv); only != "" {
		if _, err := playSeed(t, seeds.Number(t, only)); err != nil {
			t.Error(err)
		}
		return
	}
	c.Run(t, seeds.Count(t, historiesEnv, defaultHistories))
	for _, kind := range slices.Sorted(maps.Keys(c.Seen)) {
		t.Logf("%4d %s", c.Seen[kind], kind)
	}
	for _, kind := range kinds {
		if c.Played >= defaultHistories && c.Seen[kind] == 0 {
			t.Errorf("none of %d histories has the fault %q", c.Played, kind)
		}
	}
}

// playSeed plays the history of a seed, and minimises it if it fails.
func playSeed(t *testing.T, seed uint64) (seen map[string]int, failure error) {
	t.Helper()
	steps, plays := drawSteps(seed), 0
	play := func(steps []step) *history {
		plays++
		return playHistory(t, fmt.Sprintf("seed %d play %d", seed, plays), seed, steps)
	}
	h := play(steps)
	if h.failed == "" {
		return h.seen, nil
	}
	end := time.Now().Add(minimiseTime)
	fewest := seeds.Minimise(steps, func(fewer []step) bool { return time.Now().Before(end) && play(fewer).failed == h.failed })
	return h.seen, fmt.Errorf("%s\nthe log of the first play shows the cause; the fewest steps that fail in the same way:\n%s", h.failed, seeds.List("e2e_test", fewest))
}

// step is a fault in a history.
type step struct {
	Kind  string
	After time.Duration // since the previous step
	For   time.Duration // until the fault ends
	Pick  uint32        // selects one of the possible variants
}

// drawSteps returns the steps of a seed.
func drawSteps(seed uint64) (steps []step) {
	random := rand.New(rand.NewPCG(seed, 1))
	for range 2 + random.IntN(5) {
		steps = append(steps, step{
			Kind:  kinds[random.IntN(len(kinds))],
			After: time.Duration(random.IntN(1500)) * time.Millisecond,
			For:   time.Duration(200+random.IntN(2800)) * time.Millisecond,
			Pick:  random.Uint32(),
		})
	}
	return steps
}

// history is the state of a history that is played.
type history struct {
	*world
	pair  pair
	dirs  [2]string // disks of the clusters: first that of the original primary
	nodes []*chaintest.Proxy
	tasks []hired
	// failed is the invariant that is being checked. It is empty after a history without failures.
	failed string

	mu       sync.Mutex // guards the fields below
	seen     map[string]int
	promoted bool // whether the standby has become the primary
	busy     map[*replica]bool
	errs     []error // of faults that could not be caused or ended
}

// playHistory runs a subtest, whose name must be unique because it is part of the servers' paths. It
// makes the hires that the seed determines until all steps are over, and checks the invariants at the
// end.
func playHistory(t *testing.T, name string, seed uint64, steps []step) *history {
	t.Helper()
	h := &history{failed: "the hires continue", seen: make(map[string]int), busy: make(map[*replica]bool)}
	t.Run(name, func(t *testing.T) {
		t.Logf("steps:\n%s", seeds.List("e2e_test", steps))
		h.start(t)
		defer h.printLogs()
		clients, endStream := h.startWriters(writerRest), h.followEvents(h.server.api())
		faulty := make(chan struct{})
		go func() { defer close(faulty); h.inflict(steps) }()
		random := rand.New(rand.NewPCG(seed, 2))
		for over := false; !over; {
			h.hire(outcomes[random.IntN(len(outcomes))])
			select {
			case <-faulty:
				over = true
			default:
			}
		}
		h.verify(clients, endStream)
		t.Log(h.seen)
	})
	return h
}

// start starts PostgreSQL on small disks, the chain and two servers.
func (h *history) start(t *testing.T) {
	t.Helper()
	h.dirs = [2]string{tmpfs.NewOpen(t, clusterDisk), tmpfs.NewOpen(t, clusterDisk)}
	h.pair = newPairIn(t, h.dirs[0], h.dirs[1], true, clusterSettings...)
	h.world = newWorldOn(t, historyTimeout, h.pair.site())
	for range 2 {
		h.nodes = append(h.nodes, chaintest.NewProxy(t, h.net.Dev.URL()))
	}
	h.rpcURL = h.nodes[0].URL + "," + h.nodes[1].URL
	h.must(h.server.stop())
	h.must(h.server.start(h.ctx))
	h.newReplica()
	h.human()
	for _, wallet := range h.net.Validators[:2] {
		h.person(wallet)
	}
}

// checking starts the check of an invariant. It ends the test if an earlier one does not hold.
func (h *history) checking(what string) {
	h.t.Helper()
	if h.t.Failed() {
		h.t.FailNow()
	}
	h.failed = what
}

// printLogs prints the end of all logs if the history failed.
func (h *history) printLogs() {
	h.t.Helper()
	if !h.t.Failed() {
		return
	}
	for _, r := range h.replicas {
		h.t.Logf("end of the server's log: %s", r.proc.LogTail())
	}
	for _, dir := range h.dirs {
		raw, _ := os.ReadFile(filepath.Join(dir, "postgres.log"))
		h.t.Logf("end of PostgreSQL's log: %s", raw[max(0, len(raw)-4096):])
	}
}

// primary returns the cluster that accepts writes.
func (h *history) primary() *localpg.Cluster {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.promoted {
		return h.pair.standby
	}
	return h.pair.primary
}

// primaryDir returns the disk of the cluster that accepts writes.
func (h *history) primaryDir() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.promoted {
		return h.dirs[1]
	}
	return h.dirs[0]
}

// openRecords makes the checks read from the primary.
func (h *history) openRecords() {
	h.t.Helper()
	h.records = storetest.Open(h.t, h.primary().URL(databaseName))
}
