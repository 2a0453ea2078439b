// Package origin normalizes the public URLs of the service, so that they equal the origins that browsers send and the
// domains that wallets show. The server, the programs and the client use it; it does no I/O.
package origin

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Parse returns the http or https URL in the spelling of browsers: scheme and host in lower case, the host in punycode
// and without a final dot, an IPv6 address as defined by RFC 5952, no default port, and no final slash. It rejects
// user names, queries and fragments. The path can be empty. Errors do not contain the URL, which can contain a
// password.
func Parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("is not a valid URL")
	case u.Scheme != "https" && u.Scheme != "http", u.Host == "":
		return nil, errors.New("must begin with https:// or http:// and a host name")
	case u.User != nil:
		return nil, errors.New("must not contain a user name or a password")
	case strings.ContainsAny(text, "?#"):
		return nil, errors.New("must not contain a query or a fragment")
	}
	host, err := normalHost(u.Hostname())
	if err != nil {
		return nil, err
	}
	port, err := normalPort(u.Scheme, u.Port())
	if err != nil {
		return nil, err
	}
	return url.Parse(u.Scheme + "://" + host + port + strings.TrimRight(u.EscapedPath(), "/"))
}

// ParseOrigin is Parse for URLs without a path.
func ParseOrigin(text string) (*url.URL, error) {
	u, err := Parse(text)
	if err == nil && u.Path != "" {
		return nil, errors.New("must not contain a path")
	}
	return u, err
}

// domains maps names like browsers do (UTS #46, nontransitional).
var domains = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.VerifyDNSLength(true))

var (
	plainHost = regexp.MustCompile(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$`)
	// numericHost matches names whose last label is a number, which browsers read as IPv4 addresses.
	numericHost = regexp.MustCompile(`(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$`)
)

func normalHost(host string) (string, error) {
	if strings.Contains(host, ":") {
		return normalIPv6(host)
	}
	ascii, err := domains.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil || !plainHost.MatchString(ascii) {
		return "", errors.New("has an invalid host name")
	}
	if numericHost.MatchString(ascii) {
		if address, err := netip.ParseAddr(ascii); err != nil || !address.Is4() {
			return "", errors.New("has an invalid IPv4 address: use four decimal numbers")
		}
	}
	return ascii, nil
}

// normalIPv6 returns the address in brackets. Browsers write an address that contains an IPv4 address in hexadecimal
// digits too.
func normalIPv6(host string) (string, error) {
	address, err := netip.ParseAddr(host)
	if err != nil || address.Zone() != "" {
		return "", errors.New("has an invalid IPv6 address")
	}
	if address.Is4In6() {
		b := address.As16()
		return fmt.Sprintf("[::ffff:%x:%x]", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15])), nil
	}
	return "[" + address.String() + "]", nil
}

// normalPort returns the port with its colon, or "" for the scheme's default port.
func normalPort(scheme, port string) (string, error) {
	if port == "" {
		return "", nil
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return "", errors.New("has an invalid port")
	}
	if scheme == "https" && number == 443 || scheme == "http" && number == 80 {
		return "", nil
	}
	return ":" + strconv.FormatUint(number, 10), nil
}
