package watch_test

import (
	"io"
	"net"
	"testing"
	"time"

	"taskmarket/client"
	"taskmarket/client/watch"
)

// A websocket node that accepts connections but never responds does not delay the end of a watch.
func TestWatchEndsWhileNodeIsSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { defer connection.Close(); _, _ = io.Copy(io.Discard, connection) }()
		}
	}()
	s := w.watch(t, watch.Options{From: 1}, func(o *client.Options) { o.RPCURL = "ws://" + listener.Addr().String() })
	time.Sleep(300 * time.Millisecond) // by then, the stream is waiting for the handshake
	s.stop()
	select {
	case <-s.ended:
	case <-time.After(2 * time.Second):
		t.Error("the watch has not ended after 2 s")
	}
}
