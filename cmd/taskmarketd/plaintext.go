package main

import (
	"fmt"
	"net/url"
	"slices"

	"taskmarket/server/content"
	"taskmarket/store"
)

// The values that AllowPlaintext can list.
const (
	plaintextDatabase = "database"
	plaintextNode     = "node"
	plaintextSigner   = "signer" // the keeper's; see keeperSigner
	plaintextScanner  = "scanner"
)

// plaintextFaults returns an error for each configured address that would be reached over a network
// without TLS. Errors do not contain paths, because the URLs of some providers have secret paths.
func (c config) plaintextFaults() []error {
	var faults []error
	refuse := func(name, host, kind, instead string) {
		if !slices.Contains(c.AllowPlaintext, kind) {
			faults = append(faults, fmt.Errorf("%s%s: %s would be reached without TLS: use %s, or add %s to %sALLOW_PLAINTEXT",
				prefix, name, host, instead, kind, prefix))
		}
	}
	for _, kind := range c.AllowPlaintext {
		if !slices.Contains([]string{plaintextDatabase, plaintextNode, plaintextSigner, plaintextScanner}, kind) {
			faults = append(faults, fmt.Errorf("%sALLOW_PLAINTEXT contains %q, which is not %s, %s, %s or %s", prefix, kind,
				plaintextDatabase, plaintextNode, plaintextSigner, plaintextScanner))
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
			refuse(name, host, plaintextDatabase, "sslmode=verify-full")
		}
	}
	for i, address := range append([]string{c.WSURL}, c.RPCURLs...) {
		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != "ws") || isLoopback(u.Hostname()) {
			continue
		}
		if i == 0 {
			refuse("WS_URL", u.Host, plaintextNode, "wss")
		} else {
			refuse("RPC_URLS", u.Host, plaintextNode, "https")
		}
	}
	if host := content.ScannerHost(c.FileScanner); host != "" {
		refuse("FILE_SCANNER", host, plaintextScanner, "a unix socket or an encrypted tunnel")
	}
	return faults
}
