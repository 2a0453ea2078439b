package gate

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// Lengths of IPv6 prefixes in bits. A host can change its address within its /64 at will, and a site
// gets up to a /48, which contains 65,536 /64 networks.
const (
	hostBits = 64
	siteBits = 48
)

// clientNetworks returns the networks to which limits attribute requests from the address: an IPv4
// address, or an IPv6 /64 followed by the /48 that contains it. It returns "unknown" for an invalid address.
func clientNetworks(address string) []string {
	ip := parseAddress(address)
	switch {
	case !ip.IsValid():
		return []string{"unknown"}
	case ip.Is4():
		return []string{ip.String()}
	}
	return []string{network(ip, hostBits), network(ip, siteBits)}
}

func network(ip netip.Addr, bits int) string {
	prefix, _ := ip.Prefix(bits) // cannot fail: an IPv6 address has 128 bits
	return prefix.String()
}

// clientAddress returns the function that extracts the client's address; see ClientAddress.
func clientAddress(proxies []netip.Prefix) echo.IPExtractor {
	return func(r *http.Request) string { return ClientAddress(r, proxies, false).String() }
}

// ClientAddress returns the client's address: that of the connection or, if a trusted proxy opened it, the last
// address in X-Forwarded-For that is not a trusted proxy's. If sockets is true, connections to a unix socket
// come from a trusted proxy. It returns the zero value if the address is unknown.
func ClientAddress(r *http.Request, proxies []netip.Prefix, sockets bool) netip.Addr {
	address := connectionAddress(r.RemoteAddr)
	if len(r.Header[echo.HeaderXForwardedFor]) == 0 {
		return address
	}
	trusted := within(address, proxies) || sockets && OverSocket(r)
	forwarded := strings.Split(strings.Join(r.Header.Values(echo.HeaderXForwardedFor), ","), ",")
	for _, text := range slices.Backward(forwarded) {
		next := parseAddress(strings.TrimSpace(text))
		if !next.IsValid() || !trusted {
			break
		}
		address, trusted = next, within(next, proxies)
	}
	return address
}

// OverSocket reports whether the request came through a unix socket.
func OverSocket(r *http.Request) bool { return r.RemoteAddr == "" || r.RemoteAddr == "@" }

func within(address netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// connectionAddress parses the address of a connection, which has a port.
func connectionAddress(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone("")
	}
	return parseAddress(text)
}

// parseAddress parses an IP address with or without a port, because some proxies add the client's
// port. It returns the zero value for other texts.
func parseAddress(text string) netip.Addr {
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		withPort, _ := netip.ParseAddrPort(text) // the zero value if text is invalid
		address = withPort.Addr()
	}
	return address.Unmap().WithZone("")
}
