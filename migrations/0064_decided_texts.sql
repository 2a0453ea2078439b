-- +goose Up

-- The subject as it was when a measure was imposed, for the person who decides an appeal. It is cleared when
-- no appeal is possible or open any more.
ALTER TABLE moderation_decisions ADD COLUMN subject_text text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE moderation_decisions DROP COLUMN subject_text;
