-- +goose Up

-- Validates the constraint that migration 0068 added. In the same transaction, the lock that ADD CONSTRAINT
-- takes would be held during the scan of the table.
ALTER TABLE tasks VALIDATE CONSTRAINT tasks_erased_check;

-- +goose Down
ALTER TABLE tasks DROP CONSTRAINT tasks_erased_check,
    ADD CONSTRAINT tasks_erased_check CHECK (erased_at IS NULL OR status <> 'funded' OR visibility <> 'shown') NOT VALID;
