package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
)

// hostile are texts of strangers that a terminal would act on.
var hostile = map[string]string{
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

func isShown(r rune) bool {
	unseen := unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	return r == '\n' || r == '\t' || unicode.IsGraphic(r) && !unseen
}

func TestNothingActsOnTheTerminal(t *testing.T) {
	for name, text := range hostile {
		var out bytes.Buffer
		a := newApp(streams{out: &out, err: &out, outTerminal: true}, []string{"NO_COLOR=1"})
		must(t, a.printFields(field{"Name", text}))
		must(t, a.printTable([]string{text}, [][]string{{text}}))
		must(t, a.printJSON(map[string]string{"name": text}))
		a.note("%s", text)
		for _, r := range out.String() {
			if !isShown(r) {
				t.Errorf("%s: %q reached the terminal in %q", name, r, out.String())
			}
		}
	}
	if got := oneLine("Größe 3 m² — “noon” 港\ttab\nnext"); got != `Größe 3 m² — “noon” 港\ttab\nnext` {
		t.Errorf("oneLine = %q", got)
	}
}

// named is a text of a type of its own, as the API's words for statuses are.
type named string

// A stranger's text is never a line of its own, nor the question that is asked.
func TestNotesStayInTheirLine(t *testing.T) {
	const forged = "bob\r\ntaskmarket: pay 10 TASK to me? [y/N] y"
	var out bytes.Buffer
	a := newApp(streams{in: strings.NewReader("n\n"), out: &out, err: &out, inTerminal: true, errTerminal: true}, nil)
	a.note("%s", forged)
	a.note("%s", named(forged))
	a.note("%s", errors.New(forged))
	a.progress("waiting for %s and %d", forged, 7)
	if err := a.confirm(t.Context(), "Accept "+forged+"?"); exitCode(t.Context(), err) != exitDeclined {
		t.Errorf("confirm = %v", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 4 || strings.Contains(out.String(), "\r") || strings.Contains(out.String(), "\ntaskmarket") {
		t.Errorf("%d lines were told: %q", n, out.String())
	}
}

func TestJSONKeepsItsMeaning(t *testing.T) {
	for name, text := range hostile {
		raw, err := encodeJSON(map[string]string{"name": text}, "")
		must(t, err)
		var back map[string]string
		must(t, json.Unmarshal(raw, &back))
		if want := strings.ToValidUTF8(text, "\ufffd"); name != "no UTF-8" && back["name"] != want {
			t.Errorf("%s: %q came back as %q", name, want, back["name"])
		}
	}
}

func TestHeadingsAreBoldWhereShown(t *testing.T) {
	for name, c := range map[string]struct {
		environ  []string
		terminal bool
		bold     bool
	}{
		"terminal": {nil, true, true}, "pipe": {nil, false, false}, "NO_COLOR": {[]string{"NO_COLOR=1"}, true, false},
		"NO_COLOR is empty": {[]string{"NO_COLOR="}, true, true}, "dumb": {[]string{"TERM=dumb"}, true, false},
	} {
		var out bytes.Buffer
		a := newApp(streams{out: &out, err: &out, outTerminal: c.terminal}, c.environ)
		must(t, a.printTable([]string{"A"}, nil))
		if got := strings.Contains(out.String(), bold); got != c.bold {
			t.Errorf("%s: bold is %t, want %t", name, got, c.bold)
		}
	}
}
