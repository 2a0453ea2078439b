package server_test

import (
	"os"
	"strings"
	"testing"

	"taskmarket/server"
	"taskmarket/test/tmpfs"
)

// smallDisk is the size of the file system that the test fills, in bytes.
const smallDisk = 1 << 20

// An upload that does not fit on the disk is refused and leaves nothing behind, so that a smaller one
// still succeeds.
func TestFullDiskRejectsUploads(t *testing.T) {
	t.Parallel()
	folder := tmpfs.New(t, smallDisk)
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	kept := r.upload(agent, task.ID, "a.txt", strings.Repeat("x", smallDisk/2))
	if kept.JSON201 == nil {
		t.Fatalf("the first = %s", answer(kept))
	}
	for range 3 {
		if got := r.upload(agent, task.ID, "b.txt", strings.Repeat("x", smallDisk)); got.JSON503 == nil || got.JSON503.Error != "storage_unavailable" {
			t.Errorf("one too large = %s", answer(got))
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 { // the blob and its attributes
			t.Errorf("the disk contains %v, %v", entries, err)
		}
	}
	if got := r.upload(agent, task.ID, "c.txt", strings.Repeat("x", smallDisk/4)); got.JSON201 == nil {
		t.Errorf("one that fits = %s", answer(got))
	}
}
