package cli

import (
	"slices"
	"strings"
	"unicode"

	"taskmarket/client/visible"
)

// Quoted returns third-party text on one line and in quotes, so that it cannot be mistaken for the
// program's own output.
func Quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(OneLine(text), `"`, `\"`) + `"`
}

// shortened is like Quoted, but truncates the text to width characters.
func shortened(text string, width int) string {
	whole := Quoted(text)
	runes := []rune(whole)
	if len(runes) <= width {
		return whole
	}
	return string(runes[:max(1, width-2)]) + `…"`
}

// wrapIndented wraps a value and indents its continuation lines, so that all lines are aligned. It
// does not break words that fit on a line, such as hashes, so that they can be copied.
func wrapIndented(value string, indent, width int) string {
	longest := width
	if strings.HasPrefix(value, `"`) || strings.Contains(value, `\`) {
		longest = width - indent
	}
	return strings.Join(wrap(value, width-indent, longest), "\n"+blank(indent))
}

// quoteMark is the prefix of each line of third-party text.
const quoteMark = "  > "

// QuotedBlock returns third-party text on separate lines, each prefixed with quoteMark and wrapped
// to the width.
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

// minWidth is the minimum width for wrapping. If less space is available, lines are not wrapped.
const minWidth = 20

// wrap breaks a line at spaces. It also breaks words that are longer than longest. It does not break
// the line if the width is unknown or less than minWidth.
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

// breakAt returns where to break a line that is too wide: at its last space within the width, after
// its first word, or within a word that is longer than longest.
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

// QuotedList formats third-party words, each in quotes.
func QuotedList(words []string) string {
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = Quoted(word)
	}
	return strings.Join(shown, ", ")
}
