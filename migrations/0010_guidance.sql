-- +goose Up

-- Postings without a human, including those that fund no task.
CREATE INDEX onchain_tasks_posted_idx ON onchain_tasks (agent) WHERE status = 1;

-- +goose Down
DROP INDEX onchain_tasks_posted_idx;
