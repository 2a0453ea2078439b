package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/cmd/taskmarketd/internal/metrics"
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

// A failed job is logged by its name and repeated. Errors during a shutdown are not logged.
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
