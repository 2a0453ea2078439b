package keeper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

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

// pendingOf makes a node report the given number of nonces as used, including pending transactions.
func pendingOf(nonces uint64) func(*chaintest.Exchange) {
	return func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionCount" && string(e.Params[1]) == `"pending"` {
			e.Result, _ = json.Marshal(hexutil.Uint64(nonces))
		}
	}
}

// A transaction above a gap in the nonces would never be mined, even by an honest node.
func TestKeeperSignsNothingAboveForeignNonces(t *testing.T) {
	t.Parallel()
	for _, nonces := range []uint64{1, 1 << 20, 1<<63 - 1, 1<<64 - 1} {
		net := chaintest.New(t)
		j := newJobs(verdictJob(t, net, true))
		p := newProxy(t, net, pendingOf(nonces))
		k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{})
		if err := k.Step(t.Context()); err == nil || len(j.sent) != 0 {
			t.Fatalf("with %d nonces: Step() = %v, signed %v; want an error and nothing signed", nonces, err, j.sent)
		}
		if nonces == 1 && !strings.Contains(j.open[0].Error, "no keeper recorded") {
			t.Errorf("the job's error is %q, want the unknown transaction", j.open[0].Error)
		}
		p.Misbehave(nil)
		workOff(t, k, j)
		if len(j.sent) != 1 || j.sent[0].Nonce != 0 {
			t.Errorf("signed %v, want nonce 0", j.sent)
		}
	}
}

// A provider that reports too many nonces has no effect if another provider is honest.
func TestKeeperUsesTheLowestNonces(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionCount" {
			e.Result = json.RawMessage(`"0x64"`)
		}
	})
	step(t, newKeeperOn(net, chaintest.Dial(t, p.URL, net.Dev.URL()), j, keeper.Options{}))
	if len(j.sent) != 1 || j.sent[0].Nonce != 0 {
		t.Errorf("signed %v, want nonce 0", j.sent)
	}
}

// A provider that lags does not have the transactions of closed jobs.
func TestKeeperDoesNotRepeatTheNonceOfAClosedJob(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionCount" {
			e.Result = json.RawMessage(`"0x0"`)
		}
	})
	k := newKeeperOn(net, chaintest.Dial(t, net.Dev.URL(), p.URL), j, keeper.Options{})
	workOff(t, k, j)
	j.open = append(j.open, verdictJob(t, net, false))
	j.open[0].ID = 2
	step(t, k)
	if len(j.sent) != 2 || j.sent[1].Nonce != 1 {
		t.Errorf("signed %v, want nonce 1 for the second job", j.sent)
	}
}

// One provider that reports too many used nonces raises no alarm.
func TestKeeperRaisesNoAlarmForOneProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	workOff(t, newKeeper(net, j, keeper.Options{}), j)
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionCount" {
			e.Result = json.RawMessage(`"0x64"`)
		}
	})
	k := newKeeperOn(net, chaintest.Dial(t, p.URL, net.Dev.URL()), j, keeper.Options{})
	step(t, k)
	if k.Status().KeyShared() {
		t.Error("KeyShared() = true, want false")
	}
}

// forgeReceipts makes a node return a receipt with the status for each transaction.
func forgeReceipts(status string) func(*chaintest.Exchange) {
	return func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionReceipt" {
			e.Result, _ = json.Marshal(map[string]any{
				"transactionHash": e.Params[0], "blockNumber": "0x1", "status": status, "cumulativeGasUsed": "0x1", "gasUsed": "0x1",
				"logs": []any{}, "logsBloom": "0x" + strings.Repeat("00", 256),
			})
		}
	}
}

// A forged receipt does not end an operator's cancellation.
func TestKeeperDoesNotCloseACancellationWithAnUnusedNonce(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	must(t, net.Dev.SetMining(t.Context(), false))
	p := newProxy(t, net, forgeReceipts("0x1"))
	k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{})
	step(t, k)
	j.open = append(j.open, market.Job{ID: 2, Kind: market.OutboxCancel, Cancels: market.AccountNonce{Account: net.Keeper.Address()}})
	for range 3 {
		step(t, k)
	}
	if len(j.open) != 2 || len(j.sent) != 2 {
		t.Errorf("%d jobs are open, signed %v; want the cancellation to wait", len(j.open), j.sent)
	}
}

// A provider that has stopped syncing does not know the used nonces. Without records, for example after the
// database was restored, the keeper must not sign them again.
func TestKeeperIgnoresTheNoncesOfAStalledProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for range 3 {
		useKey(t, net)
	}
	j := newJobs(verdictJob(t, net, true))
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		switch e.Method {
		case "eth_getTransactionCount":
			e.Result = json.RawMessage(`"0x0"`)
		case "eth_getBlockByNumber":
			var block map[string]any
			must(t, json.Unmarshal(e.Result, &block))
			block["timestamp"] = hexutil.Uint64(time.Now().Add(-time.Hour).Unix())
			e.Result, _ = json.Marshal(block)
		}
	})
	step(t, newKeeperOn(net, chaintest.Dial(t, net.Dev.URL(), p.URL), j, keeper.Options{}))
	if len(j.sent) != 1 || j.sent[0].Nonce != 3 {
		t.Errorf("signed %v, want nonce 3", j.sent)
	}
}

// A mistyped cancellation is rejected even if a dishonest provider reports so many pending transactions: later
// jobs would wait for its nonce.
func TestKeeperCancelsNothingAboveTheKnownNonces(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(market.Job{Kind: market.OutboxCancel, Cancels: market.AccountNonce{Account: net.Keeper.Address(), Nonce: 500}})
	p := newProxy(t, net, pendingOf(1000))
	step(t, newKeeperOn(net, chaintest.Dial(t, p.URL, net.Dev.URL()), j, keeper.Options{}))
	if !strings.Contains(j.ended[1], "the next free nonce is 0") || len(j.sent) != 0 {
		t.Errorf("ended %v, signed %v; want the cancellation to be rejected", j.ended, j.sent)
	}
}

// A dishonest provider that hides or forges the outcome of a transaction cannot make the keeper sign a second
// nonce for the job.
func TestKeeperDoesNotRepeatAJobForOneProvider(t *testing.T) {
	t.Parallel()
	count := func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionCount" {
			e.Result = json.RawMessage(`"0x64"`)
		}
	}
	for name, forge := range map[string]func(*chaintest.Exchange){
		"no receipt, and the nonce is used": func(e *chaintest.Exchange) {
			count(e)
			if e.Method == "eth_getTransactionReceipt" {
				e.Result = json.RawMessage("null")
			}
		},
		"reverted, and the nonce is used": func(e *chaintest.Exchange) {
			count(e)
			forgeReceipts("0x0")(e)
		},
		"reverted, and the nonce is unused": forgeReceipts("0x0"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			j := newJobs(verdictJob(t, net, true))
			must(t, net.Dev.SetMining(t.Context(), false))
			p := newProxy(t, net, forge)
			k := newKeeperOn(net, chaintest.Dial(t, p.URL, net.Dev.URL()), j, keeper.Options{ReplaceAfter: time.Nanosecond})
			for range 5 {
				step(t, k)
			}
			for _, tx := range j.sent {
				if tx.Nonce != 0 || len(j.waits) != 0 {
					t.Errorf("signed nonce %d, waits %v; want only nonce 0", tx.Nonce, j.waits)
				}
			}
		})
	}
}
