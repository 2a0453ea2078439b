-- +goose NO TRANSACTION
-- +goose Up

-- 0028_event_partitions.sql makes this index the primary key of the first partition. It is built without
-- blocking writes. An interrupted run leaves an invalid index, which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS events_partition_key;
CREATE UNIQUE INDEX CONCURRENTLY events_partition_key ON events (id, created_at);
DROP INDEX CONCURRENTLY IF EXISTS events_created_at_idx; -- only for deleting rows one by one

-- +goose Down
CREATE INDEX CONCURRENTLY IF NOT EXISTS events_created_at_idx ON events USING brin (created_at);
DROP INDEX CONCURRENTLY IF EXISTS events_partition_key;
