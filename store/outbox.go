package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// jobPayload is what the keeper needs to know. The record is the task of
// verdicts, or the claim.
type jobPayload struct {
	TaskID   uint64    `json:"task_id,omitempty"` // the escrow's
	RecordID uuid.UUID `json:"record_id,omitzero"`
	Round    uint8     `json:"round,omitempty"`    // of verdicts
	Approved bool      `json:"approved,omitempty"` // of verdicts

	Account    common.Address `json:"account,omitzero"`     // of claims
	Cumulative *big.Int       `json:"cumulative,omitempty"` // of claims
}

// enqueueVerdicts gives the keeper a complete set of verdicts to relay, once
// per round, outcome and work, in the transaction that completes it.
func (s *Store) enqueueVerdicts(ctx context.Context, tx *sqlx.Tx, t market.Task, round uint8, approved bool) error {
	what := fmt.Sprintf("enqueue the verdicts on task %s", t.ID)
	payload, err := json.Marshal(jobPayload{TaskID: t.Escrow.ID, RecordID: t.ID, Round: round, Approved: approved})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	key := fmt.Sprintf("%d:%s:verdicts:%d:%s:%d:%t", t.ChainID, t.EscrowAddress, t.Escrow.ID, t.Escrow.WorkHash, round, approved)
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
		VALUES ($1, $2, 'verdicts', $3, $4)
		ON CONFLICT (dedupe_key) DO NOTHING`,
		t.ChainID, t.EscrowAddress, key, string(payload))
	return pg.Translate(err, what)
}

// settleKey is the dedupe key of the settlement of a task t: once per task and
// instant.
const settleKey = `format('%s:0x%s:settle:%s:%s', t.chain_id, encode(t.escrow, 'hex'), t.id, extract(epoch FROM t.settle_at)::bigint)`

// reopened makes a closed job open again. A transaction that was sent is still
// the job's: it may be mined again.
const reopened = `state = CASE WHEN o.raw_tx IS NULL THEN 'pending' ELSE 'sent' END, run_at = now()`

// syncJobs makes the keeper's jobs agree with the tasks on the followed chain.
// Afterwards every task that is due has an open settlement, whatever became of
// it before. Receipts and refusals, which a reorganisation can revoke, close no
// job of a task.
func (f *fold) syncJobs(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.openSettlements, f.closeJobs, f.reopenVerdicts} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// openSettlements enqueues the settlement of every task that is due in chain
// time, or opens it again.
func (f *fold) openSettlements(ctx context.Context) error {
	d := f.s.deployment
	_, err := f.s.db.Exec(ctx, f.tx, `
		INSERT INTO outbox AS o (chain_id, escrow, kind, dedupe_key, payload)
		SELECT t.chain_id, t.escrow, 'settle', `+settleKey+`, jsonb_build_object('task_id', t.id)
		FROM onchain_tasks t
		WHERE t.chain_id = $1 AND t.escrow = $2 AND t.settle_at <= $3 AND t.status IN (3, 4)
		  AND NOT EXISTS (SELECT FROM outbox open WHERE open.dedupe_key = `+settleKey+` AND open.state IN ('pending', 'sent'))
		ON CONFLICT (dedupe_key) DO UPDATE SET `+reopened+`
		WHERE o.state IN ('done', 'failed')`,
		d.ChainID, d.Escrow, f.now().UTC())
	return pg.Translate(err, "open due settlements")
}

// closeJobs closes open jobs of tasks that are no longer under review, and
// settlements at an instant that has moved. A transaction that was sent keeps its
// job open until it is known what became of it, unless it is the one that ended
// the task: a transaction that is stuck holds up all later nonces of its sender.
func (f *fold) closeJobs(ctx context.Context) error {
	d := f.s.deployment
	_, err := f.s.db.Exec(ctx, f.tx, `
		UPDATE outbox o SET state = 'done'
		FROM outbox own
		LEFT JOIN onchain_tasks t ON t.chain_id = own.chain_id AND t.escrow = own.escrow AND t.id = (own.payload->>'task_id')::bigint
		WHERE o.id = own.id AND own.chain_id = $1 AND own.escrow = $2
		  AND own.kind IN ('verdicts', 'settle') AND own.state IN ('pending', 'sent')
		  AND (t.status IN (3, 4) AND (own.kind = 'verdicts' OR own.dedupe_key = `+settleKey+`)) IS NOT TRUE
		  AND (own.state = 'pending' OR own.tx_hash = t.end_tx)`,
		d.ChainID, d.Escrow)
	return pg.Translate(err, "close the jobs of ended tasks")
}

// reopenVerdicts opens the relays of verdicts on touched tasks that are under
// review: a reorganisation has dropped the end that closed them.
func (f *fold) reopenVerdicts(ctx context.Context) error {
	if len(f.tasks) == 0 {
		return nil
	}
	d := f.s.deployment
	_, err := f.s.db.Exec(ctx, f.tx, `
		UPDATE outbox o SET `+reopened+`
		FROM onchain_tasks t
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.kind = 'verdicts' AND o.state IN ('done', 'failed')
		  AND (o.payload->>'task_id')::bigint = ANY ($3)
		  AND t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.id = (o.payload->>'task_id')::bigint AND t.status IN (3, 4)`,
		d.ChainID, d.Escrow, idArray(f.tasks))
	return pg.Translate(err, "open the relays of verdicts again")
}

// OpenJobs returns the keeper's work that is due: what was never sent, and what
// was sent and not seen to be done. The escrow's comes first, the oldest before
// the others; then claims, also those made while another escrow was served. They
// may wait for a keeper that has the vouchers' key, and nothing waits for them.
func (s *Store) OpenJobs(ctx context.Context, limit int) ([]market.Job, error) {
	var rows []struct {
		ID       int64             `db:"id"`
		Kind     market.OutboxKind `db:"kind"`
		Payload  []byte            `db:"payload"`
		TxHash   []byte            `db:"tx_hash"`
		RawTx    []byte            `db:"raw_tx"`
		Nonce    sql.NullInt64     `db:"nonce"`
		Sender   pg.NullAddress    `db:"sender"`
		Attempts int               `db:"attempts"`

		Distributor pg.NullAddress `db:"distributor"` // of claims
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT o.id, o.kind, o.payload, o.tx_hash, o.raw_tx, o.nonce, o.sender, o.attempts, c.distributor
		FROM outbox o
		LEFT JOIN claims c ON o.kind = 'claim' AND c.id = (o.payload->>'record_id')::uuid
		WHERE o.chain_id = $1 AND (o.escrow = $2 OR o.kind = 'claim') AND o.run_at <= now() AND o.state IN ('pending', 'sent')
		ORDER BY o.kind = 'claim', o.id
		LIMIT $3`, s.deployment.ChainID, s.deployment.Escrow, limit)
	if err != nil {
		return nil, pg.Translate(err, "select open jobs")
	}
	jobs := make([]market.Job, len(rows))
	for i, row := range rows {
		var payload jobPayload
		if err := json.Unmarshal(row.Payload, &payload); err != nil {
			return nil, fmt.Errorf("read job %d: %w", row.ID, err)
		}
		jobs[i] = market.Job{
			ID: row.ID, Kind: row.Kind, TaskID: payload.TaskID, Approved: payload.Approved,
			Reward: market.Reward{Distributor: row.Distributor.Address, Account: payload.Account, Cumulative: payload.Cumulative},
			TxHash: row.TxHash, RawTx: row.RawTx, Sender: row.Sender.Address, Nonce: pg.Counter(row.Nonce.Int64), Attempts: row.Attempts,
		}
		if jobs[i].Verdicts, err = s.jobVerdicts(ctx, row.Kind, payload); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// jobVerdicts returns the verdicts to relay, in the order of validators that
// the contract wants.
func (s *Store) jobVerdicts(ctx context.Context, kind market.OutboxKind, p jobPayload) ([]market.Verdict, error) {
	if kind != market.OutboxVerdicts {
		return nil, nil
	}
	var rows []verdictRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+verdictColumns+`
		FROM verdicts v
		JOIN tasks t ON t.id = v.task_id
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE v.task_id = $1 AND v.round = $2 AND v.approved = $3 AND v.work_hash = e.work_hash
		ORDER BY v.validator`, p.RecordID, p.Round, p.Approved)
	verdicts := make([]market.Verdict, len(rows))
	for i, row := range rows {
		verdicts[i] = row.verdict()
	}
	return verdicts, pg.Translate(err, fmt.Sprintf("select the verdicts on task %s to relay", p.RecordID))
}

// JobSent records a transaction for a job, and what it may cost, before it is
// sent: after a crash the same transaction is looked for, never another made. It
// returns market.ErrNotLeader when the epoch is over, and KindNotFound for a job
// that was closed meanwhile.
func (s *Store) JobSent(ctx context.Context, epoch, id int64, t market.Transaction) error {
	return s.changeJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		err := s.setJob(ctx, tx, id, `
			UPDATE outbox
			SET state = 'sent', sender = $2, nonce = $3, tx_hash = $4, raw_tx = $5, attempts = attempts + 1
			WHERE id = $1 AND state IN ('pending', 'sent')`, t.Sender, pg.BigInt(t.Nonce), t.Hash, t.Raw)
		if err != nil {
			return err
		}
		return s.spend(ctx, tx, t)
	})
}

// JobFailed records why an open job cannot be done: until retryAt, when a new
// transaction is made for it, or for good when retryAt is zero. It returns
// market.ErrNotLeader when the epoch is over, and KindNotFound for a job that
// was closed meanwhile, as the watcher does with jobs that it sees done.
func (s *Store) JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error {
	return s.changeJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		if !retryAt.IsZero() {
			return s.setJob(ctx, tx, id, `
				UPDATE outbox
				SET state = 'pending', error = $2, run_at = $3, attempts = attempts + 1,
				    sender = NULL, nonce = NULL, tx_hash = NULL, raw_tx = NULL
				WHERE id = $1 AND state IN ('pending', 'sent')`, reason, retryAt.UTC())
		}
		err := s.setJob(ctx, tx, id, `
			UPDATE outbox SET state = 'failed', error = $2 WHERE id = $1 AND state IN ('pending', 'sent')`, reason)
		if err != nil {
			return err
		}
		return s.failClaim(ctx, tx, id)
	})
}

// JobPostponed records why a job that was not sent has to wait until an instant.
// It is no failed attempt. It returns the errors of JobFailed.
func (s *Store) JobPostponed(ctx context.Context, epoch, id int64, reason string, until time.Time) error {
	return s.changeJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		return s.setJob(ctx, tx, id, `
			UPDATE outbox SET error = $2, run_at = $3 WHERE id = $1 AND state = 'pending'`, reason, until.UTC())
	})
}

// changeJob runs change while the keeper's epoch lasts.
func (s *Store) changeJob(ctx context.Context, epoch, id int64, change func(*sqlx.Tx) error) error {
	return s.asKeeper(ctx, epoch, fmt.Sprintf("update job %d", id), change)
}

// setJob runs a statement that changes one job, its first argument.
func (s *Store) setJob(ctx context.Context, tx *sqlx.Tx, id int64, statement string, args ...any) error {
	n, err := s.db.Exec(ctx, tx, statement, append([]any{id}, args...)...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return pg.Translate(err, fmt.Sprintf("update job %d", id))
}
