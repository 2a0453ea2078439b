package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

const (
	fileColumns = `
		f.id, f.task_id, f.filename, f.content_type, f.size, f.sha256, f.uploader_kind, f.uploader_id, f.created_at,
		` + onchain.FileSubmitted + ` AS submitted, ` + onchain.FileShared + ` AS shared`

	// fileVisible is true if the viewer ($2) can read the file. The uploader can also read a hidden one.
	fileVisible = `(f.uploader_id = $2 AND f.visibility <> 'removed' OR f.visibility = 'shown' AND ` + onchain.FileShared + `)`
)

type fileRow struct {
	ID           uuid.UUID            `db:"id"`
	TaskID       uuid.UUID            `db:"task_id"`
	Filename     string               `db:"filename"`
	ContentType  string               `db:"content_type"`
	Size         int64                `db:"size"`
	SHA256       common.Hash          `db:"sha256"`
	UploaderKind market.PrincipalKind `db:"uploader_kind"`
	UploaderID   uuid.UUID            `db:"uploader_id"`
	CreatedAt    pg.NullTime          `db:"created_at"`
	Submitted    bool                 `db:"submitted"`
	Shared       bool                 `db:"shared"`
	Visible      bool                 `db:"visible"`
	Visibility   market.Visibility    `db:"visibility"`
}

func (r fileRow) file() market.File {
	return market.File{
		ID: r.ID, TaskID: r.TaskID, Filename: r.Filename, ContentType: r.ContentType, Size: r.Size,
		SHA256: r.SHA256, UploaderKind: r.UploaderKind, UploaderID: r.UploaderID,
		Submitted: r.Submitted, Shared: r.Shared, CreatedAt: r.CreatedAt.Time,
	}
}

// uploadPause is the Retry-After of an upload above the daily limit.
const uploadPause = time.Hour

// AddFile inserts a file whose bytes are already in the blob store. It returns KindWrongStatus if the
// task has ended, and the errors of CheckUpload.
func (s *Store) AddFile(ctx context.Context, f market.File) error {
	return s.db.TxFor(ctx, f.TaskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, f.TaskID)
		if err != nil {
			return err
		}
		if task.Status.Ended() {
			return market.Errorf(market.KindWrongStatus, "the task is %s; files cannot be added after a task has ended", task.Status)
		}
		// The locks prevent concurrent uploads, including those to other tasks, from exceeding the limits.
		if err := s.db.Serialize(ctx, tx, "uploads", f.UploaderID); err != nil {
			return err
		}
		if err := s.checkUpload(ctx, tx, f); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, tx, `
			INSERT INTO files (id, task_id, filename, content_type, size, sha256, uploader_id, uploader_kind)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			f.ID, f.TaskID, f.Filename, f.ContentType, f.Size, f.SHA256, f.UploaderID, f.UploaderKind)
		return pg.Translate(err, fmt.Sprintf("insert file %s", f.ID))
	})
}

// CheckUpload returns the error of adding one more file to the task, so that the server can reject an
// upload before it receives the bytes: KindInvalid if the uploader has added the maximum number of files
// to the task, and KindRateLimited if the uploader has uploaded market.MaxDailyUpload bytes in the last
// 24 hours. The files of tasks that never had a human count until they are deleted, because otherwise an agent
// could store as many as it likes by cancelling its tasks.
func (s *Store) CheckUpload(ctx context.Context, task, uploader uuid.UUID) error {
	return s.checkUpload(ctx, nil, market.File{TaskID: task, UploaderID: uploader, Size: 1})
}

func (s *Store) checkUpload(ctx context.Context, tx *sqlx.Tx, f market.File) error {
	var have struct {
		Files int   `db:"files"`
		Bytes int64 `db:"bytes"`
	}
	err := s.db.Get(ctx, tx, &have, `
		SELECT (SELECT count(*) FROM files WHERE task_id = $1 AND uploader_id = $2) AS files,
		       (SELECT coalesce(sum(f.size), 0)
		        FROM files f
		        JOIN tasks t ON t.id = f.task_id
		        WHERE f.uploader_id = $2
		          AND (f.created_at > now() - interval '24 hours' OR t.status IN ('new', 'cancelled') AND t.human_id IS NULL)
		       )::bigint AS bytes`, f.TaskID, f.UploaderID)
	switch {
	case err != nil:
		return pg.Translate(err, fmt.Sprintf("count the files of %s", f.UploaderID))
	case have.Files >= market.MaxFilesPerTask:
		return market.Errorf(market.KindInvalid, "you have already added %d files, which is the limit for a task", have.Files)
	case have.Bytes+f.Size > market.MaxDailyUpload:
		return &market.Error{
			Kind: market.KindRateLimited,
			Message: fmt.Sprintf("you can upload at most %d MiB in 24 hours, in which files of cancelled tasks count until they are deleted",
				market.MaxDailyUpload>>20),
			Hint: "upload the file later, or share a link", RetryAfter: uploadPause,
		}
	}
	return nil
}

// Files returns the task's files that the viewer can read, oldest first. The caller must check that
// the viewer can access the task.
func (s *Store) Files(ctx context.Context, taskID uuid.UUID, viewer market.Principal) ([]market.File, error) {
	var rows []fileRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+fileColumns+`
		FROM files f
		WHERE f.task_id = $1 AND `+fileVisible+`
		ORDER BY f.created_at, f.id`, taskID, viewer.ID)
	if err != nil {
		return nil, pg.Translate(err, fmt.Sprintf("select the files of task %s", taskID))
	}
	return pg.Convert(rows, fileRow.file), nil
}

// File returns one file of the task. It returns KindForbidden if the file is work that the viewer
// cannot read yet, or is withheld by moderation.
func (s *Store) File(ctx context.Context, taskID, id uuid.UUID, viewer market.Principal) (market.File, error) {
	var row fileRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+fileColumns+`, `+fileVisible+` AS visible, f.visibility
		FROM files f
		WHERE f.task_id = $1 AND f.id = $3`, taskID, viewer.ID, id)
	if err != nil {
		return market.File{}, pg.Translate(err, fmt.Sprintf("select file %s", id))
	}
	if !row.Visible && !row.Visibility.Shown() {
		return market.File{}, market.Errorf(market.KindForbidden, "moderators have withheld this file").
			WithHint("its uploader can read the reasons with GET /notices")
	}
	if !row.Visible {
		return market.File{}, market.Errorf(market.KindForbidden, "you cannot read this file until the human submits it as work").
			WithHint("load the files again after the submission")
	}
	return row.file(), nil
}

// MissingFiles returns the ids for which no file exists.
func (s *Store) MissingFiles(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error) {
	var unknown []uuid.UUID
	err := s.db.Select(ctx, nil, &unknown, `
		SELECT given.id
		FROM unnest($1::uuid[]) AS given(id)
		WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.id = given.id)`, pq.Array(ids))
	return unknown, pg.Translate(err, "select unknown files")
}

// CreateSubmission inserts a draft submission and returns it. There is only one draft for each task
// and work hash, so sending the same work again returns the existing draft. It rejects files that
// the human did not upload to this task (KindInvalid).
func (s *Store) CreateSubmission(ctx context.Context, w market.Submission) (market.Submission, error) {
	var stored market.Submission
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
		stored = *row.submission(w.TaskID)
		return nil
	})
	return stored, err
}

// insertSubmission inserts the draft unless it already exists.
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
	var uploaded []uuid.UUID
	err := s.db.Select(ctx, tx, &uploaded, `
		SELECT id FROM files WHERE id = ANY ($1) AND task_id = $2 AND uploader_id = $3`,
		pq.Array(w.FileIDs), w.TaskID, w.HumanID)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the files of submission %s", w.ID))
	}
	if len(uploaded) != len(w.FileIDs) {
		return market.Invalid("file_ids", "unknown", "must contain ids of files that you uploaded to this task, each once")
	}
	return nil
}
