-- +goose NO TRANSACTION
-- +goose Up

-- For the records that an account wrote, which are exported and erased together. An interrupted run
-- leaves an invalid index, which the next run replaces.
DROP INDEX CONCURRENTLY IF EXISTS submissions_human_id_idx;
CREATE INDEX CONCURRENTLY submissions_human_id_idx ON submissions (human_id, id);
DROP INDEX CONCURRENTLY IF EXISTS reviews_reviewer_id_idx;
CREATE INDEX CONCURRENTLY reviews_reviewer_id_idx ON reviews (reviewer_id, id);
DROP INDEX CONCURRENTLY IF EXISTS verdicts_human_id_idx;
CREATE INDEX CONCURRENTLY verdicts_human_id_idx ON verdicts (human_id, id);
DROP INDEX CONCURRENTLY IF EXISTS reports_reporter_id_idx;
CREATE INDEX CONCURRENTLY reports_reporter_id_idx ON reports (reporter_id, id);
DROP INDEX CONCURRENTLY IF EXISTS task_messages_sender_id_idx;
CREATE INDEX CONCURRENTLY task_messages_sender_id_idx ON task_messages (sender_id, id);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS task_messages_sender_id_idx;
DROP INDEX CONCURRENTLY IF EXISTS reports_reporter_id_idx;
DROP INDEX CONCURRENTLY IF EXISTS verdicts_human_id_idx;
DROP INDEX CONCURRENTLY IF EXISTS reviews_reviewer_id_idx;
DROP INDEX CONCURRENTLY IF EXISTS submissions_human_id_idx;
