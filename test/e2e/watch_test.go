package e2e_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/chaintest"
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
		line := <-lines
		for head := range blocks {
			if head.number == receipt.BlockNumber.Uint64() {
				if n > 0 { // skip the first event, at which the watch may still be starting
					took = append(took, line.Sub(head.at))
				}
				break
			}
		}
	}
	slices.Sort(took)
	median := took[len(took)/2]
	t.Logf("%d events: median %s from block to line, longest %s", len(took), median, took[len(took)-1])
	if median > liveMedian {
		t.Errorf("the median is %s, want at most %s", median, liveMedian)
	}
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
