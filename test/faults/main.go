// Command faults is an exercise for operators. It starts a marketplace with real processes, injects
// a fault, and prints what an operator has: the alert, the server's files and controls, and the
// runbook. It ends with exit code 0 when the operator has resolved the fault, and with 1 after half
// an hour.
//
//	go run ./test/faults stuck-transaction|empty-keeper|dishonest-node|full-queue|stopped-watcher
//
// The alerts are those of deploy/prometheus, evaluated by promtool on the server's metrics. A scrape
// every three seconds stands for a minute, and jobs are made older, so that the operator is called
// within minutes.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"taskmarket/test/process"
)

// exercise is the time that the operator has.
const exercise = 30 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	names := slices.Sorted(maps.Keys(faults))
	if len(args) != 1 || !slices.Contains(names, args[0]) {
		return fmt.Errorf("name one fault: %s", strings.Join(names, ", "))
	}
	if err := checkPrograms(); err != nil {
		return err
	}
	f := faults[args[0]]
	return perform(ctx, func(s *stage) error { //nolint:contextcheck // the stage has the context
		w := newWorld(s)
		if f.prepare != nil {
			f.prepare(w)
		}
		w.start()
		if f.inject != nil {
			f.inject(w)
		}
		if err := w.alarm(f.alert, out); err != nil {
			return err
		}
		return w.awaitResolved(f, out)
	})
}

// alarm waits for the alert, and prints what the operator has.
func (w *world) alarm(alert string, out io.Writer) error {
	ctx, cancel := context.WithTimeout(w.ctx, wait)
	defer cancel()
	alerts, err := w.monitor.await(ctx, alert)
	if err != nil {
		return err
	}
	root, err := process.ModuleRoot()
	if err != nil {
		return err
	}
	for _, labels := range alerts {
		fmt.Fprintln(out, "ALERT", labels)
	}
	bank := w.net.Dev.Accounts()[treasuryAccount].Address
	for _, line := range [][2]string{
		{"runbook", filepath.Join(root, "docs", "runbook.md")},
		{"environment", w.server.env() + ": load it with `. FILE`, also for taskmarketd, psql and cast; change it there"},
		{"control", "touch " + w.server.path("RESTART") + ", " + w.server.path("STOP") + " or " + w.server.path("START")},
		{"log", w.server.log()},
		{"metrics", w.server.metricsURL()},
		{"health", "http://" + w.server.listen + "/api/v1/health"},
		{"another node", w.nodes[2].URL + ", of another company; a public explorer has the same data"},
		{"treasury", "account " + bank.Hex() + " with the private key " + w.key(treasuryAccount)},
	} {
		fmt.Fprintf(out, "%-13s%s\n", line[0], line[1])
	}
	return nil
}

// awaitResolved waits until the operator has resolved the fault, and the server is ready.
func (w *world) awaitResolved(f fault, out io.Writer) error {
	began := time.Now()
	for !f.resolved(w) || !w.server.ready(w.ctx) {
		select {
		case <-w.ctx.Done():
			return fmt.Errorf("wait for the operator: %w", w.ctx.Err())
		case <-time.After(pollPause):
		}
		if time.Since(began) > exercise {
			return fmt.Errorf("not resolved after %s", exercise)
		}
	}
	_, err := fmt.Fprintf(out, "RESOLVED after %d s\n", int(time.Since(began).Seconds()))
	return err
}
