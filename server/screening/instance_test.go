package screening_test

import (
	"testing"

	"taskmarket/market"
	"taskmarket/server/screening"
)

func TestInstanceRules(t *testing.T) {
	t.Parallel()
	instance := screening.Instance{MinimumAge: 18, Categories: []string{"gambling", "C#", "18+", "100 %"}, Countries: []string{"PT"}, TermsURL: "https://market.example/terms"}
	if err := instance.Check(); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		skills   []string
		location string
		want     market.Kind
	}{
		"allowed":            {[]string{"photography"}, "Graz, Austria", ""},
		"forbidden category": {[]string{"photography", "Gambling"}, "", market.KindInvalid},
		"forbidden country":  {nil, "Porto, Portugal", market.KindInvalid},
		"forbidden city":     {nil, "Lisboa", market.KindInvalid},
		"unknown place":      {nil, "my kitchen", ""},
		"category in words":  {[]string{"online gambling"}, "", market.KindInvalid},
		"accented category":  {[]string{"Gamblíng"}, "", market.KindInvalid},
		"Cyrillic category":  {[]string{"g\u0430mbling"}, "", market.KindInvalid},
		"digits in category": {[]string{"g4mes, gamb1ing"}, "", market.KindInvalid},
		"part of a word":     {[]string{"gamblingham castle"}, "", ""},
		"short category":     {[]string{"C#"}, "", market.KindInvalid},
		"not that category":  {[]string{"C", "18 photos", "100 photos"}, "", ""},
		"Greek letter":       {nil, "P\u03bfrto", market.KindInvalid},
		"Greek name":         {nil, "Αθήνα", ""},
	} {
		if got := market.KindOf(instance.CheckTask(test.skills, test.location)); got != test.want {
			t.Errorf("%s: CheckTask() = %q, want %q", name, got, test.want)
		}
	}
	if got := market.KindOf(instance.CheckApplicant(false)); got != market.KindDeclarationRequired || instance.CheckApplicant(true) != nil {
		t.Errorf("CheckApplicant() = %q", got)
	}
	if err := (screening.Instance{}).CheckApplicant(false); err != nil {
		t.Error(err)
	}
	for name, invalid := range map[string]screening.Instance{
		"age": {MinimumAge: 16}, "country": {Countries: []string{"Portugal"}}, "category": {Categories: []string{""}},
		"link": {TermsURL: "javascript:alert(1)"}, "credentials": {ContactURL: "https://a:b@market.example"},
	} {
		if invalid.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// A task that names a forbidden category in its texts is held, as is one that could be in a forbidden country,
// because it has no location.
func TestInstanceHolds(t *testing.T) {
	t.Parallel()
	instance := screening.Instance{Categories: []string{"Gambling", "adult content"}, Countries: []string{"PT"}}
	for name, test := range map[string]struct {
		task market.Task
		want string
	}{
		"allowed":             {market.Task{Title: "Photos", Description: "Two photos.", Location: "Graz, Austria"}, ""},
		"unknown place":       {market.Task{Title: "Photos", Description: "Two photos.", Location: "my kitchen"}, ""},
		"category in a title": {market.Task{Title: "GAMBLÍNG: two photos", Description: "D", Remote: true}, screening.RuleCategory},
		"in the description":  {market.Task{Title: "T", Description: "Test our on-line g\u0430mb1ing site.", Remote: true}, screening.RuleCategory},
		"two words":           {market.Task{Title: "T", Description: "Moderate adult\ncontent.", Remote: true}, screening.RuleCategory},
		"one word of two":     {market.Task{Title: "T", Description: "Content for adult education", Remote: true}, ""},
		"a longer word":       {market.Task{Title: "T", Description: "Photograph Gamblingham", Remote: true}, ""},
		"no location":         {market.Task{Title: "T", Description: "D"}, screening.RuleLocation},
		"remote":              {market.Task{Title: "T", Description: "D", Remote: true}, ""},
	} {
		if got := instance.Match(test.task); got != test.want {
			t.Errorf("%s: Match() = %q, want %q", name, got, test.want)
		}
	}
	if got := (screening.Instance{}).Match(market.Task{Title: "Gambling"}); got != "" {
		t.Errorf("Match() without settings = %q", got)
	}
	for _, rule := range []string{screening.RuleCategory, screening.RuleLocation} {
		if screening.InstanceClause(rule) == "" {
			t.Errorf("%s has no clause", rule)
		}
	}
	if got := screening.InstanceClause("identity"); got != "" {
		t.Errorf("clause of another rule = %q", got)
	}
}

// Humans need a location before they apply, if countries are forbidden.
func TestApplicantsNeedALocation(t *testing.T) {
	t.Parallel()
	instance := screening.Instance{Countries: []string{"PT"}}
	for location, want := range map[string]market.Kind{"": market.KindInvalid, "Lisbon": market.KindInvalid, "Graz": ""} {
		if got := market.KindOf(instance.CheckResidence(location)); got != want {
			t.Errorf("CheckResidence(%q) = %q, want %q", location, got, want)
		}
	}
	if err := (screening.Instance{}).CheckResidence(""); err != nil {
		t.Error(err)
	}
}
