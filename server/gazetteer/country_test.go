package gazetteer_test

import (
	"testing"

	"taskmarket/server/gazetteer"
)

func TestCountryOfALocation(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]string{
		"Graz, Austria": "AT", "Graz, Styria, AT": "AT", "austria": "AT", "Lisbon": "PT", "lisboa": "PT", "Paris": "FR",
		"Paris, United States": "US", "Lis": "", "an unknown place": "", "": "", ",": "", "the moon, somewhere": "",
	} {
		if got, err := gazetteer.Country(location); err != nil || got != want {
			t.Errorf("Country(%q) = %q, %v, want %q", location, got, err, want)
		}
	}
}
