package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

const verdictColumns = `
	v.id, v.task_id, v.round, v.validator, v.human_id, v.approved, v.reason, v.work_hash, v.signature, v.created_at`

type verdictRow struct {
	ID        uuid.UUID      `db:"id"`
	TaskID    uuid.UUID      `db:"task_id"`
	Round     uint8          `db:"round"`
	Validator common.Address `db:"validator"`
	HumanID   uuid.UUID      `db:"human_id"`
	Approved  bool           `db:"approved"`
	Reason    string         `db:"reason"`
	WorkHash  common.Hash    `db:"work_hash"`
	Signature []byte         `db:"signature"`
	CreatedAt pg.NullTime    `db:"created_at"`
}

func (r verdictRow) verdict() market.Verdict {
	return market.Verdict{
		ID: r.ID, TaskID: r.TaskID, Round: r.Round, Validator: r.Validator, HumanID: r.HumanID, Approved: r.Approved,
		Reason: r.Reason, WorkHash: r.WorkHash, Signature: r.Signature, CreatedAt: r.CreatedAt.Time,
	}
}

// Tally counts the verdicts of a task's current round on its current work.
type Tally struct {
	Approvals  int
	Rejections int
}

// AddVerdict records a validator's signed verdict on the task's work and, when
// it makes a quorum complete, hands the set to the keeper. Doing it again with
// the same id changes nothing. It refuses a second one in a round
// (KindAlreadyExists) and one on work or a round that is over (KindWrongStatus). Who is a validator, and whether the round is open in chain
// time, is the caller's to check.
func (s *Store) AddVerdict(ctx context.Context, task market.Task, v market.Verdict) error {
	return s.db.TxFor(ctx, task.ID, func(tx *sqlx.Tx) error {
		current, err := s.lockTask(ctx, tx, task.ID) // so that two verdicts count each other
		if err != nil {
			return err
		}
		if err := checkVerdict(current, v); err != nil {
			return err
		}
		if err := s.insertVerdict(ctx, tx, v); err != nil {
			return err
		}
		return s.relayAtQuorum(ctx, tx, current, v)
	})
}

func checkVerdict(t market.Task, v market.Verdict) error {
	e := t.Escrow
	if e == nil || e.Status.Ended() || e.WorkHash != v.WorkHash || e.Round().Number != v.Round {
		return market.Errorf(market.KindWrongStatus, "the task is %s; this verdict is on work or a round that is over", t.Status)
	}
	return nil
}

// insertVerdict replaces only a verdict on work that a reorganisation took away,
// and takes the same one again.
func (s *Store) insertVerdict(ctx context.Context, tx *sqlx.Tx, v market.Verdict) error {
	n, err := s.db.Exec(ctx, tx, `
		INSERT INTO verdicts AS v (id, task_id, round, validator, human_id, approved, reason, work_hash, signature)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (task_id, round, validator) DO UPDATE
		SET id = excluded.id, human_id = excluded.human_id, approved = excluded.approved, reason = excluded.reason,
		    work_hash = excluded.work_hash, signature = excluded.signature,
		    created_at = CASE v.id WHEN excluded.id THEN v.created_at ELSE now() END
		WHERE v.work_hash <> excluded.work_hash OR v.id = excluded.id`,
		v.ID, v.TaskID, v.Round, v.Validator, v.HumanID, v.Approved, v.Reason, v.WorkHash, v.Signature)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("insert verdict %s", v.ID))
	}
	if n == 0 {
		return pg.Duplicate("verdicts_task_id_round_validator_key", nil)
	}
	return nil
}

// relayAtQuorum counts with the quorum of the task's panel.
func (s *Store) relayAtQuorum(ctx context.Context, tx *sqlx.Tx, t market.Task, v market.Verdict) error {
	var complete bool
	err := s.db.Get(ctx, tx, &complete, `
		SELECT coalesce(count(*) >= (
		           SELECT quorum
		           FROM chain_quorums
		           WHERE chain_id = $5 AND escrow = $6 AND from_panel <= $7
		           ORDER BY from_panel DESC
		           LIMIT 1), false)
		FROM verdicts
		WHERE task_id = $1 AND round = $2 AND work_hash = $3 AND approved = $4`,
		t.ID, v.Round, v.WorkHash, v.Approved, t.ChainID, t.EscrowAddress, t.Escrow.Panel)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("count the verdicts on task %s", t.ID))
	}
	if !complete {
		return nil
	}
	return s.enqueueVerdicts(ctx, tx, t, v.Round, v.Approved)
}

// Verdicts returns all verdicts on a task, oldest first. Who may read which is
// the caller's to check.
func (s *Store) Verdicts(ctx context.Context, taskID uuid.UUID) ([]market.Verdict, error) {
	var rows []verdictRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+verdictColumns+`
		FROM verdicts v
		WHERE v.task_id = $1
		ORDER BY v.created_at, v.id`, taskID)
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("select the verdicts on task %s", taskID))
	}
	verdicts := make([]market.Verdict, len(rows))
	for i, row := range rows {
		verdicts[i] = row.verdict()
	}
	return verdicts, nil
}

// tallies counts the verdicts of each task's current round on its work.
func (s *Store) tallies(ctx context.Context, taskIDs []uuid.UUID) (map[uuid.UUID]Tally, error) {
	var rows []struct {
		TaskID     uuid.UUID `db:"task_id"`
		Approvals  int       `db:"approvals"`
		Rejections int       `db:"rejections"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT v.task_id, count(*) FILTER (WHERE v.approved) AS approvals,
		       count(*) FILTER (WHERE NOT v.approved) AS rejections
		FROM verdicts v
		JOIN tasks t ON t.id = v.task_id
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE v.task_id = ANY ($1) AND `+currentVerdict+`
		GROUP BY v.task_id`, pq.Array(taskIDs))
	if err != nil {
		return nil, pg.Translate(err, "count verdicts")
	}
	tallies := make(map[uuid.UUID]Tally, len(rows))
	for _, row := range rows {
		tallies[row.TaskID] = Tally{Approvals: row.Approvals, Rejections: row.Rejections}
	}
	return tallies, nil
}
