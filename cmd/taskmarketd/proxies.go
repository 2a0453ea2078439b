package main

import (
	"fmt"
	"net/netip"
)

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
