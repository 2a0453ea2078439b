-- +goose Up

-- Not in the transaction that added the constraints: their locks would block writes during the scan.
ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check;
ALTER TABLE events VALIDATE CONSTRAINT events_bound_check;

-- +goose Down
ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim', 'cancel')) NOT VALID;
-- +goose StatementBegin
DO $$
BEGIN
    ALTER TABLE events DROP CONSTRAINT events_bound_check;
    EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_bound_check CHECK (created_at < %L) NOT VALID', month_start(now(), 2));
END $$;
-- +goose StatementEnd
