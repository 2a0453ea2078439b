package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// sweepBatch limits the number of rows that one transaction deletes and therefore locks.
const sweepBatch = 5_000

const (
	// spendingRetention is how long records of the keeper's spending are stored.
	spendingRetention = 30 * 24 * time.Hour
	// jobRetention is how long closed jobs of the keeper are stored after they were last due.
	jobRetention = 30 * 24 * time.Hour
)

// Sweep deletes expired challenges, sessions, sign-in links of operators and idempotency keys, full
// rate-limit buckets, usernames that are no longer reserved, social accounts that are no longer barred,
// copies of moderated texts that no appeal needs, and events, entries of the audit log, closed jobs and
// records of the keeper's spending that are older than their retention periods. It removes tasks that
// were not funded in time from the lists, deletes the files of cancelled tasks that had no human, and
// erases the data that an earlier erasure of an account left for the other parties of contracts.
// Concurrent calls are safe.
func (s *Store) Sweep(ctx context.Context) error {
	for _, statement := range []string{
		`DELETE FROM challenges WHERE hash IN (
			SELECT hash FROM challenges WHERE expires_at < now() - interval '1 hour' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM sessions WHERE id_hash IN (
			SELECT id_hash FROM sessions WHERE expires_at <= now() OR coalesce(last_used_at, created_at) <= now() - ` + pg.Interval(market.SessionIdle) + `
			LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM console_links WHERE token_hash IN (
			SELECT token_hash FROM console_links WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM console_sessions WHERE id_hash IN (
			SELECT id_hash FROM console_sessions WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM idempotency_keys WHERE scope IN (
			SELECT scope FROM idempotency_keys WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM rate_limits WHERE key IN (
			SELECT key FROM rate_limits WHERE tat <= now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM usernames WHERE skeleton IN (
			SELECT skeleton FROM usernames WHERE released_at <= now() - ` + pg.Interval(market.UsernameReserve) + ` LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM keeper_spending WHERE (chain_id, sender, nonce) IN (
			SELECT chain_id, sender, nonce FROM keeper_spending WHERE signed_at < now() - ` + pg.Interval(spendingRetention) + ` LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM barred_links WHERE (account_hash, user_id) IN (
			SELECT b.account_hash, b.user_id FROM barred_links b JOIN users u ON u.id = b.user_id
			WHERE NOT ` + evades + ` LIMIT $1 FOR UPDATE OF b SKIP LOCKED)`,
		`UPDATE moderation_decisions SET subject_text = '' WHERE id IN (
			SELECT d.id FROM moderation_decisions d
			WHERE d.subject_text <> '' AND (d.ended_at IS NOT NULL OR d.decided_at <= now() - ` + pg.Interval(market.AppealWindow) + `)
			  AND NOT EXISTS (SELECT 1 FROM appeals p WHERE p.decision_id = d.id AND p.outcome IS NULL)
			LIMIT $1 FOR UPDATE OF d SKIP LOCKED)`,
		deleteJobs,
		lapseTasks,
	} {
		if err := s.sweep(ctx, statement); err != nil {
			return err
		}
	}
	if err := s.sweepCancelledFiles(ctx); err != nil {
		return err
	}
	if err := s.sweepErasures(ctx); err != nil {
		return err
	}
	if err := s.Operators.Sweep(ctx); err != nil {
		return err
	}
	return s.sweepEvents(ctx)
}

// deleteJobs deletes old jobs that the fold can never open again: cancellations, and jobs whose task or claim
// has ended in a finalized block. The fold can open other closed jobs again after a reorganisation. If a
// reorganisation dropped the task, its job stays until a task with this number has ended. A claim that failed
// stays failed, or is paid without a job.
//
// Example: a task ended in block 105 and its job was due 40 days ago. While block 100 is the last finalized
// one, the job stays, because a reorganisation of 105 would open it again. It is deleted once the last finalized
// block is later than 105.
var deleteJobs = `
	DELETE FROM outbox WHERE id IN (
		SELECT o.id
		FROM outbox o
		JOIN chain_head h ON h.chain_id = o.chain_id
		LEFT JOIN LATERAL (
			SELECT b.time FROM chain_blocks b
			WHERE b.chain_id = h.chain_id AND b.canonical AND b.number <= h.finalized
			ORDER BY b.number DESC
			LIMIT 1
		) final ON true
		LEFT JOIN onchain_tasks t ON o.kind IN ('verdicts', 'settle')
			AND t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.id = (o.payload->>'task_id')::bigint
		LEFT JOIN claims c ON o.kind = 'claim' AND c.id = (o.payload->>'record_id')::uuid
		WHERE o.state IN ('done', 'failed') AND o.run_at < now() - ` + pg.Interval(jobRetention) + ` AND CASE
			WHEN o.kind = 'cancel' THEN true
			WHEN o.kind = 'claim' THEN c.status = 'failed' OR c.status = 'paid' AND EXISTS (
				SELECT FROM chain_logs l
				WHERE l.chain_id = c.chain_id AND l.address = c.distributor AND l.canonical AND l.kind = 'Claimed'
				  AND l.event->>'agent' = '0x' || encode(c.wallet, 'hex') AND l.tx_hash = c.tx_hash AND l.block_time < final.time)
			ELSE t.ended_at < final.time
		END
		LIMIT $1
		FOR UPDATE OF o SKIP LOCKED)`

// lapseTasks removes unfunded tasks from the lists and deletes their files. The rows stay, because a
// late posting still funds them. The age counts from the last change, because a funding that a
// reorganisation dropped is usually mined again. Files of a submission stay, because the work hash
// that may be on the chain covers them.
var lapseTasks = `
	WITH due AS (
		SELECT id
		FROM tasks
		WHERE status = 'new' AND lapsed_at IS NULL AND updated_at < now() - ` + pg.Interval(market.UnfundedLifetime) + `
		LIMIT $1
		FOR UPDATE SKIP LOCKED
	), files_deleted AS (
		DELETE FROM files f USING due d
		WHERE f.task_id = d.id AND NOT EXISTS (SELECT 1 FROM submission_files s WHERE s.file_id = f.id)
	)
	UPDATE tasks t SET lapsed_at = now() FROM due d WHERE t.id = d.id`

// cancelledBatch is the number of tasks with files that deleteCancelledFiles checks. One run deletes at most
// sweepBatch files, because only the agent can add files to a task without a human, at most
// market.MaxFilesPerTask.
const cancelledBatch = sweepBatch / market.MaxFilesPerTask

// deleteCancelledFiles deletes the files of tasks that were cancelled without an accepted human, among
// the next $2 tasks with files whose ids are above $1, and returns the last of these ids. Without this,
// an agent could store files for only the gas cost of postings that it cancels. The files stay until a
// block that is market.CancelledRetention later than the end of the task is final: a reorganisation can
// then neither revive the task nor accept a human for it. Files of a submission stay, because the work
// hash that may be on the chain covers them.
//
// No index orders cancelled tasks by their end. Each sweep therefore reads the whole index
// files_task_id_idx, just as server.SweepFiles lists all stored files.
//
// Example: a task was cancelled in block 105 on 1 May at noon. Its files are deleted once a block of 8 May at
// noon or later is final.
var deleteCancelledFiles = `
	WITH page AS (
		SELECT DISTINCT task_id FROM files WHERE task_id > $1 ORDER BY task_id LIMIT $2
	), due AS (
		SELECT t.id
		FROM page p
		JOIN tasks t ON t.id = p.task_id
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
		JOIN chain_head h ON h.chain_id = t.chain_id
		WHERE t.status = 'cancelled' AND e.accepted_at IS NULL AND e.ended_at + ` + pg.Interval(market.CancelledRetention) + ` <= (
			SELECT b.time FROM chain_blocks b
			WHERE b.chain_id = h.chain_id AND b.canonical AND b.number <= h.finalized
			ORDER BY b.number DESC
			LIMIT 1)
		FOR UPDATE OF t SKIP LOCKED
	), files_deleted AS (
		DELETE FROM files f USING due d
		WHERE f.task_id = d.id AND NOT EXISTS (SELECT 1 FROM submission_files s WHERE s.file_id = f.id)
	)
	SELECT task_id FROM page ORDER BY task_id DESC LIMIT 1`

// sweepCancelledFiles executes deleteCancelledFiles for all tasks with files.
func (s *Store) sweepCancelledFiles(ctx context.Context) error {
	for last := uuid.Nil; ; {
		var ids []uuid.UUID
		err := s.db.LongTx(ctx, func(tx *sqlx.Tx) error {
			ids = nil
			err := s.db.Select(ctx, tx, &ids, deleteCancelledFiles, last, cancelledBatch)
			return pg.Translate(err, "delete the files of cancelled tasks")
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		last = ids[0]
	}
}

func (s *Store) sweep(ctx context.Context, statement string) error {
	for {
		var n int64
		err := s.db.LongTx(ctx, func(tx *sqlx.Tx) (err error) {
			n, err = s.db.Exec(ctx, tx, statement, sweepBatch)
			return pg.Translate(err, "sweep")
		})
		if err != nil || n < sweepBatch {
			return err
		}
	}
}
