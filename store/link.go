package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
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

// followTasks links each task with the posting that carries it out. No posting
// can be two tasks': it names the terms of one, or is claimed for one.
func (f *fold) followTasks(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*followed, error) {
	candidates, err := f.candidates(ctx, ids)
	if err != nil {
		return nil, err
	}
	records := make(map[uuid.UUID]*followed, len(ids))
	for _, id := range ids {
		err := f.s.updateTask(ctx, f.tx, id, func(t *market.Task) error {
			before := t.Escrow
			if err := t.Follow(firstMatch(t, candidates[id]), f.now()); err != nil {
				return err
			}
			linked := t.Escrow != nil && (before == nil || before.Posted != t.Escrow.Posted)
			records[id] = &followed{task: *t, linked: linked}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return records, f.markChanged(ctx, ids)
}

// firstMatch returns the first of the postings, which are in chain order, that
// carries out the task. Further ones stay unlinked; nil when there is none.
func firstMatch(t *market.Task, candidates []*market.EscrowTask) *market.EscrowTask {
	for _, e := range candidates {
		if t.Matches(e) == nil {
			return e
		}
	}
	return nil
}

// candidates returns, in chain order, the postings that name each record's
// terms, and the one without terms that its agent claimed.
func (f *fold) candidates(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]*market.EscrowTask, error) {
	var rows []struct {
		TaskID uuid.UUID     `db:"task_id"`
		Escrow taskEscrowRow `db:"e"`
	}
	err := f.s.rows(ctx, f.tx, &rows, `
		SELECT t.id AS task_id, `+escrowColumns+`
		FROM tasks t
		JOIN users u ON u.id = t.agent_id
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.agent = u.wallet
		                    AND e.terms_hash = t.terms_hash
		WHERE t.id = ANY ($1)
		UNION ALL
		SELECT t.id AS task_id, `+escrowColumns+`
		FROM tasks t
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow
		                    AND e.posted_tx = t.claimed_tx AND e.posted_ordinal = t.claimed_ordinal
		WHERE t.id = ANY ($1) AND e.terms_hash IS NULL
		ORDER BY "e.posted_block", "e.posted_index"`,
		pq.Array(ids))
	if err != nil {
		return nil, translate(err, "select the postings of tasks")
	}
	candidates := make(map[uuid.UUID][]*market.EscrowTask, len(ids))
	for _, row := range rows {
		candidates[row.TaskID] = append(candidates[row.TaskID], row.Escrow.escrowTask())
	}
	return candidates, nil
}

// markChanged notes the block of the last log that each record follows from,
// which tells how final the record is.
func (f *fold) markChanged(ctx context.Context, ids []uuid.UUID) error {
	_, err := f.s.exec(ctx, f.tx, `
		UPDATE tasks t
		SET changed_block = coalesce((
			SELECT max(l.block_number)
			FROM chain_logs l
			WHERE l.chain_id = t.chain_id AND l.address = t.escrow AND l.task_id = t.escrow_task_id AND l.canonical), 0)
		WHERE t.id = ANY ($1)`,
		pq.Array(ids))
	return translate(err, "mark the blocks that tasks changed in")
}

// ClaimFunding notes that a posting without a terms hash funds the task, as
// its agent says, and links the two as soon as the posting is on the chain. The
// claim is kept across reorganisations. Repeating it changes nothing; another
// claim replaces it only while the task is new (KindWrongStatus), and a posting
// that another task claimed is refused (KindTxAlreadyUsed).
func (s *Store) ClaimFunding(ctx context.Context, taskID uuid.UUID, p market.Posting) error {
	return s.tx(ctx, func(tx *sqlx.Tx) error {
		head, err := s.lockHead(ctx, tx)
		if err != nil {
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
		_, err = s.exec(ctx, tx, `UPDATE tasks SET claimed_tx = $2, claimed_ordinal = $3 WHERE id = $1`,
			taskID, p.TxHash, p.Ordinal)
		if err != nil {
			return translate(err, fmt.Sprintf("claim transaction %s for task %s", p.TxHash, taskID))
		}
		f := s.newFold(tx, head, 0)
		f.records[taskID] = true
		return f.catchUp(ctx)
	})
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
