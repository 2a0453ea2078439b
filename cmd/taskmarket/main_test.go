package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/market"
	"taskmarket/test/actor"
	"taskmarket/test/process"
)

func TestVersion(t *testing.T) {
	shown := newUser(t).run("version").ok().stdout
	if !strings.HasPrefix(shown, "taskmarket "+version+", ") {
		t.Errorf("taskmarket version prints %q", shown)
	}
	if got := newUser(t).run("--version").ok().stdout; got != shown {
		t.Errorf("taskmarket --version prints %q, want %q", got, shown)
	}
}

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

// user simulates a user of the program, with a home directory, environment variables and input.
type user struct {
	t   testing.TB
	dir string            // home directory, with the configuration and the state
	env map[string]string // environment variables by full name
	// stdin is the input for the next command. terminal is set if all streams are terminals.
	stdin    string
	terminal bool
	// width is the terminal's number of columns; values below 80 select 80.
	width int
	// secrets are the lines that are typed at prompts without echo.
	secrets []string
}

// newUser returns a user with an empty home directory and no configuration.
func newUser(tb testing.TB) *user {
	tb.Helper()
	dir := tb.TempDir()
	return &user{t: tb, dir: dir, env: map[string]string{
		"HOME": dir, "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state"),
	}}
}

// newVisitor returns a user without a wallet. Its environment variables contain the addresses of
// the shared world.
func newVisitor(tb testing.TB) *user {
	tb.Helper()
	u, w := newUser(tb), sharedWorld(tb)
	for _, name := range []string{
		"API_URL", "RPC_URL", "WS_URL", "CHAIN_ID", "TOKEN_ADDRESS", "ESCROW_ADDRESS", "APPLICATION_STAKING_ADDRESS",
		"TREASURY_ADDRESS", "REWARD_DISTRIBUTOR_ADDRESS", "START_BLOCK",
	} {
		u.set(name, w.variable[name])
	}
	return u
}

// agentUser is a user with a registered, verified and funded agent.
type agentUser struct {
	*user
	wallet   *chain.KeySigner
	id       uuid.UUID
	username string
	lib      *client.Client // library client for the same agent, used to prepare and to check
}

// newAgent returns a new agent in the shared world.
func newAgent(tb testing.TB) *agentUser {
	tb.Helper()
	key, err := crypto.GenerateKey()
	clitest.Must(tb, err)
	return newAgentWith(tb, key)
}

// newAgentWith returns a new agent whose wallet has this key.
func newAgentWith(tb testing.TB, key *ecdsa.PrivateKey) *agentUser {
	tb.Helper()
	w, u := sharedWorld(tb), newVisitor(tb)
	a := &agentUser{user: u, wallet: chain.NewKeySigner(key), username: "agent-" + uuid.NewString()[:13]}
	w.fund(tb, a.wallet)
	options := client.Options{BaseURL: w.variable["API_URL"], RPCURL: w.variable["RPC_URL"], Signer: a.wallet}
	visitor, err := client.New(options)
	clitest.Must(tb, err)
	defer visitor.Close()
	registered, err := visitor.Register(tb.Context(), client.Profile{Name: "Harbour agent", Username: a.username, Bio: "Hires."})
	clitest.Must(tb, err)
	_, err = visitor.Verify(tb.Context(), registered.AgentID, w.post(tb, a.username, "I am "+registered.VerificationCode))
	clitest.Must(tb, err)
	a.id = registered.AgentID
	options.APIKey = registered.APIKey
	a.lib, err = client.New(options)
	clitest.Must(tb, err)
	tb.Cleanup(a.lib.Close)
	u.set("API_KEY", registered.APIKey)
	u.set("PRIVATE_KEY", hexutil.Encode(crypto.FromECDSA(key)))
	return a
}

// newHuman returns a funded human who acts only when the test calls its methods.
func (w *world) newHuman(tb testing.TB) *actor.Person {
	tb.Helper()
	wallet := newWallet(tb)
	w.fund(tb, wallet)
	human, err := actor.SignIn(tb.Context(), w.variable["API_URL"], nil, w.node, wallet)
	clitest.Must(tb, err)
	return human
}

// post publishes a text on the simulated social network under a handle and returns the post's URL.
func (w *world) post(tb testing.TB, handle, text string) string {
	tb.Helper()
	body, err := json.Marshal(map[string]string{"status": text})
	clitest.Must(tb, err)
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, w.variable["SOCIAL_URL"]+"/api/v1/statuses", bytes.NewReader(body))
	clitest.Must(tb, err)
	request.Header.Set("Authorization", "Bearer "+handle)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	clitest.Must(tb, err)
	defer response.Body.Close()
	var status struct{ URL string }
	clitest.Must(tb, json.NewDecoder(response.Body).Decode(&status))
	return status.URL
}

// set sets an environment variable; name excludes the prefix.
func (u *user) set(name, value string) { u.env[cli.EnvPrefix+name] = value }

// withoutPins returns the same user without pinned contracts.
func (u *user) withoutPins() *user {
	other := *u
	other.env = maps.Clone(u.env)
	for _, name := range []string{"TOKEN_ADDRESS", "ESCROW_ADDRESS", "APPLICATION_STAKING_ADDRESS"} {
		other.unset(name)
	}
	return &other
}

// unset removes an environment variable; name excludes the prefix.
func (u *user) unset(name string) { delete(u.env, cli.EnvPrefix+name) }

// result is the outcome of running a command.
type result struct {
	t              testing.TB
	args           []string
	stdout, stderr string
	code           int
}

// run runs the program in this process.
func (u *user) run(args ...string) result {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), testTimeout)
	defer cancel()
	return u.runIn(ctx, args...)
}

// runIn runs the program in this process with a context. Cancelling the context simulates a signal.
func (u *user) runIn(ctx context.Context, args ...string) result {
	u.t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(ctx, u.streams(&stdout, &stderr), u.environ(), args)
	return result{u.t, args, stdout.String(), stderr.String(), code}
}

// exec runs the compiled program as a separate process in the user's directory.
func (u *user) exec(args ...string) result {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), testTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, sharedWorld(u.t).program, args...)
	command.Dir, command.Env, command.Stdin = u.dir, u.environ(), strings.NewReader(u.stdin)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		u.t.Fatal(err)
	}
	return result{u.t, args, stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

func (u *user) streams(stdout, stderr io.Writer) cli.Streams {
	s := cli.Streams{In: strings.NewReader(u.stdin), Out: stdout, Err: stderr}
	if u.terminal {
		s.InTerminal, s.OutTerminal, s.ErrTerminal, s.Width = true, true, true, max(80, u.width)
		s.RestoreEcho = func() {}
		s.ReadSecret = func() ([]byte, error) {
			if len(u.secrets) == 0 {
				return nil, io.EOF
			}
			next := u.secrets[0]
			u.secrets = u.secrets[1:]
			return []byte(next), nil
		}
	}
	return s
}

func (u *user) environ() []string {
	var all []string
	for name, value := range u.env {
		all = append(all, name+"="+value)
	}
	return all
}

// configPath returns the path of the user's configuration file.
func (u *user) configPath() string {
	return filepath.Join(u.dir, "config", "taskmarket", "config.yaml")
}

// write creates a file in the user's directory with mode 0600 and returns its path.
func (u *user) write(name, text string) (path string) {
	u.t.Helper()
	path = filepath.Join(u.dir, name)
	clitest.Must(u.t, os.MkdirAll(filepath.Dir(path), 0o700))
	clitest.Must(u.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// ok fails the test if the command did not succeed.
func (r result) ok() result {
	r.t.Helper()
	return r.ended(cli.ExitDone)
}

// ended fails the test if the exit code is not code.
func (r result) ended(code int) result {
	r.t.Helper()
	if r.code != code {
		r.t.Fatalf("taskmarket %s ended with %d, want %d\nstdout: %s\nstderr: %s", strings.Join(r.args, " "), r.code, code, r.stdout, r.stderr)
	}
	return r
}

// wantStderr fails the test if stderr does not contain the text.
func (r result) wantStderr(text string) result {
	r.t.Helper()
	if !strings.Contains(r.stderr, text) {
		r.t.Errorf("stderr of taskmarket %s lacks %q:\n%s", strings.Join(r.args, " "), text, r.stderr)
	}
	return r
}

// json decodes stdout, which must contain exactly one JSON document.
func (r result) json(into any) {
	r.t.Helper()
	decoder := json.NewDecoder(strings.NewReader(r.stdout))
	clitest.Must(r.t, decoder.Decode(into))
	if decoder.More() {
		r.t.Errorf("taskmarket %s printed more than one document: %s", strings.Join(r.args, " "), r.stdout)
	}
}

var update = flag.Bool("update", false, "rewrite testdata")

// wantGolden compares got with a golden file in testdata, or updates the file if -update is set.
func wantGolden(tb testing.TB, name, got string) {
	tb.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		clitest.Must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		clitest.Must(tb, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("%v; `go test ./cmd/taskmarket -update` writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// changing matches the parts of the output that differ between runs. Longer patterns precede
// shorter ones.
var changing = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`0x[0-9a-fA-F]{64}`), "<hash>"},
	{regexp.MustCompile(`0x[0-9a-fA-F]{40}`), "<address>"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "<id>"},
	{regexp.MustCompile(`agent-[0-9a-f]{8}-[0-9a-f]{4}`), "<agent>"},
	{regexp.MustCompile(`human-[0-9a-f]{8}`), "<human>"},
	{regexp.MustCompile(`[0-9a-f]{12}-`), "<part of id>-"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( UTC|Z)`), "<time>"},
	{regexp.MustCompile(`human-[0-9a-f]{8}\b`), "<human>"},
	{regexp.MustCompile(`\b[0-9a-f]{32}\b`), "<plan>"},
	{regexp.MustCompile(`, number \d+`), ", number <n>"},
	{regexp.MustCompile(`at most [0-9.]+ ETH`), "at most <gas> ETH"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "<host>"},
	{regexp.MustCompile(`tmk_[A-Za-z0-9_]+`), "<key>"},
	{regexp.MustCompile(`taskmarket-[a-z0-9]{16}`), "<code>"},
}

// stable replaces the parts that differ between runs with fixed names, and each run of spaces with
// two spaces.
func (u *user) stable(text string) string {
	text = strings.ReplaceAll(text, u.dir, "<dir>")
	for _, c := range changing {
		text = c.pattern.ReplaceAllString(text, c.name)
	}
	return regexp.MustCompile(`(\S) {2,}`).ReplaceAllString(text, "$1  ")
}

// eventually polls until ask returns true, and fails the test after a timeout.
func eventually(tb testing.TB, what string, ask func() bool) {
	tb.Helper()
	for began := time.Now(); !ask(); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > testTimeout {
			tb.Fatalf("%s: timed out after %s", what, testTimeout)
		}
	}
}
