package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// rejectionPause is the Retry-After of a rejection above the daily limit.
const rejectionPause = time.Hour

// ExplainRejection stores or replaces the agent's reason for rejecting the application, and returns
// the application with the fields that the agent can read. It does not change the reason if the new
// one is empty or the application is already decided. It returns KindNotFound unless the agent
// posted the task. If the rejection would forfeit a stake, it returns KindWrongStatus above
// market.MaxForfeits rejections for the task, and KindRateLimited above the agent's quota.
func (s *Store) ExplainRejection(ctx context.Context, agent market.Principal, taskID, id uuid.UUID, reason string) (market.Application, error) {
	var row applicationRow
	err := s.db.TxFor(ctx, taskID, func(tx *sqlx.Tx) error {
		var locked uuid.UUID // every writer locks the task first
		err := s.db.Get(ctx, tx, &locked, `SELECT id FROM tasks WHERE id = $1 AND agent_id = $2 FOR UPDATE`, taskID, agent.ID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("lock task %s of agent %s", taskID, agent.ID))
		}
		stored, err := s.db.Exec(ctx, tx, `
			UPDATE applications SET rejection_reason = $3
			WHERE id = $1 AND task_id = $2 AND status IN ('new', 'pending') AND $3 <> ''`, id, taskID, reason)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("store the rejection reason of application %s", id))
		}
		err = s.db.Get(ctx, tx, &row, `
			SELECT `+agentApplicationColumns+` FROM `+applicationFrom+` WHERE a.id = $1 AND a.task_id = $2`, id, taskID)
		if err != nil || stored == 0 || row.Status != market.ApplicationPending {
			return pg.Translate(err, fmt.Sprintf("select application %s", id))
		}
		return s.checkForfeits(ctx, tx, agent, taskID)
	})
	return row.application(s.deployment.Staking), err
}

// forfeitCounts counts the rejections of staked applications that are on the chain, and those with a stored
// reason that are not on the chain yet, because the agent has their calldata and can send it at any time.
const forfeitCounts = `
	SELECT t.status,
	       (SELECT count(*)
	        FROM onchain_applications o
	        WHERE o.chain_id = t.chain_id AND o.agent = $2 AND o.escrow = t.escrow AND o.task_id = t.escrow_task_id AND o.rejected)
	       + (SELECT count(*)
	          FROM applications a
	          WHERE a.task_id = t.id AND a.status = 'pending' AND a.rejection_reason IS NOT NULL) AS of_task,
	       (SELECT count(*)
	        FROM onchain_applications o
	        WHERE o.chain_id = t.chain_id AND o.agent = $2 AND o.rejected AND o.ended_at > h.time - %s)
	       + (SELECT count(*)
	          FROM tasks other
	          JOIN applications a ON a.task_id = other.id AND a.status = 'pending' AND a.rejection_reason IS NOT NULL
	          WHERE other.agent_id = t.agent_id AND other.status IN ('funded', 'expired')) AS of_day
	FROM tasks t
	JOIN chain_head h ON h.chain_id = t.chain_id
	WHERE t.id = $1`

// checkForfeits returns an error if the agent's rejections, including the current one, exceed a limit.
func (s *Store) checkForfeits(ctx context.Context, tx *sqlx.Tx, agent market.Principal, taskID uuid.UUID) error {
	// The lock prevents concurrent rejections for other tasks from exceeding the daily limit.
	if err := s.serialize(ctx, tx, "rejections", agent.ID); err != nil {
		return err
	}
	var have struct {
		Status market.Status `db:"status"`
		OfTask int           `db:"of_task"`
		OfDay  int           `db:"of_day"`
	}
	err := s.db.Get(ctx, tx, &have, fmt.Sprintf(forfeitCounts, pg.Interval(market.ForfeitInterval)), taskID, agent.Wallet)
	switch {
	case err != nil:
		return pg.Translate(err, fmt.Sprintf("count the rejections of task %s", taskID))
	case have.OfTask > market.MaxForfeits:
		return market.Errorf(market.KindWrongStatus,
			"the task is %s, and you have already rejected %d applications with a stake for it, which is the limit", have.Status, have.OfTask-1).
			WithHint("accept an application or cancel the task; the other applicants can then withdraw their stakes")
	case have.OfDay > s.quotas.Rejections:
		return &market.Error{
			Kind:    market.KindRateLimited,
			Message: fmt.Sprintf("you can reject at most %d applications with a stake in %s", s.quotas.Rejections, market.FormatDuration(market.ForfeitInterval)),
			Hint:    "accept an application or cancel the task, or reject later; an application that you do not decide expires at no cost to the human", RetryAfter: rejectionPause,
		}
	}
	return nil
}

// forfeitures selects the applications (a) whose stakes were forfeited by a rejection, with the log (l) of the
// rejection and the head of the chain (h). $3 is the staking contract.
const forfeitures = `applications a
		JOIN onchain_applications o ON o.chain_id = a.chain_id AND o.escrow = a.escrow AND o.id = a.onchain_application_id AND o.rejected
		JOIN chain_head h ON h.chain_id = o.chain_id
		JOIN chain_logs l ON l.chain_id = o.chain_id AND l.address = $3 AND l.application_id = o.id AND l.canonical AND l.kind = 'ApplicationRejected'`

// rejectionReview states whether a human who was not hired for a task can review its agent.
type rejectionReview struct {
	Forfeited bool `db:"forfeited"` // whether the agent's rejection forfeited a stake of the human
	Final     bool `db:"final"`     // whether such a rejection is final on the chain
}

// rejectionReview returns whether the human lost a stake for the task because of a rejection.
func (s *Store) rejectionReview(ctx context.Context, tx *sqlx.Tx, taskID, humanID uuid.UUID) (rejectionReview, error) {
	var review rejectionReview
	err := s.db.Get(ctx, tx, &review, `
		SELECT count(*) > 0 AS forfeited, coalesce(bool_or(l.block_number <= h.finalized), false) AS final
		FROM `+forfeitures+`
		WHERE a.task_id = $1 AND a.human_id = $2`, taskID, humanID, s.deployment.Staking)
	return review, pg.Translate(err, fmt.Sprintf("select the forfeited stakes of human %s for task %s", humanID, taskID))
}
