package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCheckFindsBrokenLinks(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md":      "[a](docs/a.md) [b](docs/a.md#the-first-part) [c](missing.md) [d](docs/a.md#none) `[e](code.md)` [f](https://example.com/x)",
		"docs/a.md":      "# The first part\n[up](../README.md) [here](#the-first-part) [gone](b.md)\n```\n[g](fenced.md)\n```\n",
		"docs/ignore.go": "package docs // [h](no.md)\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("git", "init", "--quiet")
	command.Dir = root
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	faults, err := check(root)
	want := []string{"README.md: docs/a.md#none: no such heading", "README.md: missing.md: no such file", "docs/a.md: b.md: no such file"}
	slices.Sort(faults)
	if err != nil || !slices.Equal(faults, want) {
		t.Errorf("check = %v\n%s\nwant\n%s", err, strings.Join(faults, "\n"), strings.Join(want, "\n"))
	}
}
