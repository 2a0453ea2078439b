package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// docs/clients.md contains commands for exactly the languages that have a folder.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "docs", "clients.md"))
	if err != nil {
		t.Fatal(err)
	}
	guides, err := parse(string(readme))
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, g := range guides {
		told = append(told, filepath.Base(g.folder))
		if !strings.Contains(g.commands, `"$TASKMARKET_WEB_URL/openapi.json"`) {
			t.Errorf("%s generates its client from something other than the served document:%s", g.folder, g.commands)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, entry := range entries {
		if entry.IsDir() {
			there = append(there, entry.Name())
		}
	}
	slices.Sort(told)
	if !slices.Equal(told, there) {
		t.Errorf("docs/clients.md describes %q, the folders are %q", told, there)
	}
}

func TestParse(t *testing.T) {
	const before = "# X\n\n    make run\n\n" + heading + "\nWhat it is.\n\n"
	guides, err := parse(before + "Two lines, in\n`test/clients/one`:\n\n    a\n    b \\\n        c\n\n## Next\n\n    d\n")
	if want := []guide{{"test/clients/one", "\na\nb \\\n    c"}}; err != nil || !slices.Equal(guides, want) {
		t.Fatalf("got %+v, %v; want %+v", guides, err, want)
	}
	if got := guides[0].run(); got != "b \\\n    c" {
		t.Errorf("the last command is %q", got)
	}
	for name, text := range map[string]string{
		"no section":       "# X\n",
		"no folder":        before + "Do this:\n\n    a\n",
		"two blocks":       before + "In `test/clients/one`:\n\n    a\n\nAnd then:\n\n    b\n",
		"block on its own": before + "    a\n",
	} {
		if guides, err := parse(text); err == nil {
			t.Errorf("%s: got %+v", name, guides)
		}
	}
}
