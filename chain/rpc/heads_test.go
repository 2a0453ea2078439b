package rpc_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gorilla/websocket"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/test/gate"
)

func TestWatchHeadsWakesTheWatcher(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Poll: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- w.Run(ctx) }()
	go func() { ended <- rpc.WatchHeads(ctx, net.Dev.WSURL(), w.Wake, rpc.HeadsOptions{}, chaintest.Quiet()) }()
	end := time.Now().Add(20 * time.Second)
	for { // wait until the subscription has started, which cannot be observed directly
		net.Mine(t, 1)
		time.Sleep(5 * time.Millisecond)
		if w.Status().Outcome.Block == net.Head(t) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the watcher is at %+v of %+v", w.Status().Outcome.Block, net.Head(t))
		}
	}
	cancel()
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("ended with %v, want nil", err)
		}
	}
	chaintest.CheckSame(t, net, j)
}

// A block before the subscription is not announced. Therefore every new subscription wakes the
// watcher, without waiting for a block.
func TestWatchHeadsWakesOnceSubscribed(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	u, err := url.Parse(net.Dev.WSURL())
	chaintest.Must(t, err)
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	woken, ended := make(chan struct{}, 1), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		ended <- rpc.WatchHeads(ctx, u.String(), func() { woken <- struct{}{} }, rpc.HeadsOptions{}, chaintest.Quiet())
	}()
	for _, moment := range []string{"the subscription", "the subscription after a loss"} {
		select {
		case <-woken: // the watcher is woken although no block was mined
		case <-time.After(30 * time.Second):
			t.Fatalf("no wake-up after %s", moment)
		}
		g.Cut()
	}
	cancel()
	chaintest.Must(t, <-ended)
}

// The socket only wakes the watcher. While the socket is cut repeatedly, the watcher polls and
// follows all events.
func TestWatcherSurvivesDroppedSockets(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	u, err := url.Parse(net.Dev.WSURL())
	chaintest.Must(t, err)
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Poll: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { ended <- w.Run(ctx) }()
	go func() { ended <- rpc.WatchHeads(ctx, u.String(), w.Wake, rpc.HeadsOptions{}, chaintest.Quiet()) }()
	for range 10 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		g.Cut()
		net.Mine(t, 2)
	}
	end := time.Now().Add(20 * time.Second)
	for head := net.Head(t); w.Status().Outcome.Block != head; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the watcher is at %+v of %+v", w.Status().Outcome.Block, head)
		}
	}
	cancel()
	for range 2 {
		chaintest.Must(t, <-ended)
	}
	chaintest.CheckSame(t, net, j)
}

// silentPeer accepts connections but never responds.
func silentPeer(t *testing.T) (url string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	chaintest.Must(t, err)
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

// mutePeer accepts websocket connections, answers the given number of messages on each, and then
// sends nothing.
func mutePeer(t *testing.T, answers int) (url string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		c.SetPingHandler(func(string) error { return nil }) // sends no pong
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

// A silent peer delays shutdown by less than two seconds, at every stage of the connection.
func TestSilentPeerDoesNotDelayShutdown(t *testing.T) {
	t.Parallel()
	never := silentPeer(t)
	mute, _ := mutePeer(t, 0)
	subscribed, connections := mutePeer(t, 1)
	for name, url := range map[string]string{"never answers": never, "accepts a websocket": mute, "accepts the subscription": subscribed} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- rpc.WatchHeads(ctx, url, func() {}, rpc.HeadsOptions{}, chaintest.Quiet()) }()
			for end := time.Now().Add(10 * time.Second); url == subscribed && connections.Load() == 0 && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(300 * time.Millisecond) // until the request has been sent
			cancel()
			select {
			case err := <-ended:
				chaintest.Must(t, err)
			case <-time.After(2 * time.Second):
				t.Error("WatchHeads still runs 2 s after its context ended")
			}
		})
	}
}

// WatchHeads reconnects to a peer that accepts the subscription and announces nothing.
func TestSilentPeerIsReconnected(t *testing.T) {
	t.Parallel()
	url, connections := mutePeer(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- rpc.WatchHeads(ctx, url, func() {}, rpc.HeadsOptions{Silence: 50 * time.Millisecond}, chaintest.Quiet())
	}()
	for end := time.Now().Add(30 * time.Second); connections.Load() < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the silent peer was not replaced")
		}
	}
	cancel()
	chaintest.Must(t, <-ended)
}
