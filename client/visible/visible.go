// Package visible writes the words of others so that whoever reads them, a
// person or a model, gets all of them and nothing else: characters that leave
// no mark, that reorder others or that a terminal acts on are written as their
// numbers.
package visible

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Rune reports whether the character is seen as itself, spaces of any width
// included. Selectors of variants are none, not even those of emoji: a text can
// be hidden in a row of them.
func Rune(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Text returns the text with all that is not seen written as Go's escapes, also
// bytes that are no UTF-8. Newlines and tabs stay.
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

// Line is Text for what must stay in its line and its column.
func Line(text string) string { return Text(lineBreaks.Replace(text)) }

// JSON returns the document with all that is not seen in its strings written as
// JSON's escapes, also spaces other than the usual one, so that it keeps its
// meaning. Newlines between its parts stay.
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
