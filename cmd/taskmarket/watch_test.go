package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// watching is a `taskmarket watch` that runs as a separate process.
type watching struct {
	t      testing.TB
	proc   *exec.Cmd
	lines  *bufio.Scanner
	stdout *os.File
	stderr bytes.Buffer
}

// watch starts the compiled program with `watch` and reads its stdout through a pipe.
func (u *user) watch(args ...string) *watching {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), testTimeout)
	u.t.Cleanup(cancel)
	read, write, err := os.Pipe()
	clitest.Must(u.t, err)
	u.t.Cleanup(func() { read.Close() })
	defer write.Close()
	w := &watching{t: u.t, stdout: read, lines: bufio.NewScanner(read)}
	w.proc = exec.CommandContext(ctx, sharedWorld(u.t).program, append([]string{"watch"}, args...)...)
	w.proc.Dir, w.proc.Env, w.proc.Stdout, w.proc.Stderr = u.dir, u.environ(), write, &w.stderr
	clitest.Must(u.t, w.proc.Start())
	return w
}

// next waits for the next line and returns its JSON members.
func (w *watching) next() map[string]string {
	w.t.Helper()
	if !w.lines.Scan() {
		w.t.Fatalf("the watch ended: %v %s", w.lines.Err(), w.stderr.String())
	}
	var members map[string]string
	clitest.Must(w.t, json.Unmarshal(w.lines.Bytes(), &members))
	return members
}

// ends fails the test unless the watch ends with exit code 0 and without output on stderr.
func (w *watching) ends() {
	w.t.Helper()
	if err := w.proc.Wait(); err != nil || w.stderr.String() != "" {
		w.t.Errorf("the watch ended with %v and printed %q", err, w.stderr.String())
	}
}

// hireable posts a task for which no automatic human applies.
func (a *agentUser) hireable() client.Task {
	a.t.Helper()
	task, err := a.lib.CreateTask(a.t.Context(), client.TaskRequest{Key: uuid.NewString(), Title: "Photograph the harbour", Description: "By daylight.", Amount: chaintest.Tokens(1)})
	clitest.Must(a.t, err)
	return task
}

func TestWatch(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	first := u.hireable()
	w := u.watch("--since", "beginning", "--enrich")
	var got []map[string]string
	for range 2 {
		got = append(got, w.next())
	}
	second := u.hireable()
	for range 2 {
		got = append(got, w.next())
	}
	var want []map[string]string
	for _, task := range []client.Task{first, second} {
		for _, name := range []string{"TaskPosted", "TaskTerms"} {
			want = append(want, map[string]string{
				"type": "task_event", "eventName": name, "escrowTaskId": *task.EscrowTaskID,
				"task_id": task.ID.String(), "tx_hash": *task.EscrowCreationTxHash,
			})
		}
	}
	for _, line := range got {
		delete(line, "blockNumber")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	u.run("watch").ended(cli.ExitFailed).wantStderr("another watch of these events is running").wantStderr("--cursor NAME")
	clitest.Must(t, w.proc.Process.Signal(syscall.SIGTERM))
	w.ends()

	third := u.hireable() // posted while no watch is running
	w = u.watch()
	if line := w.next(); line["escrowTaskId"] != *third.EscrowTaskID || len(line) != 4 {
		t.Errorf("the second run began with %v, want task %s", line, *third.EscrowTaskID)
	}
	clitest.Must(t, w.proc.Process.Signal(os.Interrupt))
	w.ends()
}

// The line for a human's application contains the application's id in the API.
func TestWatchApplications(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	w := u.watch("--since", "beginning", "--enrich", "--all")
	task, err := u.lib.CreateTask(t.Context(), client.TaskRequest{Key: "watched", Title: "Say hello", Description: "In a sentence.", Amount: chaintest.Tokens(1), Skills: []string{"demo"}})
	clitest.Must(t, err)
	for {
		line := w.next()
		if line["type"] != "application" || line["task_id"] != task.ID.String() {
			continue
		}
		page, err := u.lib.Applications(t.Context(), task.ID, client.PageQuery{})
		clitest.Must(t, err)
		if got := page.Applications[0]; line["application_id"] != got.ID.String() || line["applicationId"] != *got.OnchainApplicationID {
			t.Errorf("%v is not application %s", line, got.ID)
		}
		break
	}
	clitest.Must(t, w.proc.Process.Signal(syscall.SIGTERM))
	clitest.Must(t, w.proc.Wait())
}

// `taskmarket watch | head -1` ends at once, silently, with exit code 0.
func TestWatchEndsWithItsReader(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.hireable()
	w := u.watch("--since", "beginning")
	w.next()
	clitest.Must(t, w.stdout.Close())
	began := time.Now()
	w.ends()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestWatchUsageErrors(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	for name, c := range map[string]struct {
		args       []string
		code       int
		wantStderr string
	}{
		"an invalid block":    {[]string{"--all", "--since", "yesterday"}, cli.ExitUsage, `"yesterday"`},
		"a negative block":    {[]string{"--all", "--since", "-1"}, cli.ExitUsage, `"-1"`},
		"a path as cursor":    {[]string{"--all", "--cursor", "../x"}, cli.ExitUsage, `"../x"`},
		"an interval of zero": {[]string{"--all", "--interval", "0s"}, cli.ExitUsage, "--interval 0s"},
		"no wallet":           {nil, cli.ExitUsage, "no wallet to watch"},
		"no key":              {[]string{"--all", "--enrich"}, cli.ExitUnauthorized, "no API key"},
		"no node":             {[]string{"--all", "--rpc-url", "node.example"}, cli.ExitUsage, "no valid URL of an Ethereum node"},
	} {
		t.Run(name, func(t *testing.T) {
			u.run(append([]string{"watch"}, c.args...)...).ended(c.code).wantStderr(c.wantStderr)
		})
	}
	u.set("API_URL", "http://127.0.0.1:1")
	u.run("watch", "--all").ended(cli.ExitLater)
}

// If the API returns a file path instead of the escrow's address, the watch rejects it.
func TestWatchRejectsPathAsAddress(t *testing.T) {
	t.Parallel()
	l, u := newFalseAPI(t)
	l.text, l.lies = "../../../../victim", true
	u.set("RPC_URL", "http://127.0.0.1:1")
	// The timeout ends a watch that wrongly accepts the path.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	u.runIn(ctx, "watch", "--all").ended(cli.ExitChain).wantStderr("escrow_address")
	err := filepath.WalkDir(filepath.Dir(u.dir), func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(path, "victim") {
			t.Errorf("the watch created %s", path)
		}
		return err
	})
	clitest.Must(t, err)
}

// A signal during start-up ends the watch with exit code 0.
func TestWatchInterruptedAtOnce(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := u.runIn(ctx, "watch", "--all").ok(); r.stdout+r.stderr != "" {
		t.Errorf("it printed %s%s", r.stdout, r.stderr)
	}
}

// A watch that is started while another one is shutting down prints a note, waits for the other
// one, and continues at its position.
func TestWatchWaitsForRunningWatch(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	before := u.watch("--since", "beginning")
	first := u.hireable()
	for range 2 {
		if line := before.next(); line["escrowTaskId"] != *first.EscrowTaskID {
			t.Fatalf("the first watch prints %v", line)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), testTimeout)
	defer stop()
	out, outTo := io.Pipe()
	stderr, stderrWriter := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, u.streams(outTo, stderrWriter), u.environ(), []string{"watch"})
		_ = outTo.Close()
		_ = stderrWriter.Close()
	}()
	notes := bufio.NewScanner(stderr)
	if !notes.Scan() || !strings.Contains(notes.Text(), "waiting up to 10s for it to end") {
		t.Fatalf("the second watch prints %q", notes.Text())
	}
	go func() {
		for notes.Scan() {
			t.Errorf("the second watch also printed %q", notes.Text())
		}
	}()
	clitest.Must(t, before.proc.Process.Signal(syscall.SIGTERM))
	before.ends()
	second := u.hireable()
	lines := bufio.NewScanner(out)
	var line map[string]string
	if !lines.Scan() {
		t.Fatalf("the second watch ended with %d", <-ended)
	}
	clitest.Must(t, json.Unmarshal(lines.Bytes(), &line))
	if line["escrowTaskId"] != *second.EscrowTaskID {
		t.Errorf("the second watch begins with %v", line)
	}
	stop()
	for lines.Scan() {
		continue
	}
	if code := <-ended; code != cli.ExitDone {
		t.Errorf("the second watch ended with %d", code)
	}
}
