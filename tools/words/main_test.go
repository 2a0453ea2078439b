package main

import (
	"bytes"
	"strings"
	"testing"
)

// The check reports a listed word in every language. In Go, it checks comments and strings that contain a
// space, but not other strings. It checks identifiers for other words, except in tests.
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
		"odd identifier":  {"a.go", "package a\n\nvar answer = 1\n", true},
		"idiom":           {"a.go", "package a\n\nfunc f(found bool) {}\n", false},
		"test identifier": {"a_test.go", "package a\n\nvar answer = 1\n", false},
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
			var findings []string
			for _, l := range prose(test.path, []byte(test.text)) {
				findings = append(findings, l.findings(words)...)
			}
			if reported := len(findings) > 0; reported != test.reported {
				t.Errorf("reported = %v, want %v: %q", reported, test.reported, findings)
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
	if check(words, []line{{path: "a.go", number: 3, text: "nobody waits", comment: true}}, &out) == nil {
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
	count([]line{{text: "nobody", comment: true}, {text: "fine", comment: true}, {text: "nobody"}}, &out)
	if !strings.Contains(out.String(), "500.0 per 1,000") {
		t.Errorf("count =\n%s", out.String())
	}
}
