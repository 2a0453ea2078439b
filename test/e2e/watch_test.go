package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
)

const (
	// usualWatches is the number of rounds unless roundsVariable sets another.
	usualWatches = 5
	// watchesOfAChain is the number of rounds on one chain: anvil drops states that are some
	// hundred blocks old.
	watchesOfAChain = 8
	// watchSeed, if set, repeats the same rounds.
	watchSeed = "TASKMARKET_TEST_SEED"
	// watchSteps is the number of steps in a round.
	watchSteps = 40
	// watchPause is the maximum pause after a step, in milliseconds.
	watchPause = 60
	// watchPatience is the maximum delay until an event is printed, also on a loaded machine.
	watchPatience = time.Minute
	// watchOverlap is the number of blocks that the watch reads again at each poll.
	watchOverlap = 64
	// deepestReorg is the maximum number of blocks in a reorganisation, before finality.
	deepestReorg = 100
)

// TestWatchTellsEachEventOnce runs the real program while the chain reorganises, the node returns
// wrong answers and closes connections, and the program is ended and killed. At the end its lines
// are the chain's events, none twice.
func TestWatchTellsEachEventOnce(t *testing.T) {
	t.Parallel()
	rounds, seed := roundsOf(t, usualWatches), rand.Uint64()
	if text := os.Getenv(watchSeed); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", watchSeed, err)
		}
	}
	for first := 0; first < rounds && !t.Failed(); first += watchesOfAChain {
		t.Run(fmt.Sprintf("from round %d", first), func(t *testing.T) {
			w := newWorldFor(t, patience+watchesOfAChain*watchPatience)
			for n := first; n < min(rounds, first+watchesOfAChain); n++ {
				r := newWatchRound(w, seed+uint64(n))
				t.Logf("round %d: %s=%d, %s", n, watchSeed, seed+uint64(n), r)
				r.play()
				if t.Failed() {
					t.Fatalf("the watch wrote to stderr: %s", r.stderr.String())
				}
			}
		})
	}
}

// watchRound is one watch from its first start to its last end.
type watchRound struct {
	*world
	random *rand.Rand
	chain  *watchedChain
	proxy  *chaintest.Proxy
	home   string

	socket bool // the node announces blocks
	all    bool // other agents' events too
	file   bool // stdout is a file; otherwise a pipe that outlives the program

	stdout *os.File
	stderr lockedBuffer
	piped  lockedBuffer
	proc   *exec.Cmd
	starts int
	kills  int
}

func newWatchRound(w *world, seed uint64) *watchRound {
	r := &watchRound{world: w, random: rand.New(rand.NewPCG(seed, seed)), proxy: chaintest.NewProxy(w.t, w.net.Dev.URL()), home: w.t.TempDir()}
	r.socket, r.all, r.file = r.random.IntN(2) == 0, r.random.IntN(2) == 0, r.random.IntN(2) == 0
	r.chain = newWatchedChain(w, r.random)
	return r
}

func (r *watchRound) String() string {
	return fmt.Sprintf("socket %t, all %t, file %t, from block %d", r.socket, r.all, r.file, r.chain.from)
}

// play runs the steps, and then checks the printed lines.
func (r *watchRound) play() {
	r.t.Helper()
	r.openStdout()
	defer r.stdout.Close()
	r.start()
	defer r.end(syscall.SIGKILL)
	node := &fickleNode{round: r, random: rand.New(rand.NewPCG(r.random.Uint64(), 0))}
	r.proxy.Misbehave(node.answer)
	for range watchSteps {
		switch n := r.random.IntN(19); {
		case n < 11:
			r.chain.act()
		case n < 14:
			r.chain.reorganise()
		case n < 15:
			r.net.Mine(r.t, uint64(1+r.random.IntN(30)))
		case n < 16:
			r.proxy.Cut()
		case n < 17:
			r.restart(syscall.SIGTERM)
		case n < 18:
			r.restart(syscall.SIGKILL)
		default:
			node.remember()
		}
		r.chain.record()
		time.Sleep(time.Duration(r.random.IntN(watchPause)) * time.Millisecond)
	}
	r.proxy.Misbehave(nil)
	r.awaitAll()
	r.end(syscall.SIGTERM)
	r.check()
}

func (r *watchRound) openStdout() {
	var err error
	if r.file {
		r.stdout, err = os.OpenFile(filepath.Join(r.home, "events.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		r.must(err)
		return
	}
	var read *os.File
	read, r.stdout, err = os.Pipe()
	r.must(err)
	go func() {
		defer read.Close()
		_, _ = io.Copy(&r.piped, read) // ends with the last writer
	}()
}

// start starts the program. Until it has stored its first cursor, it gets the start block again.
func (r *watchRound) start() {
	r.t.Helper()
	args := []string{"watch", "--interval", "50ms"}
	if r.all {
		args = append(args, "--all")
	}
	if !r.begun() {
		args = append(args, "--since", strconv.FormatUint(r.chain.from, 10))
	}
	url := r.proxy.URL
	if r.socket {
		url = r.proxy.WSURL
	}
	r.proc = exec.CommandContext(r.ctx, agentProgram, args...)
	r.proc.Env = r.variables(map[string]string{
		"API_URL": r.server.api(), "RPC_URL": url, "WALLET_ADDRESS": r.agent.Wallet.Address().Hex(), "STATE_DIR": r.home,
	})
	r.proc.Stdout, r.proc.Stderr = r.stdout, &r.stderr
	r.must(r.proc.Start())
	r.starts++
}

// begun reports whether the cursor is valid.
func (r *watchRound) begun() bool {
	cursors, err := filepath.Glob(filepath.Join(r.home, "watch", "*", "*"))
	r.must(err)
	return slices.ContainsFunc(cursors, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	})
}

func (r *watchRound) restart(sig syscall.Signal) {
	r.end(sig)
	r.start()
}

// end ends the program. After SIGTERM it exits with 0, unless it was just starting.
func (r *watchRound) end(sig syscall.Signal) {
	if r.proc == nil {
		return
	}
	r.must(r.proc.Process.Signal(sig))
	err := r.proc.Wait()
	if sig == syscall.SIGKILL {
		r.kills++
	} else if err != nil && !strings.Contains(err.Error(), "signal") {
		r.t.Errorf("the watch ended with %v", err)
	}
	r.proc = nil
}

// printed returns the lines so far.
func (r *watchRound) printed() []byte {
	if !r.file {
		return []byte(r.piped.String())
	}
	text, err := os.ReadFile(r.stdout.Name())
	r.must(err)
	return text
}

// awaitAll waits until the chain's events are printed, and then checks that no further lines
// follow.
func (r *watchRound) awaitAll() {
	r.t.Helper()
	r.chain.record()
	for began := time.Now(); ; r.pause("wait for the watch") {
		told := r.lines()
		missing := r.chain.missing(told, r.all)
		if len(missing) == 0 {
			break
		}
		if time.Since(began) > watchPatience {
			r.t.Errorf("not printed: %v", missing)
			return
		}
	}
	r.net.Mine(r.t, 2)
	time.Sleep(200 * time.Millisecond)
}

// lines decodes the printed lines, and fails where a line violates the specification.
func (r *watchRound) lines() []watchLine {
	r.t.Helper()
	var lines []watchLine
	for text := range bytes.Lines(r.printed()) {
		if !bytes.HasSuffix(text, []byte("\n")) {
			continue // may still be incomplete
		}
		line, err := parseWatchLine(text)
		if err != nil {
			r.t.Fatalf("line %q: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// check compares all lines with the chain.
func (r *watchRound) check() {
	r.t.Helper()
	text := r.printed()
	if len(text) > 0 && text[len(text)-1] != '\n' {
		r.t.Errorf("the last line is cut: %q", text[max(0, len(text)-100):])
	}
	lines := r.lines()
	for _, missing := range r.chain.missing(lines, r.all) {
		r.t.Errorf("not printed: %s", missing)
	}
	repeated := r.chain.repeated(lines)
	if r.file && len(repeated) > 0 || len(repeated) > r.kills {
		r.t.Errorf("after %d kills printed twice, or never true: %v", r.kills, repeated)
	}
	r.t.Logf("%d lines of %d starts, %d of them killed; %d repeated; %d reorganisations", len(lines), r.starts, r.kills, len(repeated), r.chain.reorganisations)
}

// watchLine is a line of the watch.
type watchLine struct {
	what  string // the event
	block uint64
}

// parseWatchLine parses a line that must have exactly the members of its type, all strings.
func parseWatchLine(text []byte) (watchLine, error) {
	var members map[string]string
	if err := json.Unmarshal(text, &members); err != nil {
		return watchLine{}, err
	}
	want := []string{"blockNumber", "escrowTaskId", "eventName", "type"}
	what := members["eventName"] + " " + members["escrowTaskId"]
	if members["type"] == "application" {
		want = []string{"amount", "applicationId", "blockNumber", "expiresAt", "human", "type"}
		what = "application " + members["applicationId"]
	}
	var got []string
	for name := range members {
		got = append(got, name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || members["type"] == "" {
		return watchLine{}, fmt.Errorf("it has the members %v, want %v", got, want)
	}
	block, err := strconv.ParseUint(members["blockNumber"], 10, 64)
	return watchLine{what: what, block: block}, err
}

// lockedBuffer is a buffer that one goroutine writes and another reads.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns everything written so far.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
