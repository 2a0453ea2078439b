package keeper_test

import (
	"encoding/json"
	"math/big"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// tight are limits above anvil's fees of about one gwei.
var tight = keeper.Limits{Fee: big.NewInt(20e9), Tip: big.NewInt(2e9), Gas: 1_000_000, Daily: big.NewInt(1e17)}

// lies contains falsified responses that would make a transaction too expensive.
var lies = map[string]func(*chaintest.Exchange){
	"gas":      sayOf("eth_estimateGas", hexutil.EncodeUint64(36_000_000)),
	"tip":      sayOf("eth_maxPriorityFeePerGas", hexutil.EncodeUint64(1e15)),
	"base fee": lieAboutBaseFee,
}

func sayOf(method, answer string) func(*chaintest.Exchange) {
	return func(c *chaintest.Exchange) {
		if c.Method == method {
			c.Result, _ = json.Marshal(answer)
		}
	}
}

func lieAboutBaseFee(c *chaintest.Exchange) {
	var header map[string]any
	if c.Method != "eth_getBlockByNumber" || string(c.Params[0]) != `"latest"` || json.Unmarshal(c.Result, &header) != nil {
		return
	}
	header["baseFeePerGas"] = hexutil.EncodeUint64(1e15)
	c.Result, _ = json.Marshal(header)
}

// wantWithin fails if a signed transaction exceeds the limits.
func wantWithin(t *testing.T, j *jobs, limits keeper.Limits) {
	t.Helper()
	sum := new(big.Int)
	for _, sent := range j.sent {
		var tx types.Transaction
		must(t, tx.UnmarshalBinary(sent.Raw))
		if tx.Gas() > limits.Gas || tx.GasFeeCap().Cmp(limits.Fee) > 0 || tx.GasTipCap().Cmp(limits.Tip) > 0 {
			t.Errorf("signed %d gas for at most %s wei with a tip of %s, above the limits %+v", tx.Gas(), tx.GasFeeCap(), tx.GasTipCap(), limits)
		}
		if most := new(big.Int).Mul(tx.GasFeeCap(), new(big.Int).SetUint64(tx.Gas())); most.Cmp(sent.MaxCost) != 0 {
			t.Errorf("the maximum cost of transaction %s is recorded as %s, want %s", sent.Hash, sent.MaxCost, most)
		}
		sum.Add(sum, sent.MaxCost)
	}
	if sum.Cmp(limits.Daily) > 0 {
		t.Errorf("signed transactions for %s wei, above the daily limit of %s", sum, limits.Daily)
	}
}

// The only node returns false responses. The keeper signs nothing above its limits, raises the
// alarm, and sends the transaction once the responses are correct.
func TestKeeperLimitsWithOneDishonestNode(t *testing.T) {
	t.Parallel()
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			p := newProxy(t, net, lie)
			j := newJobs(verdictJob(t, net, true))
			k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{Limits: tight})
			for range 3 {
				step(t, k)
			}
			wantWithin(t, j, tight)
			// An excessive tip is capped; excessive gas and base fees stop the keeper.
			if name != "tip" && len(j.sent) != 0 {
				t.Errorf("signed %v", j.sent)
			}
			if j.limited != 1 {
				t.Errorf("the limit was recorded %d times, want once a minute", j.limited)
			}
			if len(j.open) != 1 || len(j.ended) != 0 {
				t.Errorf("open %v, ended %v; want the job to wait", j.open, j.ended)
			}
			p.Misbehave(nil)
			workOff(t, k, j)
			wantWithin(t, j, tight)
		})
	}
}

// One of two nodes returns false responses. The keeper ignores that node's gas estimate and tip. If
// the two base fees differ too much, the keeper waits.
func TestKeeperLimitsWithOneOfTwoNodesDishonest(t *testing.T) {
	t.Parallel()
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			liar := newProxy(t, net, lie)
			j := newJobs(verdictJob(t, net, true))
			k := newKeeperOn(net, chaintest.Dial(t, liar.URL, net.Dev.URL()), j, keeper.Options{Limits: tight})
			if name == "base fee" {
				step(t, k)
				if len(j.sent) != 0 || j.limited != 1 {
					t.Errorf("signed %v, %d alarms; want no transaction and an alarm", j.sent, j.limited)
				}
				liar.Misbehave(nil)
			}
			workOff(t, k, j)
			wantWithin(t, j, tight)
			if name != "base fee" && j.limited != 0 {
				t.Errorf("%d alarms, want none: an honest node has answered", j.limited)
			}
		})
	}
}

// A job that waits for the daily limit does not count an attempt.
func TestKeeperWaitsForTheDailyLimit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.spent = new(big.Int).Sub(tight.Daily, big.NewInt(1000))
	k := newKeeper(net, j, keeper.Options{Limits: tight})
	step(t, k)
	if len(j.sent) != 0 || j.limited != 1 || j.open[0].Attempts != 0 || len(j.waits) != 0 {
		t.Errorf("signed %v, %d alarms, %d attempts, waits %v; want the job to wait for the limit", j.sent, j.limited, j.open[0].Attempts, j.waits)
	}
	j.spent = new(big.Int)
	workOff(t, k, j)
}

// dailyLimit matches the error for a transaction that may cost more than what is left of tight.Daily.
var dailyLimit = regexp.MustCompile(`the transaction may cost more than what is left of KEEPER_DAILY_LIMIT: ` +
	`it may cost \d{10,} wei, but only 1000 of 100000000000000000 wei for 24 hours are left`)

// The error of the daily limit names the setting, the limit, what is left of it, and the cost, for a new
// transaction, a replacement, an operator's request and a cancellation.
func TestKeeperNamesTheDailyLimit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	k := newKeeper(net, j, keeper.Options{Limits: tight, ReplaceAfter: time.Nanosecond})
	reach := func() { j.spent = new(big.Int).Sub(tight.Daily, big.NewInt(1000)) }
	want := func(what, reason string) {
		t.Helper()
		if !dailyLimit.MatchString(reason) {
			t.Errorf("the error of %s is %q, want %s", what, reason, dailyLimit)
		}
	}
	reach()
	step(t, k)
	want("a new transaction", j.open[0].Error)

	must(t, net.Dev.SetMining(t.Context(), false))
	j.spent = new(big.Int)
	step(t, k)
	reach()
	setBaseFee(t, net, 5e9)
	net.Mine(t, 1)
	j.open[0].Resend = true
	step(t, k)
	want("a request", j.notResent)

	j.open[0].Resend = false
	k = newKeeper(net, j, keeper.Options{Limits: tight, ReplaceAfter: time.Nanosecond}) // records a reason at once
	for range 2 {
		step(t, k)
	}
	want("a replacement", j.open[0].Error)

	j.open = append(j.open, market.Job{
		ID: 2, Kind: market.OutboxCancel, Cancels: market.AccountNonce{Account: net.Keeper.Address(), Nonce: j.open[0].Nonce},
	})
	step(t, k)
	want("a cancellation", j.postponed)
}

// The limits also apply to a replacement with higher fees.
func TestKeeperRaisesFeesWithinItsLimits(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{Limits: tight, ReplaceAfter: time.Nanosecond})
	step(t, k)
	setBaseFee(t, net, 900e9)
	net.Mine(t, 1)
	for range 50 {
		step(t, k)
	}
	wantWithin(t, &jobs{sent: j.sent[len(j.sent)-1:]}, tight)
	for _, tx := range j.sent {
		wantWithin(t, &jobs{sent: []market.Transaction{tx}}, tight)
	}
	if j.limited == 0 || len(j.open) != 1 {
		t.Errorf("%d alarms, %d open jobs; want an alarm and the job open", j.limited, len(j.open))
	}
	setBaseFee(t, net, 1e9)
	net.Mine(t, 1)
	must(t, net.Dev.SetMining(t.Context(), true))
	net.Mine(t, 1)
	workOff(t, k, j)
}

func setBaseFee(t *testing.T, net *chaintest.Net, fee int64) {
	t.Helper()
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", hexutil.EncodeBig(big.NewInt(fee))))
}

// The actual cost of a transaction replaces its maximum cost.
func TestKeeperRecordsActualCosts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	workOff(t, newKeeper(net, j, keeper.Options{}), j)
	step(t, newKeeper(net, j, keeper.Options{})) // a keeper reconciles at its start, then once a minute
	receipt, err := net.Dev.Client().TransactionReceipt(t.Context(), j.sent[0].Hash)
	must(t, err)
	cost := new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed))
	if got := j.paid[j.sent[0].Hash]; got == nil || got.Cmp(cost) != 0 || cost.Cmp(j.sent[0].MaxCost) > 0 {
		t.Errorf("paid %s of at most %s, want %s", got, j.sent[0].MaxCost, cost)
	}
}

// A job that needs too much gas is postponed in favor of the next jobs.
func TestKeeperPostponesAJobThatNeedsTooMuchGas(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	var estimates atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_estimateGas" && estimates.Add(1) == 1 {
			e.Result = json.RawMessage(`"0x2255100"`)
		}
	})
	step(t, newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{Limits: tight}))
	if wait := time.Until(j.waits[1]); len(j.sent) != 1 || wait <= 0 || wait > time.Minute || j.open[0].Attempts != 0 {
		t.Errorf("sent %v, the first job waits %s after %d attempts; want the second sent, the first to wait a minute", j.sent, wait, j.open[0].Attempts)
	}
}

func TestDefaultKeeperLimits(t *testing.T) {
	t.Parallel()
	for _, id := range []uint64{1, 10, 8453, 84532, 42161, 31337, 424242} {
		l := keeper.DefaultLimits(id)
		if l.Fee.Cmp(l.Tip) < 0 || l.Tip.Sign() <= 0 || l.Gas < send.MostGas {
			t.Errorf("chain %d has the limits %+v", id, l)
		}
		// Ten settlements at the highest fee are within the daily limit.
		if ten := new(big.Int).Mul(l.Fee, big.NewInt(10*100_000)); ten.Cmp(l.Daily) > 0 {
			t.Errorf("chain %d: ten settlements may cost %s wei, the daily limit is %s", id, ten, l.Daily)
		}
	}
}
