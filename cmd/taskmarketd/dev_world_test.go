package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWorldIsLocked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := openHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openHome(dir); err == nil || !strings.Contains(err.Error(), "already running in "+dir) {
		t.Errorf("a second world = %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := openHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

// If the file cannot be locked at all, the error contains the cause.
func TestLockErrorsAreReported(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	if err := lockHome(file, "here"); err == nil || !strings.HasPrefix(err.Error(), "lock the development world: bad file") {
		t.Errorf("lockHome() of a closed file = %v", err)
	}
}
