// Package visible strips invisible characters from third-party text, for people and models:
// characters that are not displayed, that reorder others or that control a terminal are replaced by
// escape sequences.
package visible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Rune reports whether the character is visible, including spaces of any width. Variation selectors
// are not, not even those of emoji: a text can be hidden in a row of them.
func Rune(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Text returns the text with all invisible characters and invalid UTF-8 as Go's escapes. Newlines
// and tabs stay.
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

// Line is Text for text that must stay in its line and its column.
func Line(text string) string { return Text(lineBreaks.Replace(text)) }

// JSON returns the document with all invisible characters in its strings as JSON escapes, including
// unusual spaces, so that its meaning does not change. Newlines between its parts stay.
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
