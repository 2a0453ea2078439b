-- +goose Up

-- In a transaction of its own, which does not block writes while it scans the table.
ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check;

-- +goose Down
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim', 'cancel')) NOT VALID;
