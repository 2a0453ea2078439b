package server

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"taskmarket/market"
)

// checkLine is market.CheckLine, for the members of requests.
func checkLine(field, text string) error { return market.CheckLine(field, text) }

// checkText is market.CheckText, for the members of requests.
func checkText(field, text string) error { return market.CheckText(field, text) }

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
