package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestWrap(t *testing.T) {
	for name, c := range map[string]struct {
		line    string
		longest int
		want    string
	}{
		"short":                       {"a few words", 20, "a few words"},
		"at the last space":           {"twenty characters and more", 20, "twenty characters|and more"},
		"exactly the width":           {"exactly twenty chars and", 20, "exactly twenty chars|and"},
		"a long word":                 {"x " + strings.Repeat("y", 30), 20, "x|" + strings.Repeat("y", 20) + "|" + strings.Repeat("y", 10)},
		"a long word below the limit": {strings.Repeat("y", 30) + " z", 40, strings.Repeat("y", 30) + "|z"},
		"a long word at the end":      {"x " + strings.Repeat("y", 30), 40, "x|" + strings.Repeat("y", 30)},
		"nothing":                     {"", 20, ""},
		"spaces only":                 {strings.Repeat(" ", 45), 20, strings.Repeat(" ", 20) + "|" + strings.Repeat(" ", 20) + "|   "},
		"a leading space":             {" " + strings.Repeat("y", 30), 20, " " + strings.Repeat("y", 19) + "|" + strings.Repeat("y", 11)},
		"wide characters":             {"日本語の長い文章です日本語の長い文章です日本語", 20, "日本語の長い文章です|日本語の長い文章です|日本語"},
		"a wide character at the end": {"x日本語の長い文章です日本", 20, "x日本語の長い文章で|す日本"},
		"combining characters":        {strings.Repeat("e\u0301", 21), 20, strings.Repeat("e\u0301", 20) + "|e\u0301"},
		"emoji":                       {strings.Repeat("🔧", 11), 20, strings.Repeat("🔧", 10) + "|🔧"},
		"wide words":                  {"日本語の 長い文章です 日本", 20, "日本語の|長い文章です 日本"},
	} {
		if got := strings.Join(wrap(c.line, 20, c.longest), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Tables fit into the terminal and their columns are aligned, in columns of the terminal.
func TestTablesFitTheTerminal(t *testing.T) {
	var out bytes.Buffer
	a := New(Streams{Out: &out, Err: &out, OutTerminal: true, Width: 40}, []string{"NO_COLOR=1"})
	items := []string{"港の写真を撮ってください港の写真を撮って", "🔧🔧🔧 fix the tap, please, before noon", "e\u0301e\u0301 cafe\u0301 cre\u0300me bru\u0302le\u0301e for lunch", "plain"}
	clitest.Must(t, PrintItems(a, items, []Column[string]{{"NAME", func(s string) string { return string([]rune(s)[:4]) }}},
		LastColumn[string]{"TEXT", func(s string) string { return s }}))
	clitest.Must(t, a.PrintFields(Field{"Name", items[0] + items[0]}, Field{"名前", items[1]}))
	starts := map[int]bool{}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if width := displaywidth.String(line); width > 40 {
			t.Errorf("%d columns: %s", width, line)
		}
		if before, _, ok := strings.Cut(line, `"`); ok {
			starts[displaywidth.String(before)] = true
		}
	}
	if len(starts) != 1 || !strings.Contains(out.String(), `…"`) {
		t.Errorf("the quotes start in the columns %v:\n%s", starts, out.String())
	}
}
