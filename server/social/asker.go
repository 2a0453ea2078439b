package social

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"taskmarket/server/strictjson"
)

const (
	networkTimeout = 5 * time.Second
	maxPostSize    = 256 << 10
)

// asker sends requests to the hosts of social networks. It uses https and connects only to public
// addresses, except for hosts on loopback. It follows no redirects and times out after
// networkTimeout.
type asker struct{ client *http.Client }

// newAsker returns an asker for the hosts. If one of them is on loopback, such as the network for
// development, plain http to loopback is allowed too.
func newAsker(hosts ...string) asker {
	local := false
	for _, host := range hosts {
		local = local || onLoopback(host)
	}
	dialer := &net.Dialer{Timeout: networkTimeout, Control: publicOnly(local)}
	return asker{&http.Client{
		Timeout:       networkTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: networkTimeout, MaxIdleConns: 10,
			MaxResponseHeaderBytes: 64 << 10, DisableCompression: true, // a small response could decompress into a large one
		},
	}}
}

// schemeOf returns the scheme for requests to a host.
func schemeOf(host string) string {
	if onLoopback(host) {
		return "http"
	}
	return "https"
}

func onLoopback(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && address.IsLoopback()
}

// reserved are networks without public servers: shared, test and benchmark networks, and networks
// whose addresses can embed an internal IPv4 address.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"),
}

// publicOnly returns a net.Dialer.Control function that permits only port 443 on public addresses
// and, if local is true, all ports on loopback. It runs after name resolution, so a host name
// that resolves to an internal address is refused.
func publicOnly(local bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("parse address %q: %w", address, err)
		}
		ip := target.Addr().Unmap()
		if ip.IsLoopback() && local || isPublic(ip) && target.Port() == 443 {
			return nil
		}
		return fmt.Errorf("refuse to connect to %s: it is not a public address with port 443", target)
	}
}

func isPublic(ip netip.Addr) bool {
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Zone() != "" {
		return false
	}
	for _, prefix := range reserved {
		if prefix.Contains(ip) {
			return false
		}
	}
	return true
}

// get requests the address and decodes the JSON response. For a status other than 200 it returns
// the status without reading the body. It returns an error for any other unexpected response.
func (a asker) get(ctx context.Context, address url.URL, into any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, networkTimeout)
	defer cancel()
	address.Scheme = schemeOf(address.Host)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return 0, fmt.Errorf("create a request to %s: %w", address.Host, err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := a.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return response.StatusCode, nil
	}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return 0, errors.New("the response is not JSON")
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPostSize+1))
	if err != nil {
		return 0, err
	}
	if len(body) > maxPostSize {
		return 0, fmt.Errorf("the response has more than %d bytes", maxPostSize)
	}
	if _, err := strictjson.Check(body); err != nil { // duplicate members could name two authors
		return 0, err
	}
	return response.StatusCode, json.Unmarshal(body, into)
}

// refused returns the error for a status other than 200. The statuses in noPost mean that the post
// does not exist; all others mean that the network is unavailable.
func refused(network string, status int, noPost ...int) error {
	for _, each := range noPost {
		if status == each {
			return noSuchPost(network)
		}
	}
	return NetworkAway(network, fmt.Errorf("status %d", status))
}
