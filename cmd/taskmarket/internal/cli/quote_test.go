package cli

import (
	"strings"
	"testing"
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
		"wide characters":             {"日本語の長い文章です日本語の長い文章です日本語", 20, "日本語の長い文章です日本語の長い文章です|日本語"},
	} {
		if got := strings.Join(wrap(c.line, 20, c.longest), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
