package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A program that no folder contains, or that cannot be executed, is missing.
func TestMissingPrograms(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for path, mode := range map[string]os.FileMode{
		filepath.Join(first, "cast"): 0o700, filepath.Join(second, "curl"): 0o700, filepath.Join(second, "psql"): 0o600,
	} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	path := first + string(os.PathListSeparator) + second
	if got := missingPrograms(path); !slices.Equal(got, []string{"psql"}) {
		t.Errorf("missingPrograms() = %v, want psql", got)
	}
	if err := os.Chmod(filepath.Join(second, "psql"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := missingPrograms(path); len(got) > 0 {
		t.Errorf("missingPrograms() = %v, want none", got)
	}
}
