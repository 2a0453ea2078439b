package client_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"taskmarket/client"
)

// relay passes bytes on to a node; when it is mute, nothing comes back.
func relay(t *testing.T, target string) (address string, mute *atomic.Bool) {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	mute = new(atomic.Bool)
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := new(net.Dialer).DialContext(context.Background(), "tcp", u.Host)
			if err != nil {
				_ = near.Close()
				continue
			}
			go func() { defer far.Close(); _, _ = io.Copy(far, near) }()
			go func() { defer near.Close(); _, _ = io.Copy(muted{near, mute}, far) }()
		}
	}()
	u.Host = listener.Addr().String()
	return u.String(), mute
}

// muted writes nothing while it is mute.
type muted struct {
	io.Writer
	mute *atomic.Bool
}

// Write implements io.Writer.
func (m muted) Write(p []byte) (int, error) {
	if m.mute.Load() {
		return len(p), nil
	}
	return m.Writer.Write(p)
}

// A websocket node that stops answering does not hold up the end of a watch.
func TestWatchEndsAtOnceWhenTheNodeIsSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, early := range map[string]bool{"from the first byte": true, "after the subscription": false} {
		t.Run(name, func(t *testing.T) {
			address, mute := relay(t, w.Dev.WSURL())
			mute.Store(early)
			s := w.watch(t, client.WatchOptions{From: 1}, func(o *client.Options) { o.RPCURL = address })
			if !early {
				w.Submitted(t, [32]byte{1}, [32]byte{2})
				select {
				case <-s.events: // it has subscribed and read
				case err := <-s.errors:
					t.Fatal(err)
				case <-time.After(20 * time.Second):
					t.Fatal("no event came")
				}
				mute.Store(true)
			}
			time.Sleep(300 * time.Millisecond) // what it does meanwhile waits for the node
			s.stop()
			select {
			case <-s.ended:
			case <-time.After(2 * time.Second):
				t.Error("the watch goes on 2 s after its end")
			}
		})
	}
}
