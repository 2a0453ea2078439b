package market

import (
	"strings"
	"testing"
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
		"maximum lengths":               {strings.Repeat("é", MaxTitle), strings.Repeat("é", MaxDescription), strings.Repeat("é", MaxLocation), []string{strings.Repeat("é", MaxSkill)}, ""},
		"no title":                      {"", "y", "", nil, "title"},
		"a long title":                  {strings.Repeat("é", MaxTitle+1), "y", "", nil, "title"},
		"a title of two lines":          {"a\nb", "y", "", nil, "title"},
		"a title with a direction mark": {"a\u202eb", "y", "", nil, "title"},
		"an invisible title":            {"\u200b", "y", "", nil, "title"},
		"no description":                {"x", " \n", "", nil, "description"},
		"a long description":            {"x", strings.Repeat("y", MaxDescription+1), "", nil, "description"},
		"a blank location":              {"x", "y", " ", nil, "location"},
		"a long location":               {"x", "y", strings.Repeat("z", MaxLocation+1), nil, "location"},
		"a blank skill":                 {"x", "y", "", []string{"a", ""}, "skills"},
		"a long skill":                  {"x", "y", "", []string{strings.Repeat("z", MaxSkill+1)}, "skills"},
		"more than 10 skills":           {"x", "y", "", strings.Split(strings.Repeat("a,", MaxSkills)+"a", ","), "skills"},
	} {
		err := CheckTaskContents(c.title, c.description, c.location, c.skills)
		if c.field == "" && err != nil || c.field != "" && (err == nil || !strings.Contains(err.Error(), c.field+": ")) {
			t.Errorf("%s: error %v, want the field %q", name, err, c.field)
		}
	}
}
