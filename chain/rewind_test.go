package chain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// otherBranch returns a change that gives the blocks above a number different hashes, as on another branch.
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

// A violation of finality is declared only after the checks have agreed for Doubt. The lease is
// then free, and the watcher resumes automatically.
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
	if !errors.Is(status.Err, market.ErrFinalityViolated) || status.Leading {
		t.Errorf("status is %+v, want a violation and not leading", status)
	}
	// The command in the error deletes records, so the error states when to run it.
	fork, err := j.CanonicalBlock(t.Context(), before.Finalized-5)
	if err != nil {
		t.Fatal(err)
	}
	advice := fmt.Sprintf("block %d is finalized, but the chain forks after block %d; if all nodes and an explorer agree on the new chain, "+
		"stop all replicas and run: taskmarketd reindex --from %d (runbook, TaskmarketWatcherStopped)", before.Finalized, fork.Number, fork.Number+1)
	if !strings.HasSuffix(status.Err.Error(), advice) {
		t.Errorf("the error is %q, want it to end with %q", status.Err, advice)
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

// CatchUp, which commands call, returns the violation.
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

// The servers behind one URL can lag by different numbers of blocks. A null for a block at or below
// the reported head is a fault of the provider, not a reorg.
func TestWatcherTreatsNullHeadersAsFaults(t *testing.T) {
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
					t.Fatalf("Step() = %v, want nil or a ProviderError", err)
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

func TestWatcherFollowsReorgs(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		after uint64 // blocks after the last event
		depth int
	}{
		"depth 1 above the events":       {after: 5, depth: 1},
		"depth 3 above the events":       {after: 5, depth: 3},
		"depth 1 drops the last event":   {depth: 1},
		"depth 3 drops the last events":  {depth: 3},
		"depth 32 across all events":     {after: 30, depth: 32},
		"below the first followed block": {after: 30, depth: -1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			net.Mine(t, 30)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			if c.after > 0 {
				net.Mine(t, c.after)
			}
			j := newJournal(net.Deployment)
			w := newWatcher(net, net.Node, j, chain.WatcherOptions{})
			catchUp(t, w)
			if c.depth < 0 {
				c.depth = int(net.Head(t).Number - net.Deployment.StartBlock + 1)
			}
			net.Reorg(t, c.depth)
			catchUp(t, w)
			checkSame(t, net, j)
			if j.rewinds != 1 {
				t.Errorf("%d rewinds, want 1", j.rewinds)
			}
			net.Mine(t, 2)
			catchUp(t, w)
			checkSame(t, net, j)
		})
	}
}

func TestWatcherFollowsReorderedTransactions(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Send(t, net.Agent, net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(5)))
	net.Send(t, net.OtherAgent, net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(5)))
	call := net.Contracts.PostTask(chaintest.Tokens(1), chaintest.FeeBasisPoints, common.Hash{1})
	first, second := net.Send(t, net.Agent, call), net.Send(t, net.OtherAgent, call)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{})
	catchUp(t, w)
	before := agentsByTask(j)

	net.Reorg(t, 2, devnet.ForkTx{Raw: raw(t, net, second.TxHash), Block: 0}, devnet.ForkTx{Raw: raw(t, net, first.TxHash), Block: 1})
	catchUp(t, w)
	checkSame(t, net, j)
	after := agentsByTask(j)
	if before[1] != net.Agent.Address() || after[1] != net.OtherAgent.Address() || after[2] != net.Agent.Address() {
		t.Errorf("agents by task were %v and are %v, want the two swapped", before, after)
	}
}

func agentsByTask(j *journal) map[uint64]common.Address {
	agents := make(map[uint64]common.Address)
	for _, log := range j.all() {
		if log.Event.Kind == market.EventTaskPosted {
			agents[log.Event.TaskID] = log.Event.Agent
		}
	}
	return agents
}

func raw(t *testing.T, net *chaintest.Net, tx common.Hash) hexutil.Bytes {
	t.Helper()
	found, _, err := net.Dev.Client().TransactionByHash(t.Context(), tx)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := found.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestThreat93WatcherFollowsAShorterChain(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		doubt   time.Duration
		rewinds int
	}{
		"permanently": {doubt: time.Nanosecond, rewinds: 1},
		"temporarily": {doubt: time.Hour, rewinds: 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			net.Submitted(t, common.Hash{1}, common.Hash{2})
			j := newJournal(net.Deployment)
			w := newWatcher(net, net.Node, j, chain.WatcherOptions{Doubt: c.doubt})
			catchUp(t, w)
			full := net.Head(t)
			must(t, net.Dev.Rollback(t.Context(), 2))
			catchUp(t, w)
			catchUp(t, w)
			if j.rewinds != c.rewinds {
				t.Errorf("%d rewinds, want %d", j.rewinds, c.rewinds)
			}
			if c.rewinds == 0 && j.cursor.Block != full {
				t.Errorf("cursor is %+v, want it to stay at %+v", j.cursor.Block, full)
			}
			net.Mine(t, 3) // mines a longer branch that replaces the followed one
			catchUp(t, w)
			checkSame(t, net, j)
		})
	}
}

// A node keeps by hash the blocks that a reorg dropped. Such a block does not hide a violation of finality.
func TestDroppedBlocksDoNotHideAViolationOfFinality(t *testing.T) {
	t.Parallel()
	const doubt = 300 * time.Millisecond
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Mine(t, 20)
	h, err := net.Dev.Client().HeaderByNumber(t.Context(), nil)
	must(t, err)
	dropped, err := json.Marshal(h)
	must(t, err)
	keeping := func() string {
		p := newProxy(t, net.Dev.URL())
		p.answer = oftenOf(1<<30, "eth_getBlockByHash", func(c *call) bool {
			if string(c.Params[0]) == strconv.Quote(h.Hash().Hex()) {
				c.Result, c.Fault = dropped, nil
			}
			return true
		})
		return p.URL
	}
	j := newJournal(net.Deployment)
	node := chaintest.Dial(t, keeping(), keeping())
	readHeads(t, net, node)
	w := newWatcher(net, node, j, chain.WatcherOptions{Poll: 200 * time.Millisecond, Doubt: doubt})
	catchUp(t, w)
	net.Reorg(t, 8)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	began := time.Now()
	if _, err := w.CatchUp(ctx); !errors.Is(err, market.ErrFinalityViolated) {
		t.Errorf("CatchUp() = %v, want %v", err, market.ErrFinalityViolated)
	}
	if took := time.Since(began); took < doubt {
		t.Errorf("the violation was declared after %s, want %s of doubt", took, doubt)
	}
}
