// Command words checks the repository's prose against a word list, and the identifiers of Go that are
// neither in tests nor generated.
//
//	go run -C tools ./words check    fails if a listed word or an odd identifier occurs, and prints the replacement
//	go run -C tools ./words count    prints the frequency of some words per 1,000 comment lines of Go
//
// The list is words.txt: a regular expression, a tab, and the replacement. exceptions.txt has up to
// ten entries, each for lines that may contain a listed word.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"taskmarket/tools/identifiers"
)

const maxExceptions = 10

//go:embed words.txt
var wordList string

//go:embed exceptions.txt
var exceptionList string

// word is a listed pattern and its replacement.
type word struct {
	pattern *regexp.Regexp
	instead string
}

// line is a line of prose: a comment line or string in Go, or a line in another language. Or it is an odd
// identifier in Go.
type line struct {
	path       string
	number     int
	text       string
	comment    bool
	identifier bool
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: words check|count")
	}
	words, err := parseWords(wordList)
	if err != nil {
		return err
	}
	lines, err := repository("..")
	if err != nil {
		return err
	}
	switch args[0] {
	case "check":
		return check(words, lines, out)
	case "count":
		count(lines, out)
		return nil
	}
	return fmt.Errorf("unknown command %q: use check or count", args[0])
}

func parseWords(list string) ([]word, error) {
	var words []word
	for _, entry := range entries(list) {
		pattern, instead, found := strings.Cut(entry, "\t")
		if !found {
			return nil, fmt.Errorf("words.txt: %q has no tab before the replacement", entry)
		}
		expression, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("words.txt: %w", err)
		}
		words = append(words, word{expression, strings.TrimSpace(instead)})
	}
	return words, nil
}

// entries returns the lines of a list without comments and blank lines.
func entries(list string) []string {
	var result []string
	for entry := range strings.Lines(list) {
		if entry = strings.TrimSpace(entry); entry != "" && !strings.HasPrefix(entry, "#") {
			result = append(result, entry)
		}
	}
	return result
}

// check prints each listed word and odd identifier that is not covered by an exception, and fails if there is one. An
// exception is "path: text" and excludes the lines of that file that contain the text. An exception
// that matches no line is an error.
func check(words []word, lines []line, out io.Writer) error {
	exceptions := entries(exceptionList)
	if len(exceptions) > maxExceptions {
		return fmt.Errorf("exceptions.txt has %d entries, the limit is %d: rewrite the text instead", len(exceptions), maxExceptions)
	}
	used := make(map[string]bool)
	findings := 0
	for _, l := range lines {
		for _, finding := range l.findings(words) {
			if excepted(exceptions, l, used) {
				continue
			}
			findings++
			fmt.Fprintf(out, "%s:%d: %s\n", l.path, l.number, finding)
		}
	}
	for _, exception := range exceptions {
		if !used[exception] {
			return fmt.Errorf("exceptions.txt: no line matches %q: delete the entry", exception)
		}
	}
	if findings > 0 {
		return fmt.Errorf("found listed words and odd identifiers: %d; use the replacements above (CONTRIBUTING.md describes the style)", findings)
	}
	return nil
}

// findings returns the listed words of the line with their replacements, or the advice for an odd identifier.
func (l line) findings(words []word) []string {
	if l.identifier {
		return []string{fmt.Sprintf("identifier %s: name what it is, for example ok, existing, requested, response, caller, max… or min…", l.text)}
	}
	var list []string
	for _, w := range words {
		if found := w.pattern.FindString(l.text); found != "" {
			list = append(list, fmt.Sprintf("%q: write %s", strings.TrimSpace(found), w.instead))
		}
	}
	return list
}

func excepted(exceptions []string, l line, used map[string]bool) bool {
	for _, exception := range exceptions {
		path, text, _ := strings.Cut(exception, ": ")
		if path == l.path && strings.Contains(l.text, text) {
			used[exception] = true
			return true
		}
	}
	return false
}

// counted lists the patterns that count reports. A pattern for a subject matches a word at the
// beginning of a sentence or clause that is not a question.
var counted = []word{
	{regexp.MustCompile(`(?i)\bnobody\b`), "nobody"},
	{regexp.MustCompile(`(?i)\bsomebody\b`), "somebody"},
	{regexp.MustCompile(`(?i)\b(tells?|told|telling)\b`), "tell, told"},
	{regexp.MustCompile(`(?i)\b(says?|said)\b`), "say, said"},
	{regexp.MustCompile(`(^|[.;:] |, )(Who|who|Whoever|whoever|Whatever|whatever) [a-z]+[^?]*$`), "who, whoever, whatever as a subject"},
	{regexp.MustCompile(`(?i)\belse\b`), "else"},
}

// count prints the frequency of the counted words in Go comments.
func count(lines []line, out io.Writer) {
	total := 0
	found := make([]int, len(counted))
	for _, l := range lines {
		if !l.comment {
			continue
		}
		total++
		for i, w := range counted {
			found[i] += len(w.pattern.FindAllString(l.text, -1))
		}
	}
	fmt.Fprintf(out, "%d comment lines of Go\n", total)
	for i, w := range counted {
		fmt.Fprintf(out, "%-36s %4d  %5.1f per 1,000\n", w.instead, found[i], 1000*float64(found[i])/float64(max(total, 1)))
	}
}

// repository returns the prose of the source and documentation files that git tracks; see checked.
func repository(root string) ([]line, error) {
	command := exec.Command("git", "ls-files", "-z")
	command.Dir = root
	list, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	var lines []line
	for path := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if !checked(path) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if errors.Is(err, os.ErrNotExist) { // the file is deleted, but still in the index
			continue
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, prose(path, text)...)
	}
	return lines, nil
}

var (
	languages = regexp.MustCompile(`\.(go|sol|tsx?|mjs|cjs|js|ya?ml|md|sql|py|sh|java|css|html|tmpl)$|(^|/)(Makefile|Dockerfile|run)$`)
	generated = regexp.MustCompile(`(^|/)(gen|artifacts|node_modules|testdata)/|\.gen\.ts$|^tools/words/|^tools/oasdiff/published\.yaml$|-lock\.`)
)

func checked(path string) bool {
	return languages.MatchString(path) && !generated.MatchString(path)
}

// prose returns the comments, strings and odd identifiers of a Go file, or each line of another file.
func prose(path string, text []byte) []line {
	switch {
	case strings.HasSuffix(path, "_test.go"):
		return goProse(path, text)
	case strings.HasSuffix(path, ".go"):
		return append(goProse(path, text), oddIdentifiers(path, text)...)
	}
	var lines []line
	number := 0
	for l := range strings.Lines(string(text)) {
		number++
		lines = append(lines, line{path: path, number: number, text: strings.TrimSpace(l)})
	}
	return lines
}

func goProse(path string, text []byte) []line {
	files := token.NewFileSet()
	file := files.AddFile(path, files.Base(), len(text))
	var tokens scanner.Scanner
	tokens.Init(file, text, nil, scanner.ScanComments)
	var lines []line
	for {
		position, kind, literal := tokens.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind != token.COMMENT && kind != token.STRING {
			continue
		}
		number := file.Line(position)
		for l := range strings.Lines(literal) {
			l = strings.TrimSpace(l)
			if kind == token.COMMENT {
				l = strings.TrimSpace(strings.Trim(l, "/*"))
			} else {
				l = strings.Trim(l, "\"`")
			}
			number++
			if kind == token.STRING && !strings.Contains(l, " ") { // a name or another value, not prose
				continue
			}
			lines = append(lines, line{path: path, number: number - 1, text: l, comment: kind == token.COMMENT})
		}
	}
}

// oddIdentifiers returns the first occurrence of each odd identifier of a Go file. A file that does not parse
// does not compile either, so this is not an error here.
func oddIdentifiers(path string, text []byte) []line {
	files := token.NewFileSet()
	file, _ := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	var lines []line
	reported := make(map[string]bool)
	for _, id := range identifiers.Odd(file) {
		if !reported[id.Name] {
			lines = append(lines, line{path: path, number: files.Position(id.Pos()).Line, text: id.Name, identifier: true})
		}
		reported[id.Name] = true
	}
	return lines
}
