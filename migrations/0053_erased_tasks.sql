-- +goose Up

-- When the text of a task that was never funded was erased. timestamptz, because adding a column of a
-- domain with a constraint rewrites the table.
ALTER TABLE tasks ADD COLUMN erased_at timestamptz;

-- A late posting still funds an erased task. It is held, because no human can see what to do. A moderator
-- can remove it but not show it, and its wallet can cancel it.
-- +goose StatementBegin
CREATE FUNCTION hold_erased_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.visibility := 'held';
    new.hold_rule := 'erased';
    new.hold_due_at := now() + interval '24 hours';
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_hold_erased BEFORE UPDATE ON tasks
    FOR EACH ROW WHEN (new.erased_at IS NOT NULL AND new.status = 'funded' AND new.visibility = 'shown') EXECUTE FUNCTION hold_erased_task();

-- +goose Down
DROP TRIGGER tasks_hold_erased ON tasks;
DROP FUNCTION hold_erased_task;
ALTER TABLE tasks DROP COLUMN erased_at;
