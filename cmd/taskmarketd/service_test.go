package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/store/storetest"
)

// Temporary files are created in the blob directory, because the system's temporary directory may
// be on a different file system.
func TestTemporaryFilesAreInTheBlobDirectory(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	folder := t.TempDir()
	files, err := openFiles(t.Context(), "file://"+folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	if err := files.WriteAll(t.Context(), "a", []byte("x"), nil); err != nil {
		t.Errorf("write to %s: %v", folder, err)
	}
}

// The balancer of Google Cloud closes idle connections after 600 s, later than all others.
func TestIdleConnectionsOutliveTheLoadBalancer(t *testing.T) {
	t.Parallel()
	if got := (&service{log: slog.New(slog.DiscardHandler)}).webServer(nil).IdleTimeout; got <= 10*time.Minute {
		t.Errorf("idle connections are closed after %s", got)
	}
}

// A failed job is logged with its name and repeated. Errors during a shutdown are not logged.
func TestFailedJobsAreRepeated(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log strings.Builder
	s := &service{log: slog.New(slog.NewTextHandler(&log, nil)), metrics: metrics.New(version)}
	runs := 0
	err := s.runPeriodically(ctx, time.Millisecond, "check of the keeper", func(context.Context) error {
		if runs++; runs == 2 {
			stop()
		}
		return errors.New("no connection")
	})
	want := `msg="periodic job failed; will retry" job="check of the keeper" err="no connection"`
	if err != nil || runs != 2 || strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), want) {
		t.Errorf("runPeriodically() = %v after %d runs; logged %s", err, runs, log.String())
	}
}

// If the watcher cannot decode a log of the contracts, the error refers to the runbook instead of a command
// that deletes records, because the usual fix is another version of the program.
func TestStoppedWatcherRefersToTheRunbook(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	wrong := net.Deployment // the addresses are swapped, so the escrow's logs cannot be decoded
	wrong.Escrow, wrong.Treasury = wrong.Treasury, wrong.Escrow
	logged, writer := io.Pipe()
	defer logged.Close()
	s := &service{log: slog.New(slog.NewTextHandler(writer, nil))}
	s.watcher = follow.NewWatcher(net.Node, storetest.NewFor(t, net.Deployment), chain.NewContracts(wrong), follow.WatcherOptions{}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.follow(ctx); close(ended) }()
	defer func() { cancel(); <-ended }()
	log, err := bufio.NewReader(logged).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`msg="the watcher has stopped: `, "runbook, TaskmarketWatcherStopped", "unknown event"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	if strings.Contains(log, "reindex") {
		t.Errorf("the log names reindex without its condition:\n%s", log)
	}
}
