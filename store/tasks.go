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
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

const (
	// taskColumns select a task with its users, its escrow record (e) and its on-chain submission
	// (s). Data that few tasks have is selected by subqueries, because the planner would assume
	// that every task has a match if the data were joined. They are arrays, because starting an aggregate
	// costs more than starting the rest of a subquery.
	taskColumns = `
		t.id, t.agent_id, au.name AS agent_name, au.username AS agent_username, au.wallet AS agent_wallet,
		au.verified_at IS NOT NULL AS agent_verified, t.title, t.description, t.skills, t.location, t.remote,
		t.amount, t.fee_basis_points, t.deadline, t.terms_hash, t.chain_id, t.escrow AS escrow_address,
		t.status, t.visibility, t.hold_rule, t.hold_due_at, t.human_id,
		(SELECT hu.username FROM users hu WHERE hu.id = t.human_id) AS human_username, t.created_at, t.updated_at,
		cardinality(ARRAY(SELECT true FROM applications a WHERE a.task_id = t.id)) AS applications,
		CASE WHEN t.changed_block <= h.finalized THEN 'final'
		     WHEN t.changed_block <= h.safe THEN 'safe'
		     ELSE 'seen' END AS finality,` + onchain.TaskColumns + `,
		s.id AS "s.id", s.human_id AS "s.human_id", s.note AS "s.note", s.proof_url AS "s.proof_url",
		s.work_hash AS "s.work_hash", s.created_at AS "s.created_at",
		CASE WHEN s.id IS NOT NULL THEN ARRAY(
			SELECT f.file_id FROM submission_files f WHERE f.submission_id = s.id ORDER BY f.file_id
		) END AS "s.file_ids"`

	taskFrom = `tasks t` + taskJoins

	taskJoins = `
		JOIN users au ON au.id = t.agent_id
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		LEFT JOIN submissions s ON s.task_id = t.id AND s.work_hash = e.work_hash
		LEFT JOIN chain_head h ON h.chain_id = t.chain_id`
)

type taskRow struct {
	ID             uuid.UUID         `db:"id"`
	AgentID        uuid.UUID         `db:"agent_id"`
	AgentName      string            `db:"agent_name"`
	AgentUsername  string            `db:"agent_username"`
	AgentWallet    common.Address    `db:"agent_wallet"`
	AgentVerified  bool              `db:"agent_verified"`
	Title          string            `db:"title"`
	Description    string            `db:"description"`
	Skills         pq.StringArray    `db:"skills"`
	Location       *string           `db:"location"`
	Remote         bool              `db:"remote"`
	Amount         pg.Wei            `db:"amount"`
	FeeBasisPoints uint16            `db:"fee_basis_points"`
	Deadline       pg.NullTime       `db:"deadline"`
	TermsHash      common.Hash       `db:"terms_hash"`
	ChainID        uint64            `db:"chain_id"`
	EscrowAddress  common.Address    `db:"escrow_address"`
	Status         market.Status     `db:"status"`
	Visibility     market.Visibility `db:"visibility"`
	HoldRule       *string           `db:"hold_rule"`
	HoldDueAt      pg.NullTime       `db:"hold_due_at"`
	HumanID        *uuid.UUID        `db:"human_id"`
	HumanUsername  *string           `db:"human_username"`
	CreatedAt      pg.NullTime       `db:"created_at"`
	UpdatedAt      pg.NullTime       `db:"updated_at"`
	Applications   pg.NullInt        `db:"applications"`
	Finality       market.Finality   `db:"finality"`
	Escrow         onchain.TaskRow   `db:"e"`
	Submission     submissionRow     `db:"s"`
}

func (r taskRow) task() market.Task {
	return market.Task{
		ID: r.ID, AgentID: r.AgentID, AgentName: r.AgentName, AgentUsername: r.AgentUsername, AgentWallet: r.AgentWallet,
		AgentVerified: r.AgentVerified, Title: r.Title, Description: r.Description, Skills: r.Skills,
		Location: pg.Text(r.Location), Remote: r.Remote, Amount: r.Amount.Int, FeeBasisPoints: r.FeeBasisPoints,
		Deadline: r.Deadline.Pointer(), TermsHash: r.TermsHash, ChainID: r.ChainID, EscrowAddress: r.EscrowAddress,
		Visibility: r.Visibility, Hold: r.hold(), Status: r.Status, Escrow: r.Escrow.EscrowTask(), HumanID: r.HumanID, HumanUsername: pg.Text(r.HumanUsername),
		Applications: int(r.Applications), Submission: r.Submission.submission(r.ID), Finality: r.Finality,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// hold returns nil unless the task is held.
func (r taskRow) hold() *market.Hold {
	if r.Visibility != market.VisibilityHeld {
		return nil
	}
	return &market.Hold{Rule: pg.Text(r.HoldRule), DueAt: r.HoldDueAt.Time}
}

type submissionRow struct {
	ID        *uuid.UUID   `db:"id"`
	HumanID   *uuid.UUID   `db:"human_id"`
	Note      *string      `db:"note"`
	ProofURL  *string      `db:"proof_url"`
	WorkHash  pg.NullHash  `db:"work_hash"`
	CreatedAt pg.NullTime  `db:"created_at"`
	FileIDs   pg.UUIDArray `db:"file_ids"`
}

// submission returns nil for the all-NULL row of an outer join.
func (r submissionRow) submission(taskID uuid.UUID) *market.Submission {
	if r.ID == nil {
		return nil
	}
	return &market.Submission{
		ID: *r.ID, TaskID: taskID, HumanID: *r.HumanID, Note: pg.Text(r.Note), ProofURL: pg.Text(r.ProofURL),
		FileIDs: r.FileIDs, WorkHash: r.WorkHash.Hash, CreatedAt: r.CreatedAt.Time,
	}
}

// TaskView is a task with additional data for readers, all from one snapshot.
type TaskView struct {
	market.Task
	Tally      Tally
	CurrentFee uint16 // fee that the task's escrow currently charges for a new task, in basis points
	PanelSize  int    // number of validators on the task's panel, or on the current panel if the task has none yet
	Rejections int    // number of staked applications that the agent rejected
	Quorum     int    // number of equal verdicts that the panel needs for a decision
}

const (
	// taskViewColumns count verdicts only for tasks with submitted work. The arrays have an element for each
	// panel with another quorum or size than the previous one: see chain_parameters in 0001_schema.sql.
	taskViewColumns = taskColumns + `,
		p.fee_basis_points AS current_fee,
		p.quorums[width_bucket(coalesce(e.panel, p.panel), p.from_panels)] AS quorum,
		p.panel_sizes[width_bucket(coalesce(e.panel, p.panel), p.from_panels)] AS panel_size,
		cardinality(ARRAY(
			SELECT true
			FROM onchain_applications r
			WHERE r.chain_id = e.chain_id AND r.agent = e.agent AND r.escrow = e.escrow AND r.task_id = e.id AND r.rejected
		)) AS rejected_stakes,
		CASE WHEN e.work_hash IS NOT NULL THEN ARRAY(SELECT v.approved FROM verdicts v WHERE ` + currentVerdict + `) END AS verdicts`

	taskViewJoins = taskJoins + `
		LEFT JOIN chain_parameters p ON p.chain_id = t.chain_id AND p.escrow = t.escrow`

	// currentVerdict is true for verdicts (v) on the task's current work in the current round.
	currentVerdict = `v.task_id = t.id AND v.work_hash = e.work_hash
		AND v.round = CASE WHEN e.disputed_at IS NULL THEN 0 ELSE 1 END`
)

type taskViewRow struct {
	taskRow
	pg.Listed
	CurrentFee *uint16      `db:"current_fee"`
	PanelSize  pg.NullInt   `db:"panel_size"`
	Quorum     pg.NullInt   `db:"quorum"`
	Rejected   pg.NullInt   `db:"rejected_stakes"`
	Verdicts   pq.BoolArray `db:"verdicts"` // whether each verdict approves
}

func (r taskViewRow) view() TaskView {
	var tally Tally
	for _, approved := range r.Verdicts {
		if approved {
			tally.Approvals++
		} else {
			tally.Rejections++
		}
	}
	return TaskView{
		Task: r.task(), Tally: tally,
		CurrentFee: pg.OrZero(r.CurrentFee), PanelSize: int(r.PanelSize), Rejections: int(r.Rejected), Quorum: int(r.Quorum),
	}
}

// viewFor converts the row. It removes the submission unless the viewer is a party to the task.
func (r taskViewRow) viewFor(viewer market.Principal) TaskView {
	view := r.view()
	if role := view.RoleOf(viewer); role != market.RoleAgent && role != market.RoleHuman {
		view.Submission = nil
	}
	return view
}

// TaskView returns a task like Task, with additional data for readers.
func (s *Store) TaskView(ctx context.Context, id uuid.UUID) (TaskView, error) {
	var row taskViewRow
	err := s.db.Get(ctx, nil, &row, `SELECT `+taskViewColumns+` FROM tasks t `+taskViewJoins+` WHERE t.id = $1`, id)
	if err != nil {
		return TaskView{}, pg.Translate(err, fmt.Sprintf("select task %s", id))
	}
	return row.view(), nil
}

// CreateTask inserts a new task and returns the stored task. Repeating the call with the same id
// changes nothing. A task with a hold is held until a moderator decides. It returns KindTooManyUnfunded
// if the agent has the maximum number of unfunded tasks, and KindRestricted for a limited or suspended agent.
func (s *Store) CreateTask(ctx context.Context, t market.Task) (market.Task, error) {
	var created market.Task
	err := s.db.TxFor(ctx, t.AgentID, func(tx *sqlx.Tx) error {
		// The lock makes a concurrent measure wait, so that the measure also applies to this task. It also
		// prevents concurrent requests from exceeding the limit: the next statement counts all of their tasks.
		if _, err := s.db.Exec(ctx, tx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, t.AgentID); err != nil {
			return pg.Translate(err, fmt.Sprintf("lock agent %s", t.AgentID))
		}
		n, err := s.insertTask(ctx, tx, t)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("insert task %s", t.ID))
		}
		created, err = s.task(ctx, tx, t.ID)
		if n == 0 && market.KindOf(err) == market.KindNotFound {
			return s.refuseTask(ctx, tx, t.AgentID)
		}
		return err
	})
	return created, err
}

// refuseTask returns the error for a task that insertTask rejected: KindRestricted or KindTooManyUnfunded.
// The caller has locked the agent.
func (s *Store) refuseTask(ctx context.Context, tx *sqlx.Tx, agent uuid.UUID) error {
	var state market.AccountState
	err := s.db.Get(ctx, tx, &state, `SELECT account_state FROM users WHERE id = $1`, agent)
	switch {
	case err != nil:
		return pg.Translate(err, fmt.Sprintf("select the state of agent %s", agent))
	case state.Restricted():
		return state.Refusal()
	}
	return s.tooManyUnfunded(ctx, tx, agent)
}

// holdRule returns the name of the rule that holds a new task, or nil.
func holdRule(t market.Task) *string {
	if t.Hold == nil {
		return nil
	}
	return &t.Hold.Rule
}

// insertTask inserts the task unless it exists, the agent has too many unfunded tasks, or moderators have
// restricted the agent, and returns the number of inserted rows. It checks the restriction again, because the
// server checks it before reading the body, which can take a minute.
func (s *Store) insertTask(ctx context.Context, tx *sqlx.Tx, t market.Task) (int64, error) {
	return s.db.Exec(ctx, tx, `
		INSERT INTO tasks (id, agent_id, title, description, skills, location, remote, amount,
		                   fee_basis_points, deadline, terms_hash, chain_id, escrow, place,
		                   visibility, hold_rule, hold_due_at)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
		       CASE WHEN $15::text IS NULL THEN 'shown' ELSE 'held' END, $15,
		       CASE WHEN $15::text IS NOT NULL THEN now() + `+pg.Interval(market.HoldWindow)+` END
		WHERE (SELECT count(*) FROM (
		           SELECT 1 FROM tasks WHERE agent_id = $2 AND status = 'new' AND lapsed_at IS NULL LIMIT $16) counted) < $16
		  AND EXISTS (SELECT FROM users WHERE id = $2 AND account_state NOT IN ('limited', 'suspended'))
		ON CONFLICT (id) DO NOTHING`,
		t.ID, t.AgentID, t.Title, t.Description, pg.StringArray(t.Skills), pg.NullText(t.Location), t.Remote,
		pg.Wei{Int: t.Amount}, t.FeeBasisPoints, pg.NullTimeOf(t.Deadline), t.TermsHash, t.ChainID, t.EscrowAddress,
		pg.NullText(t.Place), holdRule(t), s.quotas.Unfunded)
}

// tooManyUnfunded returns the error for an unfunded task above the limit.
func (s *Store) tooManyUnfunded(ctx context.Context, tx *sqlx.Tx, agentID uuid.UUID) error {
	var seconds float64
	err := s.db.Get(ctx, tx, &seconds, `
		SELECT greatest(1, extract(epoch FROM min(updated_at) + `+pg.Interval(market.UnfundedLifetime)+` - now()))::float8
		FROM tasks u
		WHERE u.agent_id = $1 AND u.status = 'new' AND u.lapsed_at IS NULL`, agentID)
	if err != nil {
		return pg.Translate(err, "select an agent's oldest unfunded task")
	}
	oldest := max(time.Minute, time.Duration(seconds*float64(time.Second)).Truncate(time.Minute))
	return market.Errorf(market.KindTooManyUnfunded, "you have %d tasks that are not funded, which is the limit", s.quotas.Unfunded).
		WithHint(fmt.Sprintf("fund one of them (GET /tasks/?status=new lists them), or wait: a task that is not funded within %s no longer counts, and the oldest has %s left",
			market.FormatDuration(market.UnfundedLifetime), market.FormatDuration(oldest)))
}

// Task returns a task with its users, its escrow record, its on-chain submission, its number of
// applications and its finality.
func (s *Store) Task(ctx context.Context, id uuid.UUID) (market.Task, error) {
	return s.task(ctx, nil, id)
}

func (s *Store) task(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) (market.Task, error) {
	var row taskRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+taskColumns+` FROM `+taskFrom+` WHERE t.id = $1`, id)
	if err != nil {
		return market.Task{}, pg.Translate(err, fmt.Sprintf("select task %s", id))
	}
	return row.task(), nil
}

// lockTask locks a task until tx ends and returns it.
func (s *Store) lockTask(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) (market.Task, error) {
	// This takes two statements. A single statement that waits for the lock would return the joined
	// rows as they were before the wait.
	var locked uuid.UUID
	err := s.db.Get(ctx, tx, &locked, `SELECT id FROM tasks WHERE id = $1 FOR UPDATE`, id)
	if err != nil {
		return market.Task{}, pg.Translate(err, fmt.Sprintf("lock task %s", id))
	}
	return s.task(ctx, tx, id)
}
