-- +goose NO TRANSACTION
-- +goose Up

-- For finding the unfunded tasks that are due to leave the lists, and for counting the stakes that an
-- agent rejected. Interrupted runs leave invalid indexes, which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS tasks_unfunded_idx;
CREATE INDEX CONCURRENTLY tasks_unfunded_idx ON tasks (updated_at) WHERE status = 'new' AND lapsed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS onchain_applications_rejected_idx;
CREATE INDEX CONCURRENTLY onchain_applications_rejected_idx
    ON onchain_applications (chain_id, agent, escrow, task_id) INCLUDE (ended_at) WHERE rejected;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS onchain_applications_rejected_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_unfunded_idx;
