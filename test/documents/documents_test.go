// Package documents tests the repository's documents: that the paths and names in them exist, and that
// their commands can be run. The README's example hire is tested in cmd/taskmarket, and the commands in
// docs/clients.md by `make clients`.
package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// documents returns the text of each Markdown file at the module's root and in docs, and of the guide for auditors, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "chain/contracts/README.md"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[strings.TrimPrefix(path, root+"/")] = string(text)
		}
	}
	if len(texts) < 10 {
		t.Fatalf("found %d documents", len(texts))
	}
	return texts
}

var (
	namedPath = regexp.MustCompile("`((?:chain|client|cmd|docs|gen|market|migrations|server|store|test|tools|web)/[A-Za-z0-9_./-]*)`")
	namedName = regexp.MustCompile("`([A-Za-z_]+)` in `([A-Za-z0-9_./-]+)`")
	target    = regexp.MustCompile("(?:`|    |^)make ([a-z][a-z-]*)")
	program   = regexp.MustCompile("(?m)(?:`|^    )(taskmarketd?) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")
	godoc     = regexp.MustCompile("`go doc ([a-z/]+)`")
)

func TestNamedPathsExist(t *testing.T) {
	for name, text := range documents(t) {
		for _, match := range namedPath.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(root, match[1]))
			if _, beside := os.Stat(filepath.Join(root, filepath.Dir(name), match[1])); err != nil && beside != nil {
				t.Errorf("%s names %s: %v", name, match[1], err)
			}
		}
	}
}

// If a document attributes an identifier to a file, as in "`Fee` in `market/money.go`", the file
// contains it.
func TestNamedIdentifiersExist(t *testing.T) {
	for name, text := range documents(t) {
		for _, match := range namedName.FindAllStringSubmatch(text, -1) {
			if file, err := os.ReadFile(filepath.Join(root, match[2])); err != nil || !strings.Contains(string(file), match[1]) {
				t.Errorf("%s places %s in %s, which does not contain it: %v", name, match[1], match[2], err)
			}
		}
	}
}

func TestNamedMakeTargetsExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for name, document := range documents(t) {
		for _, match := range target.FindAllStringSubmatch(document, -1) {
			if !strings.Contains(string(text), "\n"+match[1]+":") {
				t.Errorf("%s names `make %s`, which is not a target", name, match[1])
			}
		}
	}
}

// Each command in a document can be run with --help.
func TestNamedCommandsExist(t *testing.T) {
	folder := t.TempDir()
	command := exec.Command("go", "build", "-o", folder, "./cmd/...")
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	run := make(map[string]bool)
	for name, document := range documents(t) {
		for _, match := range program.FindAllStringSubmatch(document, -1) {
			args := []string{match[2]}
			if match[2] == "dev" && match[3] != "" {
				args = append(args, match[3])
			}
			line := match[1] + " " + strings.Join(args, " ")
			if run[line] {
				continue
			}
			run[line] = true
			out, err := exec.Command(filepath.Join(folder, match[1]), append(args, "--help")...).CombinedOutput()
			if err != nil || strings.Contains(string(out), "unknown command") {
				t.Errorf("%s names `%s`: %v\n%s", name, line, err, out)
			}
		}
	}
	if len(run) < 5 {
		t.Errorf("found %d commands in the documents", len(run))
	}
}

func TestNamedPackagesHaveDocumentation(t *testing.T) {
	for name, document := range documents(t) {
		for _, match := range godoc.FindAllStringSubmatch(document, -1) {
			command := exec.Command("go", "doc", match[1])
			command.Dir = root
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s names `go doc %s`: %v\n%s", name, match[1], err, out)
			}
		}
	}
}
