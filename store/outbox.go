package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
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
	_, err = s.exec(ctx, tx, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
		VALUES ($1, $2, 'verdicts', $3, $4)
		ON CONFLICT (dedupe_key) DO NOTHING`,
		t.ChainID, t.EscrowAddress, key, string(payload))
	return translate(err, what)
}

// settleJobs gives the keeper every task whose time-out is due in chain time,
// once per task and instant, and takes back what has become pointless.
func (f *fold) settleJobs(ctx context.Context) error {
	d := f.s.deployment
	_, err := f.s.exec(ctx, f.tx, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
		SELECT chain_id, escrow, 'settle',
		       format('%s:0x%s:settle:%s:%s', chain_id, encode(escrow, 'hex'), id, extract(epoch FROM settle_at)::bigint),
		       jsonb_build_object('task_id', id)
		FROM onchain_tasks
		WHERE chain_id = $1 AND escrow = $2 AND settle_at <= $3 AND status IN (3, 4)
		ON CONFLICT (dedupe_key) DO NOTHING`,
		d.ChainID, d.Escrow, f.now().UTC())
	if err != nil {
		return translate(err, "enqueue due settlements")
	}
	if len(f.tasks) == 0 {
		return nil
	}
	_, err = f.s.exec(ctx, f.tx, `
		UPDATE outbox o SET state = 'done'
		FROM onchain_tasks t
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.state = 'pending' AND o.kind IN ('verdicts', 'settle')
		  AND t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.id = (o.payload->>'task_id')::bigint
		  AND t.status >= 5 AND t.id = ANY ($3)`,
		d.ChainID, d.Escrow, idArray(f.tasks))
	return translate(err, "close the jobs of ended tasks")
}

// reopenJobs makes the keeper look again at the jobs of tasks whose end was
// dropped, also at those that this end had made pointless. What was sent is not
// sent anew: it comes back as sent.
func (f *fold) reopenJobs(ctx context.Context) error {
	d := f.s.deployment
	_, err := f.s.exec(ctx, f.tx, `
		UPDATE outbox SET state = CASE WHEN raw_tx IS NULL THEN 'pending' ELSE 'sent' END
		WHERE chain_id = $1 AND escrow = $2 AND state IN ('done', 'failed') AND kind IN ('verdicts', 'settle')
		  AND (payload->>'task_id')::bigint = ANY ($3)`,
		d.ChainID, d.Escrow, idArray(f.tasks))
	return translate(err, "open the jobs of touched tasks again")
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
		Attempts int               `db:"attempts"`

		Distributor nullAddress `db:"distributor"` // of claims
	}
	err := s.rows(ctx, nil, &rows, `
		SELECT o.id, o.kind, o.payload, o.tx_hash, o.raw_tx, o.nonce, o.attempts, c.distributor
		FROM outbox o
		LEFT JOIN claims c ON o.kind = 'claim' AND c.id = (o.payload->>'record_id')::uuid
		WHERE o.chain_id = $1 AND (o.escrow = $2 OR o.kind = 'claim') AND o.run_at <= now() AND o.state IN ('pending', 'sent')
		ORDER BY o.kind = 'claim', o.id
		LIMIT $3`, s.deployment.ChainID, s.deployment.Escrow, limit)
	if err != nil {
		return nil, translate(err, "select open jobs")
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
			TxHash: row.TxHash, RawTx: row.RawTx, Nonce: counter(row.Nonce.Int64), Attempts: row.Attempts,
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
	err := s.rows(ctx, nil, &rows, `
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
	return verdicts, translate(err, fmt.Sprintf("select the verdicts on task %s to relay", p.RecordID))
}

// JobSent writes down what is about to be sent for a job, before it is sent:
// after a crash the same transaction is looked for, never another made. It
// returns market.ErrNotLeader when the epoch is over.
func (s *Store) JobSent(ctx context.Context, epoch, id int64, nonce uint64, txHash common.Hash, raw []byte) error {
	return s.updateJob(ctx, epoch, id, `
		UPDATE outbox
		SET state = 'sent', nonce = $2, tx_hash = $3, raw_tx = $4, attempts = attempts + 1
		WHERE id = $1 AND state IN ('pending', 'sent')`, nonce, txHash, raw)
}

// JobDone closes a job: its transaction succeeded, or somebody else did it. It
// returns market.ErrNotLeader when the epoch is over.
func (s *Store) JobDone(ctx context.Context, epoch, id int64) error {
	return s.updateJob(ctx, epoch, id, `UPDATE outbox SET state = 'done' WHERE id = $1`)
}

// JobFailed notes why an open job cannot be done: until retryAt, when a new
// transaction is made for it, or for good when retryAt is zero. It returns
// market.ErrNotLeader when the epoch is over, and KindNotFound for a job that
// was closed meanwhile, as the watcher does with what it sees done.
func (s *Store) JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error {
	if retryAt.IsZero() {
		return s.changeJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
			err := s.setJob(ctx, tx, id, `
				UPDATE outbox SET state = 'failed', error = $2 WHERE id = $1 AND state IN ('pending', 'sent')`, reason)
			if err != nil {
				return err
			}
			return s.failClaim(ctx, tx, id)
		})
	}
	return s.updateJob(ctx, epoch, id, `
		UPDATE outbox
		SET state = 'pending', error = $2, run_at = $3, attempts = attempts + 1,
		    nonce = NULL, tx_hash = NULL, raw_tx = NULL
		WHERE id = $1 AND state IN ('pending', 'sent')`, reason, retryAt.UTC())
}

// updateJob changes one job while the epoch lasts.
func (s *Store) updateJob(ctx context.Context, epoch, id int64, statement string, args ...any) error {
	return s.changeJob(ctx, epoch, id, func(tx *sqlx.Tx) error { return s.setJob(ctx, tx, id, statement, args...) })
}

// changeJob runs change while the epoch lasts.
func (s *Store) changeJob(ctx context.Context, epoch, id int64, change func(*sqlx.Tx) error) error {
	return s.tx(ctx, func(tx *sqlx.Tx) error {
		var held int64
		err := s.get(ctx, tx, &held, `SELECT epoch FROM chain_head WHERE chain_id = $1 AND epoch = $2 FOR SHARE`,
			s.deployment.ChainID, epoch)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("update job %d: %w", id, market.ErrNotLeader)
		}
		if err != nil {
			return translate(err, "check the epoch")
		}
		return change(tx)
	})
}

// setJob runs a statement that changes one job, its first argument.
func (s *Store) setJob(ctx context.Context, tx *sqlx.Tx, id int64, statement string, args ...any) error {
	n, err := s.exec(ctx, tx, statement, append([]any{id}, args...)...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return translate(err, fmt.Sprintf("update job %d", id))
}
