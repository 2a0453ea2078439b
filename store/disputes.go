package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
)

const disputeColumns = `d.id, d.task_id, d.filed_by, d.reason, d.response, d.responded_at, d.created_at`

type disputeRow struct {
	ID          uuid.UUID            `db:"id"`
	TaskID      uuid.UUID            `db:"task_id"`
	FiledBy     market.PrincipalKind `db:"filed_by"`
	Reason      string               `db:"reason"`
	Response    string               `db:"response"`
	RespondedAt nullTime             `db:"responded_at"`
	CreatedAt   nullTime             `db:"created_at"`
}

func (r disputeRow) dispute() market.Dispute {
	return market.Dispute{
		ID: r.ID, TaskID: r.TaskID, FiledBy: r.FiledBy, Reason: r.Reason, Response: r.Response,
		RespondedAt: r.RespondedAt.pointer(), CreatedAt: r.CreatedAt.Time,
	}
}

// SaveDispute records a side's reason and returns its dispute; again, it
// replaces the reason. Once the chain shows a dispute its record is fixed
// (KindWrongStatus), except that whoever disputed without a reason may give it.
func (s *Store) SaveDispute(ctx context.Context, d market.Dispute) (market.Dispute, error) {
	var row disputeRow
	err := s.tx(ctx, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, d.TaskID)
		if err != nil {
			return err
		}
		if err := s.checkDispute(ctx, tx, task, d.FiledBy); err != nil {
			return err
		}
		err = s.get(ctx, tx, &row, `
			INSERT INTO disputes AS d (id, task_id, filed_by, reason)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (task_id, filed_by) DO UPDATE SET reason = excluded.reason, created_at = now()
			RETURNING `+disputeColumns, d.ID, d.TaskID, d.FiledBy, d.Reason)
		return translate(err, fmt.Sprintf("save the dispute of task %s", d.TaskID))
	})
	return row.dispute(), err
}

// checkDispute refuses to change what the chain has made final.
func (s *Store) checkDispute(ctx context.Context, tx *sqlx.Tx, task market.Task, by market.PrincipalKind) error {
	if disputer(task) == "" {
		return nil
	}
	var reasoned bool
	err := s.get(ctx, tx, &reasoned, `
		SELECT EXISTS (SELECT 1 FROM disputes WHERE task_id = $1 AND filed_by = $2 AND reason <> '')`, task.ID, by)
	if err != nil {
		return translate(err, fmt.Sprintf("select the dispute of task %s", task.ID))
	}
	if reasoned || disputer(task) != by {
		return market.Errorf(market.KindWrongStatus, "the task is disputed by its %s already", disputer(task))
	}
	return nil
}

// disputer returns who disputed on the chain, "" for nobody.
func disputer(t market.Task) market.PrincipalKind {
	switch {
	case t.Escrow == nil || t.Escrow.DisputedAt.IsZero():
		return ""
	case t.Escrow.DisputedBy == t.Escrow.Agent:
		return market.PrincipalAgent
	default:
		return market.PrincipalHuman
	}
}

// Dispute returns the dispute that the chain shows, or else the draft of the
// given side; "" reads no draft.
func (s *Store) Dispute(ctx context.Context, taskID uuid.UUID, side market.PrincipalKind) (market.Dispute, error) {
	var row disputeRow
	err := s.get(ctx, nil, &row, `
		SELECT `+disputeColumns+`
		FROM disputes d
		JOIN tasks t ON t.id = d.task_id
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE d.task_id = $1
		  AND d.filed_by = CASE e.disputed_by WHEN e.agent THEN 'agent' WHEN e.human THEN 'human' ELSE $2 END`,
		taskID, string(side))
	if err != nil {
		return market.Dispute{}, translate(err, fmt.Sprintf("select the dispute of task %s", taskID))
	}
	return row.dispute(), nil
}
