package simulation_test

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/params"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/test/invariant"
)

// heal ends all faults and resumes what is paused.
func (w *world) heal() error {
	for _, p := range w.providers {
		p.fault, p.calls = healthy, 0
	}
	for i, s := range w.servers {
		w.commits[i].next = uncut
		if err := s.resume(); err != nil {
			return err
		}
	}
	w.chainSkew, w.databaseSkew = 0, 0
	w.chain.SetBaseFee(big.NewInt(params.GWei))
	return nil
}

// patience is the maximum number of rounds of five seconds in which the services must recover.
const patience = 120

// settle mines the pending transactions and lets the services work until they have nothing to do and the
// auditor has no findings.
func (w *world) settle() error {
	idle := 0
	var failed error
	for range patience {
		if err := w.pass(5 * time.Second); err != nil {
			return err
		}
		before := w.chain.Head()
		if len(w.chain.Pool()) > 0 || idle == 1 {
			if err := w.mine(nil); err != nil {
				return err
			}
		}
		busy := w.chain.Head() != before && len(w.chain.Head().Transactions()) > 0
		failed = nil
		for _, s := range w.servers {
			failed = errors.Join(failed, s.watch(1_000), s.keep())
		}
		if failed != nil || busy || !w.followed() {
			idle = 0
			continue
		}
		if idle++; idle <= 2 {
			continue
		}
		if failed = w.audit(); failed == nil {
			return nil
		}
	}
	if violated, ok := errors.AsType[*invariant.Error](failed); ok {
		return violated
	}
	return invariant.Violated(invariant.Head, "the services are not idle after %d rounds: followed: %t, pending transactions: %d, errors: %v",
		patience, w.followed(), len(w.chain.Pool()), failed)
}

// audit runs two rounds of the leading server's auditor, which compare the finalized block and the
// latest one, and checks that it has no findings.
func (w *world) audit() error {
	for _, s := range w.servers {
		if err := errors.Join(s.audit(), s.audit()); err != nil {
			return err
		}
	}
	var findings []string
	err := w.db.SelectContext(w.ctx, &findings, `SELECT format('%s %s: %s', kind, id, difference) FROM chain_findings ORDER BY id`)
	if err == nil && len(findings) > 0 {
		return invariant.Violated(invariant.Audit, "%s", findings[0])
	}
	return err
}

// followed reports whether the rows are those of the chain's head.
func (w *world) followed() bool {
	var same bool
	err := w.db.GetContext(w.ctx, &same, `SELECT coalesce(bool_and(hash = $1), false) FROM chain_head`, w.chain.Head().Hash())
	return err == nil && same
}

// finish ends all tasks by actions of the parties and the keeper, and checks that no task and no stake is
// open.
func (w *world) finish() error {
	for range 3 {
		t, err := w.read()
		if err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(t.Tasks)) {
			e := t.Tasks[id]
			if e.Status != market.ChainPosted && e.Status != market.ChainActive {
				continue
			}
			for _, agent := range w.agents { // the tasks include second postings for the same record
				if agent.wallet.Address() != e.Agent {
					continue
				}
				if _, err := w.send(agent, w.contracts.CancelTask(w.deployment.Escrow, id)); err != nil {
					return err
				}
			}
		}
		for _, id := range slices.Sorted(maps.Keys(t.Stakes)) {
			if s := t.Stakes[id]; s.Status == market.StakeLive && t.Tasks[s.TaskID].Status != market.ChainPosted {
				if _, err := w.send(w.humans[0], w.contracts.WithdrawStake(id)); err != nil {
					return err
				}
			}
		}
		if err := w.pass(40 * 24 * time.Hour); err != nil {
			return err
		}
		if err := w.mine(nil); err != nil { // chain time is that of the last block
			return err
		}
		if err := w.settle(); err != nil {
			return err
		}
	}
	t, err := w.read()
	if err != nil {
		return err
	}
	for _, e := range t.Tasks {
		w.count("task " + string(market.StatusAt(e, nil, t.Head.Time)))
	}
	return t.Ended()
}

// confirm sends the hash of a transaction that funded a task to the API.
func (w *world) confirm(pick uint32) error {
	t, err := w.read()
	if err != nil || len(w.tasks) == 0 {
		return err
	}
	made := w.tasks[pick%uint32(len(w.tasks))]
	e := t.EscrowOf(made.terms)
	api, err := w.client(made.agent)
	if e == nil || err != nil {
		return nil //nolint:nilerr // the API does not answer
	}
	// The response is ignored, because it depends on how far the server has followed the chain.
	_, _ = api.ConfirmTaskFundingWithResponse(w.ctx, made.id, client.ConfirmRequest{TxHash: e.Posted.TxHash.Hex()})
	return nil
}
