// Command links checks the relative links in the repository's Markdown files: each target file and
// heading must exist. Run it as `go run -C tools ./links`.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	faults, err := check("..")
	for _, fault := range faults {
		fmt.Println(fault)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		os.Exit(1)
	}
	if len(faults) > 0 {
		fmt.Fprintf(os.Stderr, "links: %d broken links\n", len(faults))
		os.Exit(1)
	}
}

func check(root string) ([]string, error) {
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md")
	command.Dir = root
	list, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	var faults []string
	for file := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, target := range targets(string(text)) {
			if fault := resolve(root, file, target); fault != "" {
				faults = append(faults, fmt.Sprintf("%s: %s: %s", file, target, fault))
			}
		}
	}
	return faults, nil
}

var (
	code = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// targets returns the targets of the relative links in Markdown.
func targets(text string) []string {
	var found []string
	for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		if !strings.Contains(match[1], "://") && !strings.HasPrefix(match[1], "mailto:") {
			found = append(found, match[1])
		}
	}
	return found
}

// resolve returns why a link is broken, or "".
func resolve(root, file, target string) string {
	name, anchor, _ := strings.Cut(target, "#")
	if name == "" {
		name = file
	} else {
		name = path.Join(path.Dir(file), name)
	}
	full := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(full); err != nil {
		return "no such file"
	}
	if anchor == "" {
		return ""
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return err.Error()
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") && slug(line) == anchor {
			return ""
		}
	}
	return "no such heading"
}

var unlinked = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// slug returns the anchor of a heading, as common Git hosts generate it.
func slug(heading string) string {
	heading = strings.ToLower(strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(heading), "#")))
	return strings.ReplaceAll(unlinked.ReplaceAllString(heading, ""), " ", "-")
}
