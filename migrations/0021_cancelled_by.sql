-- +goose Up

-- The party that cancelled. The contract's event does not contain the caller, so it is taken from
-- the sender of the transaction. It is NULL if the sender is not a party to the task, for example a
-- relayer.
ALTER TABLE onchain_tasks
    ADD COLUMN cancelled_by address,
    ADD CHECK (cancelled_by IS NULL OR status = 7 AND (cancelled_by = agent OR cancelled_by = human AND accepted_at IS NOT NULL));

-- +goose Down
ALTER TABLE onchain_tasks DROP COLUMN cancelled_by;
