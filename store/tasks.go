package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// CreateTask records a new task and returns it as it is kept. Doing it again
// with the same id changes nothing.
func (s *Store) CreateTask(ctx context.Context, t market.Task) (market.Task, error) {
	var created market.Task
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			INSERT INTO tasks (id, agent_id, title, description, skills, location, remote, amount,
			                   fee_basis_points, deadline, terms_hash, chain_id, escrow, place)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
			ON CONFLICT (id) DO NOTHING`,
			t.ID, t.AgentID, t.Title, t.Description, pg.StringArray(t.Skills), pg.NullText(t.Location), t.Remote,
			pg.Wei{Int: t.Amount}, t.FeeBasisPoints, pg.NullTimeOf(t.Deadline), t.TermsHash, t.ChainID, t.EscrowAddress, pg.NullText(t.Place))
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("insert task %s", t.ID))
		}
		created, err = s.task(ctx, tx, t.ID)
		return err
	})
	return created, err
}

// Task returns a task with its people, its escrow record, the submission whose
// hash the chain names, the number of its applications and its finality.
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

// lockTask returns a task that nobody else changes before tx ends.
func (s *Store) lockTask(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) (market.Task, error) {
	// Apart from the read: one that waited for a lock still sees the joined rows
	// as they were before the wait.
	var locked uuid.UUID
	err := s.db.Get(ctx, tx, &locked, `SELECT id FROM tasks WHERE id = $1 FOR UPDATE`, id)
	if err != nil {
		return market.Task{}, pg.Translate(err, fmt.Sprintf("lock task %s", id))
	}
	return s.task(ctx, tx, id)
}

// saveFollowed writes what follows the chain, of tasks that tx has locked. The
// human is looked up by the wallet that the escrow names; a wallet that never
// signed in is nobody yet. The block of the last log that a task follows from
// tells how final it is.
func (s *Store) saveFollowed(ctx context.Context, tx *sqlx.Tx, tasks []market.Task) error {
	var ids []uuid.UUID
	var statuses pq.StringArray
	var escrowIDs pq.Int64Array
	var humans pq.ByteaArray
	var turns []pg.NullTime
	for _, t := range tasks {
		var escrow market.EscrowTask
		if t.Escrow != nil {
			escrow = *t.Escrow
		}
		ids, statuses, turns = append(ids, t.ID), append(statuses, string(t.Status)), append(turns, pg.NullTimeOf(t.TurnsAt()))
		escrowIDs, humans = append(escrowIDs, pg.BigInt(escrow.ID)), append(humans, escrow.Human.Bytes())
	}
	_, err := s.db.Exec(ctx, tx, `
		UPDATE tasks t
		SET status = n.status, escrow_task_id = nullif(n.escrow_task_id, 0), turns_at = n.turns_at, updated_at = now(),
		    human_id = (SELECT u.id FROM users u WHERE u.kind = 'human' AND u.wallet = n.human),
		    changed_block = coalesce((
		        SELECT max(l.block_number)
		        FROM chain_logs l
		        WHERE l.chain_id = t.chain_id AND l.address = t.escrow AND l.task_id = n.escrow_task_id AND l.canonical), 0)
		FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[])
		     AS n (id, status, escrow_task_id, human, turns_at)
		WHERE t.id = n.id`,
		pq.Array(ids), statuses, escrowIDs, humans, pq.Array(turns))
	return pg.Translate(err, fmt.Sprintf("save %d tasks", len(tasks)))
}

// TaskRole returns what the principal is to the task. Of a human's several
// roles it is the one that may do more: a validator once work was submitted,
// before that an applicant.
func (s *Store) TaskRole(ctx context.Context, t market.Task, p market.Principal) (market.Role, error) {
	role := t.RoleOf(p)
	if role != market.RoleOther || p.Kind != market.PrincipalHuman {
		return role, nil
	}
	var panel pg.NullUint // the one in force when unknown
	submitted := false
	if t.Escrow != nil {
		panel, submitted = pg.NullUint(t.Escrow.Panel), !t.Escrow.SubmittedAt.IsZero()
	}
	var is struct {
		Applicant bool `db:"applicant"`
		Validator bool `db:"validator"`
	}
	err := s.db.Get(ctx, nil, &is, `
		SELECT EXISTS (SELECT 1 FROM applications WHERE task_id = $1 AND human_id = $2) AS applicant,
		       EXISTS (SELECT 1
		               FROM chain_parameters p
		               JOIN chain_validators v ON v.chain_id = p.chain_id AND v.escrow = p.escrow
		               WHERE p.chain_id = $3 AND p.escrow = $4 AND v.wallet = $5
		                 AND v.added_in <= coalesce($6::bigint, p.panel)
		                 AND (v.removed_in IS NULL OR coalesce($6::bigint, p.panel) < v.removed_in)) AS validator`,
		t.ID, p.ID, t.ChainID, t.EscrowAddress, p.Wallet, panel)
	if err != nil {
		return role, pg.Translate(err, fmt.Sprintf("select the role of %s in task %s", p.ID, t.ID))
	}
	switch {
	case is.Validator && (submitted || !is.Applicant):
		return market.RoleValidator, nil
	case is.Applicant:
		return market.RoleApplicant, nil
	}
	return role, nil
}
