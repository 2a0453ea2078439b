package simulation_test

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/store/storetest"
	"taskmarket/test/invariant"
	"taskmarket/test/simulation/evm"
)

// check compares chain, rows and API.
func (w *world) check() error {
	t, err := w.read()
	if err != nil {
		return err
	}
	r, err := w.records(false)
	if err != nil {
		return err
	}
	defer r.Node.Close()
	defer r.Store.Close()
	return firstOf(
		func() error { return r.Logs(w.ctx, t) },
		func() error { return r.State(w.ctx) },
		func() error { return w.checkTasks(t) },
		w.checkWritten,
		func() error { return r.Events(w.ctx) },
		func() error { return r.Balance(w.ctx, t.Head, w.before()) },
	)
}

// firstOf returns the error of the first check that fails.
func firstOf(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// before returns the balances at the start.
func (w *world) before() map[common.Address]*big.Int {
	found := make(map[common.Address]*big.Int)
	for _, p := range w.people() {
		found[p.wallet.Address()] = tokens(1_000)
	}
	return found
}

// records returns a node with a provider without faults, and a store without lost COMMITs. final
// makes all blocks final.
func (w *world) records(final bool) (invariant.Records, error) {
	node, err := rpc.Dial(w.ctx, []string{"http://honest.test"}, evm.ChainID, rpc.NodeOptions{
		CallTimeout: noTimeout, Transport: func(string, http.RoundTripper) http.RoundTripper { return &provider{chain: w.chain, final: final} },
	})
	if err != nil {
		return invariant.Records{}, err
	}
	s, err := w.open(nil)
	return invariant.Records{DB: w.db, Store: s, Node: node, Deployment: w.deployment}, err
}

// checkTasks compares each task in the API with the chain.
func (w *world) checkTasks(t *invariant.Truth) error {
	for _, made := range w.tasks {
		api, err := w.client(made.agent)
		if err != nil {
			return err
		}
		answer, err := api.GetTaskWithResponse(w.ctx, made.id, nil)
		if err != nil {
			return err
		}
		if answer.JSON200 == nil {
			return invariant.Violated(invariant.Agree, "task %s: the API returns %s", made.id, answer.Body)
		}
		if err := t.Agrees(made.terms, *answer.JSON200); err != nil {
			return err
		}
	}
	return nil
}

// checkWritten looks for the records that the API has acknowledged.
func (w *world) checkWritten() error {
	for _, record := range w.acknowledged {
		var exists bool
		if err := w.db.GetContext(w.ctx, &exists, `SELECT EXISTS (SELECT FROM `+record.table+` WHERE id = $1)`, record.id); err != nil {
			return err
		}
		if !exists {
			return invariant.Violated(invariant.Written, "%s of %s is missing", record.id, record.table)
		}
	}
	return nil
}

// derived returns the rows that follow from the chain, by table.
func (w *world) derived() (map[string][]string, error) {
	found := make(map[string][]string)
	for table, query := range storetest.Derived() {
		var rows []string
		if err := w.db.SelectContext(w.ctx, &rows, `SELECT to_jsonb(r)::text FROM (`+query+`) r ORDER BY 1`); err != nil {
			return nil, fmt.Errorf("read %s: %w", pq.QuoteIdentifier(table), err)
		}
		found[table] = rows
	}
	return found, nil
}

// checkReplay reads the chain again, in ranges instead of blocks, and compares the rows.
func (w *world) checkReplay() error {
	r, err := w.records(true)
	if err != nil {
		return err
	}
	defer r.Node.Close()
	defer r.Store.Close()
	lived, err := w.derived()
	if err != nil {
		return err
	}
	if err := r.Store.Journal.Reset(w.ctx, 0); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, time.Hour)
	defer cancel()
	watcher := follow.NewWatcher(r.Node, r.Store.Journal, w.contracts, follow.WatcherOptions{Holder: "replay"}, quiet)
	if _, err := watcher.CatchUp(ctx); err != nil {
		return invariant.Violated(invariant.Replay, "the replay failed: %v", err)
	}
	watcher.Release(w.ctx)
	replayed, err := w.derived()
	if diff := cmp.Diff(lived, replayed); err == nil && diff != "" {
		return invariant.Violated(invariant.Replay, "rows (-lived +replayed):\n%s", diff)
	}
	return err
}
