-- +goose Up

-- The state of messages on tasks that follows from the decisions in 0037_moderation.sql.
ALTER TABLE task_messages ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid;
ALTER TABLE task_messages ADD CONSTRAINT task_messages_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE task_messages ADD CONSTRAINT task_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

-- +goose Down
ALTER TABLE task_messages DROP COLUMN measure_id, DROP COLUMN visibility;
