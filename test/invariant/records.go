package invariant

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
	"taskmarket/store"
)

// Records is the service's database, with an honest node. The watcher must have followed the chain up to
// the head of the Truth with which a method compares the rows.
type Records struct {
	DB         *sqlx.DB
	Store      *store.Store
	Node       *rpc.Node
	Deployment market.Deployment
}

// Logs compares the followed logs with the chain's.
func (r Records) Logs(ctx context.Context, t *Truth) error {
	var want, got []string
	for _, l := range t.Logs {
		want = append(want, fmt.Sprintf("%d %s %d %s", l.Block.Number, hex.EncodeToString(l.Block.Hash[:]), l.Index, l.Event.Kind))
	}
	err := r.DB.SelectContext(ctx, &got, `
		SELECT format('%s %s %s %s', block_number, encode(block_hash, 'hex'), log_index, kind)
		FROM chain_logs WHERE canonical ORDER BY block_number, log_index`)
	if diff := cmp.Diff(want, got); err == nil && diff != "" {
		return Violated(Agree, "logs (-chain +rows):\n%s", diff)
	}
	return err
}

// State compares the records with the contracts' state, as the auditor does.
func (r Records) State(ctx context.Context) error {
	auditor := audit.New(r.Node, r.Store.Journal, r.Deployment, func() (int64, bool) { return 1, true }, audit.Options{}, slog.New(slog.DiscardHandler))
	for range 2 { // at the finalized block and at the latest one
		if err := auditor.Round(ctx); err != nil {
			return err
		}
	}
	findings, err := r.Store.Journal.Findings(ctx, 1)
	if err == nil && len(findings) > 0 {
		return Violated(Agree, "%s: %s", findings[0].OnchainRef, findings[0].Difference)
	}
	return err
}

// Events looks for repeated events, and compares each task's last event with its status. Repeated
// events are allowed for statuses such as disputed, in which a task can change while its status stays
// the same.
func (r Records) Events(ctx context.Context) error {
	var repeated, stale []string
	err := r.DB.SelectContext(ctx, &repeated, `
		SELECT format('%s %s %s for %s', id, kind, status, audience_id)
		FROM (SELECT *, lag(status) OVER (PARTITION BY audience_id, kind, subject_id ORDER BY id) AS before FROM events) e
		WHERE status = before AND (kind <> 'task' OR status NOT IN ('active', 'validating', 'disputed'))`)
	if err != nil {
		return err
	}
	if len(repeated) > 0 {
		return Violated(Events, "event %s repeats the one before it", repeated[0])
	}
	err = r.DB.SelectContext(ctx, &stale, `
		SELECT format('task %s is %s, and its last event %s', t.id, t.status, e.status)
		FROM tasks t
		JOIN LATERAL (
			SELECT status FROM events e
			WHERE e.kind = 'task' AND e.subject_id = t.id AND e.audience_id = t.agent_id ORDER BY id DESC LIMIT 1) e ON true
		WHERE e.status <> t.status`)
	if err == nil && len(stale) > 0 {
		return Violated(Events, "%s", stale[0])
	}
	return err
}

// Balances returns the token balances of the accounts at the block, in wei.
func (r Records) Balances(ctx context.Context, block common.Hash, accounts []common.Address) ([]*big.Int, error) {
	token := contracts.NewTaskToken()
	var calls []chain.Call
	for _, account := range accounts {
		calls = append(calls, chain.Call{To: r.Deployment.Token, Data: token.PackBalanceOf(account)})
	}
	var found []*big.Int
	err := r.Node.CallsAt(ctx, block, calls, func(_ string, results []hexutil.Bytes) error {
		found = nil
		for _, result := range results {
			balance, err := token.UnpackBalanceOf(result)
			if err != nil {
				return err
			}
			found = append(found, balance)
		}
		return nil
	})
	return found, err
}

// Balance compares the balances of the contracts and of the parties with those that follow from the
// rows. before has the parties' balances before the first task, in wei.
func (r Records) Balance(ctx context.Context, head market.Block, before map[common.Address]*big.Int) error {
	want, err := r.expected(ctx, head, before)
	if err != nil {
		return err
	}
	accounts := slices.SortedFunc(maps.Keys(want), common.Address.Cmp)
	found, err := r.Balances(ctx, head.Hash, accounts)
	if err != nil {
		return err
	}
	for i, account := range accounts {
		switch found[i].Cmp(want[account]) {
		case 1:
			return Violated(Payment, "%s has %s wei, but the rows imply %s", account, found[i], want[account])
		case -1:
			return Violated(Money, "%s has %s wei, but the rows imply %s", account, found[i], want[account])
		}
	}
	return nil
}

// expected returns the balances that follow from the rows.
func (r Records) expected(ctx context.Context, head market.Block, before map[common.Address]*big.Int) (map[common.Address]*big.Int, error) {
	all := market.AuditQuery{Block: head.Number, Limit: 1_000}
	tasks, err := r.Store.Journal.AuditTasks(ctx, all)
	if err != nil {
		return nil, err
	}
	stakes, err := r.Store.Journal.AuditStakes(ctx, all)
	if err != nil {
		return nil, err
	}
	d, want := r.Deployment, map[common.Address]*big.Int{r.Deployment.Escrow: new(big.Int), r.Deployment.Staking: new(big.Int), r.Deployment.Treasury: new(big.Int)}
	for account, balance := range before {
		want[account] = new(big.Int).Set(balance)
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
	return want, nil
}
