//go:build operations

package e2e_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/market"
	"taskmarket/store/storetest"
	"taskmarket/test/process"
)

// keeperRounds is the number of times that the leading keeper is suspended.
const keeperRounds = 12

// broadcasts records the transactions that servers send through a proxy.
type broadcasts struct {
	mu   sync.Mutex
	sent []*types.Transaction
}

func (b *broadcasts) record(call *chaintest.Exchange) {
	var raw hexutil.Bytes
	var tx types.Transaction
	if call.Method != "eth_sendRawTransaction" || json.Unmarshal(call.Params[0], &raw) != nil || tx.UnmarshalBinary(raw) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, &tx)
}

// TestOperationsKeepersNeverShareANonce: three servers have the same keeper key. The leading keeper
// is suspended at a random moment until its lease has ended, and resumed while its successor works.
// No nonce is ever used for two different calls, and every task is settled by one transaction.
func TestOperationsKeepersNeverShareANonce(t *testing.T) {
	w := newWorld(t)
	defer w.end()
	w.must(w.server.kill())
	proxy, seen := chaintest.NewProxy(t, w.net.Dev.URL()), new(broadcasts)
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			seen.record(call)
		}
		return true
	})
	w.rpcURL = proxy.URL
	w.must(w.server.start(w.ctx))
	w.newReplica()
	w.newReplica()
	var tasks []uint64
	for round := range keeperRounds {
		for n := range 3 {
			id := w.net.Submitted(t, common.Hash{byte(round + 1), byte(n + 1)}, common.Hash{2})
			w.net.Approve(t, w.net.Agent, id)
			tasks = append(tasks, id)
		}
		sleeper := w.keeperLeader()
		w.net.Warp(t, market.ApprovedReview)
		time.Sleep(time.Duration(rand.IntN(2500)) * time.Millisecond) // a random moment of the keeper's polling interval
		w.must(sleeper.proc.Signal(process.Suspend))
		_, err := storetest.DB(t, w.records).ExecContext(w.ctx, `UPDATE keeper_lease SET lease_until = now() - interval '1 s'`)
		w.must(err)
		for w.keeperLeader() == sleeper {
			w.pause("wait for another keeper")
		}
		w.must(sleeper.proc.Signal(process.Resume))
		w.awaitSettled(tasks)
	}
	calls := make(map[uint64]string)
	account := w.net.Keeper.Address()
	for _, tx := range seen.sent {
		sender, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
		w.must(err)
		call := tx.To().Hex() + hexutil.Encode(tx.Data())
		if sender != account {
			continue
		}
		if other, used := calls[tx.Nonce()]; used && other != call {
			t.Errorf("nonce %d was used for the calls %s and %s", tx.Nonce(), other, call)
		}
		calls[tx.Nonce()] = call
	}
	used, err := w.net.Dev.Client().NonceAt(w.ctx, account, nil)
	w.must(err)
	if int(used) != len(tasks) || len(calls) != len(tasks) {
		t.Errorf("the keepers used %d nonces and sent %d calls, want %d of each", used, len(calls), len(tasks))
	}
}

// keeperLeader returns the server whose keeper has the lease.
func (w *world) keeperLeader() *replica {
	w.t.Helper()
	for {
		var holder string
		w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &holder,
			`SELECT coalesce((SELECT holder FROM keeper_lease WHERE lease_until > now()), '')`))
		for _, r := range w.replicas {
			if strings.HasPrefix(holder, w.instance(r)+"/") {
				return r
			}
		}
		w.pause("wait for a keeper")
	}
}

// awaitSettled waits until no job is open and every task has ended.
func (w *world) awaitSettled(tasks []uint64) {
	w.t.Helper()
	for {
		var open, ended int
		w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &open, `SELECT count(*) FROM outbox WHERE state IN ('pending', 'sent')`))
		w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &ended, `SELECT count(*) FROM onchain_tasks WHERE status >= 5`))
		if open == 0 && ended == len(tasks) {
			return
		}
		w.pause("wait for the settlements")
	}
}
