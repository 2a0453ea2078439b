package follow_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
)

func TestWatcherTrustsTheCursorAfterAFailedCommit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := chaintest.NewJournal(net.Deployment)
	j.Unknown = 5
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{})
	for lost := 0; lost < 5; {
		if _, err := w.Step(t.Context()); errors.Is(err, chaintest.ErrLost) {
			lost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	chaintest.CatchUp(t, w)
	chaintest.CheckSame(t, net, j)
}

func TestOnlyOneWatcherLeads(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	first := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Holder: "first", Lease: time.Hour})
	second := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Holder: "second", Lease: time.Hour})
	chaintest.CatchUp(t, first)
	if outcome := chaintest.CatchUp(t, second); outcome.Progress != follow.Standby {
		t.Fatalf("second watcher is %q while the first leads, want %q", outcome.Progress, follow.Standby)
	}
	net.Mine(t, 1)
	j.Lease.Until = time.Time{} // the first watcher pauses for longer than its lease
	if outcome, err := second.Step(t.Context()); err != nil || outcome.Progress != follow.Advanced {
		t.Fatalf("second watcher is %q (%v) after the lease has ended, want %q", outcome.Progress, err, follow.Advanced)
	}
	net.Mine(t, 1)
	if outcome := chaintest.CatchUp(t, first); outcome.Progress != follow.Standby {
		t.Errorf("first watcher is %q after it lost the lead, want %q", outcome.Progress, follow.Standby)
	}
	if _, leads := first.Leads(); leads {
		t.Error("the first watcher reports that it leads")
	}
	chaintest.CatchUp(t, second)
	chaintest.CheckSame(t, net, j)
}

func TestAPausedLeaderIsFenced(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	sleeper := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Holder: "sleeper", Lease: time.Hour})
	other := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Holder: "other", Lease: time.Hour})
	chaintest.CatchUp(t, sleeper)
	j.Lease.Until = time.Time{} // the lease expires while the watcher pauses
	chaintest.CatchUp(t, other)
	net.Mine(t, 1)
	before := j.At
	if outcome := chaintest.CatchUp(t, sleeper); outcome.Progress != follow.Standby || j.At != before {
		t.Errorf("the paused watcher is %q and moved the cursor from %+v to %+v", outcome.Progress, before, j.At)
	}
}

func TestRunFollowsUntilItIsCancelled(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Poll: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	receipt := net.Submit(t, net.Human, chaintest.AcceptedTask(t, net), common.Hash{2})
	for w.Status().Outcome.Block.Number < receipt.BlockNumber.Uint64() {
		w.Wake()
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	chaintest.CheckSame(t, net, j)
}

func TestCatchUpSurvivesAFailingNode(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	front := chaintest.NewProxy(t, net.Dev.URL())
	w := chaintest.NewWatcher(net, chaintest.Dial(t, front.URL), j, follow.WatcherOptions{})
	chaintest.AcceptedTask(t, net)
	refusals := 3
	front.Set(func(p *chaintest.Proxy) {
		p.HTTP = func(w http.ResponseWriter, _ []string) bool {
			if refusals == 0 {
				return false
			}
			refusals--
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
	})
	outcome, err := w.CatchUp(t.Context())
	if err != nil || outcome.Progress != follow.CaughtUp {
		t.Fatalf("CatchUp() = %q, %v, want %q", outcome.Progress, err, follow.CaughtUp)
	}
	chaintest.CheckSame(t, net, j)
}

// The lease is released at once when the watcher ends.
func TestWatcherReleasesItsLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Holder: "first", Lease: time.Hour})
	go func() { ended <- w.Run(ctx) }()
	chaintest.WaitUntil(t, "the watcher leads", func() bool { _, leads := w.Leads(); return leads })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := j.Lead(t.Context(), "second", time.Second); err != nil {
		t.Errorf("Lead() after the first watcher's end = %v", err)
	}
}
