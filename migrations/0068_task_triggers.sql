-- +goose Up

-- No human can see what to do in a funded task whose text was erased.
ALTER TABLE tasks ADD CONSTRAINT tasks_erased_check
    CHECK (erased_at IS NULL OR status <> 'funded' OR visibility <> 'shown') NOT VALID;

-- Because of a row trigger before updates, PostgreSQL computes the column search again at every update of a
-- task, even if the title and the description did not change.
-- Safe: the servers of the previous version set the columns themselves.
DROP TRIGGER tasks_list_funded ON tasks;
-- Safe: the servers of the previous version set the columns themselves.
DROP TRIGGER tasks_hold_erased ON tasks;
-- Safe: only the trigger called it.
DROP FUNCTION list_funded_task;
-- Safe: only the trigger called it.
DROP FUNCTION hold_erased_task;

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION list_funded_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.lapsed_at := NULL;
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_list_funded BEFORE UPDATE ON tasks
    FOR EACH ROW WHEN (new.lapsed_at IS NOT NULL AND new.status <> 'new') EXECUTE FUNCTION list_funded_task();
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
ALTER TABLE tasks DROP CONSTRAINT tasks_erased_check;
