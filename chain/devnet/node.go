package devnet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/test/process"
)

// ChainID is the default chain id, which is also anvil's default.
const ChainID = 31337

const (
	startTimeout = 20 * time.Second
	portAttempts = 5
	// stopGrace is long because anvil writes its state when it stops. An incomplete state would not
	// match the database.
	stopGrace = 30 * time.Second
	// history is the greatest depth of a reorg in blocks. anvil keeps the state after each of these
	// blocks in memory. Without this limit, it would write all older states to files.
	history = 128
)

// Mining determines when a block is mined.
type Mining int

// The mining modes.
const (
	Instant  Mining = iota // one block per transaction and no others: exact block numbers for tests
	Periodic               // one block per transaction and one per second, so that the chain's time advances
	Manual                 // mines only when Mine is called
)

// Options configures the chain. The zero value is a new chain for one test.
type Options struct {
	Dir           string // directory of the chain's state; if empty, the chain is deleted by Stop
	Port          int    // 0 selects a free port
	ChainID       uint64 // defaults to the constant ChainID
	Mining        Mining
	Genesis       time.Time // time of block 0 of a new chain, in whole seconds; if zero, the current time
	SlotsPerEpoch int       // blocks per epoch; safe and finalized are one and two epochs old; default 1

	passing bool // the chain's state is not saved on Stop
}

// Node is a running chain.
type Node struct {
	client    *ethclient.Client
	port      int
	proc      *process.Process
	accounts  []Account
	temporary string // directory to remove after Stop
}

// Start starts the chain, or continues the one in o.Dir, and returns when it accepts requests.
func Start(ctx context.Context, o Options) (*Node, error) {
	binary, err := Program("anvil")
	if err != nil {
		return nil, err
	}
	temporary, err := o.complete()
	if err != nil {
		return nil, err
	}
	n, err := start(ctx, binary, o)
	if err != nil {
		return nil, errors.Join(err, removeFolder(temporary))
	}
	n.temporary = temporary
	if err := n.catchUp(ctx); err != nil {
		return nil, errors.Join(err, n.Stop())
	}
	return n, nil
}

// complete sets the defaults, and returns the temporary folder if it created one.
func (o *Options) complete() (temporary string, err error) {
	if o.ChainID == 0 {
		o.ChainID = ChainID
	}
	if o.SlotsPerEpoch == 0 {
		o.SlotsPerEpoch = 1
	}
	if o.Dir == "" {
		if temporary, err = os.MkdirTemp("", "taskmarket-devnet-"); err != nil {
			return "", fmt.Errorf("create a folder for the chain: %w", err)
		}
		o.Dir, o.passing = temporary, true
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return temporary, fmt.Errorf("create a folder for the chain: %w", err)
	}
	o.Genesis, err = readGenesis(filepath.Join(o.Dir, "genesis"), o.Genesis)
	return temporary, err
}

// readGenesis returns the time of block 0 from the file. On the chain's first start, it writes
// first to the file, or the current time if first is zero.
func readGenesis(file string, first time.Time) (time.Time, error) {
	raw, err := os.ReadFile(file)
	if err == nil {
		seconds, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("read the time of the first block from %s: %w", file, err)
		}
		return time.Unix(seconds, 0), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return time.Time{}, fmt.Errorf("read the time of the first block: %w", err)
	}
	if first.IsZero() {
		first = time.Now()
	}
	if err := os.WriteFile(file, fmt.Appendln(nil, first.Unix()), 0o644); err != nil {
		return time.Time{}, fmt.Errorf("store the time of the first block: %w", err)
	}
	return first, nil
}

// Program returns the path of a Foundry program, for example anvil. It returns the native binary,
// because the wrapper in node_modules/.bin would start it as a child process.
func Program(name string) (string, error) {
	tools, err := process.ToolsDir()
	if err != nil {
		return "", err
	}
	platform := fmt.Sprintf("%s-%s-%s", name, runtime.GOOS, runtime.GOARCH)
	path := filepath.Join(tools, "node_modules", "@foundry-rs", platform, "bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find %s: %w: run `make tools`, which installs it", name, err)
	}
	return path, nil
}

// start starts anvil. It retries with another port if another process binds the free port before
// anvil does.
func start(ctx context.Context, binary string, o Options) (*Node, error) {
	if o.Port != 0 {
		if err := process.CheckPort(o.Port); err != nil {
			return nil, fmt.Errorf("start the local chain: %w", err)
		}
		return startOn(ctx, binary, o.Port, o)
	}
	var failed error
	for range portAttempts {
		port, err := process.FreePort()
		if err != nil {
			return nil, err
		}
		n, err := startOn(ctx, binary, port, o)
		if err == nil || !strings.Contains(err.Error(), "in use") {
			return n, err
		}
		failed = err
	}
	return nil, failed
}

func startOn(ctx context.Context, binary string, port int, o Options) (*Node, error) {
	config := filepath.Join(o.Dir, "accounts.json")
	if err := os.Remove(config); err != nil && !errors.Is(err, os.ErrNotExist) { // left by an earlier process
		return nil, fmt.Errorf("start the local chain: %w", err)
	}
	proc, err := process.Start(process.Spec{
		Name: "anvil", Path: binary, Args: o.args(port, config), Dir: o.Dir, Log: filepath.Join(o.Dir, "anvil.log"),
		Grace: stopGrace,
	})
	if err != nil {
		return nil, err
	}
	n := &Node{port: port, proc: proc}
	if n.accounts, err = awaitAccounts(proc, config); err != nil {
		return nil, errors.Join(err, proc.Stop())
	}
	if err := n.connect(ctx); err != nil {
		return nil, errors.Join(err, proc.Stop())
	}
	return n, nil
}

// awaitAccounts returns when anvil has written its accounts, which it does after it has bound its
// port. An answer on the port would not be enough, because it could come from another chain.
func awaitAccounts(proc *process.Process, config string) ([]Account, error) {
	deadline := time.After(startTimeout)
	for {
		accounts, err := readAccounts(config)
		if err == nil {
			return accounts, nil
		}
		select {
		case <-proc.Done():
			return nil, ended(proc)
		case <-deadline:
			return nil, fmt.Errorf("anvil did not write its accounts within %s: %w", startTimeout, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func ended(anvil *process.Process) error {
	return fmt.Errorf("anvil ended while starting: %w: %s", anvil.Err(), anvil.LogTail())
}

func (o Options) args(port int, config string) []string {
	args := []string{
		"--quiet", "--host", "127.0.0.1", "--port", strconv.Itoa(port),
		"--chain-id", strconv.FormatUint(o.ChainID, 10),
		"--timestamp", strconv.FormatInt(o.Genesis.Unix(), 10),
		"--slots-in-an-epoch", strconv.Itoa(o.SlotsPerEpoch),
		"--config-out", config,
		"--prune-history", strconv.Itoa(history),
	}
	if !o.passing {
		args = append(args, "--state", filepath.Join(o.Dir, "state.json"), "--state-interval", "5",
			"--preserve-historical-states") // required for a reorg of blocks from before a restart
	}
	switch o.Mining {
	case Periodic:
		args = append(args, "--block-time", "1", "--mixed-mining")
	case Manual:
		args = append(args, "--no-mining")
	case Instant:
	}
	return args
}

// connect returns when the chain accepts requests.
func (n *Node) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	client, err := ethclient.DialContext(ctx, n.URL())
	if err != nil {
		return fmt.Errorf("connect to the local chain: %w", err)
	}
	n.client = client
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		_, err := client.ChainID(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-n.proc.Done():
			client.Close()
			return ended(n.proc)
		case <-ctx.Done():
			client.Close()
			return fmt.Errorf("wait for the local chain: %w (last error: %w)", ctx.Err(), err)
		case <-again.C:
		}
	}
}

// catchUp sets the clock of a continued chain to the present, or after its last block if that block
// is in the future.
func (n *Node) catchUp(ctx context.Context) error {
	head, err := n.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return fmt.Errorf("read the local chain's head: %w", err)
	}
	if head.Number.Sign() == 0 {
		return nil
	}
	present := max(time.Now().Unix(), int64(head.Time)+1)
	return n.call(ctx, nil, "evm_setTime", present*1000) // anvil expects milliseconds
}

// URL returns the URL for JSON-RPC over HTTP.
func (n *Node) URL() string { return "http://127.0.0.1:" + strconv.Itoa(n.port) }

// WSURL returns the URL for websocket subscriptions.
func (n *Node) WSURL() string { return "ws://127.0.0.1:" + strconv.Itoa(n.port) }

// Done returns a channel that is closed when anvil has exited.
func (n *Node) Done() <-chan struct{} { return n.proc.Done() }

// Stop stops the chain. The state of a chain with Options.Dir is written first; that of a temporary
// chain is discarded.
func (n *Node) Stop() error {
	n.client.Close()
	if n.temporary != "" {
		return errors.Join(n.proc.Kill(), removeFolder(n.temporary))
	}
	return n.proc.Stop()
}

func removeFolder(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the chain's folder: %w", err)
	}
	return nil
}
