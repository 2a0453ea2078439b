-- +goose NO TRANSACTION
-- +goose Up

-- The most selective column is first: without statistics, the planner used only the chain and the escrow
-- contract, and read all tasks for each block. Tasks without a posting or a claimed transaction have no entry,
-- so that most writes of a task have one index less to maintain. An interrupted run leaves an invalid index,
-- which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS tasks_claimed_idx;
CREATE UNIQUE INDEX CONCURRENTLY tasks_claimed_idx ON tasks (claimed_tx, claimed_ordinal, chain_id, escrow) WHERE claimed_tx IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS tasks_claimed_tx_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_posting_idx;
CREATE UNIQUE INDEX CONCURRENTLY tasks_posting_idx ON tasks (escrow_task_id, chain_id, escrow) WHERE escrow_task_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS tasks_escrow_task_idx;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS tasks_escrow_task_idx;
CREATE UNIQUE INDEX CONCURRENTLY tasks_escrow_task_idx ON tasks (chain_id, escrow, escrow_task_id);
DROP INDEX CONCURRENTLY IF EXISTS tasks_posting_idx;
DROP INDEX CONCURRENTLY IF EXISTS tasks_claimed_tx_idx;
CREATE UNIQUE INDEX CONCURRENTLY tasks_claimed_tx_idx ON tasks (chain_id, escrow, claimed_tx, claimed_ordinal);
DROP INDEX CONCURRENTLY IF EXISTS tasks_claimed_idx;
