// Command bench compares the service with lower bounds, in one run on one machine: the HTTP API
// with the SQL that it needs, and the watcher with the node's responses to eth_getLogs.
//
// It starts its own PostgreSQL and chain, and prints a table. It exits with 1 when a goal is missed by
// more than 15 %. BENCH_FULL=1 measures at full size, which takes much longer.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"taskmarket/test/bench/measure"
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

// bench measures everything and prints the table.
func bench(ctx context.Context, out io.Writer) error {
	rows, err := printed(ctx, sizeOf(os.Getenv("BENCH_FULL") == "1"), out)
	if err != nil {
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
	say("recording %d agents and %d tasks", size.agents, size.tasks)
	service, err := newService(ctx, w, size)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	say("measuring in %d rounds", size.rounds)
	targets := append(service.targets(size.window), catchUp.target())
	rows, err = measure.Run(ctx, targets, size.rounds, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return nil, err
	}
	memory, err := service.memory()
	return append(rows, memory), err
}

func printer(out io.Writer) func(format string, args ...any) {
	began := time.Now()
	return func(format string, args ...any) {
		fmt.Fprintf(out, "%4.0f s  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
}
