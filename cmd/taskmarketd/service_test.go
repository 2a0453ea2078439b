package main

import (
	"path/filepath"
	"testing"
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
