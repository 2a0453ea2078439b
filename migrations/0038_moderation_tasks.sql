-- +goose Up

-- hold_due_at has the type of an instant without the domain, because adding a column of a domain with a
-- constraint rewrites the table.
ALTER TABLE tasks
    ADD COLUMN visibility text NOT NULL DEFAULT 'shown',
    ADD COLUMN measure_id uuid,
    ADD COLUMN hold_rule text,
    ADD COLUMN hold_due_at timestamptz(3),
    ADD CONSTRAINT tasks_hold_due_at_check CHECK (isfinite(hold_due_at)) NOT VALID;
ALTER TABLE tasks ADD CONSTRAINT tasks_visibility_check CHECK (
    visibility IN ('shown', 'held', 'hidden', 'removed')
    AND (visibility IN ('hidden', 'removed')) = (measure_id IS NOT NULL)
    AND (visibility = 'held') = (hold_due_at IS NOT NULL)
    AND (hold_due_at IS NULL OR hold_rule IS NOT NULL)
    AND char_length(hold_rule) BETWEEN 1 AND 100) NOT VALID;
ALTER TABLE tasks ADD CONSTRAINT tasks_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

-- The triggers of the lists count every funded task as part of the board. These triggers subtract the
-- tasks that are not shown.
-- +goose StatementBegin
CREATE FUNCTION count_withheld_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change bigint;
BEGIN
    IF tg_op = 'INSERT' THEN
        SELECT -count(*) INTO change FROM after WHERE status = 'funded' AND visibility <> 'shown';
    ELSE
        SELECT (SELECT count(*) FROM before WHERE status = 'funded' AND visibility <> 'shown')
             - (SELECT count(*) FROM after WHERE status = 'funded' AND visibility <> 'shown') INTO change;
    END IF;
    IF change <> 0 THEN
        PERFORM count_list('00000000-0000-0000-0000-000000000000', 'board', change);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_count_withheld_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_withheld_tasks();
CREATE TRIGGER tasks_count_withheld_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_withheld_tasks();

-- +goose Down
INSERT INTO list_changes (scope_id, list, items)
SELECT '00000000-0000-0000-0000-000000000000', 'board', items
FROM (SELECT count(*) AS items FROM tasks WHERE status = 'funded' AND visibility <> 'shown') c
WHERE items <> 0;
DROP TRIGGER tasks_count_withheld_changed ON tasks;
DROP TRIGGER tasks_count_withheld_added ON tasks;
DROP FUNCTION count_withheld_tasks;
ALTER TABLE tasks DROP COLUMN hold_due_at, DROP COLUMN hold_rule, DROP COLUMN measure_id, DROP COLUMN visibility;
