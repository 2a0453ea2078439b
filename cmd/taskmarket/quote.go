package main

import (
	"strings"
	"unicode"
)

// quoted shows a text that somebody wrote on one line, between quotes, so that it
// cannot pass for something that the program says.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(oneLine(text), `"`, `\"`) + `"`
}

// shortened is quoted, cut to a width in characters.
func shortened(text string, width int) string {
	whole := quoted(text)
	runes := []rune(whole)
	if len(runes) <= width {
		return whole
	}
	return string(runes[:max(1, width-2)]) + `…"`
}

// quoteMark begins each line of a text that somebody wrote.
const quoteMark = "  > "

// block shows a text that somebody wrote in lines of its own, each marked and, on
// a terminal of a known width, short enough that the terminal breaks none.
func block(text string, width int) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for line := range strings.SplitSeq(escape(text), "\n") {
		for _, part := range wrap(line, width-len(quoteMark)) {
			b.WriteString(strings.TrimRightFunc(quoteMark+part, unicode.IsSpace) + "\n")
		}
	}
	return b.String()
}

// narrowest is the width below which lines are not broken to fit.
const narrowest = 20

// wrap breaks a line at spaces, and words that are too long anywhere. A width
// that is unknown or too small breaks nothing.
func wrap(line string, width int) []string {
	if width < narrowest {
		return []string{line}
	}
	var parts []string
	rest := []rune(line)
	for len(rest) > width {
		end := width
		for i := width; i > 0; i-- {
			if rest[i] == ' ' {
				end = i
				break
			}
		}
		parts = append(parts, string(rest[:end]))
		rest = rest[end:]
		if rest[0] == ' ' {
			rest = rest[1:]
		}
	}
	return append(parts, string(rest))
}
