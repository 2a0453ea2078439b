-- +goose Up

-- The subject as it was when it was reported, because the author can change or erase it before a moderator
-- reads the report. The decision clears it, also if a server of the previous release closes the report. The
-- constraint is validated by the next migration.
ALTER TABLE reports
    ADD COLUMN subject_text text NOT NULL DEFAULT '',
    ADD CONSTRAINT reports_subject_text_check CHECK (decision_id IS NULL OR subject_text = '') NOT VALID;
-- +goose StatementBegin
CREATE FUNCTION forget_reported_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.subject_text := '';
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER reports_forget
    BEFORE UPDATE OF decision_id ON reports
    FOR EACH ROW WHEN (new.decision_id IS NOT NULL) EXECUTE FUNCTION forget_reported_text();

-- +goose Down
DROP TRIGGER reports_forget ON reports;
DROP FUNCTION forget_reported_text();
ALTER TABLE reports DROP COLUMN subject_text;
