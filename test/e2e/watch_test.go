package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/test/gate"
)

const (
	// liveEvents is the number of measured events, unless roundsVariable sets another.
	liveEvents = 10
	// liveMedian is the maximum median delay of a line after its block, on a loaded machine.
	// Without the announcements, a watch would wait for its interval of an hour.
	liveMedian = 2 * time.Second
)

// TestWatchIsLive measures the delay between a block and the line of its event, with a node that
// announces blocks.
func TestWatchIsLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	blocks := w.announced()
	lines, end := w.watchLive()
	defer end()
	w.net.Send(t, w.net.OtherAgent, w.net.Contracts.ApproveToken(w.net.Deployment.Escrow, chaintest.Tokens(1_000)))
	post := w.net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{})
	var took []time.Duration
	for n := range roundsOf(t, liveEvents) + 1 {
		receipt := w.net.Attempt(t, w.net.Head(t).Time.Add(time.Second), w.net.OtherAgent.Address(), post)
		line, head := receive(w, "wait for a line", lines), receive(w, "wait for a block", blocks)
		for head.number != receipt.BlockNumber.Uint64() {
			head = receive(w, "wait for a block", blocks)
		}
		if n > 0 { // skip the first event, because the watch may still be starting
			took = append(took, line.Sub(head.at))
		}
	}
	slices.Sort(took)
	median := took[len(took)/2]
	t.Logf("%d events: median %s from block to line, longest %s", len(took), median, took[len(took)-1])
	if median > liveMedian {
		t.Errorf("the median is %s, want at most %s", median, liveMedian)
	}
}

// receive returns the next value from the channel. It fails if the test's time limit is over.
func receive[T any](w *world, what string, from <-chan T) (value T) {
	w.t.Helper()
	select {
	case <-w.ctx.Done():
		w.t.Fatalf("%s: %v", what, w.ctx.Err())
	case value = <-from:
	}
	return value
}

// announcement is a block with the time when the test received it.
type announcement struct {
	number uint64
	at     time.Time
}

// announced subscribes to new blocks and returns a channel that receives them.
func (w *world) announced() <-chan announcement {
	w.t.Helper()
	socket, err := ethclient.DialContext(w.ctx, w.net.Dev.WSURL())
	w.must(err)
	w.t.Cleanup(socket.Close)
	heads, blocks := make(chan *types.Header), make(chan announcement, 1000)
	subscription, err := socket.SubscribeNewHead(w.ctx, heads)
	w.must(err)
	w.t.Cleanup(subscription.Unsubscribe)
	go func() {
		for {
			select {
			case head := <-heads:
				blocks <- announcement{head.Number.Uint64(), time.Now()}
			case <-subscription.Err(): //nolint:errcheck // the cause of a lost subscription does not matter
				return
			}
		}
	}()
	return blocks
}

// watchLive starts a watch of all events and returns a channel with the arrival time of each line.
// end stops the watch; call it before w.ctx is cancelled, which would kill the process.
func (w *world) watchLive() (came <-chan time.Time, end func()) {
	w.t.Helper()
	read, write, err := os.Pipe()
	w.must(err)
	watch := exec.CommandContext(w.ctx, agentProgram, "watch", "--all", "--since", "1", "--interval", "1h")
	watch.Stdout, watch.Stderr = write, os.Stderr
	watch.Env = w.variables(map[string]string{"API_URL": w.server.api(), "WS_URL": w.net.Dev.WSURL(), "STATE_DIR": w.dir + "/live"})
	w.must(watch.Start())
	write.Close()
	lines := make(chan time.Time, 1000)
	go func() {
		for scanner := bufio.NewScanner(read); scanner.Scan(); {
			lines <- time.Now()
		}
	}()
	return lines, func() {
		defer read.Close()
		if err := errors.Join(watch.Process.Signal(syscall.SIGTERM), watch.Wait()); err != nil {
			w.t.Errorf("end the watch: %v", err)
		}
	}
}

// usualTrials is the number of faults during a watch, unless roundsVariable sets another.
const usualTrials = 6

// TestWatchSurvivesReorgsDropsAndSignals: while events happen, the chain reorganises, the
// connection to the node drops, or the watch gets SIGTERM and runs again. Afterwards its output has only
// complete lines, and exactly one for each event of the chain.
func TestWatchSurvivesReorgsDropsAndSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	line := gate.New(t, strings.TrimPrefix(w.net.Dev.URL(), "http://"))
	first := w.net.Head(t).Number + 1
	watch, before := w.watchInto("http://"+line.Addr(), "--since", strconv.FormatUint(first, 10)), 0
	w.net.Send(t, w.net.OtherAgent, w.net.Contracts.ApproveToken(w.net.Deployment.Escrow, chaintest.Tokens(1_000_000)))
	post := w.net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{})
	trials := roundsOf(t, usualTrials)
	for n := range trials {
		posted := w.net.Send(t, w.net.OtherAgent, post)
		switch n % 3 {
		case 0: // the posting moves to another block; its event stays the same
			raw := w.raw(posted.TxHash)
			w.net.Mine(t, 1)
			w.net.Reorg(t, 2, devnet.ForkTx{Raw: raw, Block: 1})
		case 1:
			line.Cut()
		case 2:
			for len(w.watched()) == before { // the watch is printing
				time.Sleep(time.Millisecond)
			}
			w.must(errors.Join(watch.Process.Signal(syscall.SIGTERM), watch.Wait())) // exit code 0
			w.wantWholeLines()
			w.net.Send(t, w.net.OtherAgent, post) // while no watch runs
			before = len(w.watched())
			watch = w.watchInto("http://" + line.Addr())
		}
	}
	w.awaitLines(first)
	w.must(errors.Join(watch.Process.Signal(syscall.SIGTERM), watch.Wait()))
	w.wantWholeLines()
	w.awaitLines(first) // the end of the watch has added nothing
}

// watchInto starts a watch of all events that appends its lines to a file.
func (w *world) watchInto(node string, arguments ...string) *exec.Cmd {
	w.t.Helper()
	out, err := os.OpenFile(w.dir+"/watched", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	w.must(err)
	defer out.Close()
	watch := exec.CommandContext(w.ctx, agentProgram, append([]string{"watch", "--all", "--interval", "20ms"}, arguments...)...)
	watch.Stdout = out
	watch.Env = w.variables(map[string]string{"API_URL": w.server.api(), "RPC_URL": node, "STATE_DIR": w.dir + "/watching"})
	w.must(watch.Start())
	return watch
}

// awaitLines waits until the watched lines are the chain's postings from the block on, each once.
func (w *world) awaitLines(first uint64) {
	w.t.Helper()
	var want, got []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		want, got = w.postings(first), w.watched()
		if slices.Equal(want, got) {
			return
		}
	}
	w.t.Errorf("the watch printed (-want +got):\n%s", cmp.Diff(want, got))
}

// postings returns the posting events on the canonical chain, sorted.
func (w *world) postings(first uint64) (found []string) {
	w.t.Helper()
	logs, err := w.net.Dev.Client().FilterLogs(w.ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(first), Addresses: []common.Address{w.net.Deployment.Escrow},
	})
	w.must(err)
	for _, log := range logs {
		if log.Topics[0] == crypto.Keccak256Hash([]byte("TaskPosted(uint256,address,uint256,uint16)")) {
			found = append(found, "TaskPosted "+log.Topics[1].Big().String())
		}
	}
	slices.Sort(found)
	return found
}

// wantWholeLines fails the test if the watch, which has ended, left an incomplete line.
func (w *world) wantWholeLines() {
	w.t.Helper()
	raw, err := os.ReadFile(w.dir + "/watched")
	w.must(err)
	if text := string(raw); text != "" && !strings.HasSuffix(text, "\n") {
		w.t.Fatalf("%q is not a complete line", text[strings.LastIndex(text, "\n")+1:])
	}
}

// watched returns the sorted events in the lines of watchInto, without the terms of each posting. It ignores
// a last line that the watch is still writing.
func (w *world) watched() (found []string) {
	w.t.Helper()
	raw, err := os.ReadFile(w.dir + "/watched")
	w.must(err)
	for text := range strings.Lines(string(raw)) {
		if !strings.HasSuffix(text, "\n") {
			break
		}
		var event struct{ EventName, EscrowTaskID string }
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			w.t.Fatalf("%q is not a complete line: %v", text, err)
		}
		if event.EventName == "TaskPosted" {
			found = append(found, event.EventName+" "+event.EscrowTaskID)
		}
	}
	slices.Sort(found)
	return found
}
