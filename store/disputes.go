package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/pg"
)

const disputeColumns = `d.id, d.task_id, d.filed_by, d.reason, d.response, d.responded_at, d.created_at`

type disputeRow struct {
	ID          uuid.UUID            `db:"id"`
	TaskID      uuid.UUID            `db:"task_id"`
	FiledBy     market.PrincipalKind `db:"filed_by"`
	Reason      string               `db:"reason"`
	Response    string               `db:"response"`
	RespondedAt pg.NullTime          `db:"responded_at"`
	CreatedAt   pg.NullTime          `db:"created_at"`
}

func (r disputeRow) dispute() market.Dispute {
	return market.Dispute{
		ID: r.ID, TaskID: r.TaskID, FiledBy: r.FiledBy, Reason: r.Reason, Response: r.Response,
		RespondedAt: r.RespondedAt.Pointer(), CreatedAt: r.CreatedAt.Time,
	}
}

// SaveDispute stores one party's reason for a dispute and returns the dispute. A repeated call
// replaces the reason; a new reason deletes the response to the old one. SaveDispute returns
// KindWrongStatus once a dispute is on the chain, except that a party that disputed without a
// reason can add one until the other party responds.
func (s *Store) SaveDispute(ctx context.Context, d market.Dispute) (market.Dispute, error) {
	var row disputeRow
	err := s.db.TxFor(ctx, d.TaskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, d.TaskID)
		if err != nil {
			return err
		}
		if err := s.checkDispute(ctx, tx, task, d.FiledBy); err != nil {
			return err
		}
		err = s.db.Get(ctx, tx, &row, `
			INSERT INTO disputes AS d (id, task_id, filed_by, reason)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (task_id, filed_by) DO UPDATE
			SET reason = excluded.reason, created_at = now(),
			    response = CASE d.reason WHEN excluded.reason THEN d.response ELSE '' END,
			    response_id = CASE d.reason WHEN excluded.reason THEN d.response_id END,
			    responded_at = CASE d.reason WHEN excluded.reason THEN d.responded_at END
			RETURNING `+disputeColumns, d.ID, d.TaskID, d.FiledBy, d.Reason)
		return pg.Translate(err, fmt.Sprintf("save the dispute of task %s", d.TaskID))
	})
	return row.dispute(), err
}

// checkDispute returns an error if the dispute can no longer be changed.
func (s *Store) checkDispute(ctx context.Context, tx *sqlx.Tx, task market.Task, by market.PrincipalKind) error {
	if disputingParty(task) == "" {
		return nil
	}
	var reasoned bool
	err := s.db.Get(ctx, tx, &reasoned, `
		SELECT EXISTS (SELECT 1 FROM disputes WHERE task_id = $1 AND filed_by = $2 AND (reason <> '' OR response <> ''))`, task.ID, by)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the dispute of task %s", task.ID))
	}
	if reasoned || disputingParty(task) != by {
		return market.Errorf(market.KindWrongStatus, "the %s has already disputed the task", disputingParty(task))
	}
	return nil
}

// AnswerDispute stores the other party's response to an on-chain dispute, notifies the party that
// opened the dispute, and returns the dispute. Repeating the call with the same id changes nothing.
// It returns KindNotFound if there is no on-chain dispute, KindForbidden if the party that opened
// it responds, and KindAlreadyExists for a second response. The caller must check the deadline.
func (s *Store) AnswerDispute(ctx context.Context, d market.Dispute, by market.PrincipalKind) (market.Dispute, error) {
	var row disputeRow
	err := s.db.TxFor(ctx, d.TaskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, d.TaskID) // the lock prevents concurrent changes to the dispute
		if err != nil {
			return err
		}
		filer := disputingParty(task)
		if filer == "" {
			return market.Errorf(market.KindNotFound, "there is no dispute to answer: the task is %s", task.Status).
				WithHint("load the task again to see what is possible now")
		}
		if filer == by {
			return market.Errorf(market.KindForbidden, "you filed this dispute; only the other party can answer it").
				WithHint("wait for the other party's response")
		}
		// A dispute that was opened directly on the contract has no reason and no row.
		err = s.db.Get(ctx, tx, &row, `
			INSERT INTO disputes AS d (id, task_id, filed_by, reason, response, response_id, responded_at)
			VALUES ($1, $2, $3, '', $4, $1, now())
			ON CONFLICT (task_id, filed_by) DO UPDATE
			SET response = excluded.response, response_id = excluded.response_id,
			    responded_at = coalesce(d.responded_at, excluded.responded_at)
			WHERE d.response = '' OR d.response_id = excluded.response_id
			RETURNING `+disputeColumns, d.ID, d.TaskID, filer, d.Response)
		if err = pg.Translate(err, fmt.Sprintf("answer the dispute of task %s", d.TaskID)); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindAlreadyExists, "this dispute has already been answered", err)
		}
		if err != nil {
			return err
		}
		return s.notifyFiler(ctx, tx, task, filer)
	})
	return row.dispute(), err
}

// notifyFiler notifies the party that opened the dispute. A human whose wallet has never signed in
// has no feed.
func (s *Store) notifyFiler(ctx context.Context, tx *sqlx.Tx, task market.Task, filer market.PrincipalKind) error {
	receiver := &task.AgentID
	if filer == market.PrincipalHuman {
		receiver = task.HumanID
	}
	if receiver == nil {
		return nil
	}
	return feed.Add(ctx, s.db, tx, filer, *receiver,
		feed.Item{Kind: market.ActivityDisputeAnswered, Related: task.ID, Cause: "dispute-answered"})
}

// disputingParty returns the party that disputed on the chain, or "" if there is no dispute.
func disputingParty(t market.Task) market.PrincipalKind {
	switch {
	case t.Escrow == nil || t.Escrow.DisputedAt.IsZero():
		return ""
	case t.Escrow.DisputedBy == t.Escrow.Agent:
		return market.PrincipalAgent
	default:
		return market.PrincipalHuman
	}
}

// Dispute returns the stored record of the on-chain dispute about the task. If there is no on-chain
// dispute, it returns the draft by the given side; "" means no side. It returns KindNotFound if there
// is no such record.
func (s *Store) Dispute(ctx context.Context, taskID uuid.UUID, side market.PrincipalKind) (market.Dispute, error) {
	var row disputeRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+disputeColumns+`
		FROM disputes d
		JOIN tasks t ON t.id = d.task_id
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE d.task_id = $1
		  AND d.filed_by = CASE e.disputed_by WHEN e.agent THEN 'agent' WHEN e.human THEN 'human' ELSE $2 END`,
		taskID, string(side))
	if err != nil {
		return market.Dispute{}, pg.Translate(err, fmt.Sprintf("select the dispute of task %s", taskID))
	}
	return row.dispute(), nil
}
