package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// screen is a stream that a terminal may show. Whatever is written to it comes
// out without characters that a terminal or an editor acts on instead of showing
// them: a stranger's text can neither move the cursor nor reorder the line.
// Newlines and tabs pass. Each Write is one Write below.
type screen struct {
	w      io.Writer
	styled bool
}

// Write implements io.Writer.
func (s *screen) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, escape(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

const (
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// heading writes a line in bold where the terminal shows it.
func (s *screen) heading(text string) error {
	text = oneLine(text)
	if s.styled {
		text = bold + text + plain
	}
	_, err := io.WriteString(s.w, text+"\n")
	return err
}

// escape writes every character that is not shown as itself as its number:
// controls, marks of direction, invisible ones, and bytes that are no UTF-8.
// Newlines and tabs stay.
func escape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n', r == '\t', unicode.IsGraphic(r) && !unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case r > 0xff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\x%02x`, r)
		}
		i += size
	}
	return b.String()
}

var lineBreaks = strings.NewReplacer("\r\n", `\n`, "\n", `\n`, "\t", `\t`)

// oneLine is escape for a text that must stay in its line and its column.
func oneLine(text string) string {
	return escape(lineBreaks.Replace(text))
}
