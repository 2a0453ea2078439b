package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// Involvement is what a user has to do with a task, besides the role that the task itself names. Together with the
// task it determines what the user can do: see market.Acts.
type Involvement struct {
	Applicant       bool                // whether the user has an application that is not withdrawn
	Validator       bool                // whether the user is on the task's panel, or on the current panel if the task has none yet
	Application     *market.Application // the user's latest application, with the fields that Withdrawable needs; nil if there is none
	AppliedTooOften bool                // whether market.MaxUnstaked of the user's applications ended without a stake
	LostStake       bool                // whether a stake of the user was forfeited by a rejection that is final on the chain

	NewApplications     bool // whether the task has applications without a stake that wait for a decision
	PendingApplications bool // the same with a stake
	Answered            bool // whether the dispute has an answer
	Reviewed            bool // whether the user has reviewed the other party
	Voted               bool // whether the user has given a verdict on the current work in the current round
}

// Role returns the user's role in the task. A human can have several roles. In that case it returns
// validator if work has been submitted, and applicant before that. A human whose applications were
// all withdrawn is not an applicant.
func (i Involvement) Role(t market.Task, p market.Principal) market.Role {
	role := t.RoleOf(p)
	submitted := t.Escrow != nil && !t.Escrow.SubmittedAt.IsZero()
	switch {
	case role != market.RoleOther || p.Kind != market.PrincipalHuman:
		return role
	case i.Validator && (submitted || !i.Applicant):
		return market.RoleValidator
	case i.Applicant:
		return market.RoleApplicant
	}
	return role
}

const (
	// These are conditions on the tasks in involvementFrom, for the human $2.
	hasApplied = `EXISTS (SELECT FROM applications a WHERE a.task_id = t.id AND a.human_id = $2 AND a.status <> 'withdrawn')`
	onPanel    = `EXISTS (
			SELECT
			FROM chain_parameters p
			JOIN chain_validators v ON v.chain_id = p.chain_id AND v.escrow = p.escrow
			WHERE p.chain_id = t.chain_id AND p.escrow = t.escrow AND v.wallet = (SELECT wallet FROM users WHERE id = $2)
			  AND v.added_in <= coalesce(e.panel, p.panel)
			  AND (v.removed_in IS NULL OR coalesce(e.panel, p.panel) < v.removed_in))`

	involvementFrom = `tasks t
		LEFT JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id`
)

type involvementRow struct {
	TaskID              uuid.UUID                 `db:"task_id"`
	Applicant           bool                      `db:"applicant"`
	Validator           bool                      `db:"validator"`
	ApplicationID       *uuid.UUID                `db:"application_id"`
	ApplicationStatus   *market.ApplicationStatus `db:"application_status"`
	Stake               onchain.ApplicationRow    `db:"o"`
	AppliedTooOften     bool                      `db:"applied_too_often"`
	LostStake           bool                      `db:"lost_stake"`
	NewApplications     bool                      `db:"new_applications"`
	PendingApplications bool                      `db:"pending_applications"`
	Answered            bool                      `db:"answered"`
	Reviewed            bool                      `db:"reviewed"`
	Voted               bool                      `db:"voted"`
}

// Involvements returns the user's involvement in each of the tasks.
func (s *Store) Involvements(ctx context.Context, p market.Principal, tasks ...uuid.UUID) (map[uuid.UUID]Involvement, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	var rows []involvementRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT t.id AS task_id, `+hasApplied+` AS applicant, `+onPanel+` AS validator,
			a.id AS application_id, a.status AS application_status,`+onchain.ApplicationColumns+`,
			(SELECT count(*) >= $4 FROM applications a WHERE a.task_id = t.id AND a.human_id = $2 AND `+endedUnstaked+`) AS applied_too_often,
			EXISTS (SELECT FROM `+forfeitures+`
				WHERE a.task_id = t.id AND a.human_id = $2 AND l.block_number <= h.finalized) AS lost_stake,
			EXISTS (SELECT FROM applications n WHERE n.task_id = t.id AND n.status = 'new') AS new_applications,
			EXISTS (SELECT FROM applications n WHERE n.task_id = t.id AND n.status = 'pending') AS pending_applications,
			EXISTS (SELECT FROM disputes d WHERE d.task_id = t.id AND d.response <> ''
				AND d.filed_by = CASE e.disputed_by WHEN e.agent THEN 'agent' WHEN e.human THEN 'human' END) AS answered,
			EXISTS (SELECT FROM reviews r WHERE r.task_id = t.id AND r.reviewer_id = $2) AS reviewed,
			EXISTS (SELECT FROM verdicts v WHERE v.human_id = $2 AND `+currentVerdict+`) AS voted
		FROM `+involvementFrom+`
		LEFT JOIN LATERAL (
			SELECT id, status, chain_id, escrow, onchain_application_id
			FROM applications
			WHERE task_id = t.id AND human_id = $2
			ORDER BY created_at DESC, id DESC
			LIMIT 1
		) a ON true
		LEFT JOIN onchain_applications o ON o.chain_id = a.chain_id AND o.escrow = a.escrow AND o.id = a.onchain_application_id
		WHERE t.id = ANY ($1)`,
		pq.Array(tasks), p.ID, s.deployment.Staking, market.MaxUnstaked)
	if err != nil {
		return nil, pg.Translate(err, "select a user's involvement in tasks")
	}
	involvements := make(map[uuid.UUID]Involvement, len(rows))
	for _, row := range rows {
		involvements[row.TaskID] = s.involvement(row)
	}
	return involvements, nil
}

func (s *Store) involvement(r involvementRow) Involvement {
	i := Involvement{
		Applicant: r.Applicant, Validator: r.Validator, AppliedTooOften: r.AppliedTooOften, LostStake: r.LostStake,
		NewApplications: r.NewApplications, PendingApplications: r.PendingApplications,
		Answered: r.Answered, Reviewed: r.Reviewed, Voted: r.Voted,
	}
	if r.ApplicationID != nil {
		i.Application = &market.Application{ID: *r.ApplicationID, TaskID: r.TaskID, Status: *r.ApplicationStatus, Stake: r.Stake.StakeOf(s.deployment.Staking)}
	}
	return i
}

// TaskRole returns the principal's role in the task: see Involvement.Role.
func (s *Store) TaskRole(ctx context.Context, t market.Task, p market.Principal) (market.Role, error) {
	var is involvementRow
	if t.RoleOf(p) == market.RoleOther && p.Kind == market.PrincipalHuman {
		err := s.db.Get(ctx, nil, &is, `
			SELECT `+hasApplied+` AS applicant, `+onPanel+` AS validator FROM `+involvementFrom+` WHERE t.id = $1`, t.ID, p.ID)
		if err != nil {
			return market.RoleOther, pg.Translate(err, "select a user's role in a task")
		}
	}
	return Involvement{Applicant: is.Applicant, Validator: is.Validator}.Role(t, p), nil
}
