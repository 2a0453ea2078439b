package market_test

import (
	"strings"
	"testing"

	"taskmarket/market"
)

func TestFileText(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"":                              "",
		"word\n":                        "word\n",
		"\ufeffword\r\n":                "word\r\n",
		"\ufeff\ufeffword":              "\ufeffword", // only one mark is removed
		"wörd 港":                        "wörd 港",
		"\xff\xfew\x00o\x00":            "error: UTF-16",
		"\xfe\xff\x00w\x00o":            "error: UTF-16",
		"\xff\xfe\x00\x00w\x00\x00\x00": "error: UTF-16",
		"w\x00o\x00r\x00d\x00\n\x00":    "error: UTF-16",
		"\x00w\x00o\x00r\x00d\x00\n":    "error: UTF-16",
		"wo\x00\x00rd":                  "error: byte 3 is NUL",
		"word\x00":                      "error: byte 5 is NUL",
		"w\xf6rd":                       "error: not UTF-8",
	} {
		got, err := market.FileText([]byte(raw))
		words, fails := strings.CutPrefix(want, "error: ")
		if fails && (err == nil || !strings.Contains(err.Error(), words)) || !fails && (err != nil || got != want) {
			t.Errorf("%q: %q, %v; want %q", raw, got, err, want)
		}
	}
}
