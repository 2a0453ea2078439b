package signer_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/client/signer"
	"taskmarket/test/web3signer"
)

func newWeb3Signer(t *testing.T) *web3signer.Server {
	t.Helper()
	return web3signer.New(callerKeyPrefix(t), devnet.ChainID)
}

func newService(t *testing.T, url string, timeout time.Duration, o signer.Options) *signer.Service {
	t.Helper()
	service, err := signer.NewService(url, owner, timeout, o)
	must(t, err)
	t.Cleanup(service.Close)
	return service
}

// A service can start while the signer is down, and signs once the signer is up.
func TestServiceConnectsLate(t *testing.T) {
	t.Parallel()
	web3 := newWeb3Signer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := listener.Addr().String()
	must(t, listener.Close())
	service := newService(t, "http://"+address, 5*time.Second, signer.Options{})
	if _, err := service.SignTx(t.Context(), transaction(), devnet.ChainID); err == nil {
		t.Fatal("SignTx() succeeded without a signer")
	}
	listener, err = net.Listen("tcp", address)
	must(t, err)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: web3, ReadHeaderTimeout: time.Second}}
	server.Start()
	t.Cleanup(server.Close)
	signed, err := service.SignTx(t.Context(), transaction(), devnet.ChainID)
	must(t, err)
	if want, _ := callerKeyPrefix(t).SignTx(t.Context(), transaction(), devnet.ChainID); signed.Hash() != want.Hash() {
		t.Errorf("SignTx() = %s, want %s", signed.Hash(), want.Hash())
	}
}

// Errors from Web3Signer, some with the HTTP status 400, are quoted and shortened.
func TestServiceErrors(t *testing.T) {
	t.Parallel()
	other, err := chain.ParseKeySigner(strings.Repeat("1f", 32))
	must(t, err)
	for name, c := range map[string]struct {
		server http.Handler
		want   string
	}{
		"another account":                {server: web3signer.New(other, devnet.ChainID), want: "does not have the account"},
		"another chain":                  {server: web3signer.New(callerKeyPrefix(t), 1), want: "does not match the request"},
		"status 400":                     {server: status(http.StatusBadRequest, "Invalid\x1b[2J params"), want: `status 400: "Invalid\x1b[2J params`},
		"a long answer with status 500":  {server: status(http.StatusInternalServerError, strings.Repeat("x", 1<<20)), want: `status 500: "` + strings.Repeat("x", 200) + `"`},
		"an answer that is not JSON-RPC": {server: status(http.StatusOK, "<html>"), want: "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(c.server)
			t.Cleanup(server.Close)
			_, err := newService(t, server.URL, 5*time.Second, signer.Options{}).SignTx(t.Context(), transaction(), devnet.ChainID)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 {
				t.Errorf("SignTx() = %v, want %q", err, c.want)
			}
		})
	}
}

func callerKeyPrefix(t *testing.T) *chain.KeySigner {
	t.Helper()
	own, err := chain.ParseKeySigner(privateKey)
	must(t, err)
	return own
}

func status(code int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, code) })
}

func TestServiceLimitsTheTime(t *testing.T) {
	t.Parallel()
	web3 := newWeb3Signer(t)
	end := make(chan struct{})
	web3.SetAnswer(func(http.ResponseWriter, *http.Request, string) bool { <-end; return false })
	server := httptest.NewServer(web3)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(end) })
	service := newService(t, server.URL, 50*time.Millisecond, signer.Options{})
	if _, err := service.SignTx(t.Context(), transaction(), devnet.ChainID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("SignTx() = %v, want %v", err, context.DeadlineExceeded)
	}
}

// http to another machine requires Options.Plain; a socket on this machine does not. A password in the
// URL is sent to the server, but errors do not contain it.
func TestServiceURLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]struct{ plain, strict bool }{
		"http://10.0.0.1:9000": {plain: true}, "https://10.0.0.1:9000": {true, true}, "http://127.0.0.1:9000": {true, true},
		"unix:///run/clef.ipc": {true, true}, "unix://run/clef.ipc": {}, "unix://": {}, "/run/clef.ipc": {}, "ws://127.0.0.1": {}, "": {},
	} {
		_, plain := signer.NewService(url, owner, time.Second, signer.Options{Plain: true})
		_, strict := signer.NewService(url, owner, time.Second, signer.Options{})
		if (plain == nil) != want.plain || (strict == nil) != want.strict {
			t.Errorf("NewService(%q) = %v, and %v without plain http", url, plain, strict)
		}
	}
	web3 := newWeb3Signer(t)
	web3.SetAnswer(func(w http.ResponseWriter, r *http.Request, _ string) bool {
		user, password, _ := r.BasicAuth()
		if user == "keeper" && password == "hunter2" {
			return false
		}
		http.Error(w, "unauthorized", http.StatusUnauthorized)
		return true
	})
	server := httptest.NewServer(web3)
	t.Cleanup(server.Close)
	for password, ok := range map[string]bool{"hunter2": true, "letmein": false} {
		url := strings.Replace(server.URL, "http://", "http://keeper:"+password+"@", 1)
		_, err := newService(t, url, time.Second, signer.Options{}).SignTx(t.Context(), transaction(), devnet.ChainID)
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), password) {
			t.Errorf("SignTx() with the password %s = %v", password, err)
		}
	}
	path := filepath.Join(t.TempDir(), "missing.ipc")
	if _, err := newService(t, "unix://"+path, time.Second, signer.Options{}).SignTx(t.Context(), transaction(), devnet.ChainID); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("SignTx() on a socket that does not exist = %v", err)
	}
}
