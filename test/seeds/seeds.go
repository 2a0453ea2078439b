// Package seeds plays random histories from seeds. Seeds that fail are kept in a file and played
// first by later runs, and a history that fails is reduced to the fewest steps that still fail.
package seeds

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// maxFailures is the number of failures after which no more seeds are played.
const maxFailures = 10

// Campaign plays the histories of many seeds.
type Campaign struct {
	Failing string // file with the seeds that failed in earlier runs
	Passing string // file with the seeds that passed, which are not played again; none if empty
	Workers int    // number of histories at the same time

	// Play plays a history and returns how often each kind of event happened in it.
	Play func(seed uint64) (seen map[string]int, failure error)

	Played int
	Seen   map[string]int // in all histories

	mu       sync.Mutex
	failed   []uint64 // in this run or an earlier one
	failures int
}

// Run plays the seeds that failed in earlier runs, then those below count.
func (c *Campaign) Run(t *testing.T, count int) {
	t.Helper()
	c.Seen, c.failed = make(map[string]int), read(t, c.Failing)
	passed := make(map[uint64]bool)
	if c.Passing != "" {
		for _, seed := range read(t, c.Passing) {
			passed[seed] = true
		}
	}
	all := slices.Clone(c.failed)
	for seed := range uint64(count) {
		if !slices.Contains(c.failed, seed) {
			all = append(all, seed)
		}
	}
	next, began := make(chan uint64), time.Now()
	var group sync.WaitGroup
	for range c.Workers {
		group.Go(func() {
			for seed := range next {
				seen, failure := c.Play(seed)
				c.add(t, seed, seen, failure)
			}
		})
	}
	for _, seed := range all {
		if !passed[seed] && !c.full() {
			next <- seed
		}
	}
	close(next)
	group.Wait()
	t.Logf("%d seeds, %s each", c.Played, time.Since(began)/time.Duration(max(1, c.Played)))
}

func (c *Campaign) full() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures >= maxFailures
}

// add stores the result of a seed. A seed that fails is kept for later runs.
func (c *Campaign) add(t *testing.T, seed uint64, seen map[string]int, failure error) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Played++
	for what, times := range seen {
		c.Seen[what] += times
	}
	switch {
	case failure != nil:
		t.Errorf("seed %d: %v", seed, failure)
		c.failures++
		if !slices.Contains(c.failed, seed) {
			c.failed = append(c.failed, seed)
			reason, _, _ := strings.Cut(failure.Error(), "\n")
			keep(t, c.Failing, seed, " # "+reason)
		}
	case c.Passing != "":
		keep(t, c.Passing, seed, "")
	}
	if c.Played%500 == 0 {
		t.Logf("%d seeds, %d failures", c.Played, c.failures)
	}
}

// read returns the seeds in a file: one on each line, before a comment that begins with #.
func read(t *testing.T, name string) []uint64 {
	t.Helper()
	text, err := os.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		must(t, err)
	}
	var found []uint64
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		seed, _, _ := strings.Cut(lines.Text(), "#")
		if seed = strings.TrimSpace(seed); seed != "" {
			found = append(found, Number(t, seed))
		}
	}
	return found
}

// Number parses a seed or a number of seeds.
func Number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	must(t, err)
	return n
}

// Count returns the number of seeds that an environment variable sets, or the default.
func Count(t *testing.T, variable string, standard int) int {
	t.Helper()
	if text := os.Getenv(variable); text != "" {
		return int(Number(t, text))
	}
	return standard
}

// keep adds a line to a file of seeds.
func keep(t *testing.T, name string, seed uint64, comment string) {
	t.Helper()
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = fmt.Fprintln(file, strings.TrimSpace(fmt.Sprint(seed, comment)))
	must(t, errors.Join(err, file.Close()))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
