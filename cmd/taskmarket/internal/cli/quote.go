package cli

import (
	"slices"
	"strings"
	"unicode"

	"taskmarket/client/visible"
)

// Quoted puts third-party text on one line between quotes, so that it cannot be mistaken for output
// of the program.
func Quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(OneLine(text), `"`, `\"`) + `"`
}

// shortened is Quoted, cut to width characters.
func shortened(text string, width int) string {
	whole := Quoted(text)
	runes := []rune(whole)
	if len(runes) <= width {
		return whole
	}
	return string(runes[:max(1, width-2)]) + `…"`
}

// wrapIndented wraps a value with an indent, so that its lines are aligned. Words of the program
// that fit on a line, such as hashes, are not broken, so that they can be copied.
func wrapIndented(value string, indent, width int) string {
	longest := width
	if strings.HasPrefix(value, `"`) || strings.Contains(value, `\`) {
		longest = width - indent
	}
	return strings.Join(wrap(value, width-indent, longest), "\n"+blank(indent))
}

// quoteMark starts each line of third-party text.
const quoteMark = "  > "

// QuotedBlock puts third-party text on separate lines, each marked and wrapped to the width.
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

// minWidth is the width below which lines are not wrapped.
const minWidth = 20

// wrap breaks a line at spaces, and within words that are longer than longest. An unknown or too
// small width breaks nothing.
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

// breakAt returns the length of the first part of a line that is too wide: up to its last space, or
// the end of its first word, or within a word that is too long.
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

// QuotedList formats third-party words, each between quotes.
func QuotedList(words []string) string {
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = Quoted(word)
	}
	return strings.Join(shown, ", ")
}
