// Package clitest contains helpers for the tests of the command line.
package clitest

import (
	"testing"
	"unicode"
)

// Must fails the test if err is not nil.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Hostile contains texts with characters that a terminal would interpret.
var Hostile = map[string]string{
	"colour":           "\x1b[31mred\x1b[0m",
	"title":            "\x1b]0;owned\a",
	"one-byte control": "\u009b31mred",
	"backspace":        "10\b\b99",
	"return":           "pay 10\rpay 99",
	"direction":        "user\u202egpj.exe",
	"isolate":          "\u2066hidden\u2069",
	"invisible":        "pay\u200bpal\ufeff",
	"tag":              "x\U000e0041",
	"variants":         "x\ufe0f\U000e0100\u180b",
	"fillers":          "x\u3164\u115f\u034f\uffa0",
	"separators":       "a\u2028b\u2029c",
	"no UTF-8":         "a\xff\x9bb",
	"nothing":          "a\x00b\x7f",
}

// IsShown reports whether the character is printable, a newline or a tab. Invisible characters, such as
// variation selectors, do not count as printable.
func IsShown(r rune) bool {
	unseen := unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	return r == '\n' || r == '\t' || unicode.IsGraphic(r) && !unseen
}
