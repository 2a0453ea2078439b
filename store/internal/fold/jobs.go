package fold

import (
	"context"

	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// settleKey is an SQL expression for the dedupe key of a settlement job. It is unique for each task
// (t) and due time.
const settleKey = `format('%s:0x%s:settle:%s:%s', t.chain_id, encode(t.escrow, 'hex'), t.id, extract(epoch FROM t.settle_at)::bigint)`

// reopened is a SET clause that reopens a closed job. If the job has a signed transaction, the
// state becomes sent, because the transaction may have been sent and can still be mined. A job that was
// done gets a new creation time. A failed job keeps its creation time, because it can be reopened and
// fail again in every step.
const reopened = `state = CASE WHEN o.raw_tx IS NULL THEN 'pending' ELSE 'sent' END, run_at = now(), error = '',
	created_at = CASE o.state WHEN 'done' THEN now() ELSE o.created_at END`

// syncJobs makes the keeper's jobs consistent with the followed chain. Every task that is due has
// an open settlement job, regardless of earlier settlements. A receipt or a rejection never closes
// a task's job, because a reorganisation can undo either.
func (f *Fold) syncJobs(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.openSettlements, f.closeJobs, f.reopenVerdicts} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// openSettlements enqueues or reopens the settlement job for every task that is due in chain time.
func (f *Fold) openSettlements(ctx context.Context) error {
	d := f.deployment
	_, err := f.db.Exec(ctx, f.tx, `
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

// closeJobs closes open jobs for tasks that are no longer under review, and settlement jobs whose
// due time has changed. A job with a transaction stays open until the transaction's outcome is
// known, because a stuck transaction blocks all later nonces of its sender. It is closed if this
// transaction ended the task.
func (f *Fold) closeJobs(ctx context.Context) error {
	d := f.deployment
	_, err := f.db.Exec(ctx, f.tx, `
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

// reopenVerdicts reopens the jobs that relay verdicts on touched tasks under review, because a
// reorganisation may have reverted the end of such a task.
func (f *Fold) reopenVerdicts(ctx context.Context) error {
	var reviewed pq.Int64Array
	for _, e := range f.postings {
		if e.Status == market.ChainSubmitted || e.Status == market.ChainDisputed {
			reviewed = append(reviewed, pg.BigInt(e.ID))
		}
	}
	if len(reviewed) == 0 {
		return nil
	}
	d := f.deployment
	_, err := f.db.Exec(ctx, f.tx, `
		UPDATE outbox o SET `+reopened+`
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.kind = 'verdicts' AND o.state IN ('done', 'failed')
		  AND (o.payload->>'task_id')::bigint = ANY ($3)`,
		d.ChainID, d.Escrow, reviewed)
	return pg.Translate(err, "reopen the relays of verdicts")
}
