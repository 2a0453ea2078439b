-- +goose NO TRANSACTION
-- +goose Up

-- For deleting old closed jobs. An interrupted run leaves an invalid index, which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS outbox_closed_idx;
CREATE INDEX CONCURRENTLY outbox_closed_idx ON outbox (run_at) WHERE state IN ('done', 'failed');

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS outbox_closed_idx;
