package gate

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"taskmarket/market"
)

// canonical is the required spelling of typed query parameters. The generated binder would also
// accept 007 and +1 as integers, and T and 1 as booleans.
var canonical = map[string]struct {
	pattern *regexp.Regexp
	rule    string
}{
	"integer": {regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`), "must be an integer in decimal digits, such as 20"},
	"boolean": {regexp.MustCompile(`^(true|false)$`), "must be true or false"},
}

// plainName matches the names of unknown parameters that error messages include.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// checkQuery rejects malformed query strings, and parameters that are unknown, repeated or not valid
// text. It also rejects integers and booleans that are not in the canonical spelling, and a cursor
// together with a page. It cleans the parameters like stored texts, so that a pasted text finds them.
func checkQuery(r *http.Request, parameters map[string]*openapi3.Parameter) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return market.Invalid("query", "syntax", "is not a valid query string")
	}
	unclean := false
	for name, list := range values {
		parameter, ok := parameters[name]
		switch {
		case !ok && plainName.MatchString(name):
			return market.Invalid("query", "unknown_parameter", "this operation has no parameter %s", name)
		case !ok:
			return market.Invalid("query", "unknown_parameter", "this operation has no such parameter")
		case len(list) > 1:
			return market.Invalid(name, "repeated", "is given more than once")
		case !utf8.ValidString(list[0]) || strings.ContainsRune(list[0], 0):
			return market.Invalid(name, "encoding", "must be UTF-8 without NUL")
		}
		if types := parameter.Schema.Value.Type; types != nil {
			for kind, spelling := range canonical {
				if types.Is(kind) && !spelling.pattern.MatchString(list[0]) {
					return market.Invalid(name, "type", "%s", spelling.rule)
				}
			}
		}
		if text := market.Clean(list[0]); text != list[0] {
			list[0], unclean = text, true
		}
	}
	if unclean {
		r.URL.RawQuery = values.Encode()
	}
	if values.Has("cursor") && values.Has("page") {
		return market.Invalid("cursor", "conflict", "send page or cursor, not both")
	}
	return nil
}
