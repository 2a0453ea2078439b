package gate

import (
	"net"
	"net/netip"
	"sync"
)

// ConnectionLimits are the maximum numbers of open connections of a listener.
type ConnectionLimits struct {
	Total   int
	Network int            // of one IPv4 address or IPv6 /64; an IPv6 /48 can have siteFactor times as many
	Proxies []netip.Prefix // networks whose connections count only towards Total
	Refused func()         // called for each connection that is closed because of a limit
}

// LimitConnections returns a listener that closes new connections above the limits immediately, before
// a request is read. Without it, idle connections could use up the process's file descriptors.
func LimitConnections(l net.Listener, limits ConnectionLimits) net.Listener {
	return &limitedListener{Listener: l, limits: limits, open: make(map[string]int)}
}

type limitedListener struct {
	net.Listener
	limits ConnectionLimits

	mu    sync.Mutex
	total int
	open  map[string]int // connections of each network
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		networks := l.networks(conn.RemoteAddr())
		if l.admit(networks) {
			return &limitedConn{Conn: conn, release: sync.OnceFunc(func() { l.count(networks, -1) })}, nil
		}
		_ = conn.Close()
		l.limits.Refused()
	}
}

// networks returns the networks that the connection counts towards: none for a proxy.
func (l *limitedListener) networks(address net.Addr) []string {
	if within(parseAddress(address.String()), l.limits.Proxies) {
		return nil
	}
	return clientNetworks(address.String())
}

// admit counts a new connection, unless that would exceed a limit.
func (l *limitedListener) admit(networks []string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.limits.Total {
		return false
	}
	for i, network := range networks {
		limit := l.limits.Network
		if i > 0 {
			limit *= siteFactor
		}
		if l.open[network] >= limit {
			return false
		}
	}
	l.add(networks, 1)
	return true
}

func (l *limitedListener) count(networks []string, by int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.add(networks, by)
}

func (l *limitedListener) add(networks []string, by int) {
	l.total += by
	for _, network := range networks {
		if l.open[network] += by; l.open[network] == 0 {
			delete(l.open, network)
		}
	}
}

// limitedConn is a connection that is counted until it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
