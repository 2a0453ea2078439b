-- +goose Up

-- For postings without an accepted human, including those that are not linked to a task.
CREATE INDEX onchain_tasks_posted_idx ON onchain_tasks (agent) WHERE status = 1;

-- +goose Down
DROP INDEX onchain_tasks_posted_idx;
