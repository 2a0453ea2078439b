-- +goose Up
ALTER TABLE reports VALIDATE CONSTRAINT reports_subject_text_check;

-- +goose Down
ALTER TABLE reports DROP CONSTRAINT reports_subject_text_check,
    ADD CONSTRAINT reports_subject_text_check CHECK (decision_id IS NULL OR subject_text = '') NOT VALID;
