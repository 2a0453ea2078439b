// Command faults is an exercise for operators. It starts a marketplace with real processes, injects
// a fault, and prints what the operator can use: the alert, the server's files and controls, and the
// runbook. It ends with exit code 0 when the operator has resolved the fault, and with 1 after half
// an hour. After the fault is resolved, the server and its files remain until Enter is pressed, for 30
// seconds at most, or for 10 seconds without a terminal.
//
//	go run ./test/faults stuck-transaction|empty-keeper|dishonest-node|full-queue|stopped-watcher
//
// The alerts are those of deploy/prometheus, evaluated by promtool on the server's metrics. A scrape
// every three seconds stands for a minute, and jobs are made older, so that the operator is called
// within minutes.
package main

import (
	"bufio"
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

	"golang.org/x/term"

	"taskmarket/test/process"
)

const (
	exercise = 30 * time.Minute // the time that the operator has

	// The time for which the server and its files remain after the fault is resolved.
	terminalRest = 30 * time.Second // on a terminal, where Enter ends the wait
	otherRest    = 10 * time.Second

	statusTime = time.Minute // limits the time of `taskmarketd status`
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var terminal io.Reader // nil if the input is not a terminal
	if term.IsTerminal(int(os.Stdin.Fd())) {
		terminal = os.Stdin
	}
	err := run(ctx, os.Args[1:], terminal, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, terminal io.Reader, out io.Writer) error {
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
		if err := w.awaitResolved(f, out); err != nil {
			return err
		}
		if err := w.printEnd(f.alert, out); err != nil {
			return err
		}
		linger(w.ctx, terminal, out)
		return nil
	})
}

// alarm waits for the alert, and prints it with what the operator can use.
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
		{"runbook", runbook(root)},
		{"environment", w.server.env() + ": load it with `. FILE`, also for taskmarketd, psql and cast; change it there"},
		{"control", "touch " + w.server.path("RESTART") + ", " + w.server.path("STOP") + " or " + w.server.path("START") +
			"; the file disappears when the action is done"},
		{"log", w.server.log()},
		{"metrics", w.server.metricsURL()},
		{"health", "http://" + w.server.listen + "/api/v1/health"},
		{"another node", w.nodes[2].URL + ", of another company; a public explorer has the same data"},
		{"treasury", "account " + bank.Hex() + " with the private key " + w.key(treasuryAccount)},
		{"time", fmt.Sprintf("%.0f minutes from now: until %s", exercise.Minutes(), time.Now().Add(exercise).Format(time.TimeOnly))},
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
			return fmt.Errorf("the fault was not resolved within %s", exercise)
		}
	}
	_, err := fmt.Fprintf(out, "RESOLVED after %d s\n", int(time.Since(began).Seconds()))
	return err
}

// printEnd prints the condition under which the alert is over, from the runbook, and the server's status.
func (w *world) printEnd(alert string, out io.Writer) error {
	root, err := process.ModuleRoot()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(runbook(root))
	if err != nil {
		return fmt.Errorf("read the runbook: %w", err)
	}
	fmt.Fprintf(out, "%s is over %s\n", alert, end(string(text), alert))
	ctx, cancel := context.WithTimeout(w.ctx, statusTime)
	defer cancel()
	status, err := w.server.status(ctx)
	if err != nil {
		fmt.Fprintln(out, "taskmarketd status:", err)
	}
	_, err = out.Write(status)
	return err
}

func runbook(root string) string { return filepath.Join(root, "docs", "runbook.md") }

// end returns the condition under which an alert is over, from its section of the runbook; "" without one.
func end(text, section string) string {
	_, text, _ = strings.Cut(text, "\n### "+section+"\n")
	text, _, _ = strings.Cut(text, "\n#")
	_, text, _ = strings.Cut(text, "\n**Over** ")
	text, _, _ = strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(text), " ")
}

// linger keeps the server and its files for a while, so that the operator can still use them. On a
// terminal, Enter ends the wait; terminal is nil if there is none.
func linger(ctx context.Context, terminal io.Reader, out io.Writer) {
	const remain = "The server and its files remain for %s"
	entered, rest := make(chan struct{}), otherRest
	if terminal == nil {
		fmt.Fprintf(out, remain+".\n", rest)
	} else {
		rest = terminalRest
		fmt.Fprintf(out, remain+"; press Enter to end the exercise.\n", rest)
		go func() {
			_, _ = bufio.NewReader(terminal).ReadString('\n') // the end of the input ends the wait, too
			close(entered)
		}()
	}
	select {
	case <-ctx.Done():
	case <-entered:
	case <-time.After(rest):
	}
}
