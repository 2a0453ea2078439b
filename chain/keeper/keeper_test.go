package keeper_test

import (
	"bytes"
	"context"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

func TestKeeperRunsUntilItIsCancelled(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), market.Job{Kind: "unheard of"})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- newKeeper(net, j, keeper.Options{Poll: time.Millisecond}).Run(ctx) }()
	for end := time.Now().Add(10 * time.Second); sentBy(t, net) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was sent")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v, want nil", err)
	}
	if len(j.ended) != 1 {
		t.Errorf("ended %v, want the job of an unknown kind", j.ended)
	}
}

func TestKeeperLogsALowBalance(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for name, balance := range map[string]*big.Int{"enough": big.NewInt(1e16), "too little": big.NewInt(1e16 - 1)} {
		must(t, net.Dev.SetBalance(t.Context(), net.Keeper.Address(), balance))
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		j := newJobs()
		j.stop = cancel // the balance is read after the first step, so the keeper can stop
		must(t, keeper.New(net.Node, net.Keeper, net.Contracts, j, keeper.Options{Poll: time.Millisecond},
			slog.New(slog.NewTextHandler(&log, nil))).Run(ctx))
		if warned := strings.Contains(log.String(), "gas balance is low"); warned != (name == "too little") {
			t.Errorf("%s: the log contains %q", name, log.String())
		}
	}
}

func TestKeeperStandsByWithoutTheLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.holder = "another"
	step(t, newKeeper(net, j, keeper.Options{}))
	if len(j.sent) != 0 || sentBy(t, net) != 0 {
		t.Errorf("signed %v, %d mined; want nothing", j.sent, sentBy(t, net))
	}
}

// Another keeper acquires the lease while this one prepares a transaction: the transaction is
// neither recorded nor sent.
func TestKeeperDoesNotSendInAFormerEpoch(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	var sent atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		switch e.Method {
		case "eth_estimateGas":
			j.epoch++
			j.holder = "another"
		case "eth_sendRawTransaction":
			sent.Add(1)
		}
	})
	step(t, newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{}))
	net.Mine(t, 1)
	if len(j.sent) != 0 || sentBy(t, net) != 0 || sent.Load() != 0 {
		t.Errorf("recorded %v, %d mined; want nothing", j.sent, sentBy(t, net))
	}
}

func TestKeeperReleasesItsLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs()
	ctx, cancel := context.WithCancel(t.Context())
	j.stop = cancel
	must(t, newKeeper(net, j, keeper.Options{Poll: time.Millisecond}).Run(ctx))
	if j.epoch != 1 || j.holder != "" {
		t.Errorf("epoch %d is held by %q after the keeper has stopped, want epoch 1 to be free", j.epoch, j.holder)
	}
}

// Another keeper leads while this one waits for a node, and sends the second job. This keeper acquires the
// lease again, and must not send that job with another nonce.
func TestKeeperReadsTheJobsAgainInANewEpoch(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	must(t, net.Dev.SetMining(t.Context(), false))
	second := j.open[1]
	var between func()
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionReceipt" && between != nil {
			between()
		}
	})
	k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{Lease: time.Nanosecond})
	j.open = j.open[:1]
	step(t, k)
	if len(j.sent) != 1 {
		t.Fatalf("signed %v, want one transaction for the first job", j.sent)
	}
	j.open = append(j.open, second)
	between = func() {
		between = nil
		j.epoch++
		j.holder = "a keeper that has stopped"
		must(t, j.JobSent(t.Context(), j.epoch, 2, market.Transaction{
			Sender: net.Keeper.Address(), Nonce: 1, Hash: common.Hash{1}, Raw: []byte{1}, MaxCost: common.Big1,
		}))
	}
	step(t, k)
	if len(j.sent) != 2 || j.open[1].Nonce != 1 {
		t.Errorf("signed %v, want nonces 0 and 1", j.sent)
	}
}

// A step ends when the store refuses to record why a job does not advance, because another keeper leads.
func TestKeeperStopsWithoutTheLease(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	var calls atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_call" {
			calls.Add(1)
			j.epoch++
			j.holder = "another"
			e.Fault = &chaintest.Fault{Code: -32603, Message: "internal error"}
		}
	})
	step(t, newKeeperOn(net, chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, p.URL), j, keeper.Options{}))
	if n := calls.Load(); n != 1 {
		t.Errorf("%d simulations, want 1: the second job must wait", n)
	}
}
