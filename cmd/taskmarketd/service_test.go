package main

import (
	"path/filepath"
	"testing"
)

// The blob directory may be on another file system than the temporary directory.
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
