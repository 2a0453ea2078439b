package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// followed is a record that was made what the chain says.
type followed struct {
	task         market.Task
	linked       bool // to another posting than before
	applications []linkedApplication
}

// assigned returns the human that the escrow names, nil when nobody we know.
func (r *followed) assigned() *uuid.UUID {
	if r.task.Escrow == nil {
		return nil
	}
	for _, a := range r.applications {
		if a.HumanWallet == r.task.Escrow.Human {
			return &a.HumanID
		}
	}
	return nil
}

// follow makes the collected records what the chain says: tasks first, because
// an application depends on which escrow record its task is linked to.
func (f *fold) follow(ctx context.Context) error {
	ids := taskIDs(f.records)
	if len(ids) == 0 {
		return nil
	}
	records, err := f.followTasks(ctx, ids)
	if err != nil {
		return err
	}
	if err := f.followApplications(ctx, ids, records); err != nil {
		return err
	}
	return f.addActivities(ctx, ids, records)
}

// catchUp is follow outside of the watcher's own transactions.
func (f *fold) catchUp(ctx context.Context) error {
	if err := f.follow(ctx); err != nil {
		return err
	}
	return f.confirmActivities(ctx)
}

// ClaimFunding notes that a posting without a terms hash funds the task, as
// its agent says, and links the two as soon as the posting is on the chain. The
// claim is kept across reorganisations. Repeating it changes nothing; another
// claim replaces it only while the task is new (KindWrongStatus), and a posting
// that another task claimed is refused (KindTxAlreadyUsed).
func (s *Store) ClaimFunding(ctx context.Context, taskID uuid.UUID, p market.Posting) error {
	// Who repeats a claim, or comes too late, holds up nobody.
	if claimed, err := s.claimedFunding(ctx, nil, taskID, p); claimed || err != nil {
		return err
	}
	return s.db.TxFor(ctx, taskID, func(tx *sqlx.Tx) error {
		head, err := s.lockHead(ctx, tx)
		if err != nil {
			return err
		}
		if claimed, err := s.claimedFunding(ctx, tx, taskID, p); claimed || err != nil {
			return err
		}
		task, err := s.lockTask(ctx, tx, taskID)
		if err != nil {
			return err
		}
		if e := task.Escrow; e != nil {
			if e.Posted.TxHash == p.TxHash && e.Posted.Ordinal == p.Ordinal {
				return nil
			}
			return market.Errorf(market.KindWrongStatus, "the task is %s; another transaction funded it", task.Status)
		}
		_, err = s.db.Exec(ctx, tx, `UPDATE tasks SET claimed_tx = $2, claimed_ordinal = $3 WHERE id = $1`,
			taskID, p.TxHash, p.Ordinal)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("claim transaction %s for task %s", p.TxHash, taskID))
		}
		f := s.newFold(tx, head, 0)
		f.records[taskID] = true
		return f.catchUp(ctx)
	})
}

// claimedFunding reports whether the task has claimed the posting and waits for
// it. It refuses a posting that another task claimed (KindTxAlreadyUsed).
func (s *Store) claimedFunding(ctx context.Context, tx *sqlx.Tx, taskID uuid.UUID, p market.Posting) (bool, error) {
	var claims []struct {
		TaskID uuid.UUID `db:"id"`
		Waits  bool      `db:"waits"`
	}
	err := s.db.Select(ctx, tx, &claims, `
		SELECT c.id, c.escrow_task_id IS NULL AS waits
		FROM tasks t
		JOIN tasks c ON c.chain_id = t.chain_id AND c.escrow = t.escrow AND c.claimed_tx = $2 AND c.claimed_ordinal = $3
		WHERE t.id = $1`, taskID, p.TxHash, p.Ordinal)
	switch {
	case err != nil:
		return false, pg.Translate(err, fmt.Sprintf("look who claims transaction %s", p.TxHash))
	case len(claims) == 0:
		return false, nil
	case claims[0].TaskID != taskID:
		return false, pg.Duplicate("tasks_claimed_tx_idx", nil)
	}
	return claims[0].Waits, nil
}

// linkHuman links what a wallet did on the chain before it had an account, in
// the transaction that makes the account.
func (s *Store) linkHuman(ctx context.Context, tx *sqlx.Tx, humanID uuid.UUID, wallet common.Address) error {
	head, err := s.lockHead(ctx, tx)
	if err != nil {
		return err
	}
	f := s.newFold(tx, head, 0)
	err = f.find(ctx, fmt.Sprintf("find what human %s did on the chain", humanID), `
		SELECT t.id
		FROM onchain_tasks o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.human = $3
		UNION
		SELECT t.id
		FROM onchain_applications o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.task_id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.human = $3`,
		s.deployment.ChainID, s.deployment.Escrow, wallet)
	if err != nil {
		return err
	}
	return f.catchUp(ctx)
}
