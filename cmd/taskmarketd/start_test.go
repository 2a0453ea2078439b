package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/server"
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
	return config{
		DatabaseURL: secret(database), BaseURL: "http://127.0.0.1:8080", BlobURL: "file://" + t.TempDir(), RPCURLs: []string{node},
		nodeOptions: rpc.NodeOptions{CallTimeout: 2 * time.Second, Tries: 1}, tuning: tuning{Poll: 50 * time.Millisecond}, SessionKeys: []secret{randomKey},
		SocialHosts: []string{"x.com"}, KarmaFeeFloor: "1", RewardRate: "1", deployed: newDeploymentFile(net.Deployment),
	}
}

// serving runs the service until the test ends. It returns the service's origin and a channel that receives
// the result of run.
func serving(t *testing.T, c config) (origin string, ended <-chan error) {
	t.Helper()
	_, origin, ended = startService(t, c)
	return origin, ended
}

// startService is like serving, for tests that also use the service itself.
func startService(t *testing.T, c config) (s *service, origin string, ended <-chan error) {
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
	t.Cleanup(func() { stop(); <-done; s.close(t.Context()) })
	return s, "http://" + listener.Addr().String(), result
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
	wrongChain := func(c *config) { c.deployed.ChainID = 1 }
	noCode := func(c *config) { c.deployed.Escrow = checkedAddress(net.Agent.Address()) }
	wrongKey := func(c *config) { c.RewardSignerPrivateKey = secret(strings.Repeat("1f", 32)) }
	wrongAddress := func(c *config) { c.RewardSignerAddress = net.Agent.Address().Hex() }
	for name, test := range map[string]struct {
		change func(*config)
		says   string
	}{
		"another chain":       {wrongChain, "the provider serves another chain"},
		"no contract":         {noCode, "there is no contract at "},
		"another voucher key": {wrongKey, "the configured reward signer is "}, "another voucher address": {wrongAddress, "the configured reward signer is "},
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

// If the database does not behave as required, the process ends with an error.
func TestServiceExitsOnUnfitDatabase(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	records := storetest.New(t)
	storetest.DB(t, records).MustExecContext(t.Context(), `ALTER TABLE activities DISABLE TRIGGER USER`)
	_, ended := serving(t, testConfig(t, net, storetest.URL(t, records), net.Dev.URL()))
	select {
	case err := <-ended:
		if !errors.Is(err, errMisconfigured) || !strings.Contains(err.Error(), "triggers do not run") {
			t.Errorf("run() without triggers = %v", err)
		}
	case <-time.After(60 * time.Second):
		t.Error("run() without triggers did not return")
	}
}

// A service does not use the file store of another database unless an operator adopts the files. A restored
// copy counts as another database.
func TestFileStoreBelongsToOneDatabase(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	first, second := storetest.New(t), storetest.New(t)
	if err := second.RevokeCredentials(t.Context()); err != nil { // as after-restore does
		t.Fatal(err)
	}
	c := testConfig(t, net, storetest.URL(t, first), net.Dev.URL())
	_, origin, _ := startService(t, c)
	awaits(t, origin, http.StatusOK, "ok\n")
	_, again, _ := startService(t, c)
	awaits(t, again, http.StatusOK, "ok\n")

	c.DatabaseURL = secret(storetest.URL(t, second))
	other, _, ended := startService(t, c)
	select {
	case err := <-ended:
		if !errors.Is(err, errMisconfigured) || !strings.Contains(err.Error(), "adopt-files") {
			t.Errorf("run() with the file store of another database = %v", err)
		}
	case <-time.After(60 * time.Second):
		t.Fatal("run() did not return")
	}
	file := uuid.NewString()
	if err := other.files.WriteAll(t.Context(), file, []byte("x"), nil); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(2 * time.Hour)
	if err := server.SweepFiles(t.Context(), other.files, second, later); err == nil {
		t.Error("a database swept the file store of another one")
	}
	if err := server.AdoptFiles(t.Context(), other.files, second); err != nil {
		t.Fatal(err)
	}
	_, origin, _ = startService(t, c)
	awaits(t, origin, http.StatusOK, "ok\n")
	if err := server.SweepFiles(t.Context(), other.files, first, later); err == nil {
		t.Error("the former database swept the file store")
	}
	if exists, err := other.files.Exists(t.Context(), file); err != nil || !exists {
		t.Errorf("the file exists: %t, %v", exists, err)
	}
}

// Processes with one role each work together: only the process with the role watcher follows the chain,
// only the one with the role keeper creates a keeper, and only the one with the role api serves the
// operations.
func TestRolesShareTheWork(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	database := storetest.URL(t, storetest.New(t))
	origins, services := make(map[string]string), make(map[string]*service)
	for _, role := range []string{roleAPI, roleWatcher, roleKeeper} {
		c := testConfig(t, net, database, net.Dev.URL())
		c.Roles = []string{role}
		c.KeeperPrivateKey = secret(hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[8].Key)))
		if role == roleAPI {
			c.RewardSignerAddress = net.Rewarder.Address().Hex()
		}
		services[role], origins[role], _ = startService(t, c)
	}
	for role, origin := range origins {
		awaits(t, origin, http.StatusOK, "ok\n")
		want := map[string]int{"/livez": 200, "/api/v1/health": 200, "/api/v1/board": 404, "/": 404}
		if role == roleAPI {
			want["/api/v1/board"], want["/"] = 200, 200
		}
		for path, status := range want {
			if got, body := get(t, origin+path); got != status {
				t.Errorf("GET %s of the %s = %d %s, want %d", path, role, got, body, status)
			}
		}
	}
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(10), common.Hash{1})
	await(t, "the posting is followed", func() bool {
		ids, err := services[roleAPI].store.Journal.LastIDs(t.Context(), net.Head(t).Number)
		return err == nil && ids.Task == id
	})
	for role, s := range services {
		if _, leads := s.watcher.Leads(); leads != (role == roleWatcher) {
			t.Errorf("the %s leads the watcher: %t", role, leads)
		}
		if (s.keeper != nil) != (role == roleKeeper) {
			t.Errorf("the %s has a keeper: %t", role, s.keeper != nil)
		}
		if rewards, err := s.rewards(); err != nil || (rewards != nil) != (role == roleAPI) {
			t.Errorf("the %s accepts claims: %t, %v", role, rewards != nil, err)
		}
	}
}
