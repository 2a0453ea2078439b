package simulation_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	defaultSeeds = 200
	seedsEnv     = "TASKMARKET_TEST_SEEDS"  // number of seeds
	seedEnv      = "TASKMARKET_TEST_SEED"   // the only seed to play
	resumeEnv    = "TASKMARKET_TEST_RESUME" // file with the seeds that passed, which are not played again
)

// mostFailures is the number of failures after which no more seeds are played.
const mostFailures = 10

// TestSeeds plays the histories of the seeds that failed once, then those of the first seeds.
func TestSeeds(t *testing.T) {
	switch {
	case os.Getenv(workerEnv) != "":
		work(t)
		return
	case os.Getenv(seedEnv) != "":
		must(t, newBase(t).fulfil(t, order{Seed: number(t, os.Getenv(seedEnv))}).err())
		return
	}
	count := defaultSeeds
	if text := os.Getenv(seedsEnv); text != "" {
		count = int(number(t, text))
	}
	r := record{failed: readSeeds(t, failedSeeds), seen: make(map[string]int), passing: os.Getenv(resumeEnv)}
	if r.passing != "" {
		r.passed = readSeeds(t, r.passing)
	}
	seeds := slices.Clone(r.failed)
	for seed := range uint64(count) {
		seeds = append(seeds, seed)
	}
	began := time.Now()
	r.playAll(t, seeds)
	r.mustHaveSeen(t)
	t.Logf("%d seeds, %s each", r.played, time.Since(began)/time.Duration(max(1, r.played)))
}

// failedSeeds is the file with the seeds that failed once.
var failedSeeds = filepath.Join("testdata", "seeds.txt")

// readSeeds returns the seeds in a file: one on each line, before a comment that begins with #.
func readSeeds(t *testing.T, name string) []uint64 {
	t.Helper()
	text, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		must(t, err)
	}
	var seeds []uint64
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		seed, _, _ := strings.Cut(lines.Text(), "#")
		if seed = strings.TrimSpace(seed); seed != "" {
			seeds = append(seeds, number(t, seed))
		}
	}
	return seeds
}

func number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	must(t, err)
	return n
}

// addSeed adds a line to a file of seeds.
func addSeed(t *testing.T, name string, seed uint64, comment string) {
	t.Helper()
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = fmt.Fprintln(file, strings.TrimSpace(fmt.Sprint(seed, comment)))
	must(t, errors.Join(err, file.Close()))
}

// record is the result of all histories.
type record struct {
	mu       sync.Mutex
	failed   []uint64 // at any time
	passed   []uint64 // in earlier runs
	passing  string   // file for the seeds that pass; none if empty
	played   int
	failures int
	seen     map[string]int
}

// playAll plays the seeds that have not passed, one in each worker.
func (r *record) playAll(t *testing.T, seeds []uint64) {
	t.Helper()
	passed := make(map[uint64]bool)
	for _, seed := range r.passed {
		passed[seed] = true
	}
	next := make(chan uint64)
	var group sync.WaitGroup
	for range cap(workers()) {
		group.Go(func() {
			for seed := range next {
				played, err := workers().play(order{Seed: seed})
				r.add(t, seed, played, errors.Join(err, played.err()))
			}
		})
	}
	for _, seed := range seeds {
		if !passed[seed] && !r.full() {
			next <- seed
		}
	}
	close(next)
	group.Wait()
}

func (r *record) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failures >= mostFailures
}

// add stores the result of a seed. A seed that fails is kept for later runs.
func (r *record) add(t *testing.T, seed uint64, played report, failure error) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.played++
	for what, times := range played.Seen {
		r.seen[what] += times
	}
	switch {
	case failure != nil:
		t.Errorf("seed %d: %v", seed, failure)
		r.failures++
		if !slices.Contains(r.failed, seed) {
			r.failed = append(r.failed, seed)
			reason, _, _ := strings.Cut(failure.Error(), "\n")
			addSeed(t, failedSeeds, seed, " # "+reason)
		}
	case r.passing != "":
		addSeed(t, r.passing, seed, "")
	}
	if r.played%500 == 0 {
		t.Logf("%d seeds, %d failures", r.played, r.failures)
	}
}

// mustHaveSeen fails if many histories do not contain what makes them worth playing.
func (r *record) mustHaveSeen(t *testing.T) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(r.seen)) {
		t.Logf("%6d %s", r.seen[what], what)
	}
	wanted := []string{
		"followed reorg", "fund", "apply", "accept", "reject", "withdraw", "submit", "approve", "dispute", "verdict", "cancel", "resign", "settle",
		"task approved", "task rejected", "task cancelled", "refused attempt", "paused step",
	}
	for _, what := range wanted {
		if r.played >= defaultSeeds && r.seen[what] == 0 {
			t.Errorf("%d histories have no %s", r.played, what)
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
			t.Errorf("seed %d has the chain %s, and again %s", seed, first.Last, second.Last)
		}
	}
}
