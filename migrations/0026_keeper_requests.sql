-- +goose Up

-- Requests of an operator to the keeper, which alone uses its account's nonces. resend asks for higher
-- fees for a job's transaction. A job of kind cancel uses a nonce for an empty transfer.
ALTER TABLE outbox
    ADD COLUMN resend boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim', 'cancel')) NOT VALID;

-- The number of transactions that another one with the nonce replaced.
ALTER TABLE keeper_spending ADD COLUMN replacements integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE keeper_spending DROP COLUMN replacements;
DELETE FROM outbox WHERE kind = 'cancel';
ALTER TABLE outbox
    DROP COLUMN resend,
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('verdicts', 'settle', 'claim'));
