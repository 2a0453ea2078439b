package gazetteer

import (
	"strings"
	"sync"
)

// countries maps the folded names and codes of countries to their codes.
var countries = sync.OnceValues(func() (map[string]string, error) {
	all, err := loaded()
	if err != nil {
		return nil, err
	}
	codes := map[string]string{}
	for _, p := range all.places {
		codes[Fold(p.Country)] = p.CountryCode
		codes[strings.ToLower(p.CountryCode)] = p.CountryCode
	}
	return codes, nil
})

// Country returns the ISO 3166-1 alpha-2 code of the country that a location names, such as "Graz, Austria",
// "Graz, AT" or "Austria". If the location names no country, Country returns the country of the largest city
// whose name is the part before the first comma, or "" if there is no such city.
func Country(location string) (string, error) {
	codes, err := countries()
	if err != nil {
		return "", err
	}
	parts := strings.Split(location, ",")
	if code := codes[Fold(parts[len(parts)-1])]; code != "" {
		return code, nil
	}
	city := Fold(parts[0])
	places, err := Search(parts[0])
	if err != nil || len(places) == 0 || city == "" {
		return "", err
	}
	all, err := loaded()
	if err != nil {
		return "", err
	}
	for _, n := range all.names {
		if n.folded == city && &all.places[n.place] == places[0] {
			return places[0].CountryCode, nil
		}
	}
	return "", nil
}
