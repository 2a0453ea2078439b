package process

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"syscall"
)

const loopback = "127.0.0.1"

// The ports of FreePort are below those that Linux and macOS give to outgoing connections.
const (
	firstPort    = 20000
	endPort      = 32768
	portAttempts = 100
)

// reserved contains one UDP socket for each port that FreePort returned. See reserve.
var reserved struct {
	sync.Mutex
	sockets []net.PacketConn
}

// FreePort returns an unused TCP port on the loopback address. Until this process ends, FreePort
// returns the port to no other caller in any process, so that a server can be restarted on it.
// Programs that choose their ports in another way can take it, so the caller must be ready to retry.
func FreePort() (int, error) {
	failed := errors.New("no attempt was made")
	for range portAttempts {
		port := firstPort + rand.IntN(endPort-firstPort)
		if failed = reserve(port); failed == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("find a free port: %w", failed)
}

// reserve binds the UDP port with the same number, which no program here uses. The operating system
// releases it when this process ends. Without the reservation, two tests could choose the same port,
// and one of them would use the server of the other.
func reserve(port int) error {
	socket, err := net.ListenPacket("udp", net.JoinHostPort(loopback, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("reserve port %d: %w", port, err)
	}
	if err := CheckPort(port); err != nil {
		return errors.Join(err, socket.Close())
	}
	reserved.Lock()
	defer reserved.Unlock()
	reserved.sockets = append(reserved.sockets, socket)
	return nil
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
