package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"taskmarket/market"
)

// maxDepth bounds the nesting of a body; no operation takes more than a few.
const maxDepth = 32

// checkJSON refuses JSON that two readers could understand differently, or
// that PostgreSQL cannot store: text that is not UTF-8, NUL, halves of
// surrogate pairs, one member twice (in any case), anything after the value.
func checkJSON(body []byte) error {
	if !utf8.Valid(body) {
		return market.Invalid("body", "encoding", "must be UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := checkValue(decoder, 0); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return market.Invalid("body", "trailing_data", "must hold one JSON value and nothing after it")
	}
	return checkEscapes(body)
}

func checkValue(decoder *json.Decoder, depth int) error {
	token, err := decoder.Token()
	if err != nil {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	if depth == maxDepth {
		return market.Invalid("body", "depth", "is nested more than %d deep", maxDepth)
	}
	seen := make(map[string]bool)
	for decoder.More() {
		if delim == '{' {
			if err := checkName(decoder, seen); err != nil {
				return err
			}
		}
		if err := checkValue(decoder, depth+1); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	return nil
}

func checkName(decoder *json.Decoder, seen map[string]bool) error {
	token, err := decoder.Token()
	name, ok := token.(string)
	if err != nil || !ok {
		return market.Invalid("body", "syntax", "is not valid JSON")
	}
	// Up and down again also folds letters like ſ and the Kelvin sign, which
	// encoding/json takes for s and k.
	folded := strings.ToLower(strings.ToUpper(name))
	if seen[folded] {
		return market.Invalid("body", "duplicate_member", "holds one member twice; each is given once, in lower case")
	}
	seen[folded] = true
	return nil
}

// checkEscapes looks at the escapes of valid JSON, in which a backslash only
// occurs in strings. The decoder would silently replace what this refuses.
func checkEscapes(body []byte) error {
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		if body[i] != 'u' {
			continue
		}
		unit := escaped(body[i+1:])
		i += 4
		switch {
		case unit == 0:
			return market.Invalid("body", "nul", `holds the character \u0000, which no text can hold`)
		case unit >= 0xdc00 && unit < 0xe000:
			return loneSurrogate()
		case unit >= 0xd800 && unit < 0xdc00:
			if !bytes.HasPrefix(body[i+1:], []byte(`\u`)) {
				return loneSurrogate()
			}
			if low := escaped(body[i+3:]); low < 0xdc00 || low >= 0xe000 {
				return loneSurrogate()
			}
			i += 6
		}
	}
	return nil
}

func loneSurrogate() error {
	return market.Invalid("body", "surrogate", "holds half of a surrogate pair")
}

func escaped(digits []byte) uint64 {
	unit, _ := strconv.ParseUint(string(digits[:4]), 16, 16) // valid JSON: four hex digits
	return unit
}

// canonical spellings of typed query parameters; the binder would also take
// 007, +1, T and 1.
var canonical = map[string]*regexp.Regexp{
	"integer": regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`),
	"boolean": regexp.MustCompile(`^(true|false)$`),
}

// checkQuery refuses parameters that the operation does not have, that come
// twice, or that hold what no text can hold.
func checkQuery(r *http.Request, known map[string]*openapi3.Parameter) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return market.Invalid("query", "syntax", "is not a valid query string")
	}
	for name, list := range values {
		parameter, ok := known[name]
		switch {
		case !ok:
			return market.Invalid("query", "unknown_parameter", "this operation has no such parameter")
		case len(list) > 1:
			return market.Invalid(name, "repeated", "is given more than once")
		case !utf8.ValidString(list[0]) || strings.ContainsRune(list[0], 0):
			return market.Invalid(name, "encoding", "must be UTF-8 without NUL")
		}
		if types := parameter.Schema.Value.Type; types != nil {
			for kind, pattern := range canonical {
				if types.Is(kind) && !pattern.MatchString(list[0]) {
					return market.Invalid(name, "type", "must be %s in its plain spelling", article(kind))
				}
			}
		}
	}
	if values.Has("cursor") && values.Has("page") {
		return market.Invalid("cursor", "conflict", "give page or cursor, not both")
	}
	return nil
}

func article(kind string) string {
	if kind == "integer" {
		return "an integer"
	}
	return "a " + kind
}
