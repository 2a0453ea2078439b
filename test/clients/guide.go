package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// heading is the heading of the section in docs/clients.md that contains the commands.
const heading = "## Generate a client\n"

// indent is the indentation of a block of commands.
const indent = "    "

// guide contains the commands that generate and try one client.
type guide struct {
	folder   string // relative to the module's root; the commands run in a copy of the folder
	commands string
}

// run returns the last command, which runs the agent.
func (g guide) run() string {
	lines := strings.Split(strings.TrimSpace(g.commands), "\n")
	first := len(lines) - 1
	for first > 0 && strings.HasSuffix(lines[first-1], `\`) {
		first--
	}
	return strings.Join(lines[first:], "\n")
}

var folderPattern = regexp.MustCompile("`(test/clients/[a-z]+)`.*:$")

// parse reads the guides. Each is a paragraph that names a folder below test/clients and ends with
// a colon, followed by a block of commands. A block without such a paragraph is an error, because
// its commands would not be run.
func parse(readme string) ([]guide, error) {
	_, section, found := strings.Cut(readme, heading)
	if !found {
		return nil, errors.New(`docs/clients.md has no section "Generate a client"`)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var (
		guides []guide
		folder string
	)
	for paragraph := range strings.SplitSeq(strings.Trim(section, "\n"), "\n\n") {
		if !strings.HasPrefix(paragraph, indent) {
			folder = ""
			if names := folderPattern.FindStringSubmatch(strings.ReplaceAll(paragraph, "\n", " ")); names != nil {
				folder = names[1]
			}
			continue
		}
		if folder == "" {
			return nil, fmt.Errorf("docs/clients.md does not name the folder in which to run this:\n%s", paragraph)
		}
		guides = append(guides, guide{folder: folder, commands: strings.ReplaceAll("\n"+paragraph, "\n"+indent, "\n")})
	}
	return guides, nil
}
