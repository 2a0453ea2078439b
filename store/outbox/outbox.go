// Package outbox stores the keeper's jobs, which other transactions add, the lease under which one keeper sends
// their transactions, and what these transactions cost.
package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// Store provides access to the keeper's jobs for one deployment. It is safe for concurrent use.
type Store struct {
	db         *pg.DB
	deployment market.Deployment
}

// New returns the outbox of a deployment.
func New(db *pg.DB, d market.Deployment) *Store { return &Store{db: db, deployment: d} }

// jobPayload is the stored input for a keeper job. RecordID is the id of a task (for verdicts) or
// of a claim.
type jobPayload struct {
	TaskID   uint64    `json:"task_id,omitempty"` // the task's id in the escrow contract
	RecordID uuid.UUID `json:"record_id,omitzero"`
	Round    uint8     `json:"round,omitempty"`    // only for verdicts
	Approved bool      `json:"approved,omitempty"` // only for verdicts

	Account    common.Address `json:"account,omitzero"`     // only for claims and cancellations
	Cumulative *big.Int       `json:"cumulative,omitempty"` // only for claims
	Nonce      uint64         `json:"nonce,omitempty"`      // only for cancellations
}

// EnqueueVerdicts enqueues a job that relays a quorum of verdicts, once for each combination of
// round, outcome and work. It runs in the transaction that completes the quorum.
func (s *Store) EnqueueVerdicts(ctx context.Context, tx *sqlx.Tx, t market.Task, round uint8, approved bool) error {
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

// EnqueueClaim enqueues the job that submits the voucher for a claim, in the transaction that inserts the claim.
// cumulative is the total of the account's rewards after it.
func (s *Store) EnqueueClaim(ctx context.Context, tx *sqlx.Tx, claim uuid.UUID, account common.Address, cumulative *big.Int) error {
	what := fmt.Sprintf("enqueue claim %s", claim)
	payload, err := json.Marshal(jobPayload{RecordID: claim, Account: account, Cumulative: cumulative})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err = s.db.Exec(ctx, tx, `
		INSERT INTO outbox (chain_id, escrow, kind, dedupe_key, payload)
		VALUES ($1, $2, 'claim', $3, $4)`,
		s.deployment.ChainID, s.deployment.Escrow, "claim:"+claim.String(), string(payload))
	return pg.Translate(err, what)
}

// OpenJobs returns the keeper's open jobs that are due: those without a transaction and those whose
// transaction is not confirmed. Cancellations are first. Jobs with a transaction are next, by nonce, because
// a transaction that is not mined blocks those with higher nonces. The others follow: jobs for the escrow,
// oldest first, and then claims, because they may have to wait for a keeper with the voucher key. Claims
// include those for former deployments. Jobs that become due within a second are included, so that a
// database clock that steps back does not delay a new job.
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
		Resend   bool              `db:"resend"`
		Error    string            `db:"error"`

		Distributor pg.NullAddress `db:"distributor"` // only for claims
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT o.id, o.kind, o.payload, o.tx_hash, o.raw_tx, o.nonce, o.sender, o.attempts, o.resend, o.error, c.distributor
		FROM outbox o
		LEFT JOIN claims c ON o.kind = 'claim' AND c.id = (o.payload->>'record_id')::uuid
		WHERE o.chain_id = $1 AND (o.escrow = $2 OR o.kind = 'claim') AND o.run_at <= now() + interval '1 second'
		  AND o.state IN ('pending', 'sent')
		ORDER BY o.kind <> 'cancel', o.nonce, o.kind = 'claim', o.id
		LIMIT $3`, s.deployment.ChainID, s.deployment.Escrow, limit)
	if err != nil {
		return nil, pg.Translate(err, "select open jobs")
	}
	jobs := make([]market.Job, len(rows))
	for i, row := range rows {
		var payload jobPayload
		if err := json.Unmarshal(row.Payload, &payload); err != nil {
			return nil, fmt.Errorf("decode job %d: %w", row.ID, err)
		}
		jobs[i] = market.Job{
			ID: row.ID, Kind: row.Kind, TaskID: payload.TaskID, Approved: payload.Approved,
			Reward:  market.Reward{Distributor: row.Distributor.Address, Account: payload.Account, Cumulative: payload.Cumulative},
			Cancels: market.AccountNonce{Account: payload.Account, Nonce: payload.Nonce}, Resend: row.Resend,
			TxHash: row.TxHash, RawTx: row.RawTx, Sender: row.Sender.Address, Nonce: pg.Counter(row.Nonce.Int64), Attempts: row.Attempts, Error: row.Error,
		}
		if jobs[i].Verdicts, err = s.jobVerdicts(ctx, row.Kind, payload); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// jobVerdicts returns the verdicts to relay, ordered by validator as the contract requires.
func (s *Store) jobVerdicts(ctx context.Context, kind market.OutboxKind, p jobPayload) ([]market.Verdict, error) {
	if kind != market.OutboxVerdicts {
		return nil, nil
	}
	var rows []onchain.VerdictRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+onchain.VerdictColumns+`
		FROM verdicts v
		JOIN tasks t ON t.id = v.task_id
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		WHERE v.task_id = $1 AND v.round = $2 AND v.approved = $3 AND v.work_hash = e.work_hash
		ORDER BY v.validator`, p.RecordID, p.Round, p.Approved)
	return pg.Convert(rows, onchain.VerdictRow.Verdict), pg.Translate(err, fmt.Sprintf("select the verdicts on task %s to relay", p.RecordID))
}

// JobSent records a job's transaction and its maximum cost before it is sent, so that a restarted keeper
// sends the same transaction again. It removes the job's error. A replacement does not change the age of
// the transaction, which counts from the job's first one. It returns market.ErrNotLeader if the epoch
// has ended, and KindNotFound for a closed job.
func (s *Store) JobSent(ctx context.Context, epoch, id int64, t market.Transaction) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		err := s.updateJob(ctx, tx, id, `
			UPDATE outbox
			SET state = 'sent', sender = $2, nonce = $3, tx_hash = $4, raw_tx = $5, attempts = attempts + 1, resend = false, error = '',
			    run_at = CASE state WHEN 'pending' THEN date_trunc('milliseconds', now()) ELSE run_at END
			WHERE id = $1 AND state IN ('pending', 'sent')`, t.Sender, pg.BigInt(t.Nonce), t.Hash, t.Raw)
		if err != nil {
			return err
		}
		return s.recordSpending(ctx, tx, t)
	})
}

// dueIn is the time after a delay of $3 microseconds by the database's clock, which also decides when a job
// is due.
const dueIn = `now() + $3 * interval '1 microsecond'`

// JobFailed records an error for an open job. The job becomes pending again, is due at retryAt by this
// machine's clock, and then gets a new transaction. If retryAt is zero, the job fails permanently. If it is the job of a claim,
// the claim fails too, and its agent is notified. It returns market.ErrNotLeader if the epoch has ended,
// and KindNotFound for a closed job. The watcher closes a job when it is completed on the chain.
func (s *Store) JobFailed(ctx context.Context, epoch, id int64, reason string, retryAt time.Time) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		if !retryAt.IsZero() {
			return s.updateJob(ctx, tx, id, `
				UPDATE outbox
				SET state = 'pending', error = $2, run_at = `+dueIn+`, attempts = attempts + 1,
				    sender = NULL, nonce = NULL, tx_hash = NULL, raw_tx = NULL, resend = false
				WHERE id = $1 AND state IN ('pending', 'sent')`, jobReason(reason), time.Until(retryAt).Microseconds())
		}
		err := s.updateJob(ctx, tx, id, `
			UPDATE outbox SET state = 'failed', error = $2 WHERE id = $1 AND state IN ('pending', 'sent')`, jobReason(reason))
		if err != nil {
			return err
		}
		return s.failClaim(ctx, tx, id)
	})
}

// JobPostponed postpones a job that was not sent and records the reason. The postponement does not
// count as a failed attempt. It returns the same errors as JobFailed.
func (s *Store) JobPostponed(ctx context.Context, epoch, id int64, reason string, until time.Time) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		return s.updateJob(ctx, tx, id, `
			UPDATE outbox SET error = $2, run_at = `+dueIn+` WHERE id = $1 AND state = 'pending'`, jobReason(reason), time.Until(until).Microseconds())
	})
}

// JobStalled records why an open job does not advance, for operators; "" removes the reason. It returns
// the same errors as JobFailed.
func (s *Store) JobStalled(ctx context.Context, epoch, id int64, reason string) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		return s.updateJob(ctx, tx, id, `UPDATE outbox SET error = $2 WHERE id = $1 AND state IN ('pending', 'sent')`, jobReason(reason))
	})
}

// maxReason limits the reason of a job, in bytes.
const maxReason = 300

// jobReason makes one line of at most maxReason bytes from an error, which can contain any text from a
// node, a contract or a signer. PostgreSQL would reject invalid UTF-8 and zero bytes.
func jobReason(text string) string {
	text = strings.Map(func(r rune) rune {
		if market.UnsafeInLine(r) {
			return ' '
		}
		return r
	}, text[:min(len(text), maxReason)])
	return strings.Join(strings.Fields(text), " ")
}

// withJob runs change in a transaction if the keeper's epoch is still valid.
func (s *Store) withJob(ctx context.Context, epoch, id int64, change func(*sqlx.Tx) error) error {
	return s.withLease(ctx, epoch, fmt.Sprintf("update job %d", id), change)
}

// updateJob runs a statement that changes one job. The statement's first argument is the job's id.
func (s *Store) updateJob(ctx context.Context, tx *sqlx.Tx, id int64, statement string, args ...any) error {
	n, err := s.db.Exec(ctx, tx, statement, append([]any{id}, args...)...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return pg.Translate(err, fmt.Sprintf("update job %d", id))
}

// failClaim marks the claim that belongs to a failed job as failed and notifies the agent. A
// payment that appears on the chain later still counts.
func (s *Store) failClaim(ctx context.Context, tx *sqlx.Tx, job int64) error {
	var failed []struct {
		ID      uuid.UUID `db:"id"`
		AgentID uuid.UUID `db:"agent_id"`
	}
	err := s.db.Select(ctx, tx, &failed, `
		UPDATE claims c
		SET status = CASE c.status WHEN 'pending' THEN 'failed' ELSE c.status END, given_up = true
		FROM outbox o
		WHERE o.id = $1 AND o.kind = 'claim' AND c.id = (o.payload->>'record_id')::uuid
		RETURNING c.id, c.agent_id`, job)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("fail the claim of job %d", job))
	}
	for _, claim := range failed {
		err := feed.Add(ctx, s.db, tx, market.PrincipalAgent, claim.AgentID,
			feed.Item{Kind: market.ActivityClaimFailed, Related: claim.ID, Cause: "claim-failed"})
		if err != nil {
			return err
		}
	}
	return nil
}
