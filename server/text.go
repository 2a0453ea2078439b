package server

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"taskmarket/market"
)

// checkLine refuses a short text that is blank or has characters that break or
// turn a line: it will stand in the middle of somebody else's page.
func checkLine(field, text string) error {
	if strings.ContainsFunc(text, disturbs) {
		return market.Invalid(field, "characters", "must be one line of visible characters")
	}
	return checkText(field, text)
}

// checkText refuses a text that is blank.
func checkText(field, text string) error {
	if !strings.ContainsFunc(text, visible) {
		return market.Invalid(field, "blank", "must not be blank")
	}
	return nil
}

// visible reports what leaves a mark: not spaces, nor marks without a width.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
}

// disturbs reports control characters and those that change the direction of
// text, such as U+202E, which makes txt.exe of exe.txt.
func disturbs(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError ||
		r == '\u2028' || r == '\u2029'
}

// sentence makes a refusal's text one for a page: a capital letter first and a
// full stop last.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}
