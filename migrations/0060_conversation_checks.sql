-- +goose Up

-- Not in the transaction that added the constraint: its lock would block writes during the scan.
ALTER TABLE conversations VALIDATE CONSTRAINT conversations_requested_check;

-- +goose Down
ALTER TABLE conversations
    DROP CONSTRAINT conversations_requested_check,
    ADD CONSTRAINT conversations_requested_check CHECK (NOT (agent_requested AND human_requested)) NOT VALID;
