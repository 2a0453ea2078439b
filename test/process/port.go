package process

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

const loopback = "127.0.0.1"

// FreePort returns an unused TCP port on the loopback address. Another program can take the port
// before the caller does, so the caller must be ready to retry.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	addr, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	return int(addr.Port()), nil
}

// CheckPort returns an error with the reason if a server cannot listen on this port of the loopback
// address.
func CheckPort(port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("port %d is taken by another program: stop that program or choose another port", port)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("port %d is reserved for root: choose one above 1023", port)
	case err != nil:
		return fmt.Errorf("listen on port %d: %w", port, err)
	}
	return l.Close()
}
