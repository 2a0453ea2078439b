package main

import (
	"context"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
	"taskmarket/test/tmpfs"
)

// The health check reports a full disk until space is free again.
func TestFullDiskIsReported(t *testing.T) {
	t.Parallel()
	folder := tmpfs.New(t, 1<<20)
	net := chaintest.New(t)
	records := storetest.New(t)
	database := storetest.DB(t, records)
	c := testConfig(t, net, storetest.URL(t, records), net.Dev.URL())
	c.BlobURL = "file://" + folder
	s := watchDisk(t, c)
	becomes := func(want bool) { t.Helper(); awaitReason(t, s, market.ReasonDiskFull, want) }
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

// watchDisk returns a service whose disk is probed until the test ends.
func watchDisk(t *testing.T, c config) *service {
	t.Helper()
	s, err := newService(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.disk.run(ctx, 10*time.Millisecond) }()
	t.Cleanup(func() { stop(); <-done; s.close(t.Context()) })
	return s
}

// awaitReason waits until the health check reports the reason, or stops reporting it if want is false.
func awaitReason(t *testing.T, s *service, reason market.HealthReason, want bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); slices.Contains(s.problems(t.Context()), reason) != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is reported: %t, want %t", reason, !want, want)
		}
	}
}

// Low free space is reported before the disk is full, and the server then refuses uploads.
func TestLowDiskSpaceIsReported(t *testing.T) {
	t.Parallel()
	folder := tmpfs.New(t, 8<<20)
	net := chaintest.New(t)
	c := testConfig(t, net, storetest.URL(t, storetest.New(t)), net.Dev.URL())
	c.BlobURL, c.tuning.FilesMinFree = "file://"+folder, 4<<20
	s := watchDisk(t, c)
	awaitReason(t, s, market.ReasonDiskLow, false)
	hog := filepath.Join(folder, "hog")
	if err := os.WriteFile(hog, make([]byte, 5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	awaitReason(t, s, market.ReasonDiskLow, true)
	options, err := s.options(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !options.DiskLow() || slices.Contains(s.problems(t.Context()), market.ReasonDiskFull) {
		t.Errorf("DiskLow() = %t with the problems %v, want true without disk_full", options.DiskLow(), s.problems(t.Context()))
	}
	if err := os.Remove(hog); err != nil {
		t.Fatal(err)
	}
	awaitReason(t, s, market.ReasonDiskLow, false)
}

// A database that does not respond is not reported as a full disk.
func TestSilentDatabaseIsNoFullDisk(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	u, err := url.Parse(storetest.URL(t, storetest.New(t)))
	if err != nil {
		t.Fatal(err)
	}
	database := gate.New(t, u.Host)
	u.Host = database.Addr()
	c := testConfig(t, net, u.String(), net.Dev.URL())
	c.BlobURL = "file://" + t.TempDir()
	s, err := newService(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(t.Context()) })
	defer database.Hold()()
	if err := s.disk.probe(t.Context()); err != nil {
		t.Errorf("probe() while the database does not respond = %v", err)
	}
}
