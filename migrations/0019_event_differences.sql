-- +goose Up

-- Records that a transaction has changed, with their state before the transaction. At the commit, a
-- deferred trigger compares this state with the current record and inserts an event for each
-- difference. Intermediate states cause no events, for example if one record releases a unique key
-- and another record takes it. The trigger deletes the rows, so none remain after the transaction.
CREATE UNLOGGED TABLE changed_records (
    tx             xid8    NOT NULL DEFAULT pg_current_xact_id(),
    kind           text    NOT NULL CHECK (kind IN ('activity', 'task', 'application')),
    subject_id     uuid    NOT NULL,
    leads          boolean NOT NULL, -- first row of its statement, which queues the trigger
    -- The previous status; NULL if the transaction created the record.
    status         text,
    human_id       uuid,             -- for tasks, like the following columns
    escrow_task_id bigint,
    changed_block  bigint,
    PRIMARY KEY (tx, kind, subject_id),
    CHECK (kind = 'task' AND status IS NOT NULL OR num_nonnulls(human_id, escrow_task_id, changed_block) = 0)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- ON CONFLICT keeps the first row for each record, which contains its state before the transaction.
-- The deferred trigger is already queued for that row. Nested loops are disabled because plans are
-- cached for a session. A nested loop that suits one row would take quadratic time when a fold
-- changes thousands.
-- +goose StatementBegin
CREATE FUNCTION note_tasks() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    IF tg_op = 'INSERT' THEN
        INSERT INTO changed_records (kind, subject_id, leads)
        SELECT 'task', id, row_number() OVER () = 1 FROM after
        ON CONFLICT DO NOTHING;
    ELSE
        INSERT INTO changed_records (kind, subject_id, leads, status, human_id, escrow_task_id, changed_block)
        SELECT 'task', id, row_number() OVER () = 1, b.status, b.human_id, b.escrow_task_id, b.changed_block
        FROM before b JOIN after a USING (id)
        WHERE (a.status, a.human_id, a.escrow_task_id, a.changed_block)
            IS DISTINCT FROM (b.status, b.human_id, b.escrow_task_id, b.changed_block)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- The trigger's argument is the kind of the records. The state that is compared is their status.
-- +goose StatementBegin
CREATE FUNCTION note_statuses() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
    CASE tg_op
    WHEN 'INSERT' THEN
        INSERT INTO changed_records (kind, subject_id, leads)
        SELECT tg_argv[0], id, row_number() OVER () = 1 FROM after
        ON CONFLICT DO NOTHING;
    WHEN 'UPDATE' THEN
        INSERT INTO changed_records (kind, subject_id, leads, status)
        SELECT tg_argv[0], id, row_number() OVER () = 1, b.status
        FROM before b JOIN after a USING (id)
        WHERE a.status <> b.status
        ON CONFLICT DO NOTHING;
    ELSE -- a transaction can delete a record and insert it again
        INSERT INTO changed_records (kind, subject_id, leads, status)
        SELECT tg_argv[0], id, row_number() OVER () = 1, status FROM before
        ON CONFLICT DO NOTHING;
    END CASE;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Inserts all events of the transaction: first for tasks, then for applications, then for
-- activities. Events about a task or an application are for its agent and its human, including a
-- human that was removed from the task. The ids are taken at the end of the transaction, so that a
-- long transaction delays the events of others only while it commits. The planner settings force
-- look-ups by key for any number of records, because the statistics may be those of an empty
-- database.
-- +goose StatementBegin
CREATE FUNCTION log_changes() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM changed_records c WHERE (c.tx, c.kind, c.subject_id) = (new.tx, new.kind, new.subject_id)
    ) THEN
        RETURN NULL; -- another row has already inserted the events
    END IF;
    PERFORM begin_events();
    INSERT INTO events (audience_id, kind, subject_id, status)
    SELECT DISTINCT w.id, 'task', t.id, t.status
    FROM changed_records c
    JOIN tasks t ON t.id = c.subject_id,
         LATERAL (VALUES (t.agent_id), (t.human_id), (c.human_id)) w (id)
    WHERE c.tx = new.tx AND c.kind = 'task' AND w.id IS NOT NULL
      AND (t.status, t.human_id, t.escrow_task_id, t.changed_block)
          IS DISTINCT FROM (c.status, c.human_id, c.escrow_task_id, c.changed_block)
    ORDER BY t.id;
    INSERT INTO events (audience_id, kind, subject_id, task_id, status)
    SELECT w.id, 'application', a.id, a.task_id, a.status
    FROM changed_records c
    JOIN applications a ON a.id = c.subject_id
    JOIN tasks t ON t.id = a.task_id,
         LATERAL (VALUES (t.agent_id), (a.human_id)) w (id)
    WHERE c.tx = new.tx AND c.kind = 'application' AND a.status IS DISTINCT FROM c.status
    ORDER BY a.id;
    INSERT INTO events (audience_id, kind, subject_id, status)
    SELECT a.audience_id, 'activity', a.id, a.status
    FROM changed_records c
    JOIN activities a ON a.id = c.subject_id
    WHERE c.tx = new.tx AND c.kind = 'activity' AND a.status IS DISTINCT FROM c.status
    ORDER BY a.created_at, a.id;
    DELETE FROM changed_records WHERE tx = new.tx;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER changed_records_log AFTER INSERT ON changed_records
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.leads) EXECUTE FUNCTION log_changes();

DROP TRIGGER applications_log_changed ON applications;
DROP TRIGGER applications_log_added ON applications;
DROP TRIGGER tasks_log_changed ON tasks;
DROP TRIGGER tasks_log_added ON tasks;
DROP TRIGGER activities_log_changed ON activities;
DROP TRIGGER activities_log_added ON activities;
DROP FUNCTION log_applications;
DROP FUNCTION log_tasks;
DROP FUNCTION log_activities;

CREATE TRIGGER tasks_note_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();
CREATE TRIGGER tasks_note_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();
CREATE TRIGGER applications_note_added AFTER INSERT ON applications
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER applications_note_changed AFTER UPDATE ON applications
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER applications_note_removed AFTER DELETE ON applications
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('application');
CREATE TRIGGER activities_note_added AFTER INSERT ON activities
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('activity');
CREATE TRIGGER activities_note_changed AFTER UPDATE ON activities
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_statuses('activity');

-- +goose Down
DROP TRIGGER activities_note_changed ON activities;
DROP TRIGGER activities_note_added ON activities;
DROP TRIGGER applications_note_removed ON applications;
DROP TRIGGER applications_note_changed ON applications;
DROP TRIGGER applications_note_added ON applications;
DROP TRIGGER tasks_note_changed ON tasks;
DROP TRIGGER tasks_note_added ON tasks;
DROP TABLE changed_records;
DROP FUNCTION log_changes;
DROP FUNCTION note_statuses;
DROP FUNCTION note_tasks;

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
