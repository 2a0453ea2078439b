-- +goose Up

-- Changes in list lengths. Transactions only insert rows here. They never update shared rows, so
-- they do not wait for each other. Store.CompactCounts periodically adds the sums to list_counts.
-- The length of a list is the sum over both tables.
CREATE TABLE list_changes (
    scope_id uuid   NOT NULL, -- owner of the list, as in list_counts; all zeros for lists without an owner
    list     text   NOT NULL,
    items    bigint NOT NULL CHECK (items <> 0)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX list_changes_scope_idx ON list_changes (scope_id, list);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_list(scope uuid, name text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_changes (scope_id, list, items) VALUES (scope, name, change);
END $$;
-- +goose StatementEnd

-- Existing rows are counted below. Triggers count later changes. The locks prevent changes in
-- between.
LOCK TABLE tasks, applications, activities, claims, humans IN SHARE ROW EXCLUSIVE MODE;

-- Returns the lists that contain a task: its agent's and its human's lists, in total and by status,
-- and the task board.
-- +goose StatementBegin
CREATE FUNCTION lists_of_task(agent uuid, human uuid, status text) RETURNS TABLE (scope_id uuid, list text)
    IMMUTABLE LANGUAGE sql AS $$
    VALUES (agent, 'tasks'), (agent, 'tasks ' || status),
           (human, 'work'), (human, 'work ' || status),
           (CASE WHEN status = 'funded' THEN '00000000-0000-0000-0000-000000000000'::uuid END, 'board')
$$;
-- +goose StatementEnd

-- Inserts one row for each list that a statement has changed, regardless of how many tasks the
-- statement changed.
-- +goose StatementBegin
CREATE FUNCTION count_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER tasks_count_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_count_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();

-- +goose StatementBegin
CREATE FUNCTION count_applications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_changes (scope_id, list, items)
    SELECT l.scope_id, 'applications', CASE tg_op WHEN 'DELETE' THEN -1 ELSE 1 END * count(*)
    FROM changed a, LATERAL (VALUES (a.task_id), (a.human_id)) l (scope_id)
    GROUP BY 1;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER applications_count_added AFTER INSERT ON applications
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_applications();
CREATE TRIGGER applications_count_removed AFTER DELETE ON applications
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_applications();

-- +goose StatementBegin
CREATE FUNCTION count_activities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_changes (scope_id, list, items)
    SELECT a.audience_id, l.list, CASE tg_op WHEN 'DELETE' THEN -1 ELSE 1 END * sum(a.items)
    FROM (SELECT audience_id, type, count(*) AS items FROM changed GROUP BY 1, 2) a,
         LATERAL (VALUES ('activities'), ('activities ' || a.type)) l (list)
    GROUP BY 1, 2;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER activities_count_added AFTER INSERT ON activities
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_activities();
CREATE TRIGGER activities_count_removed AFTER DELETE ON activities
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_activities();

-- +goose StatementBegin
CREATE FUNCTION count_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_list(new.agent_id, 'claims', 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER claims_count AFTER INSERT ON claims
    FOR EACH ROW EXECUTE FUNCTION count_claim();

-- +goose StatementBegin
CREATE FUNCTION count_human() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_list('00000000-0000-0000-0000-000000000000', 'humans', CASE WHEN new.available THEN 1 ELSE -1 END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER humans_count_added AFTER INSERT ON humans
    FOR EACH ROW WHEN (new.available) EXECUTE FUNCTION count_human();
CREATE TRIGGER humans_count_changed AFTER UPDATE OF available ON humans
    FOR EACH ROW WHEN (new.available <> old.available) EXECUTE FUNCTION count_human();

INSERT INTO list_counts (scope_id, list, items)
SELECT l.scope_id, l.list, sum(t.items)
FROM (SELECT agent_id, human_id, status, count(*) AS items FROM tasks GROUP BY 1, 2, 3) t,
     lists_of_task(t.agent_id, t.human_id, t.status) l
WHERE l.scope_id IS NOT NULL
GROUP BY 1, 2
UNION ALL
SELECT task_id, 'applications', count(*) FROM applications GROUP BY 1
UNION ALL
SELECT human_id, 'applications', count(*) FROM applications GROUP BY 1
UNION ALL
SELECT audience_id, 'activities', count(*) FROM activities GROUP BY 1
UNION ALL
SELECT audience_id, 'activities ' || type, count(*) FROM activities GROUP BY audience_id, type
UNION ALL
SELECT agent_id, 'claims', count(*) FROM claims GROUP BY 1
UNION ALL
SELECT '00000000-0000-0000-0000-000000000000', 'humans', count(*) FROM humans WHERE available;

-- +goose Down
DROP TRIGGER humans_count_changed ON humans;
DROP TRIGGER humans_count_added ON humans;
DROP TRIGGER claims_count ON claims;
DROP TRIGGER activities_count_removed ON activities;
DROP TRIGGER activities_count_added ON activities;
DROP TRIGGER applications_count_removed ON applications;
DROP TRIGGER applications_count_added ON applications;
DROP TRIGGER tasks_count_changed ON tasks;
DROP TRIGGER tasks_count_added ON tasks;
DROP FUNCTION count_human;
DROP FUNCTION count_claim;
DROP FUNCTION count_activities;
DROP FUNCTION count_applications;
DROP FUNCTION count_tasks;
DROP FUNCTION lists_of_task;
WITH lengths AS (
    SELECT scope_id, list, sum(items) AS items
    FROM (SELECT scope_id, list, items FROM list_counts UNION ALL SELECT scope_id, list, items FROM list_changes) l
    WHERE list IN ('messages', 'conversations', 'unread')
    GROUP BY 1, 2
), gone AS (
    DELETE FROM list_counts l WHERE NOT EXISTS (SELECT 1 FROM lengths n WHERE n.scope_id = l.scope_id AND n.list = l.list)
), changed AS (
    UPDATE list_counts l SET items = n.items FROM lengths n WHERE n.scope_id = l.scope_id AND n.list = l.list
)
INSERT INTO list_counts (scope_id, list, items)
SELECT n.scope_id, n.list, n.items
FROM lengths n
WHERE NOT EXISTS (SELECT 1 FROM list_counts l WHERE n.scope_id = l.scope_id AND n.list = l.list);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_list(scope uuid, name text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE list_counts SET items = items + change WHERE scope_id = scope AND list = name;
    IF NOT found THEN
        INSERT INTO list_counts AS c (scope_id, list, items)
        VALUES (scope, name, change)
        ON CONFLICT (scope_id, list) DO UPDATE SET items = c.items + excluded.items;
    END IF;
END $$;
-- +goose StatementEnd
DROP TABLE list_changes;
