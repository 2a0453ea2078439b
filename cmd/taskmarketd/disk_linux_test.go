package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// The health check reports a full disk until space is free again. The test requires root, because
// it mounts a small file system.
func TestFullDiskIsReported(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	net := chaintest.New(t)
	records := storetest.New(t)
	database := storetest.DB(t, records)
	c := testConfig(t, net, storetest.URL(t, records), net.Dev.URL())
	c.BlobURL = "file://" + folder
	s, err := newService(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.disk.run(ctx, 10*time.Millisecond) }()
	t.Cleanup(func() { stop(); <-done; s.close(t.Context()) })
	becomes := func(want bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); slices.Contains(s.problems(t.Context()), market.ReasonDiskFull) != want; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("disk_full is reported: %t, want %t", !want, want)
			}
		}
	}
	hog := filepath.Join(folder, "hog")
	if err := os.WriteFile(hog, make([]byte, 900<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	becomes(true)
	if err := os.Remove(hog); err != nil {
		t.Fatal(err)
	}
	becomes(false)
	database.MustExec(`
		CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`)
	database.MustExec(`CREATE TRIGGER refuse BEFORE INSERT ON rate_limits FOR EACH ROW EXECUTE FUNCTION refuse()`)
	becomes(true)
	database.MustExec(`DROP TRIGGER refuse ON rate_limits`)
	becomes(false)
}
