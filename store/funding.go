package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/fold"
	"taskmarket/store/internal/pg"
)

// LinkFunding links a task to a posting that has no terms hash. Only the agent knows which task such a
// posting funds. The link takes effect when the posting is on the chain, and a reorganisation does not
// remove it. Repeating the call changes nothing. The task can be linked to another posting only while it
// is new (KindWrongStatus). A posting that is linked to another task is rejected (KindTxAlreadyUsed).
func (s *Store) LinkFunding(ctx context.Context, taskID uuid.UUID, p market.Posting) error {
	// Fast path: a repeated call, or a posting that is linked to another task, needs no lock.
	if claimed, err := s.linkedFunding(ctx, nil, taskID, p); claimed || err != nil {
		return err
	}
	return s.db.TxFor(ctx, taskID, func(tx *sqlx.Tx) error {
		head, err := s.Journal.LockHead(ctx, tx)
		if err != nil {
			return err
		}
		if claimed, err := s.linkedFunding(ctx, tx, taskID, p); claimed || err != nil {
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
			return market.Errorf(market.KindWrongStatus, "the task is %s; another transaction has funded it", task.Status)
		}
		_, err = s.db.Exec(ctx, tx, `UPDATE tasks SET claimed_tx = $2, claimed_ordinal = $3 WHERE id = $1`,
			taskID, p.TxHash, p.Ordinal)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("link transaction %s to task %s", p.TxHash, taskID))
		}
		return fold.New(s.db, s.deployment, tx, head, 0).Link(ctx, taskID)
	})
}

// linkedFunding reports whether the posting is already linked to the task but not on the chain yet.
// It rejects a posting that is linked to another task (KindTxAlreadyUsed).
func (s *Store) linkedFunding(ctx context.Context, tx *sqlx.Tx, taskID uuid.UUID, p market.Posting) (bool, error) {
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
		return false, pg.Translate(err, fmt.Sprintf("select the task that transaction %s funds", p.TxHash))
	case len(claims) == 0:
		return false, nil
	case claims[0].TaskID != taskID:
		return false, pg.Duplicate("tasks_claimed_idx", nil)
	}
	return claims[0].Waits, nil
}
