-- +goose NO TRANSACTION
-- +goose Up

-- For deleting names that are no longer reserved. An interrupted run leaves an invalid index, which the
-- next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS usernames_released_idx;
CREATE INDEX CONCURRENTLY usernames_released_idx ON usernames (released_at) WHERE released_at IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS usernames_released_idx;
