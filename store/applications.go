package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

const (
	// applicationColumns are the columns that the applying human can read.
	applicationColumns = applicationRecord + `,
		CASE a.status WHEN 'rejected' THEN a.rejection_reason END AS rejection_reason`

	// agentApplicationColumns are the columns that the task's agent can read. They include the
	// reason for a rejection that is not on the chain yet.
	agentApplicationColumns = applicationRecord + `, a.rejection_reason`

	applicationRecord = `
		a.id, a.task_id, a.human_id, u.username AS human_username, u.wallet AS human_wallet,
		u.verified_at IS NOT NULL AS human_verified, a.message, a.stake_amount, a.status, a.decision, a.created_at,` + onchain.ApplicationColumns

	applicationFrom = `applications a` + applicationJoins

	applicationJoins = `
		JOIN users u ON u.id = a.human_id
		LEFT JOIN onchain_applications o
			ON o.chain_id = a.chain_id AND o.escrow = a.escrow AND o.id = a.onchain_application_id`
)

type applicationRow struct {
	pg.Listed
	ID            uuid.UUID                `db:"id"`
	TaskID        uuid.UUID                `db:"task_id"`
	HumanID       uuid.UUID                `db:"human_id"`
	HumanUsername string                   `db:"human_username"`
	HumanWallet   common.Address           `db:"human_wallet"`
	HumanVerified bool                     `db:"human_verified"`
	Message       string                   `db:"message"`
	StakeAmount   pg.Wei                   `db:"stake_amount"`
	Status        market.ApplicationStatus `db:"status"`
	Decision      *string                  `db:"decision"`
	Reason        *string                  `db:"rejection_reason"`
	CreatedAt     pg.NullTime              `db:"created_at"`
	Stake         onchain.ApplicationRow   `db:"o"`
}

func (r applicationRow) application(staking common.Address) market.Application {
	return market.Application{
		ID: r.ID, TaskID: r.TaskID, HumanID: r.HumanID, HumanUsername: r.HumanUsername,
		HumanWallet: r.HumanWallet, HumanVerified: r.HumanVerified, Message: r.Message,
		StakeAmount: r.StakeAmount.Int, Status: r.Status, Stake: r.Stake.StakeOf(staking),
		Decision: market.ApplicationStatus(pg.Text(r.Decision)), RejectionReason: pg.Text(r.Reason), CreatedAt: r.CreatedAt.Time,
	}
}

// CreateApplication inserts a human's application to another user's funded task, notifies the
// task's agent, and returns the stored application. Repeating the call with the same id changes
// nothing. It returns KindWrongStatus if the task is not funded or not shown, if the human already has
// an open application, or if market.MaxUnstaked of the human's applications for the task ended without
// a stake. It returns KindInvalid for a task of the human's own wallet, and KindRestricted for a limited
// or suspended human.
func (s *Store) CreateApplication(ctx context.Context, a market.Application) (market.Application, error) {
	var created market.Application
	err := s.db.TxFor(ctx, a.TaskID, func(tx *sqlx.Tx) error {
		// Lock the task, so that a concurrent fold that ends the task also updates this
		// application.
		task, err := s.lockTask(ctx, tx, a.TaskID)
		if err != nil {
			return err
		}
		created, err = s.application(ctx, tx, a.TaskID, a.ID)
		if market.KindOf(err) != market.KindNotFound {
			return err // already inserted by an earlier attempt (err is nil), or an error
		}
		if err := s.checkApplicant(ctx, tx, task, a.HumanID); err != nil {
			return err
		}
		if err := s.insertApplication(ctx, tx, task, a); err != nil {
			return err
		}
		err = feed.Add(ctx, s.db, tx, market.PrincipalAgent, task.AgentID,
			feed.Item{Kind: market.ActivityApplicationCreated, Related: a.ID, Cause: "application-created"})
		if err != nil {
			return err
		}
		created, err = s.application(ctx, tx, a.TaskID, a.ID)
		return err
	})
	return created, err
}

func (s *Store) checkApplicant(ctx context.Context, tx *sqlx.Tx, task market.Task, humanID uuid.UUID) error {
	if task.Status != market.StatusFunded {
		return market.Errorf(market.KindWrongStatus, "the task is %s; humans can apply only for a funded task", task.Status)
	}
	if !task.Visibility.Shown() {
		return market.Errorf(market.KindWrongStatus, "the task is %s by moderation; humans can apply only for a task that is shown", task.Visibility)
	}
	var human struct {
		Wallet common.Address      `db:"wallet"`
		State  market.AccountState `db:"account_state"`
	}
	err := s.db.Get(ctx, tx, &human, `SELECT wallet, account_state FROM users WHERE id = $1 AND kind = 'human'`, humanID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the wallet of human %s", humanID))
	}
	if human.State.Restricted() {
		return human.State.Refusal()
	}
	if human.Wallet == task.AgentWallet {
		return market.Errorf(market.KindInvalid, "this task belongs to your own wallet; you cannot apply for it")
	}
	often, err := s.appliedTooOften(ctx, tx, task.ID, humanID)
	if err == nil && often {
		return market.Errorf(market.KindWrongStatus,
			"the task is %s, and %d of your applications for it ended without a stake, which is the limit", task.Status, market.MaxUnstaked).
			WithHint("apply for another task; applications with a locked stake do not count")
	}
	return err
}

// endedUnstaked is true for applications (a) that were withdrawn or rejected without a stake. After
// market.MaxUnstaked of them for a task, the human cannot apply for it again.
const endedUnstaked = `a.decision IS NOT NULL AND a.onchain_application_id IS NULL`

func (s *Store) appliedTooOften(ctx context.Context, tx *sqlx.Tx, taskID, humanID uuid.UUID) (bool, error) {
	var often bool
	err := s.db.Get(ctx, tx, &often, `
		SELECT count(*) >= $3 FROM applications a WHERE a.task_id = $1 AND a.human_id = $2 AND `+endedUnstaked,
		taskID, humanID, market.MaxUnstaked)
	return often, pg.Translate(err, fmt.Sprintf("count the applications of human %s for task %s", humanID, taskID))
}

func (s *Store) insertApplication(ctx context.Context, tx *sqlx.Tx, task market.Task, a market.Application) error {
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO applications (id, task_id, human_id, message, stake_amount, chain_id, escrow)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		a.ID, a.TaskID, a.HumanID, a.Message, pg.Wei{Int: a.StakeAmount}, task.ChainID, task.EscrowAddress)
	return pg.Translate(err, fmt.Sprintf("insert application %s", a.ID))
}

// Application returns an application to the task, with its stake. The result contains the fields
// that the applying human can read.
func (s *Store) Application(ctx context.Context, taskID, id uuid.UUID) (market.Application, error) {
	return s.application(ctx, nil, taskID, id)
}

func (s *Store) application(ctx context.Context, tx *sqlx.Tx, taskID, id uuid.UUID) (market.Application, error) {
	var row applicationRow
	err := s.db.Get(ctx, tx, &row,
		`SELECT `+applicationColumns+` FROM `+applicationFrom+` WHERE a.id = $1 AND a.task_id = $2`, id, taskID)
	if err != nil {
		return market.Application{}, pg.Translate(err, fmt.Sprintf("select application %s", id))
	}
	return row.application(s.deployment.Staking), nil
}

// ApplicationOf returns the human's latest application to the task.
func (s *Store) ApplicationOf(ctx context.Context, taskID, humanID uuid.UUID) (market.Application, error) {
	var row applicationRow
	err := s.db.Get(ctx, nil, &row, `SELECT `+applicationColumns+` FROM `+applicationFrom+`
		WHERE a.task_id = $1 AND a.human_id = $2
		ORDER BY a.created_at DESC, a.id DESC
		LIMIT 1`, taskID, humanID)
	if err != nil {
		return market.Application{}, pg.Translate(err, fmt.Sprintf("select the application of human %s to task %s", humanID, taskID))
	}
	return row.application(s.deployment.Staking), nil
}

// Applications lists the applications to a task, newest first, with the fields that its agent can
// read. With statuses, it lists only applications with one of them.
func (s *Store) Applications(ctx context.Context, taskID uuid.UUID, page PageQuery, statuses ...market.ApplicationStatus) (Page[market.Application], error) {
	list := applicationList(agentApplicationColumns)
	list.Filter.Add("a.task_id = ?", taskID)
	if len(statuses) > 0 {
		list.Filter.Add("a.status = ANY (?)", pq.Array(statuses))
	}
	return pg.SelectPage(ctx, s.db, list, page, func(r applicationRow) market.Application {
		return r.application(s.deployment.Staking)
	})
}

// ApplicationsOf lists a human's applications, newest first.
func (s *Store) ApplicationsOf(ctx context.Context, humanID uuid.UUID, page PageQuery) (Page[market.Application], error) {
	list := applicationList(applicationColumns)
	list.Filter.Add("a.human_id = ?", humanID)
	return pg.SelectPage(ctx, s.db, list, page, func(r applicationRow) market.Application {
		return r.application(s.deployment.Staking)
	})
}

func applicationList(columns string) pg.List[applicationRow] {
	return pg.List[applicationRow]{
		What: "select applications", Columns: columns, From: "applications a", Joins: applicationJoins,
		Order: pg.Order{Name: "applications", Key: "a.created_at", ID: "a.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r applicationRow) (string, uuid.UUID) { return pg.TimeKey(r.CreatedAt.Time), r.ID },
	}
}

// UpdateApplication locks an application to the task, applies fn, stores the resulting decision and
// status, and returns the application. It is only for decisions on applications without a stake;
// decisions on staked applications are derived from the chain.
func (s *Store) UpdateApplication(ctx context.Context, taskID, id uuid.UUID, fn func(*market.Application) error) (market.Application, error) {
	var decided market.Application
	err := s.db.TxFor(ctx, taskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, taskID) // every writer locks the task first
		if err != nil {
			return err
		}
		before, err := s.application(ctx, tx, taskID, id)
		if err != nil {
			return err
		}
		decided = before
		if err := fn(&decided); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, tx, `UPDATE applications SET decision = $2, status = $3 WHERE id = $1`,
			id, pg.NullText(string(decided.Decision)), decided.Status)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("update application %s", id))
		}
		decided, err = s.application(ctx, tx, taskID, id) // read again, because the applying human can read the reason only after the decision
		if err != nil || decided.Decision == before.Decision {
			return err
		}
		return s.notifyDecision(ctx, tx, task, decided)
	})
	return decided, err
}

// notifyDecision notifies the party that did not make the decision.
func (s *Store) notifyDecision(ctx context.Context, tx *sqlx.Tx, task market.Task, a market.Application) error {
	if a.Decision == market.ApplicationWithdrawn {
		return feed.Add(ctx, s.db, tx, market.PrincipalAgent, task.AgentID,
			feed.Item{Kind: market.ActivityApplicationWithdrawn, Related: a.ID, Cause: "application-withdrawn"})
	}
	return feed.Add(ctx, s.db, tx, market.PrincipalHuman, a.HumanID,
		feed.Item{Kind: market.ActivityUnstakedApplicationRejected, Related: a.ID, Cause: "application-rejected"})
}

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
	if err := s.db.Serialize(ctx, tx, "rejections", agent.ID); err != nil {
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
