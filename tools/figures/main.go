// Command figures prints the sizes by which the repository is judged: lines, settings, targets, packages,
// identifiers and places that name an act. Run it in tools/: go run ./figures.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"taskmarket/tools/identifiers"
)

const (
	root = ".."
	// maxFiles is the largest number of source files that a package may have.
	maxFiles = 30
)

// figures are the totals over all files.
type figures struct {
	code, tests, sql int
	settings         int
	odd              int
	sources          map[string]int      // source files by package folder
	unnamed, named   int                 // test files without, and with, a source file of their name
	places           map[string][]string // source files outside market that name an action, by its constant
}

func main() {
	f := figures{sources: map[string]int{}, places: map[string][]string{}}
	if err := filepath.WalkDir(root, f.visit); err != nil {
		log.Fatal(err)
	}
	fmt.Println("lines of Go code:", f.code)
	fmt.Println("lines of Go tests:", f.tests)
	fmt.Println("lines of SQL:", f.sql)
	fmt.Println("settings of taskmarketd:", f.settings)
	fmt.Println("make targets:", matches("Makefile", `(?m)^[a-z-]+:.*## `))
	fmt.Println("words in docs/operations.md:", matches("docs/operations.md", `\S+`))
	fmt.Printf("odd identifiers for 1,000 lines: %.1f\n", 1000*float64(f.odd)/float64(f.code))
	fmt.Printf("test files without a source of their name: %d of %d\n", f.unnamed, f.unnamed+f.named)
	for _, folder := range slices.Sorted(maps.Keys(f.sources)) {
		if count := f.sources[folder]; count > maxFiles {
			fmt.Printf("package %s: %d files\n", folder, count)
		}
	}
	for _, constant := range regexp.MustCompile(`(Action\w+) +Action = `).FindAllStringSubmatch(text("market/action.go"), -1) {
		files := f.places[constant[1]]
		fmt.Printf("%s: %d places outside market: %s\n", constant[1], len(files), strings.Join(files, " "))
	}
}

// visit adds a file to the figures. Generated code and installed packages do not count.
func (f *figures) visit(path string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	name, relative := entry.Name(), strings.TrimPrefix(path, root+string(filepath.Separator))
	switch {
	case entry.IsDir():
		if name == "node_modules" || relative == "gen" || relative == "bin" || strings.HasPrefix(name, ".") && path != root {
			return filepath.SkipDir
		}
		return nil
	case strings.HasSuffix(name, ".sql") && strings.HasPrefix(relative, "migrations"):
		f.sql += matches(relative, `\n`)
		return nil
	case !strings.HasSuffix(name, ".go"):
		return nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	isTest := strings.HasSuffix(name, "_test.go") || strings.HasPrefix(relative, "test/")
	lines := linesOf(raw)
	switch {
	case isTest:
		f.tests += lines
		if strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(relative, "test/") {
			f.pair(path)
		}
		return nil
	default:
		f.code += lines
		f.sources[filepath.Dir(relative)]++
		f.settings += strings.Count(string(raw), "`env:\"")
		return f.read(relative, raw)
	}
}

// pair counts a test file, and whether it has the name of a source file or of a folder of commands beside it. Names that
// Go's users expect, and folders that contain only tests, are not counted.
func (f *figures) pair(path string) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.go")) // the pattern is valid
	isSource := func(file string) bool { return !strings.HasSuffix(file, "_test.go") }
	if conventional.MatchString(path) || !slices.ContainsFunc(files, isSource) {
		return
	}
	name := testEnding.ReplaceAllString(path, "")
	_, fault := os.Stat(name + ".go")
	if _, err := os.Stat(name); fault != nil && err != nil {
		f.unnamed++
		return
	}
	f.named++
}

var (
	// conventional matches the files with TestMain and what all tests share, examples, and what tests may see.
	conventional = regexp.MustCompile(`/(main|example|export)_test\.go$`)
	// testEnding is the end of the name of a test file, with the operating system that it is for.
	testEnding = regexp.MustCompile(`(_linux)?_test\.go$`)
)

// read counts the odd identifiers that the file declares or uses, and notes the actions that it names.
func (f *figures) read(relative string, raw []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), relative, raw, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f.odd += len(identifiers.Odd(file))
	ast.Inspect(file, func(node ast.Node) bool {
		id, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		if strings.HasPrefix(id.Name, "Action") && filepath.Dir(relative) != "market" && !slices.Contains(f.places[id.Name], relative) {
			f.places[id.Name] = append(f.places[id.Name], relative)
		}
		return true
	})
	return nil
}

// linesOf returns the number of lines with a token other than a comment.
func linesOf(raw []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(raw))
	var s scanner.Scanner
	s.Init(file, raw, nil, 0)
	lines, last := 0, 0
	for {
		at, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		first := file.Line(at)
		end := first + strings.Count(text, "\n")
		if tok == token.SEMICOLON && text == "\n" {
			end = first
		}
		if first > last {
			lines++
		}
		lines += max(0, end-max(first, last))
		last = max(last, end)
	}
}

// matches returns how often a pattern occurs in a file of the repository.
func matches(path, pattern string) int {
	return len(regexp.MustCompile(pattern).FindAllStringIndex(text(path), -1))
}

// text returns the content of a file of the repository.
func text(path string) string {
	raw, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		log.Fatal(err)
	}
	return string(raw)
}
