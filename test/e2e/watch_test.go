package e2e_test

import (
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
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/test/gate"
)

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
