package keeper_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/market"
)

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
