package server_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"taskmarket/server"
)

// A blob without a record is deleted once no upload can still be writing it. Blobs with a record
// and objects that belong to other programs are not deleted.
func TestBlobsWithoutARecordAreDeleted(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	kept := r.upload(agent, r.funded(agent).ID, "a.txt", "x")
	if kept.JSON201 == nil {
		t.Fatalf("upload = %s", answer(kept))
	}
	const unused, unfinished, fresh, foreign = unknownID, unknownID + ".18a.tmp", "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e81", "lost+found"
	for _, name := range []string{unused, unfinished, fresh, foreign} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{kept.JSON201.ID.String(), unused, unfinished, foreign} {
		if err := os.Chtimes(filepath.Join(folder, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := server.SweepFiles(t.Context(), folderBucket(t, folder), r.store, time.Now()); err == nil {
		t.Error("SweepFiles() of a blob store without a marker = nil, want an error")
	}
	if err := server.ClaimFiles(t.Context(), folderBucket(t, folder), r.store); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := server.SweepFiles(t.Context(), folderBucket(t, folder), r.store, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".attrs") {
			left = append(left, entry.Name())
		}
	}
	want := []string{".taskmarket", kept.JSON201.ID.String(), fresh, foreign}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("remaining objects = %v, want %v", left, want)
	}
}
