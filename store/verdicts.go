package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// Tally counts the verdicts on a task's current work in the current round.
type Tally struct {
	Approvals  int
	Rejections int
}

// AddVerdict inserts a validator's signed verdict on the task's work and, if the verdict completes a
// quorum, enqueues a job that relays the verdicts. Repeating the call with the same id changes nothing.
// It rejects a second verdict in a round (KindAlreadyExists) and a verdict on an ended task, on former
// work or for a former round (KindWrongStatus). The caller must check that the signer is a validator and
// that the round is open in chain time.
func (s *Store) AddVerdict(ctx context.Context, task market.Task, v market.Verdict) error {
	return s.db.TxFor(ctx, task.ID, func(tx *sqlx.Tx) error {
		current, err := s.lockTask(ctx, tx, task.ID) // the lock ensures that concurrent verdicts are both counted
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
		return market.Errorf(market.KindWrongStatus, "the task is %s; a verdict must be for the current work and the current round of a task under review", t.Status)
	}
	return nil
}

// insertVerdict inserts a verdict and accepts a repeated one. It replaces an existing verdict only
// if that verdict is on work that a reorganisation dropped.
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

// relayAtQuorum enqueues a job that relays the verdicts if they reach the quorum of the task's
// panel.
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
	return s.Outbox.EnqueueVerdicts(ctx, tx, t, v.Round, v.Approved)
}

// Verdicts returns all verdicts on a task, oldest first. The caller must check which of them the
// reader can read.
func (s *Store) Verdicts(ctx context.Context, taskID uuid.UUID) ([]market.Verdict, error) {
	var rows []onchain.VerdictRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+onchain.VerdictColumns+`
		FROM verdicts v
		WHERE v.task_id = $1
		ORDER BY v.created_at, v.id`, taskID)
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("select the verdicts on task %s", taskID))
	}
	return pg.Convert(rows, onchain.VerdictRow.Verdict), nil
}

// tallies counts, for each task, the verdicts on its current work in the current round.
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

// Validation is a task under review, with the verdicts so far, for one of its validators.
type Validation struct {
	Task   market.Task
	Tally  Tally
	Quorum int             // number of equal verdicts needed for a decision
	Mine   *market.Verdict // the validator's verdict on the current work in this round; nil if there is none
}

var (
	// roundCloses is the SQL equivalent of market.EscrowTask.Due for work under review.
	roundCloses = `CASE
		WHEN e.agent_approved THEN e.last_activity_at + ` + pg.Interval(market.ApprovedReview) + `
		WHEN e.disputed_by = e.agent THEN e.disputed_at + ` + pg.Interval(market.DisputedReview) + `
		ELSE e.last_activity_at + ` + pg.Interval(market.EmergencyDelay) + ` END`

	validationColumns = taskColumns + `, ` + roundCloses + ` AS closes_at,
		(SELECT q.quorum
		 FROM chain_quorums q
		 WHERE q.chain_id = e.chain_id AND q.escrow = e.escrow AND q.from_panel <= e.panel
		 ORDER BY q.from_panel DESC
		 LIMIT 1) AS quorum`

	validationFrom = taskFrom + `
		JOIN chain_validators w
			ON w.chain_id = e.chain_id AND w.escrow = e.escrow
			AND w.added_in <= e.panel AND (w.removed_in IS NULL OR e.panel < w.removed_in)`
)

type validationRow struct {
	taskRow
	pg.Listed
	ClosesAt pg.NullTime `db:"closes_at"`
	Quorum   pg.NullInt  `db:"quorum"`
}

// Validations lists the tasks under review whose panel includes the wallet and whose round has not closed in
// chain time, nearest end first. It excludes tasks to which the wallet is a party. It returns
// KindForbidden for a wallet that was never on a panel.
func (s *Store) Validations(ctx context.Context, wallet common.Address, page PageQuery) (Page[Validation], error) {
	if err := s.checkValidator(ctx, wallet); err != nil {
		return Page[Validation]{}, err
	}
	list := pg.List[validationRow]{
		What: "select validations", Columns: validationColumns, From: validationFrom,
		Order: pg.Order{Name: "validations", Key: roundCloses, ID: "t.id", Parse: pg.ParseTimeKey},
		Key:   func(r validationRow) (string, uuid.UUID) { return pg.TimeKey(r.ClosesAt.Time), r.ID },
	}
	list.Filter.Add("w.wallet = ? AND e.agent <> ? AND e.human <> ?", wallet, wallet, wallet)
	list.Filter.Add("e.status IN (3, 4) AND h.time < " + roundCloses)
	found, err := pg.SelectPage(ctx, s.db, list, page, func(r validationRow) Validation {
		return Validation{Task: r.task(), Quorum: int(r.Quorum)}
	})
	if err != nil {
		return Page[Validation]{}, err
	}
	return found, s.addVerdicts(ctx, found.Items, wallet)
}

func (s *Store) checkValidator(ctx context.Context, wallet common.Address) error {
	var exists bool
	err := s.db.Get(ctx, nil, &exists, `
		SELECT EXISTS (SELECT 1 FROM chain_validators WHERE chain_id = $1 AND escrow = $2 AND wallet = $3)`,
		s.deployment.ChainID, s.deployment.Escrow, wallet)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select validator %s", wallet))
	}
	if !exists {
		return market.Errorf(market.KindForbidden, "only validators can list tasks under review")
	}
	return nil
}

// addVerdicts adds the tallies and the wallet's own verdicts to the items.
func (s *Store) addVerdicts(ctx context.Context, items []Validation, wallet common.Address) error {
	ids := make([]uuid.UUID, len(items))
	for i, item := range items {
		ids[i] = item.Task.ID
	}
	tallies, err := s.tallies(ctx, ids)
	if err != nil {
		return err
	}
	var rows []onchain.VerdictRow
	err = s.db.Select(ctx, nil, &rows, `
		SELECT `+onchain.VerdictColumns+` FROM verdicts v WHERE v.task_id = ANY ($1) AND v.validator = $2`, pq.Array(ids), wallet)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the verdicts of %s", wallet))
	}
	for i, item := range items {
		items[i].Tally = tallies[item.Task.ID]
		for _, row := range rows {
			e := item.Task.Escrow
			if row.TaskID == item.Task.ID && row.Round == e.Round().Number && row.WorkHash == e.WorkHash {
				mine := row.Verdict()
				items[i].Mine = &mine
			}
		}
	}
	return nil
}
