package keeper_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/market"
)

func TestKeeperWaitsUntilAJobIsDue(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Dispute(t, net.Agent, id)
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id})
	k := newKeeper(net, j, keeper.Options{})
	step(t, k)
	if len(j.sent) != 0 || !j.waits[1].After(time.Now()) {
		t.Fatalf("sent %v, waits %v before it is due; want it to wait", j.sent, j.waits)
	}
	net.Warp(t, market.DisputedReview)
	workOff(t, k, j)
	if len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("done %v, %d transactions; want one of each", j.done, sentBy(t, net))
	}
}

// A receipt does not close a job, and neither does a revert because the task has ended: a reorg can
// drop the end of the task. The next attempt is soon, regardless of the number of reverts.
func TestKeeperDoesNotCloseTaskJobs(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Approve(t, net.Agent, id)
	net.Warp(t, market.ApprovedReview)
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id}, market.Job{Kind: market.OutboxSettle, TaskID: id, Attempts: 20})
	k := newKeeper(net, j, keeper.Options{})
	for end := time.Now().Add(10 * time.Second); len(j.waits) == 0 || sentBy(t, net) == 0; step(t, k) {
		if time.Now().After(end) {
			t.Fatalf("%d mined, waits %v; want one settlement and one refusal", sentBy(t, net), j.waits)
		}
	}
	step(t, k)
	if len(j.open) != 2 || len(j.ended) != 0 {
		t.Errorf("%d jobs are open, ended %v; want both open", len(j.open), j.ended)
	}
	for job, at := range j.waits {
		if wait := time.Until(at); wait > time.Minute {
			t.Errorf("job %d waits for %s, want less than a minute", job, wait)
		}
	}
}

func TestKeeperResendsTheTransactionAfterACrash(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	if err := newKeeper(net, j, keeper.Options{}).Step(t.Context()); !errors.Is(err, j.killed) {
		t.Fatalf("Step() = %v, want %v", err, j.killed)
	}
	if n := sentBy(t, net); n != 0 {
		t.Fatalf("%d transactions before the restart", n)
	}
	j.killed = nil
	again := newKeeper(net, j, keeper.Options{})
	workOff(t, again, j)
	if len(j.sent) != 1 || len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("signed %v, done %v, %d mined; want one transaction for one job", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperCountsRecordedNonces(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	j.killed = errors.New("killed after the record, before the broadcast")
	if err := newKeeper(net, j, keeper.Options{}).Step(t.Context()); !errors.Is(err, j.killed) || len(j.sent) != 1 {
		t.Fatalf("Step() = %v after %d records, want %v after one", err, len(j.sent), j.killed)
	}
	j.killed = nil
	j.open[0], j.open[1] = j.open[1], j.open[0] // moves the job without a transaction to the front
	workOff(t, newKeeper(net, j, keeper.Options{}), j)
	if len(j.done) != 2 || len(j.sent) != 2 || sentBy(t, net) != 2 {
		t.Errorf("signed %v, done %v, %d mined; want two of each", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperUsesOneNoncePerJob(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true), verdictJob(t, net, false))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{ReplaceAfter: time.Nanosecond})
	for range 5 {
		step(t, k)
	}
	if len(j.sent) != 2 || j.open[0].Nonce != 0 || j.open[1].Nonce != 1 {
		t.Errorf("signed %v with nonces %d and %d, want two with 0 and 1", j.sent, j.open[0].Nonce, j.open[1].Nonce)
	}
	net.Mine(t, 1)
	step(t, k)
	if used := k.Status().UsedNonces; used != 2 {
		t.Errorf("after a step, the status has %d used nonces, want 2", used)
	}
	workOff(t, k, j)
	if len(j.done) != 2 {
		t.Errorf("done %v, want both", j.done)
	}
}

func TestKeeperReplacesWithTheSameNonce(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{ReplaceAfter: time.Nanosecond})
	step(t, k)
	dear := hexutil.EncodeBig(big.NewInt(900_000_000_000))
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", dear))
	net.Mine(t, 1)
	if n := sentBy(t, net); n != 0 {
		t.Fatalf("%d transactions mined below the base fee", n)
	}
	step(t, k)
	net.Mine(t, 1)
	workOff(t, k, j)
	if len(j.sent) != 2 || j.sent[0].Hash == j.sent[1].Hash || len(j.done) != 1 || sentBy(t, net) != 1 {
		t.Errorf("signed %v, done %v, %d mined; want two signed and one mined", j.sent, j.done, sentBy(t, net))
	}
}

func TestKeeperRestartsAJobWhoseNonceIsUsed(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	net.Send(t, net.Keeper, net.Contracts.ApproveToken(net.Agent.Address(), common.Big0)) // uses the nonce
	again := newKeeper(net, j, keeper.Options{ReplaceAfter: 200 * time.Millisecond})
	workOff(t, again, j)
	if len(j.done) != 1 || sentBy(t, net) != 2 {
		t.Errorf("done %v, %d mined; want the job done by the second transaction", j.done, sentBy(t, net))
	}
}

// A node that lags behind the one that counted the nonce does not have the receipt yet.
func TestKeeperWaitsForALateReceipt(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	var receipts atomic.Int32
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_getTransactionReceipt" && receipts.Add(1) <= 3 {
			e.Result = json.RawMessage("null")
		}
	})
	j := newJobs(verdictJob(t, net, true))
	k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{})
	workOff(t, k, j)
	if len(j.done) != 1 || len(j.sent) != 1 || len(j.waits) != 0 {
		t.Errorf("done %v, sent %v, waits %v; want the one transaction done", j.done, j.sent, j.waits)
	}
}

func TestKeeperRetriesLater(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	id := net.Submitted(t, common.Hash{1}, common.Hash{2})
	j := newJobs(market.Job{Kind: market.OutboxSettle, TaskID: id})
	k := newKeeper(net, j, keeper.Options{})
	var last time.Duration
	for i := range 12 {
		step(t, k)
		wait := time.Until(j.waits[1]).Round(time.Second)
		if wait < last || wait > time.Hour {
			t.Errorf("wait %d is %s after one of %s, want them to grow up to an hour", i, wait, last)
		}
		last = wait
	}
	if last != time.Hour {
		t.Errorf("the last wait is %s, want an hour", last)
	}
}

// A keeper with another key takes over: it uses its own nonces, broadcasts the former keeper's
// transaction unchanged, and replaces it only if it is not mined.
func TestKeeperTakesOverFromAnotherKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	former := j.open[0]
	j.open = append(j.open, verdictJob(t, net, false))
	j.open[1].ID = 2
	own := *net
	own.Keeper = net.OtherHuman
	used := sentBy(t, &own)
	workOff(t, newKeeper(&own, j, keeper.Options{}), j)
	if len(j.done) != 2 || sentBy(t, net) != 1 || sentBy(t, &own) != used+1 {
		t.Errorf("done %v, %d mined of the former keeper, %d of the other; want one each", j.done, sentBy(t, net), sentBy(t, &own)-used)
	}
	if len(j.sent) != 2 || j.sent[0].Hash != common.BytesToHash(former.TxHash) || j.sent[1].Sender != own.Keeper.Address() || j.sent[1].Nonce != used {
		t.Errorf("sent %+v, want nonce %d of %s for the second job", j.sent, used, own.Keeper.Address())
	}
}

func TestKeeperReplacesAPendingTransactionOfAnotherKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.killed = errors.New("killed after the record, before the broadcast")
	_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
	j.killed = nil
	dear := hexutil.EncodeBig(big.NewInt(900_000_000_000)) // above the former keeper's fee cap
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setNextBlockBaseFeePerGas", dear))
	net.Mine(t, 1)
	own := *net
	own.Keeper = net.OtherHuman
	workOff(t, newKeeper(&own, j, keeper.Options{ReplaceAfter: 10 * time.Millisecond}), j)
	if len(j.done) != 1 || sentBy(t, net) != 0 {
		t.Errorf("done %v, %d mined of the former keeper; want the job done by the other", j.done, sentBy(t, net))
	}
}

func rewardJob(net *chaintest.Net, account common.Address, cumulative int64) market.Job {
	return market.Job{Kind: market.OutboxClaim, Reward: market.Reward{
		Distributor: net.Deployment.Distributor, Account: account, Cumulative: big.NewInt(cumulative),
	}}
}

func fundRewards(t *testing.T, net *chaintest.Net, amount *big.Int) {
	t.Helper()
	net.Send(t, net.Owner, net.Contracts.TransferToken(net.Deployment.Distributor, amount))
}

func tokensOf(t *testing.T, net *chaintest.Net, wallet common.Address) *big.Int {
	t.Helper()
	tokens, _, err := net.Reader.Balances(t.Context(), wallet)
	must(t, err)
	return tokens
}

// workUntilPaid steps until the account has the amount, and then continues to show that no more is
// paid.
func workUntilPaid(t *testing.T, net *chaintest.Net, k *keeper.Keeper, account common.Address, amount int64) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); tokensOf(t, net, account).Int64() < amount; {
		if time.Now().After(end) {
			t.Fatalf("paid %s, want %d", tokensOf(t, net, account), amount)
		}
		step(t, k)
	}
	for range 20 {
		step(t, k)
	}
	net.Mine(t, 1) // includes all pending transactions
}

// A node refuses the transaction, then accepts it. The reason is removed only then, and it is not
// written in each step.
func TestKeeperRecordsARefusedTransaction(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net, func(e *chaintest.Exchange) {
		if e.Method == "eth_sendRawTransaction" {
			e.Fault = &chaintest.Fault{Code: -32000, Message: "the sender is on a list"}
		}
	})
	p.Intercept(func(e *chaintest.Exchange) bool { return e.Method == "eth_sendRawTransaction" })
	j := newJobs(verdictJob(t, net, true))
	k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{ReplaceAfter: time.Millisecond})
	for range 5 {
		_ = k.Step(t.Context())
		time.Sleep(2 * time.Millisecond)
		if !strings.Contains(j.open[0].Error, "the sender is on a list") {
			t.Fatalf("the job's error is %q, want the node's refusal", j.open[0].Error)
		}
	}
	if j.stalls != 1 {
		t.Errorf("the reason was recorded %d times, want once a minute", j.stalls)
	}
	p.Misbehave(nil)
	p.Intercept(nil)
	must(t, net.Dev.SetMining(t.Context(), false))
	step(t, k)
	if j.open[0].Error != "" || j.stalls != 2 {
		t.Errorf("the job's error is %q after %d writes, want none", j.open[0].Error, j.stalls)
	}
}

func TestKeeperRecordsAReachedLimit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	j.spent = new(big.Int).Sub(tight.Daily, big.NewInt(1000))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{Limits: tight})
	for range 2 {
		step(t, k)
	}
	if !strings.Contains(j.open[0].Error, keeper.ErrDailyLimit.Error()) || j.stalls != 1 {
		t.Errorf("the job's error is %q after %d writes, want %q after one", j.open[0].Error, j.stalls, keeper.ErrDailyLimit)
	}
	j.spent = new(big.Int)
	step(t, k)
	if len(j.sent) != 1 || j.open[0].Error != "" {
		t.Errorf("sent %v, the job's error is %q; want the job to be sent, without an error", j.sent, j.open[0].Error)
	}
}

// The keeper redeems a voucher once. The job remains open, because only the watcher closes it.
func TestKeeperRedeemsVouchers(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	fundRewards(t, net, big.NewInt(1_000))
	account := common.Address{0xAA}
	j := newJobs(rewardJob(net, account, 300))
	k := newKeeper(net, j, keeper.Options{Vouchers: net.Rewarder})
	workUntilPaid(t, net, k, account, 300)
	if got := tokensOf(t, net, account); got.Int64() != 300 || len(j.sent) != 1 || len(j.done) != 0 {
		t.Errorf("paid %s in %d transactions, done %v; want 300 in one, open", got, len(j.sent), j.done)
	}
	seen := slices.DeleteFunc(eventsOf(t, net, j), func(e market.Event) bool { return !e.OfReward() })
	if len(seen) != 1 || seen[0].Agent != account || seen[0].Amount.Int64() != 300 || seen[0].Cumulative.Int64() != 300 {
		t.Errorf("payments seen = %+v", seen)
	}
}

// A voucher states the total amount, so two vouchers together pay no more than the later one.
func TestVouchersAreCumulative(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	fundRewards(t, net, big.NewInt(1_000))
	account := common.Address{0xAA}
	most := int64(0)
	for _, cumulative := range []int64{300, 300, 200, 450} {
		j := newJobs(rewardJob(net, account, cumulative))
		k := newKeeper(net, j, keeper.Options{Vouchers: net.Rewarder})
		most = max(most, cumulative)
		workUntilPaid(t, net, k, account, most)
	}
	if got := tokensOf(t, net, account); got.Int64() != 450 {
		t.Errorf("paid %s, want 450", got)
	}
}

// A reverted claim is retried, and closed after the last attempt.
func TestKeeperClosesFailingClaims(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	fundRewards(t, net, big.NewInt(1_000))
	j := newJobs(rewardJob(net, common.Address{0xAA}, 300))
	k := newKeeper(net, j, keeper.Options{Vouchers: net.Keeper}) // not the distributor's signer
	for range 12 {
		step(t, k)
	}
	if len(j.ended) != 0 || len(j.open) != 1 {
		t.Fatalf("ended %v after twelve refusals", j.ended)
	}
	step(t, k)
	if !strings.Contains(j.ended[1], "InvalidVoucher") || len(j.sent) != 0 {
		t.Errorf("ended = %v, sent %v", j.ended, j.sent)
	}
}

// A claim's total applies to one distributor. If the service uses another distributor, the keeper
// signs no voucher for the old claim, and the agent must claim again. Otherwise, the new
// distributor would pay the same reward a second time.
func TestKeeperSignsNoVoucherForAFormerDistributor(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	fundRewards(t, net, big.NewInt(1_000))
	account := common.Address{0xAA}
	job := rewardJob(net, account, 300)
	job.Reward.Distributor = common.Address{0xBB}
	j := newJobs(job)
	step(t, newKeeper(net, j, keeper.Options{Vouchers: net.Rewarder}))
	net.Mine(t, 1)
	if paid := tokensOf(t, net, account); !strings.Contains(j.ended[1], "former distributor") || paid.Sign() != 0 {
		t.Errorf("ended = %v, paid %s", j.ended, paid)
	}
}

func TestKeeperWithoutVoucherSignerSkipsClaims(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(rewardJob(net, common.Address{0xAA}, 300))
	step(t, newKeeper(net, j, keeper.Options{}))
	if len(j.open) != 1 || len(j.waits) != 0 || len(j.ended) != 0 {
		t.Errorf("open %v, waits %v, ended %v", j.open, j.waits, j.ended)
	}
}

// An expired voucher is rejected, and the next attempt signs another.
func TestKeeperRenewsExpiredVouchers(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	fundRewards(t, net, big.NewInt(1_000))
	account, past := common.Address{0xAA}, big.NewInt(net.Head(t).Time.Unix()-1)
	d := net.Deployment
	signature, err := net.Rewarder.SignTypedData(t.Context(), chain.VoucherTypedData(d.Distributor, d.ChainID, account, big.NewInt(300), past))
	must(t, err)
	err = net.Reader.Simulate(t.Context(), net.Keeper.Address(), net.Contracts.ClaimReward(account, big.NewInt(300), past, signature))
	if err == nil || !strings.Contains(err.Error(), "VoucherExpired") {
		t.Errorf("Simulate() of an old voucher = %v", err)
	}
	net.Warp(t, 48*time.Hour)
	j := newJobs(rewardJob(net, account, 300))
	k := newKeeper(net, j, keeper.Options{Vouchers: net.Rewarder})
	workUntilPaid(t, net, k, account, 300)
	if got := tokensOf(t, net, account); got.Int64() != 300 {
		t.Errorf("paid %s, want 300", got)
	}
}
