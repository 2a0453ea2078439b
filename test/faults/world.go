package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/jmoiron/sqlx"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

const (
	blockTime = time.Second
	// slotsPerEpoch makes the finalized block eight blocks old.
	slotsPerEpoch = 4
	wait          = 15 * time.Minute // time limit for each state up to the alert; long, because the machine may be busy
	pollPause     = 500 * time.Millisecond

	keeperAccount, rewarderAccount, treasuryAccount = 8, 9, 2 // indexes of chaintest's accounts
)

// world is a marketplace: a chain with three nodes, a database and a server, which uses the first
// two nodes. The third one belongs to another company.
type world struct {
	*stage
	net       *chaintest.Net
	records   *store.Store // direct access to the server's database
	db        *sqlx.DB
	nodes     []*chaintest.Proxy
	server    *server
	monitor   *monitor
	variables map[string]string // of the server

	payable int    // number of tasks that the keeper must settle
	changed uint64 // the task that the fault changes in the records
}

// newWorld starts everything but the server. One task is in progress.
func newWorld(s *stage) *world {
	w := &world{stage: s, net: chaintest.New(s, devnet.Options{SlotsPerEpoch: slotsPerEpoch})}
	w.records = storetest.NewFor(s, w.net.Deployment)
	w.db = storetest.DB(s, w.records)
	for range 3 {
		w.nodes = append(w.nodes, chaintest.NewProxy(s, w.net.Dev.URL()))
	}
	task, _ := w.net.Post(s, w.net.Agent, chaintest.Tokens(1), common.Hash{1})
	application, _ := w.net.Apply(s, w.net.Human, task, chaintest.Tokens(1))
	w.net.Accept(s, w.net.Agent, task, application)
	var err error
	w.server, err = newServer(s.ctx, s.dir)
	w.must(err)
	w.monitor, err = newMonitor(s.dir, w.server)
	w.must(err)
	w.variables = w.environment()
	return w
}

func (w *world) environment() map[string]string {
	return map[string]string{
		"DATABASE_URL": storetest.URL(w, w.records), "LISTEN": w.server.listen, "METRICS_LISTEN": w.server.metrics,
		"BASE_URL": "http://" + w.server.listen, "BLOB_URL": "file://" + w.server.path("files") + "?create_dir=true",
		"RPC_URLS":     w.nodes[0].URL + "," + w.nodes[1].URL,
		"DEPLOYMENT":   w.net.DeploymentFile(),
		"SESSION_KEYS": "9f1c7e52d03ab86d4e5f12a7c8b30d69", "KEEPER_PRIVATE_KEY": w.key(keeperAccount), "REWARD_SIGNER_PRIVATE_KEY": w.key(rewarderAccount),
		// Shorter than in production, so that the alerts fire sooner.
		"TUNING": fmt.Sprintf(`{"FinalityDoubt": %d, "AuditInterval": %d, "StopDelay": 0}`, 15*time.Second, 2*time.Second),
	}
}

// key returns the private key of one of anvil's accounts.
func (w *world) key(account int) string {
	return "0x" + hex.EncodeToString(crypto.FromECDSA(w.net.Dev.Accounts()[account].Key))
}

// start starts the server, and mines a block every second.
func (w *world) start() {
	w.must(w.server.write(w.variables))
	w.must(w.server.start())
	ctx, cancel := context.WithCancel(w.ctx)
	stopped := make(chan struct{}, 2)
	w.Cleanup(func() { cancel(); <-stopped; <-stopped })
	go func() {
		if err := w.server.obey(ctx); err != nil {
			w.Error("faults:", err)
		}
		stopped <- struct{}{}
	}()
	go func() {
		for ctx.Err() == nil {
			if err := w.net.Dev.Mine(ctx, 1); err != nil && ctx.Err() == nil {
				w.Error("faults:", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(blockTime):
			}
		}
		stopped <- struct{}{}
	}()
	w.must(w.server.awaitReady(ctx))
	w.await("the watcher to reach the head", w.follows)
}

// await waits until the condition is true.
func (w *world) await(what string, is func() bool) {
	for deadline := time.Now().Add(wait); !is(); time.Sleep(pollPause) {
		if w.must(w.ctx.Err()); time.Now().After(deadline) {
			w.Fatalf("waited %s for %s: %s", wait, what, w.server.tail())
		}
	}
}

// follows reports whether a watcher has the lease and has followed a block near the head.
func (w *world) follows() bool {
	const near = 5
	head := w.net.Head(w)
	cursor, err := w.records.Journal.Cursor(w.ctx)
	if err != nil || cursor.Block.Number+near < head.Number {
		return false
	}
	header, err := w.net.Dev.Client().HeaderByHash(w.ctx, cursor.Block.Hash)
	return err == nil && header.Number.Uint64() == cursor.Block.Number &&
		w.count(`SELECT count(*) FROM chain_head WHERE lease_until > now()`) == 1
}

// makePayable creates approved tasks and lets their payment become due.
func (w *world) makePayable(tasks int) {
	for n := range tasks {
		task := w.net.Submitted(w, common.Hash{2, byte(n)}, common.Hash{3})
		w.net.Approve(w, w.net.Agent, task)
	}
	w.payable += tasks
	w.net.Warp(w, market.ApprovedReview)
}

// paid reports whether the tasks are settled in the records, and no job is open.
func (w *world) paid() bool {
	return w.count(`SELECT count(*) FROM outbox WHERE state IN ('pending', 'sent')`) == 0 &&
		w.count(`SELECT count(*) FROM onchain_tasks WHERE status >= $1`, market.ChainReleased) == w.payable
}

// age waits for a job in the state, and makes all open jobs 11 minutes older, as if that time had
// passed.
func (w *world) age(state string) {
	w.await("jobs", func() bool { return w.count(`SELECT count(*) FROM outbox WHERE state = $1`, state) > 0 })
	_, err := w.db.ExecContext(w.ctx, `UPDATE outbox SET created_at = created_at - interval '11 minutes', run_at = run_at - interval '11 minutes' WHERE state IN ('pending', 'sent')`)
	w.must(err)
}

func (w *world) count(query string, args ...any) (n int) {
	w.must(w.db.GetContext(w.ctx, &n, query, args...))
	return n
}

// approved reports whether the records show an approval of the changed task.
func (w *world) approved() bool {
	tasks, err := w.records.Journal.AuditTasks(w.ctx, market.AuditQuery{Block: 1 << 62, After: w.changed - 1, Limit: 1})
	w.must(err)
	return len(tasks) == 1 && tasks[0].ID == w.changed && tasks[0].AgentApproved
}

// funded reports whether the keeper's balance is high enough for TaskmarketKeeperBalanceEmpty not to fire.
func (w *world) funded() bool {
	balance, err := w.net.Dev.Client().BalanceAt(w.ctx, w.net.Keeper.Address(), nil)
	w.must(err)
	return balance.Cmp(lowBalance) >= 0
}
