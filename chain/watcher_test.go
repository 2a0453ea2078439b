package chain_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

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
