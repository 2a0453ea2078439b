-- +goose Up

-- In a transaction of its own, which does not block writes while it scans the table.
ALTER TABLE conversations VALIDATE CONSTRAINT conversations_requested_check;

-- +goose Down
ALTER TABLE conversations
    DROP CONSTRAINT conversations_requested_check,
    ADD CONSTRAINT conversations_requested_check CHECK (NOT (agent_requested AND human_requested)) NOT VALID;
