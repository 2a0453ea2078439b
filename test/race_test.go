package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The Makefile selects the tests that run with the race detector by their names. Each test that
// starts goroutines must be selected. The tests in this folder and below are not, because most of them run
// the programs as separate processes.
func TestRaceDetectorRunsTestsWithGoroutines(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(variable(t, string(makefile), "CONCURRENT"))
	packages := strings.Fields(variable(t, string(makefile), "CONCURRENT_PACKAGES"))
	var found int
	err = filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			if err == nil && entry.IsDir() && (skipped[entry.Name()] || path == filepath.Join("..", "test")) {
				return fs.SkipDir
			}
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range parsed.Decls {
			test, ok := declared.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(test.Name.Name, "Test") || !startsGoroutines(test) {
				continue
			}
			found++
			if !names.MatchString(test.Name.Name) || !anyContains(packages, filepath.Dir(path)) {
				t.Errorf("%s: %s starts goroutines: rename it or extend CONCURRENT, or add its package to CONCURRENT_PACKAGES in the Makefile", path, test.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 50 {
		t.Errorf("found %d tests that start goroutines, want at least 50", found)
	}
}

// skipped contains the folders without tests of this module's packages.
var skipped = map[string]bool{".git": true, ".dev": true, "node_modules": true, "tools": true}

// variable returns the value of a variable that is set on one line of a Makefile.
func variable(t *testing.T, makefile, name string) string {
	t.Helper()
	match := regexp.MustCompile(`(?m)^` + name + ` *:= (.+)$`).FindStringSubmatch(makefile)
	if match == nil {
		t.Fatalf("the Makefile does not set %s", name)
	}
	return match[1]
}

func startsGoroutines(test *ast.FuncDecl) (starts bool) {
	ast.Inspect(test, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.SelectorExpr: // of a sync.WaitGroup or an errgroup.Group
			starts = starts || node.Sel.Name == "Go"
		}
		return !starts
	})
	return starts
}

// anyContains reports whether one of the patterns, such as ./store or ./server/..., contains the folder.
func anyContains(patterns []string, folder string) bool {
	folder = "./" + strings.TrimPrefix(filepath.ToSlash(folder), "../")
	for _, pattern := range patterns {
		root, subfolders := strings.CutSuffix(pattern, "/...")
		if folder == root || subfolders && strings.HasPrefix(folder, root+"/") {
			return true
		}
	}
	return false
}
