package keeper_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
)

// useKey sends a transaction of another program with the keeper's key.
func useKey(t *testing.T, net *chaintest.Net) {
	t.Helper()
	net.Send(t, net.Keeper, net.Contracts.ApproveToken(net.Agent.Address(), common.Big0))
}

// The use of the key before the first keeper raises no alarm. Its use between two runs of a keeper does.
func TestKeeperReportsAForeignTransaction(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	useKey(t, net) // by a person, before the first keeper
	j := newJobs(verdictJob(t, net, true))
	k := newKeeper(net, j, keeper.Options{})
	workOff(t, k, j)
	want := func(k *keeper.Keeper, want bool) {
		t.Helper()
		step(t, k)
		if got := k.Status().KeyShared(); got != want {
			t.Errorf("KeyShared() = %t, want %t", got, want)
		}
	}
	want(k, false)
	want(newKeeper(net, j, keeper.Options{}), false)
	useKey(t, net)
	restarted := newKeeper(net, j, keeper.Options{})
	want(restarted, true)

	j.open = append(j.open, verdictJob(t, net, false))
	j.open[0].ID = 2
	workOff(t, restarted, j)
	want(newKeeper(net, j, keeper.Options{}), false) // the keeper's next transaction is mined
}

// Another program uses the nonce of a transaction that the keeper sent.
func TestKeeperReportsAForeignTransactionWithItsNonce(t *testing.T) {
	t.Parallel()
	for name, former := range map[string]bool{"all versions are recorded": false, "a former server replaced the transaction": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net := chaintest.New(t)
			j := newJobs(verdictJob(t, net, true))
			j.killed = errors.New("killed after the record, before the broadcast")
			_ = newKeeper(net, j, keeper.Options{}).Step(t.Context())
			j.killed, j.former = nil, former
			useKey(t, net)
			k := newKeeper(net, j, keeper.Options{ReplaceAfter: 200 * time.Millisecond})
			workOff(t, k, j)
			if got := k.Status().KeyShared(); got == former {
				t.Errorf("KeyShared() = %t, want %t", got, !former)
			}
		})
	}
}

// A transaction is mined instead of its replacement. The keeper recorded both, so it raises no alarm.
func TestKeeperKnowsReplacedTransactions(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := newJobs(verdictJob(t, net, true))
	must(t, net.Dev.SetMining(t.Context(), false))
	k := newKeeper(net, j, keeper.Options{ReplaceAfter: time.Nanosecond})
	step(t, k)
	net.Mine(t, 1)
	first := j.sent[0]
	replaced := first
	replaced.Hash = common.Hash{1} // recorded, and not mined
	j.sent = append(j.sent, replaced)
	j.open[0].TxHash = replaced.Hash.Bytes()
	for range 3 { // until ReplaceAfter has passed since the nonce was seen as used
		step(t, k)
	}
	if k.Status().KeyShared() || j.waits[1].IsZero() {
		t.Errorf("KeyShared() = %t, waits %v; want the job to start again without an alarm", k.Status().KeyShared(), j.waits)
	}
}
