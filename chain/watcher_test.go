package chain_test

import (
	"context"
	"errors"
	"math/big"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

func newWatcher(net *chaintest.Net, node *chain.Node, j chain.Journal, o chain.WatcherOptions) *chain.Watcher {
	if o.Poll == 0 {
		o.Poll = time.Millisecond
	}
	return chain.NewWatcher(node, j, net.Contracts, o, quiet())
}

// catchUp steps until there is nothing to follow, and fails on any error.
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

// checkSame compares the journal with what the chain says when it is asked
// directly, in one question.
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
	for _, l := range j.said() {
		got = append(got, place{l.Block.Hash, l.TxHash, l.Index, string(l.Data)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("logs of the chain and of the journal (-chain +journal):\n%s", diff)
	}
	if head := net.Head(t); j.cursor.Block != head {
		t.Errorf("cursor is %+v, want the head %+v", j.cursor.Block, head)
	}
}

func TestWatcherFollowsTheHead(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{})
	catchUp(t, w)
	checkSame(t, net, j)
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	catchUp(t, w)
	checkSame(t, net, j)
	if j.rewinds != 0 {
		t.Errorf("%d rewinds, want none", j.rewinds)
	}
}

func TestWatcherFollowsRangesBehindFinality(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 3 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
		net.Mine(t, 40)
	}
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Range: 50})
	steps := 0
	for outcome := (chain.Outcome{}); outcome.Progress != chain.CaughtUp; steps++ {
		var err error
		if outcome, err = w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkSame(t, net, j)
	if steps > 20 {
		t.Errorf("%d steps for %d blocks, want ranges", steps, net.Head(t).Number)
	}
}

func TestWatcherBoundsItsPages(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	for range 6 {
		net.Submitted(t, common.Hash{1}, common.Hash{2})
	}
	net.Mine(t, 10)
	j := newJournal(net.Deployment)
	w := newWatcher(net, net.Node, j, chain.WatcherOptions{Logs: 10})
	pages := 0
	for outcome := (chain.Outcome{}); outcome.Progress != chain.CaughtUp; {
		var err error
		if outcome, err = w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if outcome.Logs > 0 {
			pages++
		}
		if outcome.Logs > 10 && pages > 1 { // the contracts' own deployment is one block
			t.Errorf("a step holds %d logs, want 10 at most", outcome.Logs)
		}
	}
	checkSame(t, net, j)
	if pages < 4 {
		t.Errorf("%d logs came in %d pages", len(j.said()), pages)
	}
}

func TestWatcherRaisesTheLevelsWithoutBlocks(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 4})
	net.Mine(t, 30)
	j := newJournal(net.Deployment)
	late := newWatcher(net, net.Node, j, chain.WatcherOptions{Depth: 10})
	catchUp(t, late)
	head := net.Head(t).Number
	if j.cursor.Safe != head-4 || j.cursor.Finalized != head-8 {
		t.Errorf("levels are %d and %d at block %d, want 4 and 8 below", j.cursor.Safe, j.cursor.Finalized, head)
	}
	j.cursor.Safe, j.cursor.Finalized = 1, 1
	before := j.cursor.Block
	catchUp(t, late)
	if j.cursor.Safe != head-4 || j.cursor.Finalized != head-8 || j.cursor.Block != before {
		t.Errorf("cursor is %+v, want the levels raised and the block kept", j.cursor)
	}
}

func TestWatcherKeepsItsDepth(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	net.Mine(t, 10)
	j := newJournal(net.Deployment)
	outcome := catchUp(t, newWatcher(net, net.Node, j, chain.WatcherOptions{Depth: 3}))
	if want := net.Head(t).Number - 3; outcome.Block.Number != want {
		t.Errorf("followed to block %d, want %d", outcome.Block.Number, want)
	}
}

func TestWatcherFollowsReorganisations(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		after uint64 // blocks on top of our last event
		depth int
	}{
		"depth 1 above our events":    {after: 5, depth: 1},
		"depth 3 above our events":    {after: 5, depth: 3},
		"depth 1 drops our last":      {depth: 1},
		"depth 3 drops our last ones": {depth: 3},
		"depth 32 across our events":  {after: 30, depth: 32},
		"below our first block":       {after: 30, depth: -1},
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

func TestWatcherFollowsTransactionsMinedInAnotherOrder(t *testing.T) {
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
	for _, log := range j.said() {
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

func TestThreat93WatcherFollowsAHeadThatWentDown(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		doubt   time.Duration
		rewinds int
	}{
		"and stays down":    {doubt: time.Nanosecond, rewinds: 1},
		"for a moment only": {doubt: time.Hour, rewinds: 0},
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
			net.Mine(t, 3) // another branch, longer than ours
			catchUp(t, w)
			checkSame(t, net, j)
		})
	}
}

func TestWatcherBelievesTheCursorAndNotTheAnswerOfACommit(t *testing.T) {
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

func TestOneWatcherLeads(t *testing.T) {
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
	j.lease.Until = time.Time{} // the first sleeps for longer than its lease
	if outcome, err := second.Step(t.Context()); err != nil || outcome.Progress != chain.Advanced {
		t.Fatalf("second watcher is %q (%v) after the lease has ended, want %q", outcome.Progress, err, chain.Advanced)
	}
	net.Mine(t, 1)
	if outcome := catchUp(t, first); outcome.Progress != chain.Standby {
		t.Errorf("first watcher is %q after it lost the lead, want %q", outcome.Progress, chain.Standby)
	}
	if _, leads := first.Leads(); leads {
		t.Error("first watcher says that it leads")
	}
	catchUp(t, second)
	checkSame(t, net, j)
}

func TestALeaderThatSleptIsFencedOff(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJournal(net.Deployment)
	sleeper := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "sleeper", Lease: time.Hour})
	other := newWatcher(net, net.Node, j, chain.WatcherOptions{Holder: "other", Lease: time.Hour})
	catchUp(t, sleeper)
	j.lease.Until = time.Time{} // an hour passes for everybody but the sleeper
	catchUp(t, other)
	net.Mine(t, 1)
	before := j.cursor
	if outcome := catchUp(t, sleeper); outcome.Progress != chain.Standby || j.cursor != before {
		t.Errorf("the sleeper is %q and moved the cursor from %+v to %+v", outcome.Progress, before, j.cursor)
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

func acceptedTask(t *testing.T, net *chaintest.Net) uint64 {
	t.Helper()
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	application, _ := net.Apply(t, net.Human, id, chaintest.Tokens(1))
	net.Accept(t, net.Agent, id, application)
	return id
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
