// Command bench compares the service with lower bounds, in one run on one machine: the HTTP API
// with the SQL that it needs, the watcher with the node's responses to eth_getLogs, and the
// contracts' gas with the minimum that each flow could cost.
//
// It starts its own PostgreSQL and chain. It prints a table, and writes bench.json with every round
// at the module's root. It exits with 1 when a goal is missed by more than 15 %. BENCH_FULL=1
// measures at full size, which takes much longer. BENCH_ONLY=watcher measures only the watcher.
// BENCH_PROFILE=FOLDER only profiles the endpoints, and writes the profiles to that folder.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"taskmarket/test/bench/measure"
	"taskmarket/test/process"
)

// The constant seed makes every run send the same requests for the same data.
const seed = 20261101

// errMissed is returned if a goal was missed. The printed table shows the details.
var errMissed = errors.New("a goal was missed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := bench
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case serveArgument:
			run = serve
		case bareArgument:
			run = serveBare
		}
	}
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called, and nothing else is deferred
	}
}

// bench measures everything and writes the results.
func bench(ctx context.Context, out io.Writer) error {
	size, started := sizeOf(os.Getenv("BENCH_FULL") == "1"), time.Now()
	if folder := os.Getenv("BENCH_PROFILE"); folder != "" {
		return profiled(ctx, size, folder, out)
	}
	rows, err := printed(ctx, size, out)
	if err != nil {
		return err
	}
	if err := writeReport(size, started, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if row.Verdict == measure.Fail {
			return errMissed
		}
	}
	return nil
}

// printed measures everything and prints the table.
func printed(ctx context.Context, size size, out io.Writer) ([]measure.Row, error) {
	rows, err := measured(ctx, size, out)
	if err != nil {
		return nil, err
	}
	gas, err := gasRows()
	if err != nil {
		return nil, err
	}
	rows = append(rows, gas...)
	fmt.Fprintln(out)
	return rows, measure.WriteTable(out, rows)
}

// measured starts the environment, measures in it, and stops it.
func measured(ctx context.Context, size size, out io.Writer) (rows []measure.Row, err error) {
	say := printer(out)
	say("starting PostgreSQL and a chain")
	w, err := newWorld(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	say("posting %d tasks on the chain", size.postings)
	catchUp, err := newCatchUp(ctx, w, size)
	if err != nil {
		return nil, err
	}
	if os.Getenv("BENCH_ONLY") == "watcher" {
		say("measuring the watcher in %d rounds", size.rounds)
		return measure.Run(ctx, []measure.Target{catchUp.target()}, size.rounds, rand.New(rand.NewPCG(seed, 0)))
	}
	say("recording %d agents and %d tasks", size.agents, size.tasks)
	service, err := newService(ctx, w, size, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	say("measuring in %d rounds", size.rounds)
	targets := append(service.targets(size), catchUp.target())
	rows, err = measure.Run(ctx, targets, size.rounds, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return nil, err
	}
	memory, err := service.memory()
	return append(rows, memory), err
}

// profiled starts the environment, profiles the endpoints in it, and stops it.
func profiled(ctx context.Context, size size, folder string, out io.Writer) (err error) {
	w, err := newWorld(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	service, err := newService(ctx, w, size, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	return service.profile(ctx, folder, out)
}

func printer(out io.Writer) func(format string, args ...any) {
	began := time.Now()
	return func(format string, args ...any) {
		fmt.Fprintf(out, "%4.0f s  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
}

func writeReport(size size, started time.Time, rows []measure.Row) error {
	root, err := process.ModuleRoot()
	if err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(root, "bench.json"))
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	err = measure.WriteJSON(file, measure.Report{
		Started: started.UTC().Format(time.RFC3339), CPUs: runtime.NumCPU(), Go: runtime.Version(),
		Full: size.full, Rounds: size.rounds, Rows: rows,
	})
	return errors.Join(err, file.Close())
}
