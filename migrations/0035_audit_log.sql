-- +goose Up

-- The audit log has one row for each act that must be accounted for, and one for several refused requests
-- of the same kind from one network. Its texts are identifiers: the checks exclude texts of users.
-- It is partitioned by the month in which a row was written, in UTC, like events.
CREATE SEQUENCE audit_log_id_seq;
CREATE TABLE audit_log (
    id bigint NOT NULL DEFAULT nextval('audit_log_id_seq'),
    created_at instant NOT NULL DEFAULT now(),
    kind text NOT NULL CONSTRAINT audit_log_kind_check CHECK (kind ~ '^[a-z_]{1,40}$'),
    account_id uuid,
    operator text CONSTRAINT audit_log_operator_check CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    network cidr CONSTRAINT audit_log_network_check CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END),
    request_id text CONSTRAINT audit_log_request_id_check CHECK (request_id ~ '^[A-Za-z0-9._-]{1,128}$'),
    subject_kind text CONSTRAINT audit_log_subject_kind_check CHECK (subject_kind ~ '^[a-z_]{1,40}$'),
    subject text CONSTRAINT audit_log_subject_check CHECK (subject ~ '^[A-Za-z0-9._:-]{1,80}$'),
    detail text CONSTRAINT audit_log_detail_check CHECK (detail ~ '^[A-Za-z0-9._:-]{1,80}$'),
    count integer NOT NULL DEFAULT 1 CONSTRAINT audit_log_count_check CHECK (count > 0),
    CONSTRAINT audit_log_actor_check CHECK (account_id IS NULL OR operator IS NULL),
    CONSTRAINT audit_log_subject_complete_check CHECK ((subject IS NULL) = (subject_kind IS NULL)),
    PRIMARY KEY (id, created_at) -- a unique key of a partitioned table must contain the partition key
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE audit_log_id_seq OWNED BY audit_log.id;
CREATE INDEX audit_log_account_idx ON audit_log (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_log_subject_idx ON audit_log (subject, id) WHERE subject IS NOT NULL;
CREATE INDEX audit_log_kind_idx ON audit_log (kind, id);

-- Returns the name of the partition for a time.
-- +goose StatementBegin
CREATE FUNCTION audit_partition(created_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char(created_at AT TIME ZONE 'UTC', '"audit_log_"YYYY"_"MM')
$$;
-- +goose StatementEnd

-- Returns the partitions with their bounds. since is null for the first one.
-- +goose StatementBegin
CREATE FUNCTION audit_partitions() RETURNS TABLE (name regclass, since timestamptz, until timestamptz) LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, substring(bound FROM $re$FROM \('([^']+)'\)$re$)::timestamptz,
           substring(bound FROM $re$TO \('([^']+)'\)$re$)::timestamptz
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
    WHERE i.inhparent = 'audit_log'::regclass
$$;
-- +goose StatementEnd

-- Creates the partition for a time unless one contains it, in the same way as create_event_partition.
-- +goose StatementBegin
CREATE FUNCTION create_audit_partition(created_at timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    partition text := audit_partition(created_at);
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    LOCK TABLE audit_log IN SHARE UPDATE EXCLUSIVE MODE;
    -- The first partition contains all earlier months: a clock can be behind that of the migration.
    IF to_regclass(partition) IS NOT NULL
       OR EXISTS (SELECT FROM audit_partitions() WHERE since IS NULL AND created_at < until) THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit_log INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('ALTER TABLE audit_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   partition, month_start(created_at, 0), month_start(created_at, 1));
END $$;
-- +goose StatementEnd

-- Drops the partitions that contain only rows older than a retention period, and returns their number.
-- The service's role can call it, so it refuses to drop what is younger than 30 days. A transaction that
-- uses the log delays it; after two seconds it fails, so that it does not delay others for longer.
-- +goose StatementBegin
CREATE FUNCTION drop_audit_partitions(retention interval) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    partition regclass;
    dropped integer := 0;
BEGIN
    IF retention < interval '30 days' THEN
        RAISE EXCEPTION 'the audit log is kept for at least 30 days, not %', retention USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT EXISTS (SELECT FROM audit_partitions() WHERE until <= now() - retention) THEN
        RETURN 0;
    END IF;
    LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE;
    FOR partition IN SELECT name FROM audit_partitions() WHERE until <= now() - retention LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION create_audit_partition, drop_audit_partitions FROM PUBLIC;

-- Safe: the partition and its table are new.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('CREATE TABLE %I PARTITION OF audit_log FOR VALUES FROM (MINVALUE) TO (%L)',
                   audit_partition(now()), month_start(now(), 1));
END $$;
-- +goose StatementEnd

-- Adds a row. It creates the partition if the service did not run for more than a month.
-- +goose StatementBegin
CREATE FUNCTION write_audit(kind text, account_id uuid, operator text, network cidr, request_id text,
                            subject_kind text, subject text, detail text, count integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass(audit_partition(now())) IS NULL THEN
        PERFORM create_audit_partition(now());
    END IF;
    INSERT INTO audit_log (kind, account_id, operator, network, request_id, subject_kind, subject, detail, count)
    VALUES (write_audit.kind, write_audit.account_id, write_audit.operator, write_audit.network, write_audit.request_id,
            write_audit.subject_kind, write_audit.subject, write_audit.detail, write_audit.count);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION write_audit;
DROP FUNCTION drop_audit_partitions;
DROP FUNCTION create_audit_partition;
DROP FUNCTION audit_partitions;
DROP TABLE audit_log;
DROP FUNCTION audit_partition;
