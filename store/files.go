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

const (
	fileColumns = `
		f.id, f.task_id, f.filename, f.content_type, f.size, f.sha256, f.uploader_kind, f.uploader_id, f.created_at,
		` + fileSubmitted + ` AS submitted, ` + fileShared + ` AS shared`

	// chainSubmission is the submission s whose hash the chain names.
	chainSubmission = `submissions s
			JOIN tasks t ON t.id = s.task_id
			JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id
				AND e.work_hash = s.work_hash`

	// fileSubmitted: the file is part of the work whose hash the chain names.
	fileSubmitted = `EXISTS (
			SELECT 1
			FROM ` + chainSubmission + `
			JOIN submission_files sf ON sf.submission_id = s.id
			WHERE s.task_id = f.task_id AND sf.file_id = f.id)`

	// fileEvidence: the human added the file after that work.
	fileEvidence = `EXISTS (
			SELECT 1
			FROM ` + chainSubmission + `
			WHERE s.task_id = f.task_id AND s.human_id = f.uploader_id AND s.created_at < f.created_at)`

	// fileShared: nobody takes work without paying, so a human's file that is
	// neither submitted nor evidence is its uploader's alone.
	fileShared = `(f.uploader_kind = 'agent' OR ` + fileSubmitted + ` OR ` + fileEvidence + `)`

	// fileVisible: to the viewer ($2).
	fileVisible = `(f.uploader_id = $2 OR ` + fileShared + `)`
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
}

func (r fileRow) file() market.File {
	return market.File{
		ID: r.ID, TaskID: r.TaskID, Filename: r.Filename, ContentType: r.ContentType, Size: r.Size,
		SHA256: r.SHA256, UploaderKind: r.UploaderKind, UploaderID: r.UploaderID,
		Submitted: r.Submitted, Shared: r.Shared, CreatedAt: r.CreatedAt.Time,
	}
}

// AddFile records a file whose bytes are in the blob store already. It refuses
// one more than a task may have (KindInvalid) and any once the task has ended
// (KindWrongStatus).
func (s *Store) AddFile(ctx context.Context, f market.File) error {
	return s.db.TxFor(ctx, f.TaskID, func(tx *sqlx.Tx) error {
		task, err := s.lockTask(ctx, tx, f.TaskID) // so that two uploads count each other
		if err != nil {
			return err
		}
		if task.Status.Ended() {
			return market.Errorf(market.KindWrongStatus, "the task is %s; files can be added only to an open task", task.Status)
		}
		var files int
		if err := s.db.Get(ctx, tx, &files, `
			SELECT count(*) FROM files WHERE task_id = $1 AND uploader_id = $2`, f.TaskID, f.UploaderID); err != nil {
			return pg.Translate(err, fmt.Sprintf("count the files of task %s", f.TaskID))
		}
		if files >= market.MaxFilesPerTask {
			return market.Errorf(market.KindInvalid, "you have added %d files to the task, and more are not allowed", files)
		}
		_, err = s.db.Exec(ctx, tx, `
			INSERT INTO files (id, task_id, filename, content_type, size, sha256, uploader_id, uploader_kind)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			f.ID, f.TaskID, f.Filename, f.ContentType, f.Size, f.SHA256, f.UploaderID, f.UploaderKind)
		return pg.Translate(err, fmt.Sprintf("insert file %s", f.ID))
	})
}

// Files returns the task's files that the viewer may read, oldest first. Who
// may read the task's files at all is the caller's to check.
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
	files := make([]market.File, len(rows))
	for i, row := range rows {
		files[i] = row.file()
	}
	return files, nil
}

// File returns one file of the task; KindForbidden when it is work that the
// viewer may not read yet.
func (s *Store) File(ctx context.Context, taskID, id uuid.UUID, viewer market.Principal) (market.File, error) {
	var row fileRow
	err := s.db.Get(ctx, nil, &row, `
		SELECT `+fileColumns+`, `+fileVisible+` AS visible
		FROM files f
		WHERE f.task_id = $1 AND f.id = $3`, taskID, viewer.ID, id)
	if err != nil {
		return market.File{}, pg.Translate(err, fmt.Sprintf("select file %s", id))
	}
	if !row.Visible {
		return market.File{}, market.Errorf(market.KindForbidden, "this file is not yours to read until its work is submitted")
	}
	return row.file(), nil
}

// NoFiles returns those of the ids that no file has.
func (s *Store) NoFiles(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error) {
	var unknown []uuid.UUID
	err := s.db.Select(ctx, nil, &unknown, `
		SELECT given.id
		FROM unnest($1::uuid[]) AS given(id)
		WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.id = given.id)`, pq.Array(ids))
	return unknown, pg.Translate(err, "look for files")
}
