package gate

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"taskmarket/market"
)

// The validator's format checks are global. Its defaults do not check URIs, and accept times with
// impossible offsets.
func init() {
	openapi3.DefineStringFormatValidator("uri", openapi3.NewCallbackValidator(checkURI))
	openapi3.DefineStringFormatValidator("date-time", openapi3.NewCallbackValidator(checkTime))
}

// dateTime matches RFC 3339 times, including impossible days such as 30 February.
var dateTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?` +
	`(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`)

var errNoTime = errors.New("is not a time as defined by RFC 3339")

// checkTime rejects texts that are not RFC 3339 times, and leap seconds, which time.Time cannot represent.
func checkTime(text string) error {
	if _, err := market.ParseTime(text); err != nil || !dateTime.MatchString(text) {
		return errNoTime
	}
	return nil
}

// uri matches URIs with a host as defined by RFC 3986. Spaces, control characters and non-ASCII letters
// must be percent-encoded.
var uri = func() *regexp.Regexp {
	const plain, escaped = `A-Za-z0-9._~!$&'()*+,;=-`, `%[0-9A-Fa-f]{2}`
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://` +
		`(?:(?:[:` + plain + `]|` + escaped + `)*@)?` +
		`(?:\[[0-9A-Fa-f:.]+\]|(?:[` + plain + `]|` + escaped + `)+)(?::[0-9]*)?` +
		`(?:/(?:[:@/` + plain + `]|` + escaped + `)*)?` +
		`(?:\?(?:[:@/?` + plain + `]|` + escaped + `)*)?` +
		`(?:#(?:[:@/?` + plain + `]|` + escaped + `)*)?$`)
}()

var errNoURI = errors.New("is not a URI with a host as defined by RFC 3986")

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
