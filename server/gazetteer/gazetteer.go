// Package gazetteer finds cities by a prefix of their names. It contains the cities with a
// population of at least 15,000. Cities of at least 100,000 can also be found by their names in
// other languages. The data is from GeoNames (https://www.geonames.org, CC BY 4.0), packed by
// tools/gazetteer/make.py.
package gazetteer

import (
	"compress/gzip"
	_ "embed" // embeds the data
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Place is a city.
type Place struct {
	Name        string
	Region      string // empty if GeoNames has none
	Country     string
	CountryCode string // ISO 3166-1 alpha-2
	Latitude    float64
	Longitude   float64
}

// name is one name of a place, normalised for comparison.
type name struct {
	folded string
	place  int32 // index in places; a smaller index means a larger population
	native bool  // true: the place's own name; false: a name in another language
}

// match ranks how well a name matches a search. Smaller is better.
type match uint8

const (
	nativeName match = iota
	otherName
	nativeBeginning
	otherBeginning
)

// match classifies a name that begins with prefix.
func (n name) match(prefix string) match {
	switch exact := n.folded == prefix; {
	case exact && n.native:
		return nativeName
	case exact:
		return otherName
	case n.native:
		return nativeBeginning
	}
	return otherBeginning
}

// index is the search index. It takes about 15 MiB, so it is not built until the first search.
type index struct {
	places []Place // sorted by population, largest first
	names  []name  // sorted by folded name
}

//go:embed places.tsv.gz
var packed string

var loaded = sync.OnceValues(load)

// Search returns the places with a name that begins with prefix, the best match first: an exact
// name before a longer one, a place's own name before its names in other languages, then the larger
// population. Case, accents and punctuation are ignored. A prefix without letters or digits matches
// no place.
func Search(prefix string) ([]*Place, error) {
	folded := Fold(prefix)
	if folded == "" {
		return nil, nil
	}
	all, err := loaded()
	if err != nil {
		return nil, fmt.Errorf("read the gazetteer: %w", err)
	}
	ranks := all.ranks(folded)
	found := make([]*Place, len(ranks))
	for i, rank := range ranks {
		found[i] = &all.places[rank]
	}
	return found, nil
}

// ranks returns the places that have a name with the prefix, in the order of Search. Example:
// "wien" returns Vienna (exact German name), then Wiener Neustadt (own name begins with it), then
// Vientiane (a name in another language begins with it).
func (x *index) ranks(prefix string) []int32 {
	first, _ := slices.BinarySearchFunc(x.names, prefix, func(n name, want string) int { return strings.Compare(n.folded, want) })
	var found [otherBeginning + 1][]int32 // indexes of the places found, by match
	for _, n := range x.names[first:] {
		if !strings.HasPrefix(n.folded, prefix) {
			break
		}
		m := n.match(prefix)
		found[m] = append(found[m], n.place)
	}
	var ranks []int32
	seen := make([]bool, len(x.places)) // so that each place is listed once, at its best match
	for _, places := range found {
		slices.Sort(places)
		for _, place := range places {
			if !seen[place] {
				seen[place] = true
				ranks = append(ranks, place)
			}
		}
	}
	return ranks
}

func load() (*index, error) {
	unpacked, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	countryLines, cityLines, _ := strings.Cut(string(text), "\n\n")
	countries := make(map[string]string)
	for line := range strings.Lines(countryLines) {
		code, country, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		countries[code] = country
	}
	lines := strings.Count(cityLines, "\n")
	x := &index{places: make([]Place, 0, lines), names: make([]name, 0, 4*lines)}
	for line := range strings.Lines(cityLines) {
		if err := x.add(strings.TrimSuffix(line, "\n"), countries); err != nil {
			return nil, fmt.Errorf("place %d: %w", len(x.places)+1, err)
		}
	}
	slices.SortFunc(x.names, func(a, b name) int { return strings.Compare(a.folded, b.folded) })
	x.names = slices.Clip(x.names)
	return x, nil
}

// add parses one line of the data and adds the place and its names.
func (x *index) add(line string, countries map[string]string) error {
	fields := strings.Split(line, "\t")
	if len(fields) != 6 {
		return fmt.Errorf("it has %d fields instead of 6", len(fields))
	}
	latitude, err := strconv.ParseFloat(fields[3], 64)
	if err != nil {
		return err
	}
	longitude, err := strconv.ParseFloat(fields[4], 64)
	if err != nil {
		return err
	}
	rank := int32(len(x.places)) //nolint:gosec // the number of cities is far below 2^31
	x.places = append(x.places, Place{
		Name: fields[0], Region: fields[1], Country: countries[fields[2]], CountryCode: fields[2],
		Latitude: latitude, Longitude: longitude,
	})
	x.names = append(x.names, name{folded: Fold(fields[0]), place: rank, native: true})
	if fields[5] == "" {
		return nil
	}
	for other := range strings.SplitSeq(fields[5], "|") {
		x.names = append(x.names, name{folded: Fold(other), place: rank})
	}
	return nil
}
