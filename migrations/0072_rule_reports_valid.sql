-- +goose Up
ALTER TABLE reports VALIDATE CONSTRAINT reports_rule_check;

-- +goose Down
ALTER TABLE reports DROP CONSTRAINT reports_rule_check,
    ADD CONSTRAINT reports_rule_check CHECK (CASE WHEN rule IS NULL
        THEN reporter_id IS NOT NULL AND reporter_kind IS NOT NULL AND record_id IS NULL
        ELSE reporter_id IS NULL AND reporter_kind IS NULL AND record_id IS NOT NULL END) NOT VALID;
