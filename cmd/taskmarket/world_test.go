package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/market"
	"taskmarket/test/process"
)

// testTimeout limits each command and each wait of a test.
const testTimeout = 3 * time.Minute

// world is the marketplace that all tests of the package share: one `taskmarketd dev` without rate
// limits. Its human applies for tasks with the skill demo, and its validators approve everything.
// The first test that needs the world starts it.
type world struct {
	dir      string
	program  string            // path of the compiled taskmarket program
	variable map[string]string // variables from the world's env file, without the prefix
	node     *rpc.Node
	proc     *process.Process
}

var shared struct {
	once  sync.Once
	world *world
	err   error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if w := shared.world; w != nil {
		if err := w.close(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the world:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// sharedWorld returns the world that the package's tests share, and starts it if necessary.
func sharedWorld(tb testing.TB) *world {
	tb.Helper()
	shared.once.Do(func() { shared.world, shared.err = startWorld() })
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.world
}

func startWorld() (*world, error) {
	dir, err := os.MkdirTemp("", "taskmarket-cli-")
	if err != nil {
		return nil, fmt.Errorf("create a directory for the world: %w", err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the PostgreSQL user must be able to enter the directory
		return nil, err
	}
	w := &world{dir: dir, program: filepath.Join(dir, "taskmarket"), variable: map[string]string{}}
	build := exec.Command("go", "build", "-o", dir, "taskmarket/cmd/taskmarketd", "taskmarket/cmd/taskmarket")
	if out, err := build.CombinedOutput(); err != nil {
		return w, fmt.Errorf("build the programs: %w: %s", err, out)
	}
	if err := w.start(); err != nil {
		return w, err
	}
	return w, w.connect()
}

// start starts `taskmarketd dev` and returns when the program has written its env file.
func (w *world) start() (err error) {
	home := filepath.Join(w.dir, "world")
	w.proc, err = process.Start(process.Spec{
		Name: "taskmarketd", Path: filepath.Join(w.dir, "taskmarketd"), Args: []string{"dev"}, Log: filepath.Join(w.dir, "dev.log"),
		Env:   append(os.Environ(), "TASKMARKET_DEV_DIR="+home, "TASKMARKET_RATE_LIMITS=*=1000000/min:1000000"),
		Grace: time.Minute, // the program must stop PostgreSQL and anvil first
	})
	if err != nil {
		return err
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		raw, err := os.ReadFile(filepath.Join(home, "env"))
		if err == nil {
			for line := range strings.Lines(string(raw)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				w.variable[strings.TrimPrefix(name, cli.EnvPrefix)] = value
			}
			return nil
		}
		select {
		case <-w.proc.Done():
			return fmt.Errorf("the world ended: %w: %s", w.proc.Err(), w.proc.LogTail())
		default:
		}
		if time.Since(began) > testTimeout {
			return fmt.Errorf("the world has not started after %s: %s", testTimeout, w.proc.LogTail())
		}
	}
}

func (w *world) connect() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	w.node, err = rpc.Dial(ctx, []string{w.variable["RPC_URL"]}, 0, rpc.NodeOptions{})
	return err
}

func (w *world) close() error {
	if w.node != nil {
		w.node.Close()
	}
	if w.proc != nil {
		if err := w.proc.Stop(); err != nil {
			return err
		}
	}
	return os.RemoveAll(w.dir)
}

// deployment returns the contract addresses of the world.
func (w *world) deployment(tb testing.TB) market.Deployment {
	tb.Helper()
	environ := []string{cli.EnvPrefix + "CONFIG=" + filepath.Join(tb.TempDir(), "none")}
	for name, text := range w.variable {
		environ = append(environ, cli.EnvPrefix+name+"="+text)
	}
	s, err := cli.New(cli.Streams{}, environ).Settings()
	clitest.Must(tb, err)
	deployment, err := s.Contracts()
	clitest.Must(tb, err)
	return *deployment
}

// fund sends 100 tokens and one native coin from the world's faucet to a wallet.
func (w *world) fund(tb testing.TB, wallet *chain.KeySigner) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), testTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.variable["FAUCET_URL"]+"/"+wallet.Address().Hex(), nil)
	clitest.Must(tb, err)
	response, err := http.DefaultClient.Do(request)
	clitest.Must(tb, err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		tb.Fatalf("the faucet returned %s", response.Status)
	}
}

// direct returns a connection to the world's node, which is closed when the test ends.
func (w *world) direct(tb testing.TB) *ethclient.Client {
	tb.Helper()
	node, err := ethclient.DialContext(tb.Context(), w.variable["RPC_URL"])
	clitest.Must(tb, err)
	tb.Cleanup(node.Close)
	return node
}

// newWallet returns a signer with a new random key.
func newWallet(tb testing.TB) *chain.KeySigner {
	tb.Helper()
	key, err := crypto.GenerateKey()
	clitest.Must(tb, err)
	return chain.NewKeySigner(key)
}
