package simulation_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/test/invariant"
	"taskmarket/test/simulation/evm"
)

// world is the state of one history. Everything runs in turn on one goroutine, except for a step
// that is paused.
type world struct {
	*base
	ctx       context.Context
	chain     *evm.Chain
	db        *sqlx.DB
	providers []*provider
	servers   [instances]*instance
	commits   [instances]commits
	bug       bug

	chainSkew, databaseSkew time.Duration // offsets from the servers' clocks

	clients      map[*person]*account
	tasks        []*task
	acknowledged []written
	truth        *invariant.Truth
	suspensions  []uuid.UUID // ids of suspensions, including lifted ones
	violation    error       // a response of the API that violates an invariant
}

// written is a record whose creation the API acknowledged.
type written struct {
	table   string
	id      uuid.UUID
	verdict verdict // for the table verdicts
}

// verdict identifies a verdict. A later verdict of the validator in the same round replaces an earlier
// one only if it is on different work, which happens if a reorg dropped the earlier work.
type verdict struct {
	task      uuid.UUID
	round     uint64
	validator *person
	work      common.Hash
}

// replaces reports whether v replaces an earlier verdict.
func (v verdict) replaces(earlier verdict) bool {
	sameWork := v
	sameWork.work = earlier.work
	return earlier == sameWork && v.work != earlier.work
}

// task is a task that the API has acknowledged.
type task struct {
	id     uuid.UUID
	agent  *person
	amount *big.Int
	terms  common.Hash
}

// newWorld returns a world on its own fork of the chain, and restores the database. If the world is not
// nil, it must be closed, even after an error.
func newWorld(ctx context.Context, b *base, seeded bug) (*world, error) {
	fork, err := b.chain.Fork()
	if err != nil {
		return nil, err
	}
	w := &world{base: b, ctx: ctx, chain: fork, bug: seeded, clients: make(map[*person]*account)}
	c, err := pq.NewConnector(b.database + "&binary_parameters=yes")
	if err != nil {
		return nil, err
	}
	w.db = sqlx.NewDb(b.observing.open(nil)(c), "postgres")
	if _, err := w.db.ExecContext(ctx, `SELECT simulation.restore()`); err != nil {
		return w, fmt.Errorf("restore the database: %w", err)
	}
	if _, err := w.db.ExecContext(ctx, removeBug+";"+seeded.sql); err != nil {
		return w, fmt.Errorf("seed the bug: %w", err)
	}
	if seeded.change != nil {
		fork.Change = seeded.change(b)
	}
	for range 2 {
		w.providers = append(w.providers, &provider{
			chain: fork, took: func(f fault) { w.count(nodeFault(f)) }, replaced: func() { w.count(keeperReplaces) },
		})
	}
	for i := range w.servers {
		w.commits[i].lost = func(lost cutting) { w.count(string(lost)) }
		if err := w.startServer(i); err != nil {
			return w, err
		}
	}
	return w, w.pass(time.Second)
}

func (w *world) close() {
	for _, s := range w.servers {
		if s != nil { // nil if newWorld failed
			_ = s.kill()
		}
	}
	_ = w.db.Close()
	time.Sleep(time.Minute) // until the goroutines of the stores have ended
}

// pass lets virtual time pass.
func (w *world) pass(d time.Duration) error {
	time.Sleep(d)
	return w.setClock()
}

// setClock sets the database's clock.
func (w *world) setClock() error {
	if _, err := w.db.ExecContext(w.ctx, `UPDATE simulation.clock SET at = $1`, time.Now().Add(w.databaseSkew).UTC()); err != nil {
		return err
	}
	if w.databaseSkew == 0 {
		return nil
	}
	var now time.Time
	err := w.db.GetContext(w.ctx, &now, `SELECT now()`)
	w.countSkew(databaseClock, time.Until(now))
	return err
}

// countSkew records that a clock was ahead of the servers' clock, or behind it, when it was read.
func (w *world) countSkew(whose string, ahead time.Duration) {
	switch {
	case ahead > 0:
		w.count(clockAhead(whose))
	case ahead < 0:
		w.count(clockBehind(whose))
	}
}

// now returns the chain's time, in seconds.
func (w *world) now() uint64 { return uint64(time.Now().Add(w.chainSkew).Unix()) }

// mine adds a block with the pending transactions, except those that omit selects.
func (w *world) mine(omit func(*types.Transaction) bool) error {
	b, err := w.chain.Mine(w.now(), omit)
	if err != nil {
		return err
	}
	if b.Time() == w.now() { // the parent's time did not make it later
		w.countSkew(chainClock, w.chainSkew)
	}
	if slices.ContainsFunc(w.chain.Pool(), func(tx *types.Transaction) bool { return w.byKeeper(tx) && tx.GasFeeCapIntCmp(b.BaseFee()) < 0 }) {
		w.count(feeSpike)
	}
	return nil
}

// byKeeper reports whether the keeper sent the transaction.
func (w *world) byKeeper(tx *types.Transaction) bool {
	sender, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	return err == nil && sender == w.keeper.Address()
}

// send signs a call and adds it to the pending transactions.
func (w *world) send(p *person, call market.Call) (common.Hash, error) {
	nonce, err := w.chain.NextNonce(p.wallet.Address())
	if err != nil {
		return common.Hash{}, err
	}
	tx, err := p.wallet.SignTx(w.ctx, types.NewTx(&types.DynamicFeeTx{
		ChainID: big.NewInt(evm.ChainID), Nonce: nonce, To: &call.To, Data: call.Data, Gas: 500_000,
		GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(1_000_000 * params.GWei),
	}), evm.ChainID)
	if err != nil {
		return common.Hash{}, err
	}
	return tx.Hash(), w.chain.Add(tx)
}

// read returns the state that follows from the canonical logs up to the head.
func (w *world) read() (*invariant.Truth, error) {
	if w.truth != nil && w.truth.Head.Hash == w.chain.Head().Hash() {
		return w.truth, nil
	}
	var blocks []*evm.Block
	for b := w.chain.Head(); b != nil && b.NumberU64() >= w.deployment.StartBlock; b = b.Parent {
		blocks = append(blocks, b)
	}
	slices.Reverse(blocks)
	t := invariant.NewTruth(w.contracts, w.deployment)
	for _, b := range blocks {
		var logs []*types.Log
		for _, r := range b.Receipts {
			logs = append(logs, r.Logs...)
		}
		if err := t.Add(blockOf(b), logs); err != nil {
			return nil, err
		}
	}
	if err := t.Fold(); err != nil {
		return nil, err
	}
	w.truth = t
	return t, nil
}

// digest returns a hash of the blocks' times, senders and results. It omits data that contains record
// ids: these always increase, so they depend on the earlier histories of the process.
func (w *world) digest() common.Hash {
	hash, signer := sha256.New(), types.LatestSignerForChainID(big.NewInt(evm.ChainID))
	for b := w.chain.Head(); b.Parent != nil; b = b.Parent {
		fmt.Fprintln(hash, b.NumberU64(), b.Time())
		for i, tx := range b.Transactions() {
			sender, err := types.Sender(signer, tx)
			fmt.Fprintln(hash, sender, err, tx.Nonce(), tx.To(), b.Receipts[i].Status, len(b.Receipts[i].Logs))
		}
	}
	return common.Hash(hash.Sum(nil))
}

func blockOf(b *evm.Block) market.Block {
	return market.Block{Number: b.NumberU64(), Hash: b.Hash(), Parent: b.ParentHash(), Time: time.Unix(int64(b.Time()), 0).UTC()}
}

// RoundTrip implements http.RoundTripper. It passes a request to the API without a network.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) { return w.servers[0].serve(r) }
