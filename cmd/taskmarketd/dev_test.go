package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/server/socialdev"
)

// transcript collects the output of a development world.
type transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// visit starts a world, waits until its output contains words, checks its pages for operators and stops it.
// It returns the output and the world's variables.
func visit(t *testing.T, c devConfig, words string) (said string, variables map[string]string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	out, ended := &transcript{}, make(chan error, 1)
	go func() { ended <- newDev(c, out).run(ctx) }()
	for !strings.Contains(out.String(), words) {
		select {
		case err := <-ended:
			t.Fatalf("the world ended: %v\n%s", err, out)
		case <-time.After(20 * time.Millisecond):
		}
	}
	raw, err := os.ReadFile(filepath.Join(c.Dir, "env"))
	if err != nil {
		t.Fatal(err)
	}
	variables = map[string]string{}
	for line := range strings.Lines(string(raw)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		variables[key] = value
	}
	wantOperatorPages(t, variables)
	stop()
	if err := <-ended; err != nil {
		t.Fatalf("the world did not stop cleanly: %v\n%s", err, out)
	}
	return out.String(), variables
}

// wantOperatorPages requires that the world serves the metrics and the console on loopback, at the addresses
// in its variables.
func wantOperatorPages(t *testing.T, variables map[string]string) {
	t.Helper()
	for name, page := range map[string]struct{ path, text string }{
		"METRICS_URL": {"/metrics", "\n" + metricstest.Prefix + "state_readable 1\n"}, "CONSOLE_URL": {"/sign-in", "<title>Sign in"},
	} {
		address, err := url.Parse(variables[prefix+name])
		if err != nil || !isLoopback(address.Hostname()) {
			t.Fatalf("%s is %q, want an address on loopback", name, variables[prefix+name])
		}
		if status, body := get(t, address.String()+page.path); status != http.StatusOK || !strings.Contains(body, page.text) {
			t.Errorf("%s: %s = %d without %q:\n%s", name, page.path, status, page.text, body)
		}
	}
}

func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "taskmarket-world-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the PostgreSQL user must be able to enter the directory
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// The development world completes one hire with the expected balances, and continues from its
// stored state after a restart.
func TestWorld(t *testing.T) {
	c := devConfig{Dir: place(t), demo: true}
	first, variables := visit(t, c, "Everything is up.")
	for _, line := range []string{
		"agent               -10 TASK", "human              +9.5 TASK", "treasury           +0.5 TASK",
		"escrow                0 TASK", "stakes                0 TASK", "is approved", "demo-agent",
	} {
		if !strings.Contains(first, line) {
			t.Errorf("the demo did not print %q:\n%s", line, first)
		}
	}
	for _, name := range []string{
		"API_URL", "WEB_URL", "SOCIAL_URL", "RPC_URL", "WS_URL", "CHAIN_ID", "TOKEN_ADDRESS", "ESCROW_ADDRESS",
		"APPLICATION_STAKING_ADDRESS", "TREASURY_ADDRESS", "REWARD_DISTRIBUTOR_ADDRESS", "DEV_DATABASE_URL",
		"FAUCET_URL", "FAUCET_PRIVATE_KEY", "VALIDATOR_PRIVATE_KEYS", "METRICS_URL", "CONSOLE_URL",
	} {
		if variables[prefix+name] == "" {
			t.Errorf("env has no %s%s", prefix, name)
		}
	}
	if url := variables[prefix+"API_URL"]; !strings.HasSuffix(url, "/api/v1") || !strings.HasPrefix(url, variables[prefix+"WEB_URL"]) {
		t.Errorf("API_URL is %q, WEB_URL %q", url, variables[prefix+"WEB_URL"])
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "env")); !os.IsNotExist(err) {
		t.Errorf("env still exists after the world has stopped: %v", err)
	}
	second, again := visit(t, c, "Everything is up.")
	if !strings.Contains(second, "contracts  found") || strings.Contains(second, "registers") {
		t.Errorf("the second start did not continue:\n%s", second)
	}
	for name, value := range variables {
		if again[name] != value {
			t.Errorf("%s was %q and is %q after a restart", name, value, again[name])
		}
	}
}

// The post command publishes a text on the simulated social network and prints the post's URL. It
// returns an error if the network rejects the post or no development world is running.
func TestWorldPost(t *testing.T) {
	network := httptest.NewUnstartedServer(nil)
	network.Config.Handler = socialdev.New("http://" + network.Listener.Addr().String()).Handler()
	network.Start()
	defer network.Close()
	t.Setenv(prefix+"SOCIAL_URL", network.URL)
	out := &transcript{}
	post := func(args ...string) error {
		root := command()
		root.SetArgs(append([]string{"dev", "post"}, args...))
		root.SetIn(strings.NewReader("from stdin\n"))
		root.SetOut(out)
		return root.ExecuteContext(t.Context())
	}
	if err := errors.Join(post("harbour", "given"), post("harbour")); err != nil {
		t.Fatal(err)
	}
	addresses := strings.Fields(out.String())
	if len(addresses) != 2 || !strings.HasPrefix(addresses[0], network.URL+"/@harbour/") || addresses[0] == addresses[1] {
		t.Errorf("posted at %q", addresses)
	}
	if err := post("not a handle", "x"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a refused post: %v", err)
	}
	t.Setenv(prefix+"SOCIAL_URL", "")
	t.Setenv(prefix+"DEV_DIR", t.TempDir())
	if err := post("harbour", "x"); err == nil || !strings.Contains(err.Error(), "make run") {
		t.Errorf("without a world: %v", err)
	}
}

func TestWorldRejectsUsedPort(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port //nolint:errcheck // the address of a TCP listener is always a TCPAddr
	err = newDev(devConfig{Dir: place(t), Port: taken}, &transcript{}).run(t.Context())
	if err == nil || !strings.Contains(err.Error(), prefix+"DEV_PORT") || !strings.Contains(err.Error(), strconv.Itoa(taken)) {
		t.Errorf("a taken port: %v", err)
	}
}
