package pg

import (
	"context"
	"net"
	"time"

	"github.com/lib/pq"
)

// silence is the approximate time after which a connection fails if the server's machine has disappeared
// without closing it. Keep-alive detects this while the connection waits for the server, and the limit on
// unacknowledged bytes detects it after a query was sent. Only Linux has this limit; other systems
// retransmit a query for minutes.
const silence = 10 * time.Second

// Dialer opens the connections to PostgreSQL that wait for notifications.
var Dialer pq.Dialer = socketDialer

var socketDialer = &dialer{net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 5, Count: 3},
	Control:         limitUnconfirmed,
}}

// dialer implements pq.DialerContext with the methods of net.Dialer.
type dialer struct{ net.Dialer }

// DialTimeout implements pq.Dialer. The driver prefers DialContext.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}
