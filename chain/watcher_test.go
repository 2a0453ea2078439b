package chain_test

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

func newWatcher(net *chaintest.Net, node *chain.Node, j chain.Journal, o chain.WatcherOptions) *chain.Watcher {
	if o.Poll == 0 {
		o.Poll = time.Millisecond
	}
	return chain.NewWatcher(node, j, net.Contracts, o, quiet())
}

// catchUp steps until the watcher has caught up, and fails on any error.
func catchUp(t *testing.T, w *chain.Watcher) chain.Outcome {
	t.Helper()
	for range 5_000 {
		outcome, err := w.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Progress == chain.CaughtUp || outcome.Progress == chain.Standby {
			return outcome
		}
	}
	t.Fatal("the watcher does not catch up")
	return chain.Outcome{}
}

// checkSame compares the journal with the logs of a single query to the chain.
func checkSame(t *testing.T, net *chaintest.Net, j *journal) {
	t.Helper()
	logs, err := net.Dev.Client().FilterLogs(t.Context(), ethereum.FilterQuery{
		FromBlock: big.NewInt(1), Addresses: net.Deployment.Contracts(),
	})
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		Block, Tx common.Hash
		Index     uint
		Data      string
	}
	var want, got []place
	for _, l := range logs {
		want = append(want, place{l.BlockHash, l.TxHash, l.Index, string(l.Data)})
	}
	for _, l := range j.all() {
		got = append(got, place{l.Block.Hash, l.TxHash, l.Index, string(l.Data)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs of the chain and of the journal (-chain +journal):\n%s", diff)
	}
	if head := net.Head(t); j.cursor.Block != head {
		t.Errorf("cursor is %+v, want the head %+v", j.cursor.Block, head)
	}
}

func TestWatcherTrustsTheCursorAfterAFailedCommit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJournal(net.Deployment)
	j.unknown = 5
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{})
	for lost := 0; lost < 5; {
		if _, err := w.Step(t.Context()); errors.Is(err, errLost) {
			lost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	catchUp(t, w)
	checkSame(t, net, j)
}

func TestOnlyOneWatcherLeads(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	first := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "first", Lease: time.Hour})
	second := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "second", Lease: time.Hour})
	catchUp(t, first)
	if outcome := catchUp(t, second); outcome.Progress != chain.Standby {
		t.Fatalf("second watcher is %q while the first leads, want %q", outcome.Progress, chain.Standby)
	}
	net.Mine(t, 1)
	j.lease.Until = time.Time{} // the first watcher pauses for longer than its lease
	if outcome, err := second.Step(t.Context()); err != nil || outcome.Progress != chain.Advanced {
		t.Fatalf("second watcher is %q (%v) after the lease has ended, want %q", outcome.Progress, err, chain.Advanced)
	}
	net.Mine(t, 1)
	if outcome := catchUp(t, first); outcome.Progress != chain.Standby {
		t.Errorf("first watcher is %q after it lost the lead, want %q", outcome.Progress, chain.Standby)
	}
	if _, leads := first.Leads(); leads {
		t.Error("the first watcher reports that it leads")
	}
	catchUp(t, second)
	checkSame(t, net, j)
}

func TestAPausedLeaderIsFenced(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	sleeper := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "sleeper", Lease: time.Hour})
	other := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "other", Lease: time.Hour})
	catchUp(t, sleeper)
	j.lease.Until = time.Time{} // the lease expires while the watcher pauses
	catchUp(t, other)
	net.Mine(t, 1)
	before := j.cursor
	if outcome := catchUp(t, sleeper); outcome.Progress != chain.Standby || j.cursor != before {
		t.Errorf("the paused watcher is %q and moved the cursor from %+v to %+v", outcome.Progress, before, j.cursor)
	}
}

func TestRunFollowsUntilItIsCancelled(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Poll: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	receipt := net.Submit(t, net.Human, acceptedTask(t, net), common.Hash{2})
	for w.Status().Outcome.Block.Number < receipt.BlockNumber.Uint64() {
		w.Wake()
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	checkSame(t, net, j)
}

// follow steps until the journal is at the head, and ignores the provider's errors. It returns the
// number of errors.
func follow(t *testing.T, net *chaintest.Net, w *chain.Watcher, j *journal) (faults int) {
	t.Helper()
	head := net.Head(t)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		_, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
			t.Fatalf("Step() = %v, want nil or a ProviderError", err)
		}
		if j.cursor.Block == head {
			return faults
		}
		if err != nil {
			faults++
			time.Sleep(time.Millisecond) // a short pause; Run pauses for longer
		}
	}
	t.Fatalf("the watcher is at %d of %d after %d errors", j.cursor.Block.Number, head.Number, faults)
	return faults
}

// stepWhileItCan steps until the watcher has caught up or an error occurs after which Run would
// pause.
func stepWhileItCan(t *testing.T, w *chain.Watcher) {
	t.Helper()
	for {
		outcome, err := w.Step(t.Context())
		if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
			t.Fatal(err)
		}
		if err != nil || outcome.Progress == chain.CaughtUp {
			return
		}
	}
}

func TestCatchUpSurvivesAFailingNode(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	front := newProxy(t, net.Dev.URL())
	w := newWatcher(net, chaintest.Dial(t, front.URL), j, chain.WatcherOptions{})
	acceptedTask(t, net)
	refusals := 3
	front.set(func(p *proxy) {
		p.http = func(w http.ResponseWriter, _ []string) bool {
			if refusals == 0 {
				return false
			}
			refusals--
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	outcome, err := w.CatchUp(t.Context())
	if err != nil || outcome.Progress != chain.CaughtUp {
		t.Fatalf("CatchUp() = %q, %v, want %q", outcome.Progress, err, chain.CaughtUp)
	}
	checkSame(t, net, j)
}

// The lease is released at once when the watcher ends.
func TestWatcherReleasesItsLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "first", Lease: time.Hour})
	go func() { ended <- w.Run(ctx) }()
	waitUntil(t, "the watcher leads", func() bool { _, leads := w.Leads(); return leads })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := j.Lead(t.Context(), "second", time.Second); err != nil {
		t.Errorf("Lead() after the first watcher's end = %v", err)
	}
}
