package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"

	"taskmarket/store"
)

// permitsPlaintext reports whether the host may be reached without TLS: it is this machine or in PLAINTEXT_HOSTS.
func (c config) permitsPlaintext(host string) bool {
	return isLoopback(host) || slices.Contains(c.PlaintextHosts, host)
}

// plaintextFaults returns an error for each configured address that would be reached over a network
// without TLS. Errors do not contain paths, because the URLs of some providers have secret paths.
func (c config) plaintextFaults() []error {
	var faults []error
	check := func(name, host, instead string) {
		if !c.permitsPlaintext(host) {
			faults = append(faults, fmt.Errorf("%s%s: %s would be reached without TLS: use %s, or add the host to %sPLAINTEXT_HOSTS",
				prefix, name, host, instead, prefix))
		}
	}
	for name, address := range map[string]secret{
		"DATABASE_URL": c.DatabaseURL, "DATABASE_LISTEN_URL": c.DatabaseListenURL, "DATABASE_STANDBY_URL": c.DatabaseStandbyURL,
	} {
		if address == "" {
			continue
		}
		hosts, err := store.PlaintextHosts(string(address))
		if err != nil {
			faults = append(faults, fmt.Errorf("%s%s: %w", prefix, name, err))
		}
		for _, host := range hosts {
			check(name, host, "sslmode=verify-full")
		}
	}
	urls := map[string][]string{
		"RPC_URLS": c.RPCURLs, "WS_URL": {c.WSURL}, "KEEPER_SIGNER_URL": {string(c.KeeperSignerURL)}, "FILE_SCANNER": {c.FileScanner},
	}
	for name, addresses := range urls {
		for _, address := range addresses {
			if u, err := url.Parse(address); err == nil && slices.Contains([]string{"http", "ws", "tcp"}, u.Scheme) {
				check(name, u.Hostname(), "https, wss or a unix socket")
			}
		}
	}
	return faults
}

// Minimum prefix lengths of trusted proxies. A private network can be trusted as a whole. A public
// network can be at most as large as those of content delivery networks.
const (
	minPrivateV4Bits, minPrivateV6Bits = 8, 7
	minPublicV4Bits, minPublicV6Bits   = 12, 24
)

// trustedProxies parses TRUSTED_PROXIES. It rejects networks so large that they contain clients, which
// could then choose the address to which their requests are attributed.
func (c config) trustedProxies() ([]netip.Prefix, error) {
	proxies := make([]netip.Prefix, 0, len(c.TrustedProxies))
	for _, text := range c.TrustedProxies {
		proxy, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%sTRUSTED_PROXIES contains %q, which is not a network such as 10.0.0.0/8", prefix, text)
		}
		if proxy.Bits() < minProxyBits(proxy.Masked().Addr()) {
			return nil, fmt.Errorf("%sTRUSTED_PROXIES contains %s, which is so large that it may contain clients: list the addresses of the proxies", prefix, text)
		}
		proxies = append(proxies, proxy)
	}
	return proxies, nil
}

func minProxyBits(address netip.Addr) int {
	switch private := address.IsPrivate() || address.IsLoopback(); {
	case private && address.Is4():
		return minPrivateV4Bits
	case private:
		return minPrivateV6Bits
	case address.Is4():
		return minPublicV4Bits
	}
	return minPublicV6Bits
}
