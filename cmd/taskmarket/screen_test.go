package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestNothingActsOnTheTerminal(t *testing.T) {
	for name, text := range clitest.Hostile {
		var out bytes.Buffer
		a := newApp(streams{out: &out, err: &out, outTerminal: true}, []string{"NO_COLOR=1"})
		clitest.Must(t, a.printFields(field{"Name", text}))
		clitest.Must(t, a.printTable([]string{text}, [][]string{{text}}))
		clitest.Must(t, a.printJSON(map[string]string{"name": text}))
		a.note("%s", text)
		for _, r := range out.String() {
			if !clitest.IsShown(r) {
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
	for name, text := range clitest.Hostile {
		raw, err := encodeJSON(map[string]string{"name": text}, "")
		clitest.Must(t, err)
		var back map[string]string
		clitest.Must(t, json.Unmarshal(raw, &back))
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
		clitest.Must(t, a.printTable([]string{"A"}, nil))
		if got := strings.Contains(out.String(), bold); got != c.bold {
			t.Errorf("%s: bold is %t, want %t", name, got, c.bold)
		}
	}
}
