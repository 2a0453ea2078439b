package market_test

import (
	"strings"
	"testing"

	"taskmarket/market"
)

func TestCheckTaskContents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		title, description, location string
		skills                       []string
		field                        string // the invalid field; empty if the texts are valid
	}{
		"valid":                         {"Photograph the harbour", "Ten photos.\nNot more.", "Lisbon", []string{"photography"}, ""},
		"without a location":            {"x", "y", "", nil, ""},
		"maximum lengths":               {strings.Repeat("é", market.MaxTitle), strings.Repeat("é", market.MaxDescription), strings.Repeat("é", market.MaxLocation), []string{strings.Repeat("é", market.MaxSkill)}, ""},
		"no title":                      {"", "y", "", nil, "title"},
		"a long title":                  {strings.Repeat("é", market.MaxTitle+1), "y", "", nil, "title"},
		"a title of two lines":          {"a\nb", "y", "", nil, "title"},
		"a title with a direction mark": {"a\u202eb", "y", "", nil, "title"},
		"an invisible title":            {"\u200b", "y", "", nil, "title"},
		"no description":                {"x", " \n", "", nil, "description"},
		"a long description":            {"x", strings.Repeat("y", market.MaxDescription+1), "", nil, "description"},
		"a blank location":              {"x", "y", " ", nil, "location"},
		"a long location":               {"x", "y", strings.Repeat("z", market.MaxLocation+1), nil, "location"},
		"a blank skill":                 {"x", "y", "", []string{"a", ""}, "skills"},
		"a long skill":                  {"x", "y", "", []string{strings.Repeat("z", market.MaxSkill+1)}, "skills"},
		"more than 10 skills":           {"x", "y", "", strings.Split(strings.Repeat("a,", market.MaxSkills)+"a", ","), "skills"},
	} {
		err := market.CheckTaskContents(c.title, c.description, c.location, c.skills)
		if c.field == "" && err != nil || c.field != "" && (err == nil || !strings.Contains(err.Error(), c.field+": ")) {
			t.Errorf("%s: error %v, want the field %q", name, err, c.field)
		}
	}
}

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
