package keeper_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/market"
)

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
