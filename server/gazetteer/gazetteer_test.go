package gazetteer_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"taskmarket/server/gazetteer"
)

func search(t *testing.T, prefix string) []*gazetteer.Place {
	t.Helper()
	found, err := gazetteer.Search(prefix)
	if err != nil {
		t.Fatalf("Search(%q) error = %v", prefix, err)
	}
	return found
}

func TestSearchIgnoresCaseAndAccents(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{
		"Lisbon": "Lisbon", "lisb": "Lisbon", "LISBOA": "Lisbon", "münchen": "Munich", "MUNCHEN": "Munich", "Muenchen": "Munich",
		"koln": "Köln", "Cologne": "Köln", "sao paulo": "São Paulo", "São Pau": "São Paulo", "  são-paulo ": "São Paulo",
		"Москва": "Moscow", "東京": "Tokyo", "Łódź": "Łódź", "lodz": "Łódź", "new york": "New York City",
		"Saint-Etienne": "Saint-Étienne", "xi'an": "Xi’an", "Zürich": "Zürich", "zurich": "Zürich",
	} {
		if found := search(t, prefix); len(found) == 0 || gazetteer.Fold(found[0].Name) != gazetteer.Fold(want) {
			t.Errorf("Search(%q) = %d places, want %s first", prefix, len(found), want)
		}
	}
}

func TestSearchWithoutMatch(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", " ", "-'.", "%", "qqqq", "\x00", "\xff", strings.Repeat("a", 10_000), "lisbon\tportugal x"} {
		if found := search(t, prefix); len(found) != 0 {
			t.Errorf("Search(%.20q) returned %d places", prefix, len(found))
		}
	}
}

func TestSearchRanksByMatchThenPopulation(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string][]string{
		"lis":     {"Lisbon PT", "Lishui CN"},              // not Alexandria, which has a longer name with this prefix
		"san f":   {"San Francisco US", "San Fernando PH"}, // not Quito, which was once called San Francisco de Quito
		"paris":   {"Paris FR", "Paris US"},                // not Warsaw, which is called the Paris of the East
		"york":    {"York GB", "York US"},                  // not New York City, which is York Berri in Basque
		"wien":    {"Vienna AT", "Wiener Neustadt AT", "Vientiane LA"},
		"Rome":    {"Rome IT", "Rome US", "Rome US", "Romeoville US"},
		"Cologne": {"Köln DE"},
	} {
		found := search(t, prefix)
		for i, name := range want {
			if i >= len(found) || found[i].Name+" "+found[i].CountryCode != name {
				t.Errorf("Search(%q)[%d] is not %s: %d found", prefix, i, name, len(found))
				break
			}
		}
	}
}

func TestSearchReturnsEachPlaceOnce(t *testing.T) {
	t.Parallel()
	seen := make(map[*gazetteer.Place]bool)
	for _, p := range search(t, "s") {
		if seen[p] {
			t.Errorf("%s, %s is returned twice", p.Name, p.Country)
		}
		seen[p] = true
	}
}

func TestPlacesAreCompleteAndSortedByPopulation(t *testing.T) {
	t.Parallel()
	found := search(t, "san")
	if len(found) < 100 {
		t.Fatalf("found %d places", len(found))
	}
	for _, p := range found {
		if p.Name == "" || p.Country == "" || len(p.CountryCode) != 2 || p.Latitude == 0 || p.Longitude == 0 {
			t.Errorf("%+v is incomplete", p)
		}
	}
	las := search(t, "las vegas")[0]
	if las.Region != "Nevada" || las.Country != "United States" || las.CountryCode != "US" {
		t.Errorf("the larger Las Vegas is %+v", las)
	}
}

// A search must be fast enough that the rate limit is sufficient protection, and the index small
// enough to stay in memory.
func TestSearchIsCheap(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	search(t, "a")
	runtime.GC()
	runtime.ReadMemStats(&after)
	if size := int64(after.HeapAlloc) - int64(before.HeapAlloc); size > 20<<20 {
		t.Errorf("the index takes %d MiB", size>>20)
	}
	began := time.Now()
	for range 100 {
		search(t, "s") // the most common first letter
	}
	if each := time.Since(began) / 100; each > 200*time.Millisecond { // usually 2 ms on an idle machine
		t.Errorf("a search takes %s", each)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, prefix := range []string{"s", "lisb"} {
		b.Run(prefix, func(b *testing.B) {
			for b.Loop() {
				if _, err := gazetteer.Search(prefix); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
