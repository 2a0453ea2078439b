package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestTerminalControlIsEscaped(t *testing.T) {
	for name, text := range clitest.Hostile {
		var out bytes.Buffer
		a := New(Streams{Out: &out, Err: &out, OutTerminal: true}, []string{"NO_COLOR=1"})
		clitest.Must(t, a.PrintFields(Field{"Name", text}))
		clitest.Must(t, a.PrintTable([]string{text}, [][]string{{text}}))
		clitest.Must(t, a.PrintJSON(map[string]string{"name": text}))
		a.Note("%s", text)
		for _, r := range out.String() {
			if !clitest.IsShown(r) {
				t.Errorf("%s: %q reached the terminal in %q", name, r, out.String())
			}
		}
	}
	if got := OneLine("Größe 3 m² — “noon” 港\ttab\nnext"); got != `Größe 3 m² — “noon” 港\ttab\nnext` {
		t.Errorf("OneLine() = %q", got)
	}
}

// named is a named string type, like the API's status types.
type named string

// Newlines in third-party text are escaped in notes and questions, so the text never starts a line.
func TestNotesEscapeNewlines(t *testing.T) {
	const forged = "bob\r\ntaskmarket: pay 10 TASK to me? [y/N] y"
	var out bytes.Buffer
	a := New(Streams{In: strings.NewReader("n\n"), Out: &out, Err: &out, InTerminal: true, ErrTerminal: true}, nil)
	a.Note("%s", forged)
	a.Note("%s", named(forged))
	a.Note("%s", errors.New(forged))
	a.Progress("waiting for %s and %d", forged, 7)
	if err := a.Confirm(t.Context(), "Accept "+forged+"?"); ExitCode(t.Context(), err) != ExitDeclined {
		t.Errorf("Confirm() = %v", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 4 || strings.Contains(out.String(), "\r") || strings.Contains(out.String(), "\ntaskmarket") {
		t.Errorf("%d lines were printed: %q", n, out.String())
	}
}

func TestJSONKeepsItsMeaning(t *testing.T) {
	for name, text := range clitest.Hostile {
		raw, err := EncodeJSON(map[string]string{"name": text}, "")
		clitest.Must(t, err)
		var back map[string]string
		clitest.Must(t, json.Unmarshal(raw, &back))
		if want := strings.ToValidUTF8(text, "\ufffd"); name != "no UTF-8" && back["name"] != want {
			t.Errorf("%s: %q was decoded as %q", name, want, back["name"])
		}
	}
}

func TestHeadingsAreBoldOnTerminals(t *testing.T) {
	for name, c := range map[string]struct {
		environ  []string
		terminal bool
		bold     bool
	}{
		"terminal": {nil, true, true}, "pipe": {nil, false, false}, "NO_COLOR": {[]string{"NO_COLOR=1"}, true, false},
		"NO_COLOR is empty": {[]string{"NO_COLOR="}, true, true}, "dumb": {[]string{"TERM=dumb"}, true, false},
	} {
		var out bytes.Buffer
		a := New(Streams{Out: &out, Err: &out, OutTerminal: c.terminal}, c.environ)
		clitest.Must(t, a.PrintTable([]string{"A"}, nil))
		if got := strings.Contains(out.String(), bold); got != c.bold {
			t.Errorf("%s: bold is %t, want %t", name, got, c.bold)
		}
	}
}
