package cli

import (
	"slices"
	"strings"
	"unicode"

	"taskmarket/client/visible"
)

// Quoted shows a text that somebody wrote on one line, between quotes, so that it
// cannot pass for something that the program says.
func Quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(OneLine(text), `"`, `\"`) + `"`
}

// shortened is quoted, cut to a width in characters.
func shortened(text string, width int) string {
	whole := Quoted(text)
	runes := []rune(whole)
	if len(runes) <= width {
		return whole
	}
	return string(runes[:max(1, width-2)]) + `…"`
}

// hang breaks a value so that its lines stay below each other, with an indent: the
// terminal would go on at the margin, where names are. Words of ours that fit on a
// line, such as hashes, stay whole, for copying; what had to be escaped is not ours.
func hang(value string, indent, width int) string {
	longest := width
	if strings.HasPrefix(value, `"`) || strings.Contains(value, `\`) {
		longest = width - indent
	}
	return strings.Join(wrap(value, width-indent, longest), "\n"+blank(indent))
}

// quoteMark begins each line of a text that somebody wrote.
const quoteMark = "  > "

// QuotedBlock shows a text that somebody wrote in lines of its own, each marked and, on
// a terminal of a known width, short enough that the terminal breaks none.
func QuotedBlock(text string, width int) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for line := range strings.SplitSeq(visible.Text(text), "\n") {
		for _, part := range wrap(line, width-len(quoteMark), 0) {
			b.WriteString(strings.TrimRightFunc(quoteMark+part, unicode.IsSpace) + "\n")
		}
	}
	return b.String()
}

// minWidth is the width below which lines are not broken to fit.
const minWidth = 20

// wrap breaks a line at spaces, and anywhere within words that are longer than
// longest. A width that is unknown or too small breaks nothing.
func wrap(line string, width, longest int) []string {
	if width < minWidth {
		return []string{line}
	}
	var parts []string
	rest := []rune(line)
	for len(rest) > width {
		end := breakAt(rest, width, longest)
		if end == len(rest) {
			break
		}
		parts = append(parts, string(rest[:end]))
		if rest = rest[end:]; rest[0] == ' ' {
			rest = rest[1:]
		}
	}
	return append(parts, string(rest))
}

// breakAt is where a line that is too wide ends: at its last space, else behind its
// first word, or in it when it is too long.
func breakAt(line []rune, width, longest int) int {
	for i := width; i > 0; i-- {
		if line[i] == ' ' {
			return i
		}
	}
	end := slices.Index(line[1:], ' ') + 1
	if end == 0 {
		end = len(line)
	}
	if end > longest {
		return width
	}
	return end
}

// QuotedList shows words that somebody wrote.
func QuotedList(words []string) string {
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = Quoted(word)
	}
	return strings.Join(shown, ", ")
}
