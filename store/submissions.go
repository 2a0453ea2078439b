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

// CreateSubmission records a draft of work and returns it. The same work again
// is the same draft: one is kept for each task and work hash. It refuses files
// that the human did not upload to this task (KindInvalid).
func (s *Store) CreateSubmission(ctx context.Context, w market.Submission) (market.Submission, error) {
	var kept market.Submission
	err := s.db.TxFor(ctx, w.TaskID, func(tx *sqlx.Tx) error {
		if err := s.checkFiles(ctx, tx, w); err != nil {
			return err
		}
		if err := s.insertSubmission(ctx, tx, w); err != nil {
			return err
		}
		var row submissionRow
		err := s.db.Get(ctx, tx, &row, `
			SELECT s.id, s.human_id, s.note, s.proof_url, s.work_hash, s.created_at,
			       (SELECT array_agg(f.file_id ORDER BY f.file_id)
			        FROM submission_files f WHERE f.submission_id = s.id) AS file_ids
			FROM submissions s
			WHERE s.task_id = $1 AND s.work_hash = $2`, w.TaskID, w.WorkHash)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("select a submission of task %s", w.TaskID))
		}
		kept = *row.submission(w.TaskID)
		return nil
	})
	return kept, err
}

// insertSubmission does nothing when the work is kept already.
func (s *Store) insertSubmission(ctx context.Context, tx *sqlx.Tx, w market.Submission) error {
	n, err := s.db.Exec(ctx, tx, `
		INSERT INTO submissions (id, task_id, human_id, note, proof_url, work_hash)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (task_id, work_hash) DO NOTHING`,
		w.ID, w.TaskID, w.HumanID, w.Note, pg.NullText(w.ProofURL), w.WorkHash)
	if err != nil || n == 0 {
		return pg.Translate(err, fmt.Sprintf("insert submission %s", w.ID))
	}
	_, err = s.db.Exec(ctx, tx, `INSERT INTO submission_files (submission_id, file_id) SELECT $1, unnest($2::uuid[])`,
		w.ID, pq.Array(w.FileIDs))
	return pg.Translate(err, fmt.Sprintf("insert the files of submission %s", w.ID))
}

func (s *Store) checkFiles(ctx context.Context, tx *sqlx.Tx, w market.Submission) error {
	var own []uuid.UUID
	err := s.db.Select(ctx, tx, &own, `
		SELECT id FROM files WHERE id = ANY ($1) AND task_id = $2 AND uploader_id = $3`,
		pq.Array(w.FileIDs), w.TaskID, w.HumanID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the files of submission %s", w.ID))
	}
	if len(own) != len(w.FileIDs) {
		return market.Invalid("file_ids", "unknown", "each must name, once, a file that you uploaded to this task")
	}
	return nil
}
