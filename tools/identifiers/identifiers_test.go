package identifiers

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestOdd(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"word":               {"func f() { answer := 1; _ = answer }", []string{"answer", "answer"}},
		"first word":         {"const mostFiles = 30", []string{"mostFiles"}},
		"parameter":          {"func f(who string) {}", []string{"who"}},
		"later word":         {"var notKnown = 1", nil},
		"longer word":        {"var knownst, answered, owner = 1, 2, 3", nil},
		"exported":           {"var Known = 1", nil},
		"comment and string": {"// answer\nvar x = \"answer\"", nil},
		"idioms": {
			"func f(found int) (seen bool) { seen = found > 0; x, found := 1, 2; g := func(seen int) {}; g(x + found); return }",
			nil,
		},
		"idiom as the first word": {"func f() { foundTask := 1; _ = foundTask }", []string{"foundTask", "foundTask"}},
		"package variable":        {"var found = 1", []string{"found"}},
		"function":                {"func found() {}", []string{"found"}},
		"method":                  {"func (t T) seen() {}", []string{"seen"}},
		"method of an interface":  {"type T interface{ seen() }", []string{"seen"}},
		"field":                   {"type T struct{ found bool }\nfunc f(t T) bool { return t.found }", []string{"found", "found"}},
		"field of a local type":   {"func f() { var x struct{ seen int }; _ = x }", []string{"seen"}},
		"type":                    {"func f() { type found int }", []string{"found"}},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+test.text+"\n", parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, id := range Odd(file) {
				names = append(names, id.Name)
			}
			if !slices.Equal(names, test.want) {
				t.Errorf("odd identifiers = %v, want %v", names, test.want)
			}
		})
	}
}
