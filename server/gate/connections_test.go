package gate_test

import (
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"taskmarket/server/gate"
)

// limitedEcho starts an echo server that accepts at most 4 connections, 2 for each network. It returns
// the server's address and a channel that receives a value for each refused connection.
func limitedEcho(t *testing.T, proxies ...netip.Prefix) (address string, refused <-chan struct{}) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusals := make(chan struct{}, 100)
	limited := gate.LimitConnections(l, gate.ConnectionLimits{
		Total: 4, Network: 2, Proxies: proxies, Refused: func() { refusals <- struct{}{} },
	})
	t.Cleanup(func() { _ = limited.Close() })
	go func() {
		for {
			conn, err := limited.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
				_ = conn.Close() // must not count twice
			}()
		}
	}()
	return l.Addr().String(), refusals
}

// connect opens a connection from a loopback address. It returns nil if the listener closes it.
func connect(t *testing.T, from, to string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	conn, err := dialer.DialContext(t.Context(), "tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte{1}); err != nil {
		return nil
	}
	if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil {
		return nil
	}
	return conn
}

func TestConnectionsOfANetworkAreLimited(t *testing.T) {
	t.Parallel()
	address, refused := limitedEcho(t)
	first := connect(t, "127.0.0.2", address)
	if first == nil || connect(t, "127.0.0.2", address) == nil {
		t.Fatal("a connection below the limit was closed")
	}
	if connect(t, "127.0.0.2", address) != nil {
		t.Error("a third connection of a network was accepted, want two")
	}
	<-refused
	if connect(t, "127.0.0.3", address) == nil {
		t.Error("the connection of another network was closed")
	}
	_ = first.Close()
	for end := time.Now().Add(10 * time.Second); connect(t, "127.0.0.2", address) == nil; {
		if time.Now().After(end) {
			t.Fatal("a closed connection still counts")
		}
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	t.Parallel()
	address, refused := limitedEcho(t, netip.MustParsePrefix("127.0.0.2/32"))
	for i := range 4 {
		if connect(t, "127.0.0.2", address) == nil {
			t.Fatalf("connection %d of a proxy was closed", i)
		}
	}
	if connect(t, "127.0.0.3", address) != nil {
		t.Error("a fifth connection was accepted, want four")
	}
	<-refused
}
