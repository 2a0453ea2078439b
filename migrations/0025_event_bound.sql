-- +goose Up

-- Returns the start of the month of a time in UTC, or of a later month.
-- +goose StatementBegin
CREATE FUNCTION month_start(at timestamptz, months integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT (date_trunc('month', at AT TIME ZONE 'UTC') + months * interval '1 month') AT TIME ZONE 'UTC'
$$;
-- +goose StatementEnd

-- 0028_event_partitions.sql makes the table the first partition. The validated constraint implies the
-- partition's bound, so that the table is not scanned under a lock that blocks all reads and writes. The
-- bound is the end of the next month, because the constraint must not refuse events before 0028 has run.
-- Safe: the constraint is NOT VALID, and 0027 validates it.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_bound_check CHECK (created_at < %L) NOT VALID', month_start(now(), 2));
END $$;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE events DROP CONSTRAINT events_bound_check;
DROP FUNCTION month_start;
