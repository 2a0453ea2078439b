-- +goose Up

-- Requests of an operator to the keeper, which alone uses its account's nonces. resend asks for higher
-- fees for a job's transaction. A job of kind cancel uses a nonce for an empty transfer.
ALTER TABLE outbox
    ADD COLUMN resend boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim', 'cancel')) NOT VALID;

-- +goose Down
DELETE FROM outbox WHERE kind = 'cancel';
ALTER TABLE outbox
    DROP COLUMN resend,
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim'));
