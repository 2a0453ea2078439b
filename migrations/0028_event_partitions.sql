-- +goose Up

-- Events are partitioned by the month in which they were created, in UTC. Dropping a month takes no
-- time and leaves no dead rows. The current table becomes the first partition.
-- Safe: the same transaction creates a table with the old name and columns.
ALTER TABLE events RENAME TO events_former;
ALTER INDEX events_audience_idx RENAME TO events_former_audience_idx;
ALTER TABLE events_former
    DROP CONSTRAINT events_pkey,
    ADD CONSTRAINT events_former_pkey PRIMARY KEY USING INDEX events_partition_key,
    ALTER COLUMN id DROP IDENTITY; -- also drops the sequence

CREATE SEQUENCE events_id_seq;
SELECT setval('events_id_seq', max(id)) FROM (
    SELECT max(id) AS id FROM events_former UNION ALL SELECT nullif(swept, 0) FROM event_log
) ids HAVING max(id) IS NOT NULL;

CREATE TABLE events (
    id bigint NOT NULL DEFAULT nextval('events_id_seq'),
    audience_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT events_kind_check CHECK (kind IN ('activity', 'task', 'application', 'access')),
    subject_id uuid NOT NULL,
    task_id uuid, -- for applications
    status text NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    PRIMARY KEY (id, created_at) -- a unique key of a partitioned table must contain the partition key
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE events_id_seq OWNED BY events.id;
CREATE INDEX events_audience_idx ON events (audience_id, id);

-- Returns the name of the partition for a time.
-- +goose StatementBegin
CREATE FUNCTION event_partition(created_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(created_at AT TIME ZONE 'UTC', '"events_"YYYY"_"MM')
$$;
-- +goose StatementEnd

-- The first partition of a new database is the current month. Otherwise it ends with the next month, as
-- events_bound_check of 0025_event_bound.sql does, and has that month's name.
-- Safe: the validated events_bound_check implies the bound of a table with rows.
-- +goose StatementBegin
DO $$
DECLARE
    until timestamptz := month_start(now(), 1);
    partition text;
BEGIN
    IF EXISTS (SELECT FROM events_former) THEN
        SELECT substring(pg_get_constraintdef(oid) FROM $re$'([^']+)'$re$)::timestamptz INTO STRICT until
        FROM pg_constraint WHERE conrelid = 'events_former'::regclass AND conname = 'events_bound_check';
    END IF;
    partition := event_partition(until - interval '1 day');
    EXECUTE format('ALTER TABLE events_former RENAME TO %I', partition);
    EXECUTE format('ALTER INDEX events_former_pkey RENAME TO %I', partition || '_pkey');
    EXECUTE format('ALTER INDEX events_former_audience_idx RENAME TO %I', partition || '_audience_id_id_idx');
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', partition, until);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT events_bound_check', partition);
END $$;
-- +goose StatementEnd

-- Returns the partitions with their bounds. since is null for the first one.
-- +goose StatementBegin
CREATE FUNCTION event_partitions() RETURNS TABLE (name regclass, since timestamptz, until timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, substring(bound FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
           substring(bound FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
    WHERE i.inhparent = 'events'::regclass
$$;
-- +goose StatementEnd

-- Creates the partition for a time unless one contains it. The lock admits one transaction at a time, and
-- makes the partitions of ended transactions visible to to_regclass. Attaching a table does not block
-- writes, but CREATE TABLE ... PARTITION OF would. The functions for partitions run with the rights of
-- their owner, because the service's role may not create tables.
-- +goose StatementBegin
CREATE FUNCTION create_event_partition(created_at timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    partition text := event_partition(created_at);
BEGIN
    -- The first partition contains all earlier months, and can have the name of a later one.
    IF to_regclass(partition) IS NOT NULL
       OR EXISTS (SELECT FROM event_partitions() WHERE since IS NULL AND created_at < until) THEN
        RETURN;
    END IF;
    LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   partition, month_start(created_at, 0), month_start(created_at, 1));
END $$;
-- +goose StatementEnd

-- Drops the partitions that contain only events older than a retention period, and returns their
-- number. It records the last deleted id in the same transaction, so that readers always detect a
-- deletion. A transaction that reads events delays it; after two seconds it fails, so that it does
-- not delay others for longer. Another server may drop the partitions while this one waits.
-- +goose StatementBegin
CREATE FUNCTION drop_event_partitions(retention interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    partition regclass;
    dropped integer := 0;
BEGIN
    IF NOT EXISTS (SELECT FROM event_partitions() WHERE until <= now() - retention) THEN
        RETURN 0;
    END IF;
    LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
    FOR partition IN SELECT name FROM event_partitions() WHERE until <= now() - retention LOOP
        EXECUTE format('UPDATE event_log SET swept = greatest(swept, (SELECT max(id) FROM %s))', partition);
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION create_event_partition, drop_event_partitions FROM PUBLIC;

-- The next month's partition is created in advance. A transaction creates the partition itself if
-- the service did not run for more than a month.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION begin_events() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('taskmarket.events', true), '') = '' THEN
        IF to_regclass(event_partition(now())) IS NULL THEN
            PERFORM create_event_partition(now());
        END IF;
        PERFORM pg_advisory_xact_lock_shared(1163284563, (last_event() % 2147483648)::integer);
        PERFORM set_config('taskmarket.events', 'begun', true);
    END IF;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION begin_events() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('taskmarket.events', true), '') = '' THEN
        PERFORM pg_advisory_xact_lock_shared(1163284563, (last_event() % 2147483648)::integer);
        PERFORM set_config('taskmarket.events', 'begun', true);
    END IF;
END $$;
-- +goose StatementEnd
DROP FUNCTION drop_event_partitions;
DROP FUNCTION create_event_partition;
DROP FUNCTION event_partitions;
DROP FUNCTION event_partition;
ALTER TABLE events RENAME TO events_partitioned;
ALTER TABLE events_partitioned ALTER COLUMN id DROP DEFAULT;
ALTER SEQUENCE events_id_seq RENAME TO events_partitioned_id_seq;
ALTER INDEX events_pkey RENAME TO events_partitioned_pkey;
ALTER INDEX events_audience_idx RENAME TO events_partitioned_audience_idx;
CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    audience_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT events_kind_check CHECK (kind IN ('activity', 'task', 'application', 'access')),
    subject_id uuid NOT NULL,
    task_id uuid, -- for applications
    status text NOT NULL,
    created_at instant NOT NULL DEFAULT now()
);
INSERT INTO events (id, audience_id, kind, subject_id, task_id, status, created_at) OVERRIDING SYSTEM VALUE
SELECT id, audience_id, kind, subject_id, task_id, status, created_at FROM events_partitioned;
SELECT setval('events_id_seq', pg_sequence_last_value('events_partitioned_id_seq'))
WHERE pg_sequence_last_value('events_partitioned_id_seq') IS NOT NULL;
CREATE INDEX events_audience_idx ON events (audience_id, id);
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_bound_check CHECK (created_at < %L)', month_start(now(), 2));
END $$;
-- +goose StatementEnd
CREATE UNIQUE INDEX events_partition_key ON events (id, created_at);
DROP TABLE events_partitioned;
