// Command modulepath renames the Go module everywhere in the repository: in go.mod files, imports,
// linter rules, generator configurations and documents.
//
//	go run -C tools ./modulepath example.com/you/taskmarket
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if err := run("..", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "modulepath:", err)
		os.Exit(1)
	}
}

func run(root string, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return errors.New("usage: go run -C tools ./modulepath example.com/you/taskmarket")
	}
	if err := module.CheckPath(args[0]); err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	rename := renamer(modfile.ModulePath(manifest), args[0])
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = root
	list, err := command.Output()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	for path := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if err := rewrite(filepath.Join(root, path), rename); err != nil {
			return err
		}
	}
	return nil
}

// renamer returns a function that replaces the module path in a file's text. The old path may be an
// ordinary word, so it is replaced only in module lines, imports of the root package, linter
// prefixes and package paths, and only where it is not part of a longer path.
func renamer(from, to string) func([]byte) []byte {
	old := regexp.QuoteMeta(from)
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`(?m)(^module )` + old + `(\s|/)`),
		regexp.MustCompile("(^|[\\s\"'`^(\\[])" + old + `(/(?:chain|client|cmd|gen|market|migrations|origin|server|store|test|tools|web)\b)`),
		regexp.MustCompile(`(?m)(^(?:import |\t)")` + old + `("$)`),
		regexp.MustCompile(`(local-prefixes: \[)` + old + `(\])`),
	}
	return func(text []byte) []byte {
		for _, pattern := range patterns {
			text = pattern.ReplaceAll(text, []byte("${1}"+to+"${2}"))
		}
		return text
	}
}

func rewrite(path string, rename func([]byte) []byte) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil || bytes.IndexByte(text, 0) >= 0 { // skip binary files
		return err
	}
	if renamed := rename(text); !bytes.Equal(renamed, text) {
		return os.WriteFile(path, renamed, info.Mode().Perm())
	}
	return nil
}
