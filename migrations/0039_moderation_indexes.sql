-- +goose NO TRANSACTION
-- +goose Up

-- For the queue, and for the end of a suspension. An interrupted run leaves an invalid index, which
-- the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS tasks_held_idx;
CREATE INDEX CONCURRENTLY tasks_held_idx ON tasks (hold_due_at) WHERE visibility = 'held';
DROP INDEX CONCURRENTLY IF EXISTS tasks_measure_id_idx;
CREATE INDEX CONCURRENTLY tasks_measure_id_idx ON tasks (measure_id) WHERE measure_id IS NOT NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS tasks_measure_id_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_held_idx;
