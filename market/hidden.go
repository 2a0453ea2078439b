package market

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Hidden characters that emoji and some scripts need, the combining mark of keycaps such as 1️⃣, and the
// accepted control characters.
const (
	nonJoiner    = '\u200c'
	joiner       = '\u200d'
	textStyle    = '\ufe0e'
	emojiStyle   = '\ufe0f'
	keycap       = '\u20e3'
	tab, newline = '\t', '\n'
	carriage     = '\r'
)

// Hidden reports whether a character is not displayed, or changes how others are displayed: control
// characters, zero-width characters, direction marks, variation selectors, and tags. Sequences of them can
// hide text from humans that a language model still reads. Newlines and tabs count as hidden. The number
// signs of Arabic and Syriac do not: they are format characters, but displayed.
func Hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// CheckHidden rejects a text with hidden characters, except line breaks, tabs, and those that emoji and
// some scripts need. After a displayed character outside ASCII, it accepts one variation selector (U+FE0E
// or U+FE0F), then one joiner if another displayed character outside ASCII follows. After an ASCII
// character, it accepts only a variation selector before the keycap mark U+20E3. Example: ❤️‍🔥 is U+2764,
// U+FE0F, U+200D, U+1F525.
func CheckHidden(field, text string) error {
	place := 0
	for rest := text; rest != ""; {
		place++
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		switch {
		case r == tab || r == newline || r == carriage:
		case Hidden(r):
			return Invalid(field, "hidden_character",
				"contains the invisible character %s at position %d; remove it", fmt.Sprintf("U+%04X", r), place)
		default:
			n := joiners(r, rest)
			place += utf8.RuneCountInString(rest[:n])
			rest = rest[n:]
		}
	}
	return nil
}

// joiners returns the length in bytes of the accepted hidden characters at the start of rest, after the
// displayed character r.
func joiners(r rune, rest string) int {
	next, size := utf8.DecodeRuneInString(rest)
	style := next == textStyle || next == emojiStyle
	if r <= unicode.MaxASCII {
		if after, _ := utf8.DecodeRuneInString(rest[size:]); style && after == keycap {
			return size
		}
		return 0
	}
	length := 0
	if style {
		length = size
		next, size = utf8.DecodeRuneInString(rest[length:])
	}
	if next != joiner && next != nonJoiner {
		return length
	}
	if after, _ := utf8.DecodeRuneInString(rest[length+size:]); after > unicode.MaxASCII && after != utf8.RuneError && !Hidden(after) {
		return length + size
	}
	return length
}
