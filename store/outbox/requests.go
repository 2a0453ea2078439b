package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

// KeeperTransaction is the last transaction of an open job.
type KeeperTransaction struct {
	Job          market.Job
	Age          time.Duration // time since the first transaction was sent; without one, time since the job was created or reopened
	Replacements int           // number of earlier transactions with the nonce
}

// KeeperTransactions returns the last transaction of each open job, ordered by sender and nonce, and
// then the jobs without a transaction that are cancellations or have an error.
func (s *Store) KeeperTransactions(ctx context.Context) ([]KeeperTransaction, error) {
	var rows []struct {
		ID           int64             `db:"id"`
		Kind         market.OutboxKind `db:"kind"`
		Payload      []byte            `db:"payload"`
		Sender       pg.NullAddress    `db:"sender"`
		Nonce        int64             `db:"nonce"`
		TxHash       []byte            `db:"tx_hash"`
		RawTx        []byte            `db:"raw_tx"`
		Attempts     int               `db:"attempts"`
		Resend       bool              `db:"resend"`
		Error        string            `db:"error"`
		Age          float64           `db:"age"` // seconds
		Replacements int               `db:"replacements"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT o.id, o.kind, o.payload, o.sender, coalesce(o.nonce, 0) AS nonce, o.tx_hash, o.raw_tx, o.attempts, o.resend, o.error,
		       greatest(0, extract(epoch FROM clock_timestamp() - `+jobSince+`))::float8 AS age, coalesce(k.replacements, 0) AS replacements
		FROM outbox o
		LEFT JOIN keeper_spending k ON k.chain_id = o.chain_id AND k.sender = o.sender AND k.nonce = o.nonce
		WHERE o.chain_id = $1 AND (o.escrow = $2 OR o.kind = 'claim')
		  AND (o.state = 'sent' OR o.state = 'pending' AND (o.kind = 'cancel' OR o.error <> ''))
		ORDER BY o.sender, o.nonce, o.kind <> 'cancel', o.id`, s.deployment.ChainID, s.deployment.Escrow)
	if err != nil {
		return nil, pg.Translate(err, "select the keeper's transactions")
	}
	transactions := make([]KeeperTransaction, len(rows))
	for i, row := range rows {
		var payload jobPayload
		if err := json.Unmarshal(row.Payload, &payload); err != nil {
			return nil, fmt.Errorf("decode job %d: %w", row.ID, err)
		}
		transactions[i] = KeeperTransaction{
			Job: market.Job{
				ID: row.ID, Kind: row.Kind, TaskID: payload.TaskID, Reward: market.Reward{Account: payload.Account},
				Cancels: market.AccountNonce{Account: payload.Account, Nonce: payload.Nonce}, Resend: row.Resend,
				TxHash: row.TxHash, RawTx: row.RawTx, Sender: row.Sender.Address, Nonce: pg.Counter(row.Nonce), Attempts: row.Attempts,
				Error: row.Error,
			},
			Age: time.Duration(row.Age * float64(time.Second)), Replacements: row.Replacements,
		}
	}
	return transactions, nil
}

// RequestResend asks the keeper to send the transaction with the nonce again, with higher fees. If a
// cancellation and the transaction that it replaces are open, it selects the cancellation. It returns
// KindNotFound if no open job has a transaction with the nonce.
func (s *Store) RequestResend(ctx context.Context, n market.AccountNonce) (job int64, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &job, `
			UPDATE outbox SET resend = true, error = ''
			WHERE id = (
			    SELECT id FROM outbox
			    WHERE chain_id = $1 AND (escrow = $2 OR kind = 'claim') AND state = 'sent' AND sender = $3 AND nonce = $4
			    ORDER BY kind <> 'cancel', id
			    LIMIT 1
			) AND state = 'sent'
			RETURNING id`, s.deployment.ChainID, s.deployment.Escrow, n.Account, pg.BigInt(n.Nonce))
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("resend the transaction with nonce %d", n.Nonce))
		}
		return auditlog.Add(ctx, s.db, tx, keeperAct(market.AuditKeeperResend, n))
	})
	return job, err
}

// RequestCancel asks the keeper to use the nonce for an empty transfer. While a request is open, repeating
// it creates no second job, but makes the keeper retry at once.
func (s *Store) RequestCancel(ctx context.Context, n market.AccountNonce) (job int64, err error) {
	err = s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		job, err = s.requestCancel(ctx, tx, n)
		return err
	})
	return job, err
}

func (s *Store) requestCancel(ctx context.Context, tx *sqlx.Tx, n market.AccountNonce) (job int64, err error) {
	what := fmt.Sprintf("request the cancellation of nonce %d", n.Nonce)
	payload, err := json.Marshal(jobPayload{Account: n.Account, Nonce: n.Nonce})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	err = s.db.Get(ctx, tx, &job, `
		INSERT INTO outbox AS o (chain_id, escrow, kind, dedupe_key, payload)
		VALUES ($1, $2, 'cancel', $3, $4)
		ON CONFLICT (dedupe_key) DO UPDATE
		SET state = CASE WHEN o.state IN ('pending', 'sent') THEN o.state ELSE 'pending' END,
		    created_at = CASE WHEN o.state IN ('pending', 'sent') THEN o.created_at ELSE now() END,
		    run_at = now(), error = '', escrow = excluded.escrow,
		    sender = CASE WHEN o.state = 'sent' THEN o.sender END, nonce = CASE WHEN o.state = 'sent' THEN o.nonce END,
		    tx_hash = CASE WHEN o.state = 'sent' THEN o.tx_hash END, raw_tx = CASE WHEN o.state = 'sent' THEN o.raw_tx END
		RETURNING id`,
		s.deployment.ChainID, s.deployment.Escrow, s.cancelKey(n), string(payload))
	if err != nil {
		return 0, pg.Translate(err, what)
	}
	return job, auditlog.Add(ctx, s.db, tx, keeperAct(market.AuditKeeperCancel, n))
}

// FillNonce is like RequestCancel, for a nonce that has neither an open transaction nor an open request.
// Otherwise it does nothing. It returns market.ErrNotLeader if the epoch has ended.
func (s *Store) FillNonce(ctx context.Context, epoch int64, n market.AccountNonce) error {
	what := fmt.Sprintf("look for a transaction with nonce %d", n.Nonce)
	return s.withLease(ctx, epoch, what, func(tx *sqlx.Tx) error {
		var open bool
		err := s.db.Get(ctx, tx, &open, `
			SELECT EXISTS (
				SELECT 1 FROM outbox
				WHERE chain_id = $1 AND state IN ('pending', 'sent') AND (sender = $2 AND nonce = $3 OR dedupe_key = $4))`,
			s.deployment.ChainID, n.Account, pg.BigInt(n.Nonce), s.cancelKey(n))
		if err != nil || open {
			return pg.Translate(err, what)
		}
		_, err = s.requestCancel(ctx, tx, n)
		return err
	})
}

// cancelKey identifies the job that cancels a nonce.
func (s *Store) cancelKey(n market.AccountNonce) string {
	return fmt.Sprintf("%d:%s:cancel:%d", s.deployment.ChainID, n.Account, n.Nonce)
}

// keeperAct returns the audit-log entry for a request about a nonce.
func keeperAct(kind market.AuditKind, n market.AccountNonce) market.AuditEntry {
	return market.AuditEntry{Kind: kind, SubjectKind: "keeper_nonce", Subject: fmt.Sprintf("%s:%d", n.Account, n.Nonce)}
}

// KeeperJobOutcome returns the state and the error of a job, so that an operator can see the outcome of
// a request.
func (s *Store) KeeperJobOutcome(ctx context.Context, id int64) (state, reason string, err error) {
	var row struct {
		State string `db:"state"`
		Error string `db:"error"`
	}
	err = s.db.Get(ctx, nil, &row, `SELECT state, error FROM outbox WHERE id = $1`, id)
	return row.State, row.Error, pg.Translate(err, fmt.Sprintf("select job %d", id))
}

// JobNotResent records why a job's transaction was not sent again with higher fees, and ends the
// request. It returns the same errors as JobFailed.
func (s *Store) JobNotResent(ctx context.Context, epoch, id int64, reason string) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		return s.updateJob(ctx, tx, id, `UPDATE outbox SET resend = false, error = $2 WHERE id = $1 AND state = 'sent'`, jobReason(reason))
	})
}

// JobDone closes a job that has no effect on the contracts. It returns the same errors as JobFailed.
func (s *Store) JobDone(ctx context.Context, epoch, id int64) error {
	return s.withJob(ctx, epoch, id, func(tx *sqlx.Tx) error {
		return s.updateJob(ctx, tx, id, `UPDATE outbox SET state = 'done', error = '' WHERE id = $1 AND state IN ('pending', 'sent')`)
	})
}
