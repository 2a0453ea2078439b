-- +goose NO TRANSACTION
-- +goose Up

-- For the folders of a member's conversations. An interrupted run leaves an invalid index, which the
-- next run replaces. A later release removes conversations_agent_idx and conversations_human_idx.
DROP INDEX CONCURRENTLY IF EXISTS conversations_agent_folder_idx;
CREATE INDEX CONCURRENTLY conversations_agent_folder_idx
    ON conversations (agent_id, conversation_folder(agent_requested, agent_blocked), updated_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS conversations_human_folder_idx;
CREATE INDEX CONCURRENTLY conversations_human_folder_idx
    ON conversations (human_id, conversation_folder(human_requested, human_blocked), updated_at DESC, id DESC);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS conversations_human_folder_idx;
DROP INDEX CONCURRENTLY IF EXISTS conversations_agent_folder_idx;
