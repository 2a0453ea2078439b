package simulation_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/test/invariant"
	"taskmarket/test/seeds"
)

// workerEnv makes TestSeeds play the histories that another process requests. A process plays one history
// at a time, because cryptotest sets the source of random numbers for the whole process.
const workerEnv = "TASKMARKET_TEST_WORKER"

// longest is the time limit for one history and its minimisation.
const longest = 15 * time.Minute

// order requests a history.
type order struct {
	Seed uint64
	Bug  string // the invariant that a seeded bug violates; none if empty
}

// report is the result of a history.
type report struct {
	Last      common.Hash    // digest of the chain
	Seen      map[string]int // how often each kind of event happened
	Processor time.Duration  // processor time of the history, without that of PostgreSQL
	Failure   string         // empty if all invariants hold
	Invariant string         // the violated invariant, if the failure is a violation
	Fewest    string         // the fewest steps that fail in the same way
}

// err returns the failure and the fewest steps that reproduce it, or nil if there is no failure.
func (r report) err() error {
	if r.Failure == "" {
		return nil
	}
	return fmt.Errorf("%s\nthe fewest steps that fail in the same way:\n%s", r.Failure, r.Fewest)
}

// work plays histories until standard input ends.
func work(t *testing.T) {
	t.Helper()
	b := newBase(t)
	orders := make(chan order)
	go func() {
		defer close(orders)
		for in := json.NewDecoder(os.Stdin); ; {
			var next order
			if in.Decode(&next) != nil {
				time.AfterFunc(time.Minute, func() { os.Exit(1) }) // ends a history that hangs
				return
			}
			orders <- next
		}
	}()
	out := json.NewEncoder(os.NewFile(3, "reports"))
	for next := range orders {
		must(t, out.Encode(b.fulfil(t, next)))
	}
}

// fulfil plays a history and minimises it if it fails without a seeded bug.
func (b *base) fulfil(t *testing.T, o order) report {
	t.Helper()
	steps := history(o.Seed)
	b.seen = make(map[string]int)
	began := processorTime(t)
	err := b.play(t, o.Seed, steps, bugs()[o.Bug])
	r := report{Last: b.last, Seen: maps.Clone(b.seen), Processor: processorTime(t) - began} // a copy: minimising also counts events
	if err == nil {
		return r
	}
	r.Failure = err.Error()
	if violated, ok := errors.AsType[*invariant.Error](err); ok {
		r.Invariant = violated.Invariant
	}
	if o.Bug == "" {
		r.Fewest = seeds.List("simulation_test", seeds.Minimise(steps, func(fewer []step) bool { return sameFailure(err, b.play(t, o.Seed, fewer, bug{})) }))
	}
	return r
}

// processorTime returns the processor time that this process has used.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// worker is a process that plays histories.
type worker struct {
	cmd     *exec.Cmd
	orders  io.WriteCloser
	reports *os.File
	output  bytes.Buffer
	in      *json.Encoder
	out     *json.Decoder
}

func startWorker() (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	reports, report, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer report.Close()
	// Histories use the processor without pauses, so without nice they would delay the tests of other
	// packages.
	w := &worker{cmd: exec.Command("nice", "-n", "19", program, "-test.run=^TestSeeds$"), reports: reports}
	// There is one process for each processor, and more threads would mostly wait for each other.
	w.cmd.Env = append(os.Environ(), workerEnv+"=1", "GOGC=400", "GOMAXPROCS=1")
	w.cmd.Stdout, w.cmd.Stderr, w.cmd.ExtraFiles = &w.output, &w.output, []*os.File{report}
	if w.orders, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	w.in, w.out = json.NewEncoder(w.orders), json.NewDecoder(reports)
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	return w, nil
}

// play requests a history and waits for its end.
func (w *worker) play(o order) (r report, err error) {
	late := time.AfterFunc(longest, func() { _ = w.cmd.Process.Signal(syscall.SIGQUIT) }) // prints the goroutines
	defer late.Stop()
	if err = w.in.Encode(o); err == nil {
		err = w.out.Decode(&r)
	}
	return r, err
}

// end ends the process and returns its output if it failed.
func (w *worker) end() error {
	_ = w.orders.Close()
	defer w.reports.Close()
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, w.output.Bytes())
	}
	return nil
}

// pool contains the workers that are idle: one for each processor, started when it is first needed.
type pool chan *worker

// workers is shared by the tests of this process.
var workers = sync.OnceValue(func() pool {
	p := make(pool, runtime.GOMAXPROCS(0))
	for range cap(p) {
		p <- nil
	}
	return p
})

// play plays a history in an idle worker. A worker that has ended is replaced when the next history is
// played.
func (p pool) play(o order) (r report, err error) {
	w := <-p
	defer func() { p <- w }()
	if w == nil {
		if w, err = startWorker(); err != nil {
			return report{}, err
		}
	}
	r, err = w.play(o)
	if err != nil {
		err = fmt.Errorf("the process ended: %w", errors.Join(err, w.end()))
		w = nil
	}
	return r, err
}

// close ends all workers, which must be idle.
func (p pool) close() error {
	var failed error
	for range cap(p) {
		if w := <-p; w != nil {
			failed = errors.Join(failed, w.end())
		}
	}
	return failed
}

// TestMain ends the workers after the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if err := workers().close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
