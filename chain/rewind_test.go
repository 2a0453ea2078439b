package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// numbered returns the block number that a call asks for, false for tags.
func numbered(c *call) (number uint64, ok bool) {
	var asked string
	if c.Method != "eth_getBlockByNumber" || json.Unmarshal(c.Params[0], &asked) != nil {
		return 0, false
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(asked, "0x"), 16, 64)
	return number, err == nil && strings.HasPrefix(asked, "0x")
}

// otherBranch gives the blocks above one other hashes, as a node on another
// branch would.
func otherBranch(above uint64) func(*call) {
	return func(c *call) {
		var header map[string]any
		if number, ok := numbered(c); !ok || number <= above || json.Unmarshal(c.Result, &header) != nil || header == nil {
			return
		}
		header["extraData"] = "0xee"
		c.Result, _ = json.Marshal(header)
	}
}

// A violation of finality is declared only after checks have agreed for the
// time of doubt. Then the lease is free, and the watcher resumes by itself.
func TestWatcherHaltsWhenFinalityIsViolatedAndResumes(t *testing.T) {
	t.Parallel()
	const doubt = 300 * time.Millisecond
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Mine(t, 20)
	p := newProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	j := newJournal(net.Deployment)
	w := newWatcher(net, node, j, chain.WatcherOptions{Holder: "first", Lease: time.Hour, Doubt: doubt})
	catchUp(t, w)
	before := j.cursor
	p.set(func(p *proxy) { p.answer = otherBranch(before.Finalized - 5) })

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- w.Run(ctx) }()
	waitUntil(t, "the violation is declared", func() bool { return w.Status().Stopped })
	if took := time.Since(began); took < doubt {
		t.Errorf("the violation was declared after %s, want %s of doubt", took, doubt)
	}
	status := w.Status()
	if !errors.Is(status.Err, market.ErrFinalityViolated) || !strings.Contains(status.Err.Error(), "reindex --from") || status.Leading {
		t.Errorf("status is %+v, want a violation, what to do, and no lead", status)
	}
	if _, err := j.Lead(ctx, "second", time.Nanosecond); err != nil {
		t.Errorf("another watcher's Lead() = %v while the first has halted, want the lease", err)
	}
	if j.cursor.Block != before.Block || j.rewinds != 0 {
		t.Errorf("cursor moved from %+v to %+v", before, j.cursor)
	}

	p.set(func(p *proxy) { p.answer = nil })
	net.Mine(t, 3)
	waitUntil(t, "the watcher has resumed", func() bool { return !w.Status().Stopped && w.Status().Outcome.Block == net.Head(t) })
	checkSame(t, net, j)
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
}

// CatchUp, which commands wait for, returns the violation.
func TestCatchUpReturnsAViolationOfFinality(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Mine(t, 20)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Doubt: time.Nanosecond})
	catchUp(t, w)
	net.Reorg(t, 8)
	if _, err := w.CatchUp(t.Context()); !errors.Is(err, market.ErrFinalityViolated) {
		t.Errorf("CatchUp() = %v, want %v", err, market.ErrFinalityViolated)
	}
}

// The backends behind one address lag differently: a null for a block at or
// below the head that was named is their fault, not a reorganisation.
func TestWatcherTakesNullHeadersForFaults(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]uint64{"within finality": 3, "beyond finality": 40} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 4})
			net.Mine(t, 60)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			p := newProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			j := newJournal(net.Deployment)
			w := newWatcher(net, node, j, chain.WatcherOptions{Doubt: time.Hour})
			catchUp(t, w)
			backends := rand.New(rand.NewPCG(1, most))
			p.set(func(p *proxy) {
				p.answer = func(c *call) {
					if c.Method == "eth_getBlockByNumber" {
						lag(t, net, c, backends.Uint64N(most+1))
					}
				}
			})
			for range 200 {
				_, err := w.Step(t.Context())
				if _, faulty := errors.AsType[*chain.ProviderError](err); err != nil && !faulty {
					t.Fatalf("Step() = %v, want an error of the provider at most", err)
				}
				if backends.IntN(10) == 0 {
					net.Mine(t, 1)
				}
			}
			if j.rewinds != 0 {
				t.Errorf("%d rewinds without a reorganisation", j.rewinds)
			}
			p.set(func(p *proxy) { p.answer = nil })
			follow(t, net, w, j)
			checkSame(t, net, j)
		})
	}
}

// A watcher that ends gives up its lease at once.
func TestWatcherReleasesItsLeaseAtTheEnd(t *testing.T) {
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

// waitUntil fails the test when the condition does not come true.
func waitUntil(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited too long until %s", what)
		}
	}
}
