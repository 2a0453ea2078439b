package follow_test

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

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// otherBranch returns a change that gives the blocks above a number different hashes, as on another branch.
func otherBranch(above uint64) func(*chaintest.Exchange) {
	return func(c *chaintest.Exchange) {
		var header map[string]any
		if number, ok := chaintest.Numbered(c); !ok || number <= above || json.Unmarshal(c.Result, &header) != nil || header == nil {
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
	p := chaintest.NewProxy(t, net.Dev.URL())
	node := chaintest.Dial(t, p.URL)
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Holder: "first", Lease: time.Hour, Doubt: doubt})
	chaintest.CatchUp(t, w)
	before := j.At
	p.Set(func(p *chaintest.Proxy) { p.Answer = otherBranch(before.Finalized - 5) })

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- w.Run(ctx) }()
	chaintest.WaitUntil(t, "the violation is declared", func() bool { return w.Status().Stopped })
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
	if j.At.Block != before.Block || j.Rewinds != 0 {
		t.Errorf("cursor moved from %+v to %+v", before, j.At)
	}

	p.Set(func(p *chaintest.Proxy) { p.Answer = nil })
	net.Mine(t, 3)
	chaintest.WaitUntil(t, "the watcher has resumed", func() bool { return !w.Status().Stopped && w.Status().Outcome.Block == net.Head(t) })
	chaintest.CheckSame(t, net, j)
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
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Doubt: time.Nanosecond})
	chaintest.CatchUp(t, w)
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
			p := chaintest.NewProxy(t, net.Dev.URL())
			node := chaintest.Dial(t, p.URL)
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Doubt: time.Hour})
			chaintest.CatchUp(t, w)
			backends := rand.New(rand.NewPCG(1, most))
			p.Set(func(p *chaintest.Proxy) {
				p.Answer = func(c *chaintest.Exchange) {
					if c.Method == "eth_getBlockByNumber" {
						chaintest.Lag(t, net, c, backends.Uint64N(most+1))
					}
				}
			})
			for range 200 {
				_, err := w.Step(t.Context())
				if _, faulty := errors.AsType[*rpc.ProviderError](err); err != nil && !faulty {
					t.Fatalf("Step() = %v, want nil or a ProviderError", err)
				}
				if backends.IntN(10) == 0 {
					net.Mine(t, 1)
				}
			}
			if j.Rewinds != 0 {
				t.Errorf("%d rewinds without a reorganisation", j.Rewinds)
			}
			p.Set(func(p *chaintest.Proxy) { p.Answer = nil })
			chaintest.Follow(t, net, w, j)
			chaintest.CheckSame(t, net, j)
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
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{})
			chaintest.CatchUp(t, w)
			if c.depth < 0 {
				c.depth = int(net.Head(t).Number - net.Deployment.StartBlock + 1)
			}
			net.Reorg(t, c.depth)
			chaintest.CatchUp(t, w)
			chaintest.CheckSame(t, net, j)
			if j.Rewinds != 1 {
				t.Errorf("%d rewinds, want 1", j.Rewinds)
			}
			net.Mine(t, 2)
			chaintest.CatchUp(t, w)
			chaintest.CheckSame(t, net, j)
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
	j := chaintest.NewJournal(net.Deployment)
	w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{})
	chaintest.CatchUp(t, w)
	before := agentsByTask(j)

	net.Reorg(t, 2, devnet.ForkTx{Raw: raw(t, net, second.TxHash), Block: 0}, devnet.ForkTx{Raw: raw(t, net, first.TxHash), Block: 1})
	chaintest.CatchUp(t, w)
	chaintest.CheckSame(t, net, j)
	after := agentsByTask(j)
	if before[1] != net.Agent.Address() || after[1] != net.OtherAgent.Address() || after[2] != net.Agent.Address() {
		t.Errorf("agents by task were %v and are %v, want the two swapped", before, after)
	}
}

func agentsByTask(j *chaintest.Journal) map[uint64]common.Address {
	agents := make(map[uint64]common.Address)
	for _, log := range j.All() {
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

func TestWatcherFollowsAShorterChain(t *testing.T) {
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
			j := chaintest.NewJournal(net.Deployment)
			w := chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{Doubt: c.doubt})
			chaintest.CatchUp(t, w)
			full := net.Head(t)
			chaintest.Must(t, net.Dev.Rollback(t.Context(), 2))
			chaintest.CatchUp(t, w)
			chaintest.CatchUp(t, w)
			if j.Rewinds != c.rewinds {
				t.Errorf("%d rewinds, want %d", j.Rewinds, c.rewinds)
			}
			if c.rewinds == 0 && j.At.Block != full {
				t.Errorf("cursor is %+v, want it to stay at %+v", j.At.Block, full)
			}
			net.Mine(t, 3) // mines a longer branch that replaces the followed one
			chaintest.CatchUp(t, w)
			chaintest.CheckSame(t, net, j)
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
	chaintest.Must(t, err)
	dropped, err := json.Marshal(h)
	chaintest.Must(t, err)
	keeping := func() string {
		p := chaintest.NewProxy(t, net.Dev.URL())
		p.Answer = chaintest.OftenOf(1<<30, "eth_getBlockByHash", func(c *chaintest.Exchange) bool {
			if string(c.Params[0]) == strconv.Quote(h.Hash().Hex()) {
				c.Result, c.Fault = dropped, nil
			}
			return true
		})
		return p.URL
	}
	j := chaintest.NewJournal(net.Deployment)
	node := chaintest.Dial(t, keeping(), keeping())
	readHeads(t, net, node)
	w := chaintest.NewWatcher(net, node, j, follow.WatcherOptions{Poll: 200 * time.Millisecond, Doubt: doubt})
	chaintest.CatchUp(t, w)
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
