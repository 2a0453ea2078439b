package screening_test

import (
	"testing"

	"taskmarket/market"
	"taskmarket/server/screening"
)

func TestInstanceRules(t *testing.T) {
	t.Parallel()
	instance := screening.Instance{MinimumAge: 18, Categories: []string{"gambling"}, Countries: []string{"PT"}, TermsURL: "https://market.example/terms"}
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
