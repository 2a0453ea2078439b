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

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
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
