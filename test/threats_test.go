// Package test contains the checks that span all packages: the list of threats in threats.md, pinned
// dependencies, and ignored secrets.
package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// modelled is the number of threats in the threat model. Later rows are rules for parts that were added
// after the model.
const modelled = 128

// row is one line of the list.
type row struct {
	number int
	threat string
	tests  []string
}

var rowPattern = regexp.MustCompile(`(?m)^\| (\d+) \| (.+) \| (.+) \|$`)

func readRows(t *testing.T) []row {
	t.Helper()
	raw, err := os.ReadFile("threats.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []row
	for _, match := range rowPattern.FindAllStringSubmatch(string(raw), -1) {
		number, err := strconv.Atoi(match[1])
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, row{number, match[2], strings.Split(match[3], ", ")})
	}
	return found
}

// suite maps the name of each test in the repository to the text of its file, which contains the names
// of its subtests.
type suite map[string]string

var (
	goPackage   = regexp.MustCompile(`(?m)^package (\w+?)(?:_test)?$`)
	goTest      = regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+)\(`)
	solContract = regexp.MustCompile(`(?m)^contract (\w+)`)
	solTest     = regexp.MustCompile(`(?m)^\s*function ((?:test|invariant)\w+)\(`)
)

// readSuite reads all tests.
func readSuite(t *testing.T) suite {
	t.Helper()
	found := make(suite)
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || len(entry.Name()) > 2 && entry.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			return found.add(path, goPackage, goTest)
		case strings.HasSuffix(path, ".t.sol"):
			return found.add(path, solContract, solTest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// add adds the tests in a file under their names, qualified by the package or contract.
func (s suite) add(path string, holder, test *regexp.Regexp) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, holding := range holder.FindAllStringSubmatch(string(raw), -1) {
		for _, name := range test.FindAllStringSubmatch(string(raw), -1) {
			s[holding[1]+"."+name[1]] += string(raw)
		}
	}
	return nil
}

// lacks returns a message that explains which part of a test's name does not exist, or "" if the
// test exists.
func (s suite) lacks(name string) string {
	name, subtest, _ := strings.Cut(name, "/")
	switch text, ok := s[name]; {
	case !ok:
		return "this test does not exist"
	case subtest != "" && !strings.Contains(text, strconv.Quote(subtest)):
		return "the test does not have this subtest"
	}
	return ""
}

// TestEachThreatIsTested: the list has every row once, in order and without gaps, and its tests exist.
func TestEachThreatIsTested(t *testing.T) {
	t.Parallel()
	list, tests := readRows(t), readSuite(t)
	if len(list) < modelled {
		t.Errorf("%d rows, want at least %d", len(list), modelled)
	}
	for i, row := range list {
		if row.number != i+1 {
			t.Fatalf("row %d is at position %d", row.number, i+1)
		}
		for _, name := range row.tests {
			if fault := tests.lacks(name); fault != "" {
				t.Errorf("row %d: %s: %s", row.number, name, fault)
			}
		}
	}
}
