package store

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// AgentActionKind is the kind of an agent's pending action.
type AgentActionKind string

// The kinds of pending actions for an agent.
const (
	AgentActionReviewApplication AgentActionKind = "review_application"  // accept or reject a staked application
	AgentActionReviewSubmission  AgentActionKind = "review_submission"   // approve or dispute submitted work
	AgentActionAnswerDispute     AgentActionKind = "answer_dispute"      // respond to a dispute opened by the human
	AgentActionCancelExpiredTask AgentActionKind = "cancel_expired_task" // cancel an expired task whose amount is still locked
	AgentActionCancelPosting     AgentActionKind = "cancel_posting"      // cancel a posting that is not linked to a task
	AgentActionLeaveReview       AgentActionKind = "leave_review"        // review the human after a task has ended
)

// AgentAction is an action that is pending for an agent.
type AgentAction struct {
	Kind          AgentActionKind
	ID            uuid.UUID  // orders the list; the action's id in the API is derived from it and Kind
	TaskID        *uuid.UUID // nil for a posting unless a task has its terms hash
	TaskTitle     string     // empty if TaskID is nil
	ApplicationID *uuid.UUID
	CreatedAt     time.Time         // time of the event that caused the action, such as the submission
	Deadline      *time.Time        // chain time; nil if there is no deadline
	EscrowTask    market.EscrowTask // only ChainID, Escrow and ID are set
	Finality      market.Finality
}

// agentActions selects the pending actions of agents. Each part of the UNION ALL has an index that
// begins with the agent, so that the planner can apply the condition on the agent to it. A posting
// without a task has no id in the database; its id is a hash of its chain, its escrow contract and its
// escrow task id.
var agentActions = `(
	SELECT t.agent_id, 'review_application' AS kind, a.id AS application_id, a.task_id, a.id,
	       least(o.expires_at, t.deadline)::timestamptz AS deadline,
	       t.chain_id, t.escrow::bytea AS escrow, t.escrow_task_id, t.changed_block AS block
	FROM tasks t
	JOIN applications a ON a.task_id = t.id AND a.status = 'pending'
	JOIN onchain_applications o ON o.chain_id = a.chain_id AND o.escrow = a.escrow AND o.id = a.onchain_application_id
	WHERE t.status = 'funded'
	UNION ALL
	SELECT t.agent_id, 'review_submission', NULL, t.id AS task_id, t.id, t.turns_at, t.chain_id, t.escrow, t.escrow_task_id, t.changed_block
	FROM tasks t
	WHERE t.status = 'submitted'
	UNION ALL
	SELECT t.agent_id, 'answer_dispute', NULL, t.id AS task_id, t.id, e.disputed_at + ` + pg.Interval(market.ResponseWindow) + `,
	       t.chain_id, t.escrow, t.escrow_task_id, t.changed_block
	FROM tasks t
	JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
	JOIN chain_head h ON h.chain_id = t.chain_id
	WHERE t.status = 'disputed' AND e.disputed_by = e.human AND h.time < e.disputed_at + ` + pg.Interval(market.ResponseWindow) + `
	  AND NOT EXISTS (SELECT 1 FROM disputes d WHERE d.task_id = t.id AND d.filed_by = 'human' AND d.response <> '')
	UNION ALL
	SELECT t.agent_id, 'cancel_expired_task', NULL, t.id AS task_id, t.id, NULL, t.chain_id, t.escrow, t.escrow_task_id, t.changed_block
	FROM tasks t
	WHERE t.status = 'expired'
	UNION ALL
	SELECT t.agent_id, 'leave_review', NULL, t.id AS task_id, t.id, NULL, t.chain_id, t.escrow, t.escrow_task_id, t.changed_block
	FROM tasks t
	WHERE t.status IN ('approved', 'rejected', 'cancelled') AND t.human_id IS NOT NULL
	  AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.task_id = t.id AND r.reviewer_id = t.agent_id)
	UNION ALL
	SELECT u.id, 'cancel_posting', NULL, d.id, md5(concat_ws(':', e.chain_id, encode(e.escrow, 'hex'), e.id))::uuid, NULL,
	       e.chain_id, e.escrow, e.id, e.posted_block
	FROM users u
	JOIN onchain_tasks e ON e.agent = u.wallet AND e.status = 1
	LEFT JOIN tasks d ON d.terms_hash = e.terms_hash AND d.agent_id = u.id
	WHERE u.kind = 'agent' AND NOT EXISTS (
		SELECT 1 FROM tasks t WHERE t.chain_id = e.chain_id AND t.escrow = e.escrow AND t.escrow_task_id = e.id)
) c`

type agentActionRow struct {
	pg.Listed
	Kind          AgentActionKind `db:"kind"`
	ID            uuid.UUID       `db:"id"`
	TaskID        *uuid.UUID      `db:"task_id"`
	TaskTitle     *string         `db:"task_title"`
	ApplicationID *uuid.UUID      `db:"application_id"`
	Deadline      pg.NullTime     `db:"deadline"`
	CreatedAt     pg.NullTime     `db:"created_at"`
	ChainID       uint64          `db:"chain_id"`
	Escrow        common.Address  `db:"escrow"`
	EscrowTaskID  pg.NullUint     `db:"escrow_task_id"`
	Finality      market.Finality `db:"finality"`
}

func (r agentActionRow) action() AgentAction {
	return AgentAction{
		Kind: r.Kind, ID: r.ID, TaskID: r.TaskID, TaskTitle: pg.Text(r.TaskTitle), ApplicationID: r.ApplicationID,
		Deadline: r.Deadline.Pointer(), CreatedAt: r.CreatedAt.Time,
		EscrowTask: market.EscrowTask{ChainID: r.ChainID, Escrow: r.Escrow, ID: uint64(r.EscrowTaskID)}, Finality: r.Finality,
	}
}

// AgentActions lists the agent's pending actions, nearest deadline first. Actions without a
// deadline are last.
func (s *Store) AgentActions(ctx context.Context, agentID uuid.UUID, page PageQuery) (Page[AgentAction], error) {
	list := pg.List[agentActionRow]{
		What: "select agent actions",
		Columns: `c.kind, c.id, c.task_id, t.title AS task_title, c.application_id,
			CASE c.kind WHEN 'review_application' THEN a.created_at WHEN 'review_submission' THEN e.submitted_at
			            WHEN 'answer_dispute' THEN e.disputed_at WHEN 'cancel_expired_task' THEN t.deadline
			            WHEN 'leave_review' THEN e.ended_at ELSE e.posted_at END AS created_at,
			 c.deadline, c.chain_id, c.escrow, c.escrow_task_id,
			(SELECT CASE WHEN c.block <= h.finalized THEN 'final' WHEN c.block <= h.safe THEN 'safe' ELSE 'seen' END
			 FROM chain_head h WHERE h.chain_id = c.chain_id) AS finality`,
		From: agentActions,
		Joins: `
			LEFT JOIN tasks t ON t.id = c.task_id
			LEFT JOIN applications a ON a.id = c.application_id
			LEFT JOIN onchain_tasks e ON e.chain_id = c.chain_id AND e.escrow = c.escrow AND e.id = c.escrow_task_id`,
		Order: pg.Order{Name: "agent_actions", Key: pg.OrInfinity("c.deadline"), ID: "c.id", Parse: pg.ParseTimeOrInfinity},
		Key:   func(r agentActionRow) (string, uuid.UUID) { return pg.TimeKey(r.Deadline.Time), r.ID },
	}
	list.Filter.Add("c.agent_id = ?", agentID)
	return pg.SelectPage(ctx, s.db, list, page, agentActionRow.action)
}
