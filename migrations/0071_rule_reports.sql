-- +goose Up

-- Reports by the operator's rules, of texts that were written after the creation of a task. They have a rule instead
-- of a reporter. record_id is the record with the text, which can be part of the subject, for example an application.
-- The constraint is validated by the next migration.
ALTER TABLE reports
    ALTER COLUMN reporter_id DROP NOT NULL,
    ALTER COLUMN reporter_kind DROP NOT NULL,
    ADD COLUMN rule text,
    ADD COLUMN record_id uuid,
    ADD CONSTRAINT reports_rule_check CHECK (CASE WHEN rule IS NULL
        THEN reporter_id IS NOT NULL AND reporter_kind IS NOT NULL AND record_id IS NULL
        ELSE reporter_id IS NULL AND reporter_kind IS NULL AND record_id IS NOT NULL END) NOT VALID;

-- +goose Down
DELETE FROM reports WHERE rule IS NOT NULL;
ALTER TABLE reports
    DROP COLUMN rule,
    DROP COLUMN record_id,
    ALTER COLUMN reporter_id SET NOT NULL,
    ALTER COLUMN reporter_kind SET NOT NULL;
