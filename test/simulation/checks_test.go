package simulation_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/gen/contracts"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
	"taskmarket/test/simulation/evm"
)

// violationError reports that an invariant does not hold.
type violationError struct{ invariant, detail string }

// Error implements the error interface.
func (e *violationError) Error() string { return e.invariant + ": " + e.detail }

func violation(invariant, format string, args ...any) error {
	return &violationError{invariant, fmt.Sprintf(format, args...)}
}

// The invariants.
const (
	invariantHead    = "the watcher reaches the head"
	invariantAgree   = "chain, rows and API agree"
	invariantReplay  = "a replay gives the same rows"
	invariantWritten = "acknowledged writes exist"
	invariantEvents  = "events are unique and ordered"
	invariantPayment = "no payment is doubled"
	invariantMoney   = "money is conserved"
	invariantEnd     = "every task can end"
)

// check compares chain, rows and API.
func (w *world) check() error {
	for _, check := range []func() error{w.checkLogs, w.checkState, w.checkTasks, w.checkWritten, w.checkEvents, w.checkMoney} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkLogs compares the followed logs with the chain's.
func (w *world) checkLogs() error {
	t, err := w.read()
	if err != nil {
		return err
	}
	var want, got []string
	for _, l := range t.logs {
		want = append(want, fmt.Sprintf("%d %s %d %s", l.Block.Number, hex.EncodeToString(l.Block.Hash[:]), l.Index, l.Event.Kind))
	}
	err = w.db.SelectContext(w.ctx, &got, `
		SELECT format('%s %s %s %s', block_number, encode(block_hash, 'hex'), log_index, kind)
		FROM chain_logs WHERE canonical ORDER BY block_number, log_index`)
	if diff := cmp.Diff(want, got); err == nil && diff != "" {
		return violation(invariantAgree, "logs (-chain +rows):\n%s", diff)
	}
	return err
}

// honest returns a node with a provider without faults, and a store without lost COMMITs. final makes
// all blocks final.
func (w *world) honest(final bool) (*chain.Node, *store.Store, error) {
	node, err := chain.Dial(w.ctx, []string{"http://honest.test"}, evm.ChainID, chain.NodeOptions{
		CallTimeout: noTimeout, Transport: func(string, http.RoundTripper) http.RoundTripper { return &provider{chain: w.chain, final: final} },
	})
	if err != nil {
		return nil, nil, err
	}
	s, err := w.open(func() cutting { return uncut })
	return node, s, err
}

// checkState compares the records with the contracts' state, as the auditor does.
func (w *world) checkState() error {
	node, s, err := w.honest(false)
	if err != nil {
		return err
	}
	defer node.Close()
	defer s.Close()
	auditor := audit.New(node, s, w.deployment, func() (int64, bool) { return 1, true }, audit.Options{}, quiet)
	for range 2 { // the finalized block and the last one
		if err := auditor.Round(w.ctx); err != nil {
			return err
		}
	}
	findings, err := s.Findings(w.ctx, 1)
	if err == nil && len(findings) > 0 {
		return violation(invariantAgree, "%s: %s", findings[0].OnchainRef, findings[0].Difference)
	}
	return err
}

// checkTasks compares each task in the API with the chain.
func (w *world) checkTasks() error {
	t, err := w.read()
	if err != nil {
		return err
	}
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
			return violation(invariantAgree, "task %s: the API returns %s", made.id, answer.Body)
		}
		e := t.escrowOf(made)
		want, number := market.StatusAt(e, nil, blockOf(t.head).Time), ""
		if e != nil {
			number = strconv.FormatUint(e.ID, 10)
		}
		if got := answer.JSON200; string(got.Status) != string(want) || (got.EscrowTaskID == nil) != (e == nil) || e != nil && *got.EscrowTaskID != number {
			return violation(invariantAgree, "task %s: the API returns %s, and on the chain it is %s as task %q", made.id, answer.Body, want, number)
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
			return violation(invariantWritten, "%s of %s is missing", record.id, record.table)
		}
	}
	return nil
}

// checkEvents looks for repeated events, and compares each task's last event with its status. In
// some statuses, such as disputed, a task changes without a change of its status.
func (w *world) checkEvents() error {
	var repeated, stale []string
	err := w.db.SelectContext(w.ctx, &repeated, `
		SELECT format('%s %s %s for %s', id, kind, status, audience_id)
		FROM (SELECT *, lag(status) OVER (PARTITION BY audience_id, kind, subject_id ORDER BY id) AS before FROM events) e
		WHERE status = before AND (kind <> 'task' OR status NOT IN ('active', 'validating', 'disputed'))`)
	if err != nil {
		return err
	}
	if len(repeated) > 0 {
		return violation(invariantEvents, "event %s repeats the one before it", repeated[0])
	}
	err = w.db.SelectContext(w.ctx, &stale, `
		SELECT format('task %s is %s, and its last event %s', t.id, t.status, e.status)
		FROM tasks t
		JOIN LATERAL (
			SELECT status FROM events e
			WHERE e.kind = 'task' AND e.subject_id = t.id AND e.audience_id = t.agent_id ORDER BY id DESC LIMIT 1) e ON true
		WHERE e.status <> t.status`)
	if err == nil && len(stale) > 0 {
		return violation(invariantEvents, "%s", stale[0])
	}
	return err
}

// balances returns the tokens of accounts.
func (w *world) balances(node *chain.Node, accounts []common.Address) ([]*big.Int, error) {
	token := contracts.NewTaskToken()
	var calls []chain.Call
	for _, account := range accounts {
		calls = append(calls, chain.Call{To: w.deployment.Token, Data: token.PackBalanceOf(account)})
	}
	answers, err := node.CallsAt(w.ctx, w.chain.Head().Hash(), calls)
	if err != nil {
		return nil, err
	}
	var found []*big.Int
	for _, answer := range answers {
		balance, err := token.UnpackBalanceOf(answer)
		if err != nil {
			return nil, err
		}
		found = append(found, balance)
	}
	return found, nil
}

// checkMoney compares the balances of all accounts with those that follow from the rows.
func (w *world) checkMoney() error {
	node, s, err := w.honest(false)
	if err != nil {
		return err
	}
	defer node.Close()
	defer s.Close()
	all := market.AuditQuery{Block: w.chain.Head().NumberU64(), Limit: 1_000}
	tasks, err := s.AuditTasks(w.ctx, all)
	if err != nil {
		return err
	}
	stakes, err := s.AuditStakes(w.ctx, all)
	if err != nil {
		return err
	}
	d, want := w.deployment, make(map[common.Address]*big.Int)
	for _, p := range w.people() {
		want[p.wallet.Address()] = tokens(1_000)
	}
	for _, contract := range []common.Address{d.Escrow, d.Staking, d.Treasury} {
		want[contract] = new(big.Int)
	}
	move := func(from, to common.Address, amount *big.Int) {
		if amount != nil {
			want[from].Sub(want[from], amount)
			want[to].Add(want[to], amount)
		}
	}
	for _, e := range tasks {
		move(e.Agent, d.Escrow, e.Amount)
		move(d.Escrow, e.Agent, e.Refund)
		move(d.Escrow, e.Human, e.Paid)
		move(d.Escrow, d.Treasury, e.Fee)
	}
	for _, s := range stakes {
		move(s.Human, d.Staking, s.Amount)
		switch s.Status {
		case market.StakeReturned:
			move(d.Staking, s.Human, s.Amount)
		case market.StakeForfeited:
			move(d.Staking, d.Treasury, s.Amount)
		case market.StakeLive, market.StakeActivated:
		}
	}
	accounts := slices.SortedFunc(maps.Keys(want), common.Address.Cmp)
	found, err := w.balances(node, accounts)
	if err != nil {
		return err
	}
	for i, account := range accounts {
		switch found[i].Cmp(want[account]) {
		case 1:
			return violation(invariantPayment, "%s has %s wei, and %s by the rows", account, found[i], want[account])
		case -1:
			return violation(invariantMoney, "%s has %s wei, and %s by the rows", account, found[i], want[account])
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
	node, s, err := w.honest(true)
	if err != nil {
		return err
	}
	defer node.Close()
	defer s.Close()
	lived, err := w.derived()
	if err != nil {
		return err
	}
	if err := s.Reset(w.ctx, 0); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.ctx, time.Hour)
	defer cancel()
	watcher := chain.NewWatcher(node, s, w.contracts, chain.WatcherOptions{Holder: "replay"}, quiet)
	if _, err := watcher.CatchUp(ctx); err != nil {
		return violation(invariantReplay, "the replay failed: %v", err)
	}
	watcher.Release(w.ctx)
	replayed, err := w.derived()
	if diff := cmp.Diff(lived, replayed); err == nil && diff != "" {
		return violation(invariantReplay, "rows (-lived +replayed):\n%s", diff)
	}
	return err
}
