-- +goose Up

-- Changes to records in a total order, with one row for each user that can read the record. Rows of
-- kind access report that a credential was revoked.
CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    audience_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('activity', 'task', 'application', 'access')),
    subject_id uuid NOT NULL,
    task_id uuid, -- for applications
    status text NOT NULL,
    created_at instant NOT NULL DEFAULT now()
);
CREATE INDEX events_audience_idx ON events (audience_id, id);
CREATE INDEX events_created_at_idx ON events USING brin (created_at);

-- The epoch of the event log, which changes when a database is restored, and the last deleted id.
CREATE TABLE event_log (
    alone boolean PRIMARY KEY DEFAULT true CHECK (alone),
    epoch text NOT NULL DEFAULT substr(md5(gen_random_uuid()::text), 1, 8),
    swept bigint NOT NULL DEFAULT 0
);
INSERT INTO event_log DEFAULT VALUES;

-- Transactions reserve ids in one order and commit in another, so a reader could skip an id that is
-- committed later. Before its first id, a transaction therefore takes a shared advisory lock on the
-- last id in the log and holds it until its rows are visible. These locks never block a
-- transaction; readers only list them. Their class is 1163284563. The last id is not selected from
-- the sequence's relation, because the value stored there can be higher than the last id that was
-- used.
-- +goose StatementBegin
CREATE FUNCTION last_event() RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(pg_sequence_last_value('events_id_seq'), 0)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION begin_events() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('taskmarket.events', true), '') = '' THEN
        PERFORM pg_advisory_xact_lock_shared(1163284563, (last_event() % 2147483648)::integer);
        PERFORM set_config('taskmarket.events', 'begun', true);
    END IF;
END $$;
-- +goose StatementEnd

-- Returns the highest id up to which all transactions have ended. After this call, readers can read
-- all events up to this id, and none are added later. The last id is read before the locks, because
-- transactions that take a lock later use higher ids.
-- +goose StatementBegin
CREATE FUNCTION settled_events() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    newest bigint := last_event();
    open bigint;
BEGIN
    SELECT max((newest - objid::bigint) & 2147483647) INTO open
    FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 1163284563 AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      -- Ignore locks taken after the newest id was read (compared modulo 2^31).
      AND ((newest - objid::bigint) & 2147483647) < 1073741824;
    RETURN newest - coalesce(open, 0);
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION log_activities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    IF tg_op = 'INSERT' THEN
        INSERT INTO events (audience_id, kind, subject_id, status)
        SELECT audience_id, 'activity', id, status FROM after ORDER BY created_at, id;
    ELSE
        INSERT INTO events (audience_id, kind, subject_id, status)
        SELECT a.audience_id, 'activity', a.id, a.status
        FROM after a JOIN before b USING (id)
        WHERE a.status <> b.status
        ORDER BY a.created_at, a.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER activities_log_added AFTER INSERT ON activities
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_activities();
CREATE TRIGGER activities_log_changed AFTER UPDATE ON activities
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_activities();

-- A change to a task is reported to its agent and its human, including a human that is assigned or
-- removed.
-- +goose StatementBegin
CREATE FUNCTION log_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    IF tg_op = 'INSERT' THEN
        INSERT INTO events (audience_id, kind, subject_id, status)
        SELECT agent_id, 'task', id, status FROM after ORDER BY id;
    ELSE
        INSERT INTO events (audience_id, kind, subject_id, status)
        SELECT DISTINCT w.id, 'task', a.id, a.status
        FROM after a JOIN before b USING (id), LATERAL (VALUES (a.agent_id), (a.human_id), (b.human_id)) w (id)
        WHERE w.id IS NOT NULL
          AND (a.status, a.human_id, a.changed_block) IS DISTINCT FROM (b.status, b.human_id, b.changed_block)
        ORDER BY a.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_log_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_tasks();
CREATE TRIGGER tasks_log_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_tasks();

-- A change to an application is reported to its human and to the task's agent.
-- +goose StatementBegin
CREATE FUNCTION log_applications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    IF tg_op = 'INSERT' THEN
        INSERT INTO events (audience_id, kind, subject_id, task_id, status)
        SELECT w.id, 'application', a.id, a.task_id, a.status
        FROM after a JOIN tasks t ON t.id = a.task_id, LATERAL (VALUES (t.agent_id), (a.human_id)) w (id)
        ORDER BY a.id;
    ELSE
        INSERT INTO events (audience_id, kind, subject_id, task_id, status)
        SELECT w.id, 'application', a.id, a.task_id, a.status
        FROM after a JOIN before b USING (id) JOIN tasks t ON t.id = a.task_id,
             LATERAL (VALUES (t.agent_id), (a.human_id)) w (id)
        WHERE a.status <> b.status
        ORDER BY a.id;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER applications_log_added AFTER INSERT ON applications
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_applications();
CREATE TRIGGER applications_log_changed AFTER UPDATE ON applications
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION log_applications();

-- If a key is replaced or a session ends, access is revoked. The event wakes the readers of the
-- event stream, which then check the credential again.
-- +goose StatementBegin
CREATE FUNCTION log_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status) VALUES (new.id, 'access', new.id, '');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER agents_log_keys AFTER UPDATE OF key_hash ON agents
    FOR EACH ROW WHEN (new.key_hash::bytea <> old.key_hash::bytea) EXECUTE FUNCTION log_keys();

-- +goose StatementBegin
CREATE FUNCTION log_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status) VALUES (old.human_id, 'access', old.human_id, '');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER sessions_log_ended AFTER DELETE ON sessions
    FOR EACH ROW WHEN (old.expires_at > now()) EXECUTE FUNCTION log_sessions();

-- +goose Down
DROP TRIGGER sessions_log_ended ON sessions;
DROP TRIGGER agents_log_keys ON agents;
DROP TRIGGER applications_log_changed ON applications;
DROP TRIGGER applications_log_added ON applications;
DROP TRIGGER tasks_log_changed ON tasks;
DROP TRIGGER tasks_log_added ON tasks;
DROP TRIGGER activities_log_changed ON activities;
DROP TRIGGER activities_log_added ON activities;
DROP FUNCTION log_sessions;
DROP FUNCTION log_keys;
DROP FUNCTION log_applications;
DROP FUNCTION log_tasks;
DROP FUNCTION log_activities;
DROP FUNCTION settled_events;
DROP FUNCTION begin_events;
DROP FUNCTION last_event;
DROP TABLE event_log;
DROP TABLE events;
