package pg_test

import (
	"net/url"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// Every connection detects within about ten seconds that the database's machine has disappeared: those of
// the pool, the one for notifications, and those to the standby.
func TestConnectionsNoticeAVanishedMachine(t *testing.T) {
	t.Parallel()
	direct := storetest.New(t)
	var urls []string
	var ports []int
	for range 3 {
		u, err := url.Parse(storetest.URL(t, direct))
		if err != nil {
			t.Fatal(err)
		}
		u.Host = gate.New(t, u.Host).Addr()
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			t.Fatal(err)
		}
		urls, ports = append(urls, u.String()), append(ports, port)
	}
	s := storetest.Open(t, urls[0], store.WithListenURL(urls[1]), store.WithStandby(urls[2]))
	<-s.ListenEvents(t.Context())
	s.StandbyAge(t.Context())
	want := map[int]int{unix.TCP_USER_TIMEOUT: 10_000, unix.TCP_KEEPIDLE: 5, unix.TCP_KEEPINTVL: 2, unix.TCP_KEEPCNT: 3}
	for i, name := range []string{"the pool", "notifications", "the standby"} {
		sockets := connectedTo(t, ports[i])
		if len(sockets) == 0 {
			t.Errorf("%s: no connection", name)
		}
		for _, socket := range sockets {
			if on, err := unix.GetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_KEEPALIVE); on != 1 || err != nil {
				t.Errorf("%s: keep-alive is %d, %v", name, on, err)
			}
			for option, want := range want {
				if got, err := unix.GetsockoptInt(socket, unix.IPPROTO_TCP, option); got != want || err != nil {
					t.Errorf("%s: TCP option %d is %d, %v; want %d", name, option, got, err, want)
				}
			}
		}
	}
}

// connectedTo returns this process's sockets whose other end has the port.
func connectedTo(t *testing.T, port int) (sockets []int) {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		fd, err := strconv.Atoi(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		peer, err := unix.Getpeername(fd)
		if v4, ok := peer.(*unix.SockaddrInet4); err == nil && ok && v4.Port == port {
			sockets = append(sockets, fd)
		}
	}
	return sockets
}
