-- +goose Up

-- Not in the transaction that added the constraint: its lock would block writes during the scan.
ALTER TABLE tasks VALIDATE CONSTRAINT tasks_lapsed_check;

-- A human whose stake was forfeited by a rejection can review the agent. Such a review never counts in
-- averages.
ALTER TABLE reviews
    ADD COLUMN after_rejection boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT reviews_after_rejection_check CHECK (NOT after_rejection OR (reviewer_kind = 'human' AND NOT counts)) NOT VALID;

-- +goose Down
ALTER TABLE reviews
    DROP CONSTRAINT reviews_after_rejection_check,
    DROP COLUMN after_rejection;
ALTER TABLE tasks
    DROP CONSTRAINT tasks_lapsed_check,
    ADD CONSTRAINT tasks_lapsed_check CHECK (lapsed_at IS NULL OR status = 'new') NOT VALID;
