package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/store/storetest"
	"taskmarket/test/gate"
)

// behind starts a gate in front of the URL's host. It returns the URL with the gate's address, and
// the gate.
func behind(t *testing.T, raw string) (string, *gate.Gate) {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(t, u.Host)
	u.Host = g.Addr()
	return u.String(), g
}

// testConfig returns a service configuration that uses the chain and the database.
func testConfig(t *testing.T, net *chaintest.Net, database, node string) config {
	t.Helper()
	c := config{
		DatabaseURL: secret(database), BaseURL: "http://127.0.0.1:8080", BlobURL: "file://" + t.TempDir(), RPCURLs: []string{node},
		RPCTimeout: 2 * time.Second, RPCTries: 1, PollInterval: 50 * time.Millisecond, SessionKeys: []secret{secret(strings.Repeat("k", 32))},
		SocialHosts: []string{"x.com"}, KarmaFeeFloor: "1", RewardRate: "1",
	}
	c.name(net.Deployment)
	return c
}

// serving runs the service until the test ends. It returns the service's origin and a channel that
// receives the result of run.
func serving(t *testing.T, c config) (origin string, ended <-chan error) {
	t.Helper()
	s, err := newService(t.Context(), c, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done, result := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(done)
		result <- s.run(ctx, listener)
	}()
	t.Cleanup(func() { stop(); <-done; s.close() })
	return "http://" + listener.Addr().String(), result
}

func get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(raw)
}

// awaits waits until the server's readiness check returns the expected status and body.
func awaits(t *testing.T, origin string, status int, body string) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(250 * time.Millisecond) {
		gotStatus, got := get(t, origin+"/readyz")
		if gotStatus == status && got == body {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("GET /readyz = %d %q, want %d %q", gotStatus, got, status, body)
		}
	}
}

// A replica can start while neither the database nor a node is reachable. It becomes ready once
// both are.
func TestServiceStartsWithoutItsDependencies(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	database, toDatabase := behind(t, storetest.URL(t, storetest.New(t)))
	node, toNode := behind(t, net.Dev.URL())
	toDatabase.Shut()
	toNode.Shut()
	origin, _ := serving(t, testConfig(t, net, database, node))
	awaits(t, origin, http.StatusServiceUnavailable, "database_unavailable\nnode_unavailable\nstarting\n")
	for path, want := range map[string]int{
		"/livez": 200, "/": 200, "/openapi.json": 200, "/docs": 200, "/api/v1/health": 503, "/api/v1/board": 503, "/metrics": 404,
	} {
		if status, body := get(t, origin+path); status != want {
			t.Errorf("GET %s = %d %s, want %d", path, status, body, want)
		}
	}
	toDatabase.Open()
	awaits(t, origin, http.StatusServiceUnavailable, "node_unavailable\nkeeper_absent\nstarting\n")
	toNode.Open()
	awaits(t, origin, http.StatusOK, "ok\n")
	if status, body := get(t, origin+"/api/v1/board"); status != http.StatusOK {
		t.Errorf("GET /board = %d %s", status, body)
	}
}

// An invalid configuration ends the process with an error that contains the reason, even if it is
// detected only after the start.
func TestServiceExitsOnInvalidConfiguration(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	database := storetest.URL(t, storetest.New(t))
	wrongChain := func(c *config) { c.ChainID = 1 }
	noCode := func(c *config) { c.EscrowAddress = net.Agent.Address().Hex() }
	wrongKey := func(c *config) { c.RewardSignerPrivateKey = secret(strings.Repeat("1f", 32)) }
	for name, test := range map[string]struct {
		change func(*config)
		says   string
	}{
		"another chain": {wrongChain, "the provider serves another chain"},
		"no contract":   {noCode, "there is no contract at "}, "another voucher key": {wrongKey, "REWARD_SIGNER_PRIVATE_KEY is the key of "},
	} {
		t.Run(name, func(t *testing.T) {
			node, toNode := behind(t, net.Dev.URL())
			toNode.Shut()
			c := testConfig(t, net, database, node)
			test.change(&c)
			origin, ended := serving(t, c)
			awaits(t, origin, http.StatusServiceUnavailable, "node_unavailable\nkeeper_absent\nstarting\n")
			toNode.Open()
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("run() = %v, want %q", err, test.says)
				}
			case <-time.After(60 * time.Second):
				t.Error("run() did not return")
			}
		})
	}
}
