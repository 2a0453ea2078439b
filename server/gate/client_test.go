package gate_test

import (
	"fmt"
	"net/netip"
	"testing"

	"taskmarket/server/gate"
)

func TestOnlyTrustedProxiesSetTheClientAddress(t *testing.T) {
	t.Parallel()
	path := "/api/v1/config/contracts"
	t.Run("no trusted proxy", func(t *testing.T) {
		t.Parallel()
		var c clock
		r := newRig(t, limited(&c, "getContractsConfig"))
		refused := 0
		for i := range 6 {
			ip := fmt.Sprintf("203.0.113.%d", i)
			if r.do("GET", path, "", "X-Forwarded-For", ip, "X-Real-IP", ip, "Forwarded", "for="+ip).status == 429 {
				refused++
			}
		}
		if refused != 3 {
			t.Errorf("%d of 6 refused, want 3: a header gave new buckets", refused)
		}
	})
	t.Run("trusted proxy", func(t *testing.T) {
		t.Parallel()
		var c clock
		r := newRig(t, limited(&c, "getContractsConfig"), func(o *gate.Options) {
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		})
		for i := range 6 {
			if got := r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)); got.status != 200 {
				t.Errorf("client %d = %d", i, got.status)
			}
		}
		// The limit applies to the right-most untrusted address. Addresses that the client prepends
		// have no effect.
		refused := 0
		for i := range 6 {
			if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d, 2001:db8::%d", i, i)).status == 429 {
				refused++
			}
		}
		if refused != 3 {
			t.Errorf("%d of 6 refused, want 3: one IPv6 /64 is one client", refused)
		}
		// Some proxies add the client's port, which changes with each connection.
		for _, address := range []string{"192.0.2.7:%d", "[2001:db8:7::1]:%d"} {
			refused = 0
			for i := range 6 {
				if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf(address, 1024+i)).status == 429 {
					refused++
				}
			}
			if refused != 3 {
				t.Errorf("%d of 6 refused for %s, want 3: the port gave new buckets", refused, address)
			}
		}
		// A /48 site has the burst of 16 clients, 16 × 3 = 48, although it contains 65,536 networks.
		refused = 0
		for i := range 60 {
			if r.do("GET", path, "", "X-Forwarded-For", fmt.Sprintf("2001:db8:8:%x::1", i)).status == 429 {
				refused++
			}
		}
		if refused != 12 {
			t.Errorf("%d of 60 refused, want 12: one IPv6 /48 is 16 clients", refused)
		}
	})
}

// A client that forges many addresses on several servers still has one bucket.
func TestForgedForwardedAddressesShareOneBucket(t *testing.T) {
	t.Parallel()
	const requests, burst = 1_000, 3
	var c clock
	r := newRig(t, limited(&c, "registerAgent"))
	replica := r.replica(limited(&c, "registerAgent"))
	passed := 0
	for i := range requests {
		ip := netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}).String()
		headers := []string{
			"X-Forwarded-For", ip, "X-Real-IP", ip, "Forwarded", "for=" + ip, "CF-Connecting-IP", ip, "True-Client-IP", ip,
			"X-Client-IP", ip, "X-Forwarded-For", "10.0.0.1", "Client-IP", ip,
		}
		at := []*rig{r, replica}[i%2]
		if got := at.do("POST", "/api/v1/agents/register", `{"name":"N","username":"n","wallet_address":"0x00000000000000000000000000000000000000A1"}`, headers...); got.status != 429 {
			passed++
		}
	}
	if passed != burst {
		t.Errorf("%d of %d requests passed, want the burst, %d", passed, requests, burst)
	}
}
