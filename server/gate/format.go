package gate

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// What the document's formats mean is the validator's to know, once for all
// documents: it knows nothing of addresses, and takes times in zones that no
// clock has.
func init() {
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(checkURI))
	openapi3.DefineStringFormatValidator("date-time", openapi3.NewRegexpFormatValidator(dateTime))
}

// dateTime is a time as RFC 3339 writes it, without leap seconds, which no time
// here can hold.
const dateTime = `^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?` +
	`(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`

// uri is an address with a host, as RFC 3986 writes it: without spaces,
// control characters and letters that are not ASCII, all of which have their
// escapes.
var uri = func() *regexp.Regexp {
	const plain, escaped = `A-Za-z0-9._~!$&'()*+,;=-`, `%[0-9A-Fa-f]{2}`
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://` +
		`(?:(?:[:` + plain + `]|` + escaped + `)*@)?` +
		`(?:\[[0-9A-Fa-f:.]+\]|(?:[` + plain + `]|` + escaped + `)+)(?::[0-9]*)?` +
		`(?:/(?:[:@/` + plain + `]|` + escaped + `)*)?` +
		`(?:\?(?:[:@/?` + plain + `]|` + escaped + `)*)?` +
		`(?:#(?:[:@/?` + plain + `]|` + escaped + `)*)?$`)
}()

var errNoURI = errors.New("is not an address as RFC 3986 writes it")

func checkURI(text string) error {
	parsed, err := url.Parse(text)
	if err != nil || !uri.MatchString(text) {
		return errNoURI
	}
	if host := parsed.Hostname(); strings.Contains(host, ":") {
		if address, err := netip.ParseAddr(host); err != nil || !address.Is6() {
			return errNoURI
		}
	}
	return nil
}
