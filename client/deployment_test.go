package client_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// A node's response is read only up to a limit.
func TestNodeResponseIsLimited(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	s := w.scene(t, "a long answer", 2)
	proxy.Misbehave(answering("eth_getBalance", `"0x`+strings.Repeat("0", 17<<20)+`"`))
	for _, url := range []string{proxy.URL, proxy.WSURL} {
		_, err := w.client(t, func(o *client.Options) { o.RPCURL = url }).Plan(t.Context(), client.Approve(s.task.ID))
		_, large := errors.AsType[*http.MaxBytesError](err)
		socket := url == proxy.WSURL
		if err == nil || !socket && !large || socket && !strings.Contains(err.Error(), "read limit exceeded") {
			t.Errorf("%s: got error %v", url, err)
		}
	}
}

// A redirect from a node is not followed, so a request never reaches another host.
func TestNodeRedirectsAreNotFollowed(t *testing.T) {
	w := newWorld(t)
	proxy := chaintest.NewProxy(t, w.Dev.URL())
	s := w.scene(t, "elsewhere", 2)
	var asked atomic.Int32
	elsewhere := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	node := serve(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("eth_getBalance")) {
			http.Redirect(rw, r, elsewhere, http.StatusTemporaryRedirect)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(rw, r)
	}))
	_, err := w.client(t, func(o *client.Options) { o.RPCURL = node }).Plan(t.Context(), client.Approve(s.task.ID))
	if err == nil || asked.Load() != 0 {
		t.Errorf("got error %v, the redirect was followed %d times", err, asked.Load())
	}
}

// A node on another machine needs an encrypted URL, unless InsecureNode is set.
func TestRemoteNodeNeedsEncryption(t *testing.T) {
	for url, refused := range map[string]bool{
		"http://127.0.0.1:8545": false, "ws://[::1]:8545": false, "http://localhost/key": false,
		"https://node.example/key": false, "wss://node.example/key": false,
		"http://node.example/key": true, "ws://node.example/key": true, "HTTP://192.0.2.1/key": true,
		"http://127.0.0.1.node.example/key": true, "http://localhost@node.example/key": true, "stdio://node.example/key": true,
	} {
		_, err := client.CheckNodeURL(url, false)
		if errors.Is(err, client.ErrInsecureNode) != refused || !refused && err != nil || refused && strings.Contains(err.Error(), "key") {
			t.Errorf("%s: got error %v", url, err)
		}
		if _, err := client.CheckNodeURL(url, true); err != nil {
			t.Errorf("%s, allowed: got error %v", url, err)
		}
	}
	for _, url := range []string{"", "node.example", "/tmp/geth.ipc", "http://"} {
		if _, err := client.CheckNodeURL(url, true); err == nil {
			t.Errorf("%q was accepted as a node's URL", url)
		}
	}
}
