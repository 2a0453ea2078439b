// Package visible makes invisible characters in third-party text visible to humans and models.
// Characters that are not displayed, that reorder other characters, or that control a terminal are
// replaced with escape sequences.
package visible

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"taskmarket/market"
)

// Rune reports whether the character is visible. Spaces of any width count as visible. Variation
// selectors do not, not even in emoji, because a sequence of them can encode hidden text.
func Rune(r rune) bool {
	return unicode.IsGraphic(r) && !market.Hidden(r)
}

// Text replaces all invisible characters and invalid UTF-8 in the text with Go escapes. Newlines and
// tabs are not escaped.
func Text(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n', r == '\t', Rune(r):
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

// Line is Text with newlines and tabs also escaped, for text that must stay on one line and in one
// column.
func Line(text string) string { return Text(lineBreaks.Replace(text)) }

// Writer returns a writer that writes the Text of each write to w. A write must not end within a character.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ w io.Writer }

// Write implements io.Writer.
func (v writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.w, Text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// JSON replaces all invisible characters and unusual spaces in the document's strings with JSON
// escapes, which do not change its meaning. Newlines between its parts are not escaped.
func JSON(document []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(document) {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n', r == ' ', Rune(r) && !unicode.Is(unicode.Zs, r):
			b.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
