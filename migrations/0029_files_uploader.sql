-- +goose NO TRANSACTION
-- +goose Up

-- For the limit of the bytes that an account uploads in a day. An interrupted run leaves an invalid
-- index, which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS files_uploader_id_idx;
CREATE INDEX CONCURRENTLY files_uploader_id_idx ON files (uploader_id, created_at) INCLUDE (size);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS files_uploader_id_idx;
