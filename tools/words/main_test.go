package main

import (
	"bytes"
	"strings"
	"testing"
)

// The check reports a listed word in every language. In Go, it checks comments and strings that contain a
// space, but neither identifiers nor other strings.
func TestCheckReportsListedWords(t *testing.T) {
	words, err := parseWords(wordList)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		path, text string
		reported   bool
	}{
		"Go comment":      {"a.go", "package a\n\n// nobody waits.\nvar x = 1\n", true},
		"Go string":       {"a.go", "package a\n\nvar x = \"tell the user\"\n", true},
		"raw Go string":   {"a.go", "package a\n\nvar x = `one\nbuilt anew\n`\n", true},
		"Go value":        {"a.go", "package a\n\nvar x = \"nobody\"\n", false},
		"Go identifier":   {"a.go", "package a\n\nvar nobody = 1\n", false},
		"subject":         {"a.go", "package a\n\n// Who repeats a claim is refused.\n", true},
		"question":        {"a.go", "package a\n\n// Who is the owner?\n", false},
		"relative clause": {"a.go", "package a\n\n// The human who applies pays.\n", false},
		"Solidity":        {"a.sol", "/// @dev Somebody else was accepted.\n", true},
		"TypeScript":      {"a.ts", "const text = 'We told you'\n", true},
		"React":           {"a.tsx", "<p>Whoever comes first</p>\n", true},
		"YAML":            {"a.yaml", "description: Is no member of the request.\n", true},
		"Markdown":        {"README.md", "It is built anew.\n", true},
		"plain text":      {"README.md", "The watcher rebuilds the rows.\n", false},
		"part of a word":  {"a.md", "foretelling, toldness\n", false},
		"capitals":        {"a.md", "TELL\n", true},
		"made up":         {"a.py", "# made up names\n", true},
		"generated":       {"a.py", "# generated names\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			reported := false
			for _, l := range prose(test.path, []byte(test.text)) {
				for _, w := range words {
					reported = reported || w.pattern.MatchString(l.text)
				}
			}
			if reported != test.reported {
				t.Errorf("reported = %v, want %v\n%s", reported, test.reported, out.String())
			}
		})
	}
}

func TestCheckFails(t *testing.T) {
	words, err := parseWords(wordList)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if check(words, []line{{"a.go", 3, "nobody waits", true}}, &out) == nil {
		t.Error("check accepted a listed word")
	}
	if got := out.String(); !strings.HasPrefix(got, "a.go:3: ") {
		t.Errorf("finding = %q, want the position first", got)
	}
}

func TestGeneratedFilesAreNotChecked(t *testing.T) {
	for path, want := range map[string]bool{
		"store/task.go":             true,
		"web/src/app/app.tsx":       true,
		"chain/contracts/src/E.sol": true,
		"docs/glossary.md":          true,
		"Makefile":                  true,
		"gen/api/server.gen.go":     false,
		"web/src/lib/facts.gen.ts":  false,
		"web/package-lock.json":     false,
		"server/testdata/a.md":      false,
	} {
		if checked(path) != want {
			t.Errorf("checked(%q) = %v, want %v", path, !want, want)
		}
	}
}

func TestCountIsPerThousandCommentLines(t *testing.T) {
	var out bytes.Buffer
	count([]line{{"a.go", 1, "nobody", true}, {"a.go", 2, "fine", true}, {"a.go", 3, "nobody", false}}, &out)
	if !strings.Contains(out.String(), "500.0 per 1,000") {
		t.Errorf("count =\n%s", out.String())
	}
}
