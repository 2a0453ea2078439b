-- +goose Up

-- The state of files that follows from the decisions in 0037_moderation.sql.
ALTER TABLE files ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid;
ALTER TABLE files ADD CONSTRAINT files_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE files ADD CONSTRAINT files_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

-- +goose Down
ALTER TABLE files DROP COLUMN measure_id, DROP COLUMN visibility;
