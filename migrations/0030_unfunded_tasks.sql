-- +goose Up

-- When a task that was never funded left the lists. timestamptz, because adding a column of a domain
-- with a constraint rewrites the table.
ALTER TABLE tasks
    ADD COLUMN lapsed_at timestamptz,
    ADD CONSTRAINT tasks_lapsed_check CHECK (lapsed_at IS NULL OR status = 'new') NOT VALID;

-- A late posting still funds the task. The trigger returns it to the lists, also for servers of the
-- previous release, which do not know the column.
-- +goose StatementBegin
CREATE FUNCTION list_funded_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.lapsed_at := NULL;
    RETURN new;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_list_funded BEFORE UPDATE ON tasks
    FOR EACH ROW WHEN (new.lapsed_at IS NOT NULL AND new.status <> 'new') EXECUTE FUNCTION list_funded_task();

-- As in 0011_lists.sql, but without lapsed tasks.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'INSERT' THEN
        INSERT INTO list_changes (scope_id, list, items)
        SELECT l.scope_id, l.list, sum(t.items)
        FROM (SELECT agent_id, human_id, status, count(*) AS items FROM after WHERE lapsed_at IS NULL GROUP BY 1, 2, 3) t,
             lists_of_task(t.agent_id, t.human_id, t.status) l
        WHERE l.scope_id IS NOT NULL
        GROUP BY 1, 2;
    ELSE
        INSERT INTO list_changes (scope_id, list, items)
        SELECT l.scope_id, l.list, sum(t.items)
        FROM (SELECT agent_id, human_id, status, sum(item) AS items
              FROM (SELECT agent_id, human_id, status, 1 AS item FROM after WHERE lapsed_at IS NULL
                    UNION ALL
                    SELECT agent_id, human_id, status, -1 FROM before WHERE lapsed_at IS NULL) c
              GROUP BY 1, 2, 3
              HAVING sum(item) <> 0) t,
             lists_of_task(t.agent_id, t.human_id, t.status) l
        WHERE l.scope_id IS NOT NULL
        GROUP BY 1, 2
        HAVING sum(t.items) <> 0;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
UPDATE tasks SET lapsed_at = NULL WHERE lapsed_at IS NOT NULL;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'INSERT' THEN
        INSERT INTO list_changes (scope_id, list, items)
        SELECT l.scope_id, l.list, sum(t.items)
        FROM (SELECT agent_id, human_id, status, count(*) AS items FROM after GROUP BY 1, 2, 3) t,
             lists_of_task(t.agent_id, t.human_id, t.status) l
        WHERE l.scope_id IS NOT NULL
        GROUP BY 1, 2;
    ELSE
        INSERT INTO list_changes (scope_id, list, items)
        SELECT l.scope_id, l.list, sum(t.items)
        FROM (SELECT agent_id, human_id, status, sum(item) AS items
              FROM (SELECT agent_id, human_id, status, 1 AS item FROM after
                    UNION ALL
                    SELECT agent_id, human_id, status, -1 FROM before) c
              GROUP BY 1, 2, 3
              HAVING sum(item) <> 0) t,
             lists_of_task(t.agent_id, t.human_id, t.status) l
        WHERE l.scope_id IS NOT NULL
        GROUP BY 1, 2
        HAVING sum(t.items) <> 0;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
DROP TRIGGER tasks_list_funded ON tasks;
DROP FUNCTION list_funded_task;
ALTER TABLE tasks
    DROP CONSTRAINT tasks_lapsed_check,
    DROP COLUMN lapsed_at;
