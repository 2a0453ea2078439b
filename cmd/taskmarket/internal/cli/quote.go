package cli

import (
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"

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

// shortened is like Quoted, but truncates the text to width columns.
func shortened(text string, width int) string {
	whole := splitLine(Quoted(text))
	if whole.width() <= width {
		return whole.String()
	}
	return whole[:max(1, whole.fitting(width-2))].String() + `…"`
}

// cells is a line, split into what a terminal shows as one character: a letter with its marks, an emoji, or
// a wide character, which takes two columns.
type cells []cell

type cell struct {
	text    string
	columns int
}

func splitLine(line string) cells {
	var all cells
	for graphemes := displaywidth.StringGraphemes(line); graphemes.Next(); {
		all = append(all, cell{graphemes.Value(), graphemes.Width()})
	}
	return all
}

// String returns the line.
func (c cells) String() string {
	var b strings.Builder
	for _, one := range c {
		b.WriteString(one.text)
	}
	return b.String()
}

// width returns the number of columns.
func (c cells) width() int {
	columns := 0
	for _, one := range c {
		columns += one.columns
	}
	return columns
}

// fitting returns how many cells fit into the columns.
func (c cells) fitting(columns int) int {
	for i, one := range c {
		if columns -= one.columns; columns < 0 {
			return i
		}
	}
	return len(c)
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

// wrap breaks a line at spaces into lines of at most width columns. It also breaks words that are wider than longest. It does not break
// the line if the width is unknown or less than minWidth.
func wrap(line string, width, longest int) []string {
	if width < minWidth {
		return []string{line}
	}
	var parts []string
	rest := splitLine(line)
	for fit := rest.fitting(width); fit < len(rest); fit = rest.fitting(width) {
		end := breakAt(rest, fit, longest)
		if end == len(rest) {
			break
		}
		parts = append(parts, rest[:end].String())
		if rest = rest[end:]; rest[0].text == " " {
			rest = rest[1:]
		}
	}
	return append(parts, rest.String())
}

// breakAt returns where to break a line of which only the first cells fit: at the last space among them,
// after its first word, or within a word that is wider than longest.
func breakAt(line cells, fit, longest int) int {
	isSpace := func(c cell) bool { return c.text == " " }
	for i := fit; i > 0; i-- {
		if isSpace(line[i]) {
			return i
		}
	}
	end := slices.IndexFunc(line[1:], isSpace) + 1
	if end == 0 {
		end = len(line)
	}
	if line[:end].width() > longest {
		return fit
	}
	return end
}

// QuotedList formats third-party words, each in quotes.
func QuotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quoted(word)
	}
	return strings.Join(quoted, ", ")
}
