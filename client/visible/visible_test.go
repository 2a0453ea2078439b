package visible_test

import (
	"encoding/json"
	"iter"
	"testing"
	"unicode"

	"taskmarket/client/visible"
)

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Größe 3 m² — “noon” 港\u3000x\u00a0y": "Größe 3 m² — “noon” 港\u3000x\u00a0y",
		"a\x1b[2J\u009b\x7f":                  `a\x1b[2J\x9b\x7f`,
		"a\u202eb\u200bc\u2028d":              `a\u202eb\u200bc\u2028d`,
		"❤\ufe0f":                             `❤\ufe0f`,
		"a\U000e0100\U000e0041":               `a\U000e0100\U000e0041`,
		"\u3164\u115f\u034f\u17b4\uffa0":      `\u3164\u115f\u034f\u17b4\uffa0`,
		"a\xffb":                              `a\xffb`,
		"a\nb\tc":                             "a\nb\tc",
	} {
		if got := visible.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
	if got, want := visible.Line("a\r\nb\nc\td\re"), `a\nb\nc\td\x0de`; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
}

// each yields the characters in a Unicode table.
func each(table *unicode.RangeTable) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for r := range rune(unicode.MaxRune + 1) {
			if surrogate := r >= 0xd800 && r <= 0xdfff; !surrogate && unicode.Is(table, r) && !yield(r) {
				return
			}
		}
	}
}

// Every invisible character is escaped, and the escape sequence decodes to the same character.
func TestInvisibleCharactersAreEscaped(t *testing.T) {
	t.Parallel()
	for _, table := range []*unicode.RangeTable{
		unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point,
	} {
		for r := range each(table) {
			document, err := json.Marshal(string(r))
			if err != nil {
				t.Fatal(err)
			}
			escaped := visible.JSON(document)
			var back string
			if err := json.Unmarshal(escaped, &back); err != nil || back != string(r) {
				t.Fatalf("%U was decoded as %q: %v", r, back, err)
			}
			for _, shown := range string(escaped) + visible.Line(string(r)) {
				if shown > unicode.MaxASCII || shown < ' ' {
					t.Fatalf("%U was not escaped in %q", r, escaped)
				}
			}
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	const given, want = "{\n  \"a\": \"x\u00a0y\u3000z é漢<&>\"\n}\n", "{\n  \"a\": \"x\\u00a0y\\u3000z é漢<&>\"\n}\n"
	if got := string(visible.JSON([]byte(given))); got != want {
		t.Errorf("JSON = %s, want %s", got, want)
	}
}
