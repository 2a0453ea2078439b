package chain_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"taskmarket/chain"
)

// silentPeer accepts connections and never answers on them.
func silentPeer(t *testing.T) (url string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, connection) }()
		}
	}()
	return "ws://" + listener.Addr().String()
}

// mutePeer takes websockets, answers as many messages of each as it is told, and
// then is silent.
func mutePeer(t *testing.T, answers int) (url string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		c.SetPingHandler(func(string) error { return nil }) // not even a pong
		connections.Add(1)
		for n := 0; ; n++ {
			if _, _, err := c.ReadMessage(); err != nil {
				return
			}
			if n < answers {
				_ = c.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`))
			}
		}
	}))
	t.Cleanup(server.Close)
	return "ws" + server.URL[len("http"):], connections
}

// A peer that is silent, at whatever moment, holds up the end for less than two
// seconds.
func TestThreat89SilentPeerDoesNotDelayShutdown(t *testing.T) {
	t.Parallel()
	never := silentPeer(t)
	mute, _ := mutePeer(t, 0)
	subscribed, connections := mutePeer(t, 1)
	for name, url := range map[string]string{"never answers": never, "takes a websocket": mute, "takes the subscription": subscribed} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- chain.WatchHeads(ctx, url, func() {}, chain.HeadsOptions{}, quiet()) }()
			for end := time.Now().Add(10 * time.Second); url == subscribed && connections.Load() == 0 && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(300 * time.Millisecond) // the request is on its way
			cancel()
			select {
			case err := <-ended:
				must(t, err)
			case <-time.After(2 * time.Second):
				t.Error("it goes on 2 s after its end")
			}
		})
	}
}

// A peer that took the subscription and announces nothing is connected to again.
func TestThreat89SilentPeerIsLeft(t *testing.T) {
	t.Parallel()
	url, connections := mutePeer(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- chain.WatchHeads(ctx, url, func() {}, chain.HeadsOptions{Silence: 50 * time.Millisecond}, quiet())
	}()
	for end := time.Now().Add(30 * time.Second); connections.Load() < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the silent peer is kept")
		}
	}
	cancel()
	must(t, <-ended)
}
