package social_test

import (
	"testing"
	"time"

	"taskmarket/server/social"
)

// Connections to internal addresses, and to ports other than 443, are refused.
func TestPrivateAddressesAreNotConnectedTo(t *testing.T) {
	t.Parallel()
	for _, host := range []string{
		"10.0.0.1", "192.168.1.1:443", "169.254.169.254", "100.64.0.1.nip.invalid", "[fd00::1]", "[::ffff:10.0.0.1]", "0.0.0.0",
		"127.0.0.1.", "100.64.0.1", "192.0.0.8", "198.18.0.1", "240.0.0.1", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1]",
		"1.1.1.1:80", // a public address, but not port 443
	} {
		network := social.NewMastodon(host)
		ref, ok := network.Parse("https://" + host + "/@harbour/1")
		if !ok {
			t.Errorf("%s is configured but not parsed", host)
			continue
		}
		began := time.Now()
		if _, err := network.Post(t.Context(), ref); err == nil || time.Since(began) > time.Second {
			t.Errorf("%s was asked: %v after %s", host, err, time.Since(began))
		}
	}
}
